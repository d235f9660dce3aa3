// Copyright the fat-tree verification environment contributors
// SPDX-License-Identifier: Apache-2.0

`timescale 1ns/1ns
`default_nettype none

// Clocks with periods, phases, jitter and halts of their own, made of one that tells no time.
//
// Contract: each rising edge of clk is the next instant at which any clock has an edge; clocks_o of
// those that have one are high while clk is.  Clock d has the period d mod COUNT of PERIODS, in any
// unit.  start_i: clocks other than clock 0 begin at random phases, by seed_i.
// JITTER: each period is longer or shorter by up to so many percent, at random.
// HALTS: clocks other than clock 0 stand still for 16 to 143 periods, every 512 periods or so.
module bench_clocks #(
  parameter CLOCKS  = 2,
  parameter COUNT   = 2,
  parameter [32*8-1:0] PERIODS = {192'd0, 32'd73, 32'd100},  // period i at [32*i +: 32]
  parameter JITTER  = 0,
  parameter HALTS   = 0
) (
  input  wire              clk,
  input  wire              start_i,
  input  wire [31:0]       seed_i,
  output wire [CLOCKS-1:0] clocks_o
);

  reg [CLOCKS*32-1:0] left_q;    // by clock: time until the next edge
  reg [31:0]          random_q;
  reg [CLOCKS-1:0]    on_q;
  integer             c;

  assign clocks_o = {CLOCKS{clk}} & on_q;

  function [31:0] stepped(input [31:0] x);  // xorshift, as in xorshift32
    reg [31:0] y;
    begin
      y = x ^ (x << 13);
      y = y ^ (y >> 17);
      stepped = y ^ (y << 5);
    end
  endfunction

  initial begin
    random_q = 32'd1;
    on_q     = {{(CLOCKS-1){1'b0}}, 1'b1};
    for (c = 0; c < CLOCKS; c = c + 1) left_q[32*c +: 32] = PERIODS[32*(c % COUNT) +: 32];
  end

  always @(negedge clk) begin : step
    reg [CLOCKS*32-1:0] left;
    reg [31:0]          random, period, spread, least;
    integer             d;
    left   = left_q;
    random = (start_i && seed_i != 32'd0) ? seed_i : random_q;
    least  = 32'hffff_ffff;
    for (d = 0; d < CLOCKS; d = d + 1) begin
      if (start_i && d > 0) begin
        random           = stepped(random);
        left[32*d +: 32] = random % PERIODS[32*(d % COUNT) +: 32];
      end
      if (left[32*d +: 32] < least) least = left[32*d +: 32];
    end
    for (d = 0; d < CLOCKS; d = d + 1) begin
      on_q[d] <= (left[32*d +: 32] == least);
      left[32*d +: 32] = left[32*d +: 32] - least;
      if (left[32*d +: 32] == 32'd0) begin
        period = PERIODS[32*(d % COUNT) +: 32];
        if (JITTER > 0) begin
          random = stepped(random);
          spread = period * JITTER / 32'd100;
          period = period - spread + random % (32'd2 * spread + 32'd1);
        end
        if (HALTS == 1 && d > 0) begin
          random = stepped(random);
          if (random[8:0] == 9'd0) period = period * (32'd16 + {25'd0, random[15:9]});
        end
        left[32*d +: 32] = period;
      end
    end
    left_q   <= left;
    random_q <= random;
  end

endmodule

`default_nettype wire
