// Copyright the fat-tree verification environment contributors
// SPDX-License-Identifier: Apache-2.0

`timescale 1ns/1ns
`include "prove.vh"
`default_nettype none

// One arbiter, after a reset, for all requests at all times.  A grant is taken or not, as may come;
// none is taken where there is none.
//
// Two requests, any, are watched: number a and another, number b.
//
//   A1  at most one is granted
//   A2  nothing is granted to who does not ask
//   A3  if someone asks, one is granted
//   A4  who won against another wins against it again, as long as no grant was taken
//   A5  while one keeps asking, no other's grant is taken twice: it waits for at most R - 1 of them
//   A6  of two that ask, the one that comes later by KIND is not granted: round robin counts from
//       the grant that was taken last, the matrix lets those go last whose turn was last
//   A7  counted, too: while one keeps asking, at most R - 1 grants of others are taken
module arbiter_proof #(
  parameter R = 4,
  parameter [8*11-1:0] KIND = "ROUND_ROBIN",
  parameter NUMBER_W = (R > 1) ? $clog2(R) : 1  // derived
) (
  input wire                clk,
  input wire [R-1:0]        request_i,
  input wire                taken_i,
  input wire [NUMBER_W-1:0] a_i,
  input wire [NUMBER_W-1:0] b_i
);

  localparam [31:0]  LAST  = R - 1;
  localparam [R-1:0] FIRST = 1;

  reg                first = 1'b1;
  reg [NUMBER_W-1:0] a_q, b_q;
  wire [R-1:0]       grant;
  wire [R-1:0]       one_a = FIRST << a_q;
  wire [R-1:0]       one_b = (a_q == b_q) ? {R{1'b0}} : FIRST << b_q;
  wire               asks_a = |(request_i & one_a), wins_a = |(grant & one_a);
  wire               asks_b = |(request_i & one_b), wins_b = |(grant & one_b);

  arbiter #(.R(R), .KIND(KIND)) u_arbiter (
    .clk(clk), .rst(first), .request_i(request_i), .taken_i(taken_i), .grant_o(grant)
  );

  reg                a_won_q;    // a won against b, and nothing was taken since
  reg                b_later_q;  // b's turn was after a's
  reg                passed_q;   // a asks, and since then a grant of b was taken
  reg [NUMBER_W:0]   waited_q;   // grants of others taken since a asks
  reg [NUMBER_W-1:0] last_q;     // taken last
  integer            i;
  always @(posedge clk) begin
    first <= 1'b0;
    if (first) begin
      a_q       <= a_i;
      b_q       <= b_i;
      a_won_q   <= 1'b0;
      b_later_q <= b_i > a_i;
      passed_q  <= 1'b0;
      waited_q  <= {(NUMBER_W+1){1'b0}};
      last_q    <= LAST[NUMBER_W-1:0];
    end else begin
      a_won_q <= !taken_i && (a_won_q || (asks_a && asks_b && wins_a));
      if (taken_i && wins_a) b_later_q <= 1'b0;
      if (taken_i && wins_b) b_later_q <= 1'b1;
      passed_q <= asks_a && !(taken_i && wins_a) && (passed_q || (taken_i && wins_b));
      if (!asks_a || (taken_i && wins_a))
        waited_q <= {(NUMBER_W+1){1'b0}};
      else if (taken_i && waited_q != R)
        waited_q <= waited_q + 1'b1;
      for (i = 0; i < R; i = i + 1)
        if (taken_i && grant[i]) last_q <= i;
    end
  end

  wire b_behind = (KIND == "MATRIX") ? b_later_q
                                     : (a_q > last_q) ? (b_q > a_q || b_q <= last_q)
                                                      : (b_q > a_q && b_q <= last_q);

  always @* begin
    `GIVEN(a_i < R && b_i < R)
    `GIVEN(!taken_i || request_i != {R{1'b0}})
    if (!first) begin
      `PROVE(A1, (grant & (grant - 1'b1)) == {R{1'b0}})
      `PROVE(A2, (grant & ~request_i) == {R{1'b0}})
      `PROVE(A3, (grant != {R{1'b0}}) == (request_i != {R{1'b0}}))
      `PROVE(A4, !(a_won_q && asks_a && wins_b))
      `PROVE(A5, !(passed_q && asks_a && taken_i && wins_b))
      `PROVE(A6, !(asks_a && asks_b && b_behind && wins_b))
      `PROVE(A7, waited_q < R)
    end
  end

endmodule

`default_nettype wire
