// Copyright the fat-tree verification environment contributors
// SPDX-License-Identifier: Apache-2.0

`timescale 1ns/1ns
`include "checks.vh"
`default_nettype none

// Counts what happens at several places.
//
// Contract: count_o grows by the sum of all terms, modulo 2^COUNT_W; a reset sets it to 0.  A bench
// sets FROM_END: a reset sets all bits, so that the first event takes a counter of any width over
// its end.
// Timing: terms of one clock are counted from the next.
module event_counter #(
  parameter TERMS    = 4,   // places, >= 1
  parameter TERM_W   = 1,   // bits of what happens at one place in a clock
  parameter COUNT_W  = 32,  // bits of the count, >= TERM_W
  parameter FROM_END = 0    // 0; 1: a reset sets all bits
) (
  input  wire                    clk,      // rising edge
  input  wire                    rst,      // synchronous: starts again, at 0 or at its end
  input  wire [TERMS*TERM_W-1:0] terms_i,  // what happens in this clock, place by place
  output reg  [COUNT_W-1:0]      count_o   // what happened since reset
);

  wire [COUNT_W-1:0] sum;

  sum_of #(.TERMS(TERMS), .TERM_W(TERM_W), .SUM_W(COUNT_W)) u_sum (
    .terms_i(terms_i), .sum_o(sum)
  );

  always @(posedge clk) count_o <= rst ? {COUNT_W{FROM_END == 1}} : count_o + sum;

  `CHECK_PARAMETER(FROM_END == 0 || FROM_END == 1, "FROM_END", FROM_END, "0 or 1")

endmodule

`default_nettype wire
