// Copyright the fat-tree verification environment contributors
// SPDX-License-Identifier: Apache-2.0

`timescale 1ns/1ns
`include "prove.vh"
`default_nettype none

// Which parents packets take on their way up, for all asks and all free parents after a reset.  The
// wrapper keeps the pointer as a number, and searches step by step.
// One child, any, is watched.
//
//   U1  each child gets the first free parent from the pointer on that no child before it got, and
//       the pointer moves behind it
//   U2  the watched child gets one parent at most, and only if it asks
//   U3  no parent stays free while it asks in vain
module spin_climb_proof #(
  parameter CHILDREN = 4,
  parameter PARENTS  = 4
) (
  input wire                clk,
  input wire [CHILDREN-1:0] watched_i,  // one-hot
  input wire [CHILDREN-1:0] ask_i,
  input wire [PARENTS-1:0]  free_i
);

  localparam POINTER_W = $clog2(PARENTS + 1);
  localparam [POINTER_W:0] ALL = PARENTS;

  reg                         first = 1'b1;
  wire [PARENTS*CHILDREN-1:0] grant;

  spin_climb #(.CHILDREN(CHILDREN), .PARENTS(PARENTS)) u_climb (
    .clk(clk), .rst(first), .ask_i(ask_i), .free_i(free_i), .grant_o(grant)
  );

  reg [POINTER_W:0]          pointer_q, pointer, at;
  reg [PARENTS-1:0]          left;
  reg [PARENTS*CHILDREN-1:0] expected;
  reg                        found;
  integer                    c, k, p;
  always @* begin
    pointer  = pointer_q;
    left     = free_i;
    expected = {(PARENTS*CHILDREN){1'b0}};
    at       = pointer_q;
    for (c = 0; c < CHILDREN; c = c + 1) begin
      found = !ask_i[c];
      at    = pointer;
      for (k = 0; k < PARENTS; k = k + 1) begin
        for (p = 0; p < PARENTS; p = p + 1)
          if (!found && at == p && left[p]) begin
            found                    = 1'b1;
            left[p]                  = 1'b0;
            expected[p*CHILDREN + c] = 1'b1;
            pointer                  = (at + 1'b1 == ALL) ? 0 : at + 1'b1;
          end
        at = (at + 1'b1 == ALL) ? 0 : at + 1'b1;
      end
    end
  end

  reg  [CHILDREN-1:0] watched_q;
  reg  [PARENTS-1:0]  mine, given;  // parents that the watched child gets, that anybody does
  wire                asks = ((ask_i & watched_q) != {CHILDREN{1'b0}});
  integer             e;
  always @*
    for (e = 0; e < PARENTS; e = e + 1) begin
      mine[e]  = ((grant[e*CHILDREN +: CHILDREN] & watched_q) != {CHILDREN{1'b0}});
      given[e] = (grant[e*CHILDREN +: CHILDREN] != {CHILDREN{1'b0}});
    end

  always @(posedge clk) begin
    first     <= 1'b0;
    pointer_q <= first ? 0 : pointer;
    if (first) watched_q <= watched_i;
  end

  always @* begin
    `GIVEN(!first || (watched_i != {CHILDREN{1'b0}}
                      && (watched_i & (watched_i - 1'b1)) == {CHILDREN{1'b0}}))
    if (!first) begin
      `PROVE(U1, grant == expected)
      `PROVE(U2, (mine & (mine - 1'b1)) == {PARENTS{1'b0}} && (asks || mine == {PARENTS{1'b0}}))
      `PROVE(U3, !asks || mine != {PARENTS{1'b0}} || (free_i & ~given) == {PARENTS{1'b0}})
    end
  end

endmodule

`default_nettype wire
