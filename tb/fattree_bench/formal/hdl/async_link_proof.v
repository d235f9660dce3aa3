// Copyright the fat-tree verification environment contributors
// SPDX-License-Identifier: Apache-2.0

`timescale 1ns/1ns
`include "prove.vh"
`include "peek.vh"
`include "flight.vh"
`default_nettype none

// The link between two clocks, for all interleavings of their edges, senders that respect credits,
// and receivers that give a credit for each flit, at any later edge.
//
// Bits arrive in any order: see flight.vh.  One flit, any, is watched; data are one bit wide.
//
//   L1  a flit that has a credit finds room in the FIFO
//   L2  in each VC no more flits have come out than went in
//   L3  the watched flit comes out in its VC and in its turn, unmodified
//   L4  in each VC no more credits have come back than were given
//   L5  when the pointers have arrived and SYNC edges of either clock are over, all flits are out
//       and all credits back
module async_link_proof #(
  parameter VCS   = 1,
  parameter DEPTH = 2,
  parameter SYNC  = 2,
  parameter ROOM  = $clog2(VCS * DEPTH),      // derived, as in the link
  parameter W     = ((ROOM > 1) ? ROOM : 1) + 1,
  parameter C     = (DEPTH > 1) ? $clog2(DEPTH + 1) : 2
) (
  input wire             clk,
  input wire             send_i,  // the sender's clock has an edge
  input wire             take_i,  // the receiver's has one
  input wire [W-1:0]     late_sent_i,  // bits on their way
  input wire [W-1:0]     late_taken_i,
  input wire [VCS*C-1:0] late_given_i,
  input wire [1:0]       leave_i,
  input wire [1:0]       open_i,  // by side: its reset may be over
  input wire [VCS-1:0]   valid_i,
  input wire             flit_i,
  input wire [VCS-1:0]   credit_i,
  input wire             mark_i   // watch the flit that is sent
);

  wire       again_i = 1'b0;  // as async_fifo_proof has it
  wire [1:0] enter_i = 2'b00;
  wire [1:0] ticks   = {take_i, send_i};
  `include "two_resets.vh"
  `TICKS(send_clk, send_clk_on, send_i)
  `TICKS(take_clk, take_clk_on, take_i)

  // Clears are as two_resets.vh has it; no side leaves its reset before both clears are over.
  reg [1:0] holds = 2'b11;
  always @(posedge clk) holds <= holds & ~({2{live && resets == 2'b00}} & open_i);

  wire [VCS-1:0] valid, credit;
  wire           flit;
  wire           full;
  async_link #(.VCS(VCS), .DEPTH(DEPTH), .FLIT_W(1), .SYNC(SYNC)) u_link (
    .send_clk(send_clk), .send_rst(holds[0]), .send_clear(resets[0]), .valid_i(valid_i),
    .flit_i(flit_i), .credit_o(credit), .take_clk(take_clk), .take_rst(holds[1]),
    .take_clear(resets[1]), .valid_o(valid), .flit_o(flit), .credit_i(credit_i)
  );

  `PEEK([0:0], is_full, \u_link.full , u_link.full)
  `PEEK([W-1:0], sent_code, \u_link.u_flits.write_code , u_link.u_flits.write_code)
  `PEEK([W-1:0], taken_code, \u_link.u_flits.read_code , u_link.u_flits.read_code)
  `FLIGHT(sent, sent_q, [W-1:0], sent_code, late_sent_i, send_i)
  `FLIGHT(taken, taken_q, [W-1:0], taken_code, late_taken_i, take_i)
  `POKE([W-1:0], \u_link.u_flits.u_read.u_synchroniser.u_sampler.arrived ,
        u_link.u_flits.u_read.u_synchroniser.u_sampler.arrived, sent)
  `POKE([W-1:0], \u_link.u_flits.u_read_seen.u_sampler.arrived ,
        u_link.u_flits.u_read_seen.u_sampler.arrived, taken)

  // With one VC the second is the first.
  `PEEK([C-1:0], given_0, \u_link.gen_vc[0].given , u_link.gen_vc[0].given)
  `PEEK([C-1:0], given_1, \u_link.gen_vc[1].given , u_link.gen_vc[VCS-1].given)
  wire [VCS*C-1:0] given_codes = (VCS == 2) ? {given_1, given_0} : given_0;
  `FLIGHT(given, given_q, [VCS*C-1:0], given_codes, late_given_i, take_i)
  `POKE([C-1:0], \u_link.gen_vc[0].u_passed_on.u_synchroniser.u_sampler.arrived ,
        u_link.gen_vc[0].u_passed_on.u_synchroniser.u_sampler.arrived, given[0 +: C])
  `POKE([C-1:0], \u_link.gen_vc[1].u_passed_on.u_synchroniser.u_sampler.arrived ,
        u_link.gen_vc[VCS-1].u_passed_on.u_synchroniser.u_sampler.arrived, given[(VCS-1)*C +: C])

  // ---- the sender, the receiver, and what is between them ---------------------------------------

  wire           sends = send_i & ~holds[0] & (valid_i != 0);
  wire           takes = take_i & ~holds[1] & (valid != 0);
  reg  [C*VCS-1:0] left    = {VCS{DEPTH[C-1:0]}};  // by VC: credits of the sender
  reg  [C*VCS-1:0] waiting = 0;  // flits in the queue of the receiver
  reg  [C*VCS-1:0] inside  = 0;  // flits on the link
  reg  [C*VCS-1:0] back    = 0;  // credits on the link
  reg  [W:0]     flits = 0, ahead = 0;  // on the link; before the watched one
  reg            watch = 1'b0, watched = 1'b0;
  reg  [VCS-1:0] watched_vc = 0;
  reg  [2:0]     send_since = 0, take_since = 0;  // edges since something moved or was on its way

  reg            polite, sound, sound_back, empty;
  integer        v, k;
  always @* begin
    polite     = 1'b1;
    sound      = 1'b1;
    sound_back = 1'b1;
    empty      = 1'b1;
    for (k = 0; k < VCS; k = k + 1) begin
      if (valid_i[k] && left[k*C +: C] == 0) polite = 1'b0;
      if (credit_i[k] && waiting[k*C +: C] == 0) polite = 1'b0;
      if (valid[k] && inside[k*C +: C] == 0) sound = 1'b0;
      if (credit[k] && back[k*C +: C] == 0) sound_back = 1'b0;
      if (inside[k*C +: C] != 0 || back[k*C +: C] != 0) empty = 1'b0;
    end
  end

  wire quiet = sent == sent_code && taken == taken_code && given == given_codes;
  always @(posedge clk) begin
    for (v = 0; v < VCS; v = v + 1) begin
      left[v*C +: C]    <= left[v*C +: C] - (sends && valid_i[v])
                           + (send_i && !holds[0] && credit[v]);
      back[v*C +: C]    <= back[v*C +: C] - (send_i && !holds[0] && credit[v])
                           + (take_i && !holds[1] && credit_i[v]);
      inside[v*C +: C]  <= inside[v*C +: C] + (sends && valid_i[v]) - (takes && valid[v]);
      waiting[v*C +: C] <= waiting[v*C +: C] + (takes && valid[v])
                           - (take_i && !holds[1] && credit_i[v]);
    end
    flits <= flits + sends - takes;
    watch <= watch ? !(takes && ahead == 0) : sends && mark_i;
    if (!watch) {watched, watched_vc} <= {flit_i, valid_i};
    ahead <= watch ? ahead - takes : flits - takes;
    send_since <= (holds != 0 || !quiet || (send_i && valid_i != 0)
                   || (take_i && credit_i != 0)) ? 0 : send_since + (send_i && send_since < 6);
    take_since <= (holds != 0 || !quiet || (send_i && valid_i != 0)
                   || (take_i && credit_i != 0)) ? 0 : take_since + (take_i && take_since < 6);
  end

  // As many edges as there are words, beside those of the synchroniser: they come out one by one.
  localparam LAST = SYNC + VCS * DEPTH;

  always @* begin
    `GIVEN(polite && (valid_i & (valid_i - 1'b1)) == 0)
    `GIVEN(!holds[0] || valid_i == 0)
    `GIVEN(!holds[1] || credit_i == 0)
    `PROVE(L1, !sends || !is_full)
    `PROVE(L2, holds[1] || sound)
    `PROVE(L3, !watch || !takes || ahead != 0 || {flit, valid} == {watched, watched_vc})
    `PROVE(L4, holds[0] || sound_back)
    `PROVE(L5, send_since < LAST || take_since < LAST || empty)
  end

endmodule

`default_nettype wire
