// Copyright the fat-tree verification environment contributors
// SPDX-License-Identifier: Apache-2.0

`timescale 1ns/1ns
`default_nettype none

// What a leaf hears of a handshake signal of a design: 0 and 1, and nothing in a reset.
//
// Contract: value_o is 0 where value_i is X or Z, and while quiet_i is high.  unknown_o: a bit is X
// or Z although words may be on the links; before that, only a bit that was known once: registers
// without a reset fill up first.
// Timing: combinational.
module leaf_heard #(
  parameter W = 1  // bits, >= 1
) (
  input  wire         clk,
  input  wire         quiet_i,  // of leaf_control
  input  wire         run_i,    // words may be on the links
  input  wire [W-1:0] value_i,
  output wire [W-1:0] value_o,
  output wire         unknown_o
);

  reg  [W-1:0] known_q;  // was 0 or 1 since the start
  wire [W-1:0] open;     // is X or Z

  initial known_q = {W{1'b0}};

  assign unknown_o = ~quiet_i & ((open & (known_q | {W{run_i}})) != {W{1'b0}});

  genvar i;
  generate
    for (i = 0; i < W; i = i + 1) begin : gen_bit
      assign value_o[i] = ~quiet_i & (value_i[i] === 1'b1);
      assign open[i]    = ((value_i[i] ^ value_i[i]) !== 1'b0);
    end
  endgenerate

  always @(posedge clk) known_q <= known_q | ~open;

endmodule

`default_nettype wire
