// Copyright the fat-tree verification environment contributors
// SPDX-License-Identifier: Apache-2.0

`timescale 1ns/1ns
`include "prove.vh"
`include "peek.vh"
`default_nettype none

// Both forms of a wormhole switch with two ports, from reset on, for all traffic of senders and
// receivers that respect credits.
//
//   F1  the same flits, credits and states at the ports in every clock
//
// Invariants, with which this holds by induction:
//
//   I1  the same of each input VC: how far its packet is, which flits wait
//   I2  the same of each output VC: credits, whether a packet holds it
//   I3  the fast form finds the output VC of a packet, and the packet of an output VC, and notes
//       which packets wait for a credit
//   I4  the same turns of all arbiters
module xgft_forms_proof #(
  parameter VCS    = 1,  // 1, 2
  parameter DEPTH  = 1,  // 1, 2
  parameter STAGES = 1,  // 1 .. 3
  // derived
  parameter PORTS   = 2,
  parameter FLIT_W  = 5,
  parameter COUNT_W = $clog2(DEPTH + 1)
) (
  input wire                    clk,
  input wire [PORTS*VCS-1:0]    valid_i,
  input wire [PORTS*FLIT_W-1:0] flit_i,  // head, tail, class, source, destination
  input wire [PORTS*VCS-1:0]    credit_i
);

  localparam INPUTS = PORTS * VCS, STATE_W = 3 + VCS;
  localparam TAIL = 3, HEAD = 4;

  reg                       first = 1'b1;
  wire [INPUTS-1:0]         credits, valid, home_h, f_credits, f_valid, home_f;
  wire [PORTS*FLIT_W-1:0]   flits, f_flits;
  wire [INPUTS*STATE_W-1:0] states, f_states;
  always @(posedge clk) first <= 1'b0;

`define SWITCH(form, name, c, v, f, s, h) \
  xgft_switch #( \
    .FORM(form), .DOWN(PORTS), .UP(0), .BELOW(PORTS), .SPREAD(1), .VCS(VCS), .DEPTH(DEPTH), \
    .WIDTH(3), .ADDR_W(1), .NODE_W(1), .ADDRESSES(PORTS), .STAGES(STAGES) \
  ) name ( \
    .clk(clk), .rst(first), .pos_i(16'd0), .number_i(16'd0), .seed_i(32'd0), .write_i(1'b0), \
    .address_i(1'b0), .entry_i(1'b0), .valid_i(valid_i), .flit_i(flit_i), .credit_o(c), \
    .valid_o(v), .flit_o(f), .credit_i(credit_i), .state_o(s), .home_o(h) \
  );
  `SWITCH("HARDWARE", u_switch, credits, valid, flits, states, home_h)
  `SWITCH("FAST", u_f, f_credits, f_valid, f_flits, f_states, home_f)

  `include "flit_senders.vh"
  `include "xgft_switch_peeks.vh"

  `PEEK([INPUTS-1:0], vc_turn_0,
    \u_switch.gen_hardware.u_core.u_vc_allocator.gen_port[0].u_arbiter.gen_round_robin.first_q ,
    u_switch.gen_hardware.u_core.u_vc_allocator.gen_port[0].u_arbiter.gen_round_robin.first_q)
  `PEEK([INPUTS-1:0], vc_turn_1,
    \u_switch.gen_hardware.u_core.u_vc_allocator.gen_port[1].u_arbiter.gen_round_robin.first_q ,
    u_switch.gen_hardware.u_core.u_vc_allocator.gen_port[1].u_arbiter.gen_round_robin.first_q)
  `PEEK([PORTS-1:0], out_turn_0,
    \u_switch.gen_hardware.u_core.u_switch_allocator.gen_port[0].u_output.gen_round_robin.first_q ,
    u_switch.gen_hardware.u_core.u_switch_allocator.gen_port[0].u_output.gen_round_robin.first_q)
  `PEEK([PORTS-1:0], out_turn_1,
    \u_switch.gen_hardware.u_core.u_switch_allocator.gen_port[1].u_output.gen_round_robin.first_q ,
    u_switch.gen_hardware.u_core.u_switch_allocator.gen_port[1].u_output.gen_round_robin.first_q)
  `PEEK([VCS-1:0], in_turn_0,
    \u_switch.gen_hardware.u_core.u_switch_allocator.gen_way[0].u_input.gen_round_robin.first_q ,
    u_switch.gen_hardware.u_core.u_switch_allocator.gen_way[0].u_input.gen_round_robin.first_q)
  `PEEK([VCS-1:0], in_turn_1,
    \u_switch.gen_hardware.u_core.u_switch_allocator.gen_way[1].u_input.gen_round_robin.first_q ,
    u_switch.gen_hardware.u_core.u_switch_allocator.gen_way[1].u_input.gen_round_robin.first_q)
  `PEEK([INPUTS-1:0], f_present, \u_f.gen_fast.u_fast.present , u_f.gen_fast.u_fast.present)
  `PEEK([INPUTS-1:0], f_active, \u_f.gen_fast.u_fast.active , u_f.gen_fast.u_fast.active)
  `PEEK([INPUTS-1:0], f_routed, \u_f.gen_fast.u_fast.routed , u_f.gen_fast.u_fast.routed)
  `PEEK([INPUTS-1:0], f_stuck, \u_f.gen_fast.u_fast.stuck , u_f.gen_fast.u_fast.stuck)
  `PEEK([INPUTS-1:0], f_busy, \u_f.gen_fast.u_fast.busy , u_f.gen_fast.u_fast.busy)
  `PEEK([INPUTS-1:0], f_ready, \u_f.gen_fast.u_fast.ready , u_f.gen_fast.u_fast.ready)
  `PEEK([INPUTS-1:0], f_home, \u_f.gen_fast.u_fast.home , u_f.gen_fast.u_fast.home)
  `PEEK([INPUTS-1:0], f_turn, \u_f.gen_fast.u_fast.turn , u_f.gen_fast.u_fast.turn)
  `PEEK([INPUTS-1:0], first_0, \u_f.gen_fast.u_fast.first[0] , u_f.gen_fast.u_fast.first[0])
  `PEEK([INPUTS-1:0], first_1, \u_f.gen_fast.u_fast.first[1] , u_f.gen_fast.u_fast.first[1])
  `PEEK([INPUTS-1:0], first_2, \u_f.gen_fast.u_fast.first[2] , u_f.gen_fast.u_fast.first[2])
  `PEEK([INPUTS-1:0], first_3, \u_f.gen_fast.u_fast.first[3] , u_f.gen_fast.u_fast.first[3])
  `PEEK([31:0], out_0, \u_f.gen_fast.u_fast.out[0] , u_f.gen_fast.u_fast.out[0])
  `PEEK([31:0], to_0, \u_f.gen_fast.u_fast.to[0] , u_f.gen_fast.u_fast.to[0])
  `PEEK([31:0], oldest_0, \u_f.gen_fast.u_fast.oldest[0] , u_f.gen_fast.u_fast.oldest[0])
  `PEEK([31:0], count_0, \u_f.gen_fast.u_fast.count[0] , u_f.gen_fast.u_fast.count[0])
  `PEEK([31:0], credit_0, \u_f.gen_fast.u_fast.credit[0] , u_f.gen_fast.u_fast.credit[0])
  `PEEK([31:0], holder_0, \u_f.gen_fast.u_fast.holder[0] , u_f.gen_fast.u_fast.holder[0])
  `PEEK([VCS-1:0], vc_0, \u_f.gen_fast.u_fast.vc[0] , u_f.gen_fast.u_fast.vc[0])
  `PEEK([31:0], out_1, \u_f.gen_fast.u_fast.out[1] , u_f.gen_fast.u_fast.out[1])
  `PEEK([31:0], to_1, \u_f.gen_fast.u_fast.to[1] , u_f.gen_fast.u_fast.to[1])
  `PEEK([31:0], oldest_1, \u_f.gen_fast.u_fast.oldest[1] , u_f.gen_fast.u_fast.oldest[1])
  `PEEK([31:0], count_1, \u_f.gen_fast.u_fast.count[1] , u_f.gen_fast.u_fast.count[1])
  `PEEK([31:0], credit_1, \u_f.gen_fast.u_fast.credit[1] , u_f.gen_fast.u_fast.credit[1])
  `PEEK([31:0], holder_1, \u_f.gen_fast.u_fast.holder[1] , u_f.gen_fast.u_fast.holder[1])
  `PEEK([VCS-1:0], vc_1, \u_f.gen_fast.u_fast.vc[1] , u_f.gen_fast.u_fast.vc[1])
  `PEEK_IF(VCS > 1, [31:0], out_2, \u_f.gen_fast.u_fast.out[2] , u_f.gen_fast.u_fast.out[2])
  `PEEK_IF(VCS > 1, [31:0], to_2, \u_f.gen_fast.u_fast.to[2] , u_f.gen_fast.u_fast.to[2])
  `PEEK_IF(VCS > 1, [31:0], oldest_2,
    \u_f.gen_fast.u_fast.oldest[2] ,
    u_f.gen_fast.u_fast.oldest[2])
  `PEEK_IF(VCS > 1, [31:0], count_2, \u_f.gen_fast.u_fast.count[2] , u_f.gen_fast.u_fast.count[2])
  `PEEK_IF(VCS > 1, [31:0], credit_2,
    \u_f.gen_fast.u_fast.credit[2] ,
    u_f.gen_fast.u_fast.credit[2])
  `PEEK_IF(VCS > 1, [31:0], holder_2,
    \u_f.gen_fast.u_fast.holder[2] ,
    u_f.gen_fast.u_fast.holder[2])
  `PEEK_IF(VCS > 1, [VCS-1:0], vc_2, \u_f.gen_fast.u_fast.vc[2] , u_f.gen_fast.u_fast.vc[2])
  `PEEK_IF(VCS > 1, [31:0], out_3, \u_f.gen_fast.u_fast.out[3] , u_f.gen_fast.u_fast.out[3])
  `PEEK_IF(VCS > 1, [31:0], to_3, \u_f.gen_fast.u_fast.to[3] , u_f.gen_fast.u_fast.to[3])
  `PEEK_IF(VCS > 1, [31:0], oldest_3,
    \u_f.gen_fast.u_fast.oldest[3] ,
    u_f.gen_fast.u_fast.oldest[3])
  `PEEK_IF(VCS > 1, [31:0], count_3, \u_f.gen_fast.u_fast.count[3] , u_f.gen_fast.u_fast.count[3])
  `PEEK_IF(VCS > 1, [31:0], credit_3,
    \u_f.gen_fast.u_fast.credit[3] ,
    u_f.gen_fast.u_fast.credit[3])
  `PEEK_IF(VCS > 1, [31:0], holder_3,
    \u_f.gen_fast.u_fast.holder[3] ,
    u_f.gen_fast.u_fast.holder[3])
  `PEEK_IF(VCS > 1, [VCS-1:0], vc_3, \u_f.gen_fast.u_fast.vc[3] , u_f.gen_fast.u_fast.vc[3])
  `PEEK([FLIT_W-1:0], ring_0, \u_f.gen_fast.u_fast.ring[0] , u_f.gen_fast.u_fast.ring[0])
  `PEEK([FLIT_W-1:0], ring_1, \u_f.gen_fast.u_fast.ring[1] , u_f.gen_fast.u_fast.ring[1])
  `PEEK_IF(INPUTS * DEPTH > 2, [FLIT_W-1:0], ring_2,
    \u_f.gen_fast.u_fast.ring[2] ,
    u_f.gen_fast.u_fast.ring[2])
  `PEEK_IF(INPUTS * DEPTH > 3, [FLIT_W-1:0], ring_3,
    \u_f.gen_fast.u_fast.ring[3] ,
    u_f.gen_fast.u_fast.ring[3])
  `PEEK_IF(INPUTS * DEPTH > 4, [FLIT_W-1:0], ring_4,
    \u_f.gen_fast.u_fast.ring[4] ,
    u_f.gen_fast.u_fast.ring[4])
  `PEEK_IF(INPUTS * DEPTH > 5, [FLIT_W-1:0], ring_5,
    \u_f.gen_fast.u_fast.ring[5] ,
    u_f.gen_fast.u_fast.ring[5])
  `PEEK_IF(INPUTS * DEPTH > 6, [FLIT_W-1:0], ring_6,
    \u_f.gen_fast.u_fast.ring[6] ,
    u_f.gen_fast.u_fast.ring[6])
  `PEEK_IF(INPUTS * DEPTH > 7, [FLIT_W-1:0], ring_7,
    \u_f.gen_fast.u_fast.ring[7] ,
    u_f.gen_fast.u_fast.ring[7])

  wire [4*32-1:0] f_out = {out_3, out_2, out_1, out_0};
  wire [4*32-1:0] f_to = {to_3, to_2, to_1, to_0};
  wire [4*32-1:0] f_oldest = {oldest_3, oldest_2, oldest_1, oldest_0};
  wire [4*32-1:0] f_count = {count_3, count_2, count_1, count_0};
  wire [4*32-1:0] f_credit = {credit_3, credit_2, credit_1, credit_0};
  wire [4*32-1:0] f_holder = {holder_3, holder_2, holder_1, holder_0};
  wire [4*VCS-1:0]    f_vc   = {vc_3, vc_2, vc_1, vc_0};
  wire [8*FLIT_W-1:0] f_ring = {ring_7, ring_6, ring_5, ring_4, ring_3, ring_2, ring_1, ring_0};

  reg [INPUTS*COUNT_W-1:0] away_q;  // flits on the link and behind it, whose credits are not back
  reg [INPUTS-1:0]         awake;
  reg                      same, inputs, outputs, found, turns;
  integer                  o, a, at;
  always @(posedge clk)
    for (o = 0; o < INPUTS; o = o + 1)
      away_q[o*COUNT_W +: COUNT_W] <=
        first ? {COUNT_W{1'b0}} : away_q[o*COUNT_W +: COUNT_W] + valid[o] - credit_i[o];

  always @* begin
    same    = credits == f_credits && valid == f_valid && states == f_states && home_h == home_f;
    inputs  = f_present == presents && f_active == active && f_routed == routed;
    outputs = f_busy == ~frees && f_ready == readies && f_home == homes;
    found   = 1'b1;
    turns   = first_0 == vc_turn_0 && first_1 == vc_turn_1 && f_turn == {in_turn_1, in_turn_0}
              && first_2 == {{VCS{out_turn_0[1]}}, {VCS{out_turn_0[0]}}}
              && first_3 == {{VCS{out_turn_1[1]}}, {VCS{out_turn_1[0]}}};
    at      = 0;
    for (a = 0; a < INPUTS; a = a + 1) begin
      awake[a] = away_q[a*COUNT_W +: COUNT_W] != {COUNT_W{1'b0}};
      if (valid[a] && flits[a/VCS*FLIT_W +: FLIT_W] != f_flits[a/VCS*FLIT_W +: FLIT_W]) same = 1'b0;

      if (f_count[32*a +: 32] != presents[a] + mores[a] || (mores[a] && !presents[a])
          || f_oldest[32*a +: 32] >= DEPTH
          || credit_q[a*COUNT_W +: COUNT_W] + {3'd0, credits[a]} + presents[a] + mores[a] != DEPTH
          || states[a*STATE_W +: STATE_W]
             != {f_vc[a*VCS +: VCS], f_out[32*a], f_active[a], f_present[a]}
          || f_out[32*a +: 32] > 1) inputs = 1'b0;
      at = a * DEPTH + f_oldest[32*a];
      if (presents[a]
          && f_ring[at*FLIT_W +: FLIT_W] != {heads[a], tails[a], headers[a*3 +: 3]}) inputs = 1'b0;
      at = a * DEPTH + ((f_oldest[32*a +: 32] == DEPTH - 1) ? 0 : 1);
      if (mores[a] && f_ring[at*FLIT_W +: FLIT_W] != nexts[a*FLIT_W +: FLIT_W]) inputs = 1'b0;

      if (f_credit[32*a +: 32] != rooms[a*COUNT_W +: COUNT_W]
          || rooms[a*COUNT_W +: COUNT_W] + {3'd0, valid[a]} + away_q[a*COUNT_W +: COUNT_W] != DEPTH
          || readies[a] != (rooms[a*COUNT_W +: COUNT_W] != 0)
          || homes[a] != (rooms[a*COUNT_W +: COUNT_W] == DEPTH)) outputs = 1'b0;

      at = f_to[32*a +: 32];
      if (active[a] && (at >= INPUTS || f_busy[at] != 1'b1 || f_holder[32*at +: 32] != a
                        || at / VCS != f_out[32*a] || f_vc[a*VCS +: VCS] != 1 << at % VCS
                        || f_stuck[a] == readies[at])) found = 1'b0;
      at = f_holder[32*a +: 32];
      if (f_busy[a] && (at >= INPUTS || active[at] != 1'b1 || f_to[32*at +: 32] != a)) found = 1'b0;
    end

    `GIVEN(first || (polite && (credit_i & ~awake) == {INPUTS{1'b0}}))
    `PROVE(F1, first || same)
    `PROVE(I1, first || inputs)
    `PROVE(I2, first || outputs)
    `PROVE(I3, first || found)
    `PROVE(I4, first || turns)
  end

endmodule

`default_nettype wire
