// Copyright the fat-tree verification environment contributors
// SPDX-License-Identifier: Apache-2.0

`timescale 1ns/1ns
`include "checks.vh"
`default_nettype none

// Counts what happens at several places.
//
// Contract: count_o grows by the sum of all terms, modulo 2^COUNT_W; a reset clears it.
// Timing: terms of one clock are counted from the next.
module lbbvn_counter #(
  parameter TERMS   = 4,  // places, >= 1
  parameter TERM_W  = 1,  // bits of what happens at one place in a clock
  parameter COUNT_W = 32  // bits of the count, >= TERM_W
) (
  input  wire                    clk,      // rising edge
  input  wire                    rst,      // synchronous
  input  wire [TERMS*TERM_W-1:0] terms_i,  // what happens in this clock, place by place
  output wire [COUNT_W-1:0]      count_o   // what happened since reset
);

  wire [COUNT_W-1:0] sum;
  reg  [COUNT_W-1:0] count_q;

  sum_of #(.TERMS(TERMS), .TERM_W(TERM_W), .SUM_W(COUNT_W)) u_sum (
    .terms_i(terms_i), .sum_o(sum)
  );

  always @(posedge clk) count_q <= rst ? {COUNT_W{1'b0}} : count_q + sum;
  assign count_o = count_q;

endmodule

`default_nettype wire
