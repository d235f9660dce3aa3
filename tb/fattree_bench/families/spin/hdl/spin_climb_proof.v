// Copyright the fat-tree verification environment contributors
// SPDX-License-Identifier: Apache-2.0

`timescale 1ns/1ns
`include "prove.vh"
`default_nettype none

// Which parents packets take on their way up, for all asks and all free parents after a reset.  The
// wrapper keeps the pointer as a number, and searches step by step.
//
//   U1  each child gets the first free parent from the pointer on that no child before it got, and
//       the pointer moves behind it
//   U2  a child gets one parent at most, and only if it asks
//   U3  no parent stays free while a child asks in vain
module spin_climb_proof #(
  parameter CHILDREN = 4,
  parameter PARENTS  = 4
) (
  input wire                clk,
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

  reg [POINTER_W:0]           pointer_q, pointer, at;
  reg [PARENTS-1:0]           left, got;
  reg [PARENTS*CHILDREN-1:0]  expected;
  reg                         found, single, vain;
  integer                     c, k, p;
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

  integer d, e;
  always @* begin
    single = 1'b1;
    vain   = 1'b0;
    got    = {PARENTS{1'b0}};
    for (d = 0; d < CHILDREN; d = d + 1) begin
      for (e = 0; e < PARENTS; e = e + 1) got[e] = grant[e*CHILDREN + d];
      if ((got & (got - 1'b1)) != {PARENTS{1'b0}} || (got != {PARENTS{1'b0}} && !ask_i[d]))
        single = 1'b0;
      if (ask_i[d] && got == {PARENTS{1'b0}}) vain = 1'b1;
    end
    for (e = 0; e < PARENTS; e = e + 1) got[e] = (grant[e*CHILDREN +: CHILDREN] != 0);
  end

  always @(posedge clk) begin
    first     <= 1'b0;
    pointer_q <= first ? 0 : pointer;
  end

  always @*
    if (!first) begin
      `PROVE(U1, grant == expected)
      `PROVE(U2, single)
      `PROVE(U3, !vain || (free_i & ~got) == {PARENTS{1'b0}})
    end

endmodule

`default_nettype wire
