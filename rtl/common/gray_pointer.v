// Copyright the fat-tree verification environment contributors
// SPDX-License-Identifier: Apache-2.0

`timescale 1ns/1ns
`include "checks.vh"
`default_nettype none

// Counter mod 2^WIDTH whose Gray code another clock may sample: one bit of it moves at a step.
//
// Contract: with step_i it counts on.  code_o comes straight from registers, so that no bit of it
// moves between edges.
// After power-up both are 0, for the other clock looks before the first reset.
// Timing: count_o and code_o show a step in the next clock.
module gray_pointer #(
  parameter WIDTH = 3  // bits, >= 2
) (
  input  wire             clk,      // rising edge
  input  wire             rst,      // synchronous: both outputs go to 0
  input  wire             step_i,   // counts one step on
  output wire [WIDTH-1:0] count_o,  // steps since the reset, mod 2^WIDTH
  output wire [WIDTH-1:0] code_o    // that in Gray code
);

  reg  [WIDTH-1:0] count_q, code_q;
  wire [WIDTH-1:0] next = count_q + {{(WIDTH-1){1'b0}}, step_i};

  initial begin
    count_q = {WIDTH{1'b0}};
    code_q  = {WIDTH{1'b0}};
  end
  always @(posedge clk) begin
    count_q <= rst ? {WIDTH{1'b0}} : next;
    code_q  <= rst ? {WIDTH{1'b0}} : next ^ (next >> 1);
  end

  assign count_o = count_q;
  assign code_o  = code_q;

  `CHECK_PARAMETER(WIDTH >= 2, "WIDTH", WIDTH, ">= 2")

endmodule

`default_nettype wire
