// Copyright the fat-tree verification environment contributors
// SPDX-License-Identifier: Apache-2.0

`timescale 1ns/1ns
`include "checks.vh"
`default_nettype none

// Makes counters of W bits that wrap around into ones of 32 bits, so that Python sees the same
// numbers whatever the width, and every bit of a narrow counter matters within a short run.  Of
// those that a reset leaves at their end it counts from there: so the first event shows every bit.
//
// Contract: counters are cleared by rst as long as it is high, those of FROM_END to all ones, and
// go up by MOST a clock at most; W < 32: that is checked in every clock, of counters that are wide
// enough to show more.
// Timing: combinational.
module counter_extender #(
  parameter COUNTERS = 1,
  parameter W        = 32,  // 1 .. 32
  parameter MOST     = 1,
  parameter [COUNTERS-1:0] FROM_END = {COUNTERS{1'b0}}  // by counter
) (
  input  wire                   clk,
  input  wire                   rst,
  input  wire [COUNTERS*W-1:0]  count_i,
  output wire [COUNTERS*32-1:0] count_o
);

  wire [COUNTERS*W-1:0] count;  // since reset

  genvar i;
  generate
    for (i = 0; i < COUNTERS; i = i + 1) begin : gen_from
      assign count[i*W +: W] = FROM_END[i] ? count_i[i*W +: W] + 1'b1 : count_i[i*W +: W];
    end
    if (W == 32) begin : gen_same
      wire unused = &{1'b0, clk, rst};
      assign count_o = count;
    end else begin : gen_wider
      for (i = 0; i < COUNTERS; i = i + 1) begin : gen_counter
        reg  [31:0]  total_q;
        wire [W-1:0] moved = count[i*W +: W] - total_q[W-1:0];
        wire [31:0]  total = total_q + {{(32-W){1'b0}}, moved};
        always @(posedge clk) total_q <= rst ? 32'd0 : total;
        assign count_o[i*32 +: 32] = total;
        `CHECK_ALWAYS(clk, rst, {{(32-W){1'b0}}, moved} <= MOST,
                      "a counter moved by more than it can")
      end
    end
  endgenerate

endmodule

`default_nettype wire
