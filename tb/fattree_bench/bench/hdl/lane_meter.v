// Copyright the fat-tree verification environment contributors
// SPDX-License-Identifier: Apache-2.0

`timescale 1ns/1ns
`default_nettype none

// Measures channels of a level in one direction, at their own wires: how many lanes there are, and
// how many carry something at once.
//
// Contract: after a step, seen_busiest is the most lanes of one channel that carried something in
// one of the steps since reset.  seen_widest and seen_narrowest are the lanes of the channels, as
// the first step found them; both are 0 before.  More lanes than ROOM are not seen.
// Timing: end_i marks the last clock of a step; the registers tell of it in the next clock.
//
// Channel c owns slice c of a vector, its lanes lowest.
module lane_meter #(
  parameter CHANNELS = 2,  // of the level
  parameter ROOM     = 4,  // lanes that a slice has room for; a power of two
  parameter HOLD     = 0   // 0: a step is one clock; 1: it may take more
) (
  input  wire                     clk,      // rising edge
  input  wire                     rst,      // synchronous: nothing was seen yet
  input  wire                     end_i,    // a step ends
  input  wire [CHANNELS*ROOM-1:0] there_i,  // by channel: 0 where it has no lane
  input  wire [CHANNELS*ROOM-1:0] used_i    // by channel: the lane carries something
);

  localparam WORD  = (ROOM < 32) ? ROOM : 32;  // lanes that are counted together
  localparam WORDS = ROOM / WORD;              // of a channel

  reg [15:0] seen_busiest;
  reg [15:0] seen_widest;
  reg [15:0] seen_narrowest;

  wire [CHANNELS*ROOM-1:0] used;  // in this step so far

  generate
    if (HOLD == 1) begin : gen_hold
      reg [CHANNELS*ROOM-1:0] held_q;
      initial held_q = {(CHANNELS*ROOM){1'b0}};
      always @(posedge clk) held_q <= (rst | end_i) ? {(CHANNELS*ROOM){1'b0}} : used;
      assign used = held_q | used_i;
    end else begin : gen_clock
      assign used = used_i;
    end
  endgenerate

  function [15:0] ones(input [31:0] word);
    reg [31:0] sums;
    begin
      sums = word - ((word >> 1) & 32'h55555555);
      sums = (sums & 32'h33333333) + ((sums >> 2) & 32'h33333333);
      sums = (sums + (sums >> 4)) & 32'h0F0F0F0F;
      sums = sums * 32'h01010101;
      ones = {8'd0, sums[31:24]};
    end
  endfunction

  initial begin
    seen_busiest   = 16'd0;
    seen_widest    = 16'd0;
    seen_narrowest = 16'd0;
  end

  // No channel has more lanes in use than the widest has: what is full is not counted any more.
  wire counting = end_i & (seen_widest == 16'd0 || seen_busiest < seen_widest);

  always @(posedge clk) begin : count
    integer    c, w;
    reg [31:0] word;
    reg [15:0] sum, most;
    if (rst) begin
      seen_busiest <= 16'd0;
    end else if (counting) begin
      most = seen_busiest;
      for (c = 0; c < CHANNELS; c = c + 1) begin
        sum = 16'd0;
        for (w = 0; w < WORDS; w = w + 1) begin
          word           = 32'd0;
          word[WORD-1:0] = used[(c*WORDS + w)*WORD +: WORD];
          sum            = sum + ones(word);
        end
        if (sum > most) most = sum;
      end
      seen_busiest <= most;
    end
  end

  always @(posedge clk) begin : measure
    integer    c, l;
    reg [15:0] sum, widest, narrowest;
    if (rst) begin
      seen_widest    <= 16'd0;
      seen_narrowest <= 16'd0;
    end else if (seen_widest == 16'd0) begin
      widest    = 16'd0;
      narrowest = 16'hFFFF;
      for (c = 0; c < CHANNELS; c = c + 1) begin
        sum = 16'd0;
        for (l = 0; l < ROOM; l = l + 1)
          if (there_i[c*ROOM + l] !== 1'b0) sum = sum + 16'd1;
        if (sum > widest) widest = sum;
        if (sum < narrowest) narrowest = sum;
      end
      seen_widest    <= widest;
      seen_narrowest <= narrowest;
    end
  end

endmodule

`default_nettype wire
