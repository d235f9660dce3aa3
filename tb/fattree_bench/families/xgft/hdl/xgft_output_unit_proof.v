// Copyright the fat-tree verification environment contributors
// SPDX-License-Identifier: Apache-2.0

`timescale 1ns/1ns
`include "prove.vh"
`default_nettype none

// The output unit of one port, after a reset, for all traffic: what the allocators promise is given
// (a flit is sent with a credit only, in at most one VC a clock, by a packet that holds the VC; a
// VC is claimed only while it is free), and so is that the other end gives each flit's credit back
// once.  The wrapper counts credits itself, and remembers whose the VCs are.
//
// Data are one bit wide: the unit only carries them.
//
//   O1  a VC is ready exactly if fewer flits than DEPTH were sent whose credits are not back: so
//       there are never more than DEPTH, nor less than none
//   O2  all credits are home exactly if every one has come back
//   O3  a VC is free exactly from the tail of one packet to the claim of the next
//   O4  a flit is on the link in the next clock, in its VC, and nothing else is
//   O5  what is on the link is the flit that was sent, up to the next; in a head the list of hops
//       has HOP appended, and all other bits stay
//   O6  it has room if and only if a VC is free and has a credit
module xgft_output_unit_proof #(
  parameter VCS    = 2,
  parameter DEPTH  = 2,
  parameter HOPS_W = 4,
  parameter HOP_W  = 2,
  parameter HOP    = 2,
  parameter FLIT_W = 3 + HOPS_W  // derived
) (
  input wire              clk,
  input wire [VCS-1:0]    claim_i,
  input wire [VCS-1:0]    send_i,
  input wire [FLIT_W-1:0] flit_i,
  input wire [VCS-1:0]    credit_i
);

  localparam COUNT_W = $clog2(DEPTH + 1);
  localparam TAIL    = 1;
  localparam HEAD    = 2;

  reg               first = 1'b1;
  wire [VCS-1:0]    free, ready, home, valid;
  wire              room;
  wire [FLIT_W-1:0] flit;

  xgft_output_unit #(
    .VCS(VCS), .DEPTH(DEPTH), .WIDTH(1), .HOPS_W(HOPS_W), .HOP_W(HOP_W), .HOP(HOP),
    .FLIT_W(FLIT_W)
  ) u_output (
    .clk(clk), .rst(first), .claim_i(claim_i), .send_i(send_i), .flit_i(flit_i),
    .credit_i(credit_i), .free_o(free), .ready_o(ready), .home_o(home), .room_o(room),
    .valid_o(valid), .flit_o(flit)
  );

  reg [VCS*COUNT_W-1:0] away_q;   // flits sent whose credits are not back
  reg [VCS-1:0]         held_q, sent_q;
  reg                   any_q = 1'b0;  // a flit was sent
  reg [FLIT_W-1:0]      expected_q, expected;
  reg [VCS-1:0]         some, all;
  integer               v, w;

  always @* begin
    expected = flit_i;
    if (flit_i[HEAD])
      expected[FLIT_W-1 -: HOPS_W] = (flit_i[FLIT_W-1 -: HOPS_W] << HOP_W) | HOP;
  end

  always @(posedge clk) begin
    first      <= 1'b0;
    sent_q     <= first ? {VCS{1'b0}} : send_i;
    if (send_i != {VCS{1'b0}}) {any_q, expected_q} <= {1'b1, expected};
    for (v = 0; v < VCS; v = v + 1) begin
      away_q[v*COUNT_W +: COUNT_W] <=
        first ? {COUNT_W{1'b0}} : away_q[v*COUNT_W +: COUNT_W] + send_i[v] - credit_i[v];
      held_q[v] <= !first && (held_q[v] || claim_i[v]) && !(send_i[v] && flit_i[TAIL]);
    end
  end

  always @* begin
    some = {VCS{1'b0}};
    all  = {VCS{1'b0}};
    for (w = 0; w < VCS; w = w + 1) begin
      some[w] = away_q[w*COUNT_W +: COUNT_W] != DEPTH;
      all[w]  = away_q[w*COUNT_W +: COUNT_W] == {COUNT_W{1'b0}};
    end
  end

  always @* begin
    `GIVEN(first || (send_i & ~(some & (held_q | claim_i))) == {VCS{1'b0}})
    `GIVEN((send_i & (send_i - 1'b1)) == {VCS{1'b0}})
    `GIVEN(first || (claim_i & held_q) == {VCS{1'b0}})
    `GIVEN(first || (credit_i & all) == {VCS{1'b0}})
    if (!first) begin
      `PROVE(O1, ready == some)
      `PROVE(O2, home == all)
      `PROVE(O3, free == ~held_q)
      `PROVE(O4, valid == sent_q)
      `PROVE(O5, !any_q || flit == expected_q)
      `PROVE(O6, room == ((some & ~held_q) != {VCS{1'b0}}))
    end
  end

endmodule

`default_nettype wire
