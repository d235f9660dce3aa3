// Copyright the fat-tree verification environment contributors
// SPDX-License-Identifier: Apache-2.0

`timescale 1ns/1ns
`include "prove.vh"
`include "peek.vh"
`include "flight.vh"
`default_nettype none

// Resets of two clocks beside clk, for all interleavings of edges and resets asked for at any time.
//
//   R1  ready_o: since the last reset that was asked for all were in it, for two edges each
//   R2  and no other clock is any more
//   R3  who has been cleared, for two edges, and is no longer, is not before all have been
//   R4  whoever is being cleared, all are in the reset
//   R5  a reset that has begun is over when every clock has had an edge, 47 times over
//   R6  clk's side is in reset at once when one is asked for
module async_reset_proof #(
  parameter SYNC = 2
) (
  input wire       clk,
  input wire       own_i,   // clk of the block has an edge
  input wire [1:0] other_i, // the others have
  input wire       rst_i,
  input wire       late_hold_i,  // on their way
  input wire       late_clear_i,
  input wire [1:0] late_in_i,
  input wire [1:0] late_clean_i
);

  `TICKS(own_clk, own_clk_on, own_i)
  `TICKS(clock_0, clock_0_on, other_i[0])
  `TICKS(clock_1, clock_1_on, other_i[1])

  reg        first = 1'b1;  // the first reset is asked for
  wire       asks  = rst_i | first;
  wire       rst, clear, ready;
  wire [1:0] rsts, clears;
  async_reset #(.CLOCKS(2), .SYNC(SYNC)) u_reset (
    .clk(own_clk), .rst_i(asks), .rst_o(rst), .clear_o(clear), .ready_o(ready),
    .clocks_i({clock_1, clock_0}), .rsts_o(rsts), .clears_o(clears)
  );

  `PEEK([0:0], hold, \u_reset.gen_clock[0].u_told.value_i ,
        u_reset.gen_clock[0].u_told.value_i)
  `FLIGHT(told, told_q, [0:0], hold, late_hold_i, own_i)
  `POKE([0:0], \u_reset.gen_clock[0].u_told.u_sampler.arrived ,
        u_reset.gen_clock[0].u_told.u_sampler.arrived, told)
  `POKE([0:0], \u_reset.gen_clock[1].u_told.u_sampler.arrived ,
        u_reset.gen_clock[1].u_told.u_sampler.arrived, told)
  `PEEK([0:0], clearing, \u_reset.gen_clock[0].u_clear.value_i ,
        u_reset.gen_clock[0].u_clear.value_i)
  `FLIGHT(told_clear, told_clear_q, [0:0], clearing, late_clear_i, own_i)
  `POKE([0:0], \u_reset.gen_clock[0].u_clear.u_sampler.arrived ,
        u_reset.gen_clock[0].u_clear.u_sampler.arrived, told_clear)
  `POKE([0:0], \u_reset.gen_clock[1].u_clear.u_sampler.arrived ,
        u_reset.gen_clock[1].u_clear.u_sampler.arrived, told_clear)
  `PEEK([0:0], in_0, \u_reset.gen_clock[0].u_there.value_i ,
        u_reset.gen_clock[0].u_there.value_i)
  `FLIGHT(there_0, there_0_q, [0:0], in_0, late_in_i[0], other_i[0])
  `POKE([0:0], \u_reset.gen_clock[0].u_there.u_sampler.arrived ,
        u_reset.gen_clock[0].u_there.u_sampler.arrived, there_0)
  `PEEK([0:0], clean_0, \u_reset.gen_clock[0].u_cleared.value_i ,
        u_reset.gen_clock[0].u_cleared.value_i)
  `FLIGHT(cleared_0, cleared_0_q, [0:0], clean_0, late_clean_i[0], other_i[0])
  `POKE([0:0], \u_reset.gen_clock[0].u_cleared.u_sampler.arrived ,
        u_reset.gen_clock[0].u_cleared.u_sampler.arrived, cleared_0)
  `PEEK([0:0], in_1, \u_reset.gen_clock[1].u_there.value_i ,
        u_reset.gen_clock[1].u_there.value_i)
  `FLIGHT(there_1, there_1_q, [0:0], in_1, late_in_i[1], other_i[1])
  `POKE([0:0], \u_reset.gen_clock[1].u_there.u_sampler.arrived ,
        u_reset.gen_clock[1].u_there.u_sampler.arrived, there_1)
  `PEEK([0:0], clean_1, \u_reset.gen_clock[1].u_cleared.value_i ,
        u_reset.gen_clock[1].u_cleared.value_i)
  `FLIGHT(cleared_1, cleared_1_q, [0:0], clean_1, late_clean_i[1], other_i[1])
  `POKE([0:0], \u_reset.gen_clock[1].u_cleared.u_sampler.arrived ,
        u_reset.gen_clock[1].u_cleared.u_sampler.arrived, cleared_1)

  // By clock, clk last: edges in the reset since it was asked for; clearing since it began.
  reg  [2:0] asked_once = 0, asked_twice = 0, once = 0, twice = 0;
  wire [2:0] edges = {own_i, other_i};
  wire [2:0] in    = {rst, rsts};
  wire [2:0] clean = {clear, clears};
  reg  [5:0] rounds = 0;  // in which each clock had an edge, since the reset began
  reg  [2:0] round  = 0;
  reg        held   = 1'b0;
  wire       begins = clearing && !held;

  always @(posedge clk) begin
    if (own_i) first <= 1'b0;
    held        <= clearing;
    asked_once  <= (own_i && asks) ? 3'd0 : asked_once | (in & edges);
    asked_twice <= (own_i && asks) ? 3'd0 : asked_twice | (asked_once & in & edges);
    once        <= (begins ? 3'd0 : once) | (clean & edges);
    twice       <= (begins ? 3'd0 : twice | (once & clean & edges));
    round       <= ((round | edges) == 3'b111 || !hold) ? 3'd0 : round | edges;
    rounds      <= !hold ? 6'd0 : rounds + ((round | edges) == 3'b111 && rounds != 6'd47);
  end

  always @* begin
    `PROVE(R1, first || !ready || asked_twice == 3'b111)
    `PROVE(R2, first || !ready || rsts == 2'b00)
    `PROVE(R3, first || begins || (twice & ~clean & edges) == 0 || twice == 3'b111)
    `PROVE(R4, first || clean == 3'b000 || in == 3'b111)
    `PROVE(R5, rounds < 47)
    `PROVE(R6, !asks || rst)
  end

endmodule

`default_nettype wire
