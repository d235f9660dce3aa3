// Copyright the fat-tree verification environment contributors
// SPDX-License-Identifier: Apache-2.0

`timescale 1ns/1ns
`default_nettype none

// First flip-flop of a synchroniser: it samples what another clock moves, whenever that is.
//
// Contract: of bits that move while it samples, each is seen before or after, at random, and may
// take a clock to settle: only another flip-flop may look at value_o.  Simulations with several
// clocks replace this module by one that does so at random.
// After power-up it shows 0, for resets cross clocks as well.
// Timing: value_o shows value_i as it was at the last edge.
module sampler #(
  parameter WIDTH = 1  // bits
) (
  input  wire             clk,      // rising edge
  input  wire             rst,      // synchronous: value_o goes to 0
  input  wire [WIDTH-1:0] value_i,  // registers of another clock
  output reg  [WIDTH-1:0] value_o   // what was sampled
);

  initial value_o = {WIDTH{1'b0}};
  always @(posedge clk) value_o <= rst ? {WIDTH{1'b0}} : value_i;

endmodule

`default_nettype wire
