// Copyright the fat-tree verification environment contributors
// SPDX-License-Identifier: Apache-2.0

`timescale 1ns/1ns
`default_nettype none

// The number that follows in a 32-bit xorshift generator (Marsaglia 2003; shifts 13, 17, 5).
//
// Contract: runs through all numbers but 0; 0 follows on 0.
// Timing: combinational.  Cost: three rows of exclusive ors.
module xorshift32 (
  input  wire [31:0] x_i,    // any number; 0 stays 0
  output wire [31:0] next_o  // the one behind it
);

  wire [31:0] x = x_i ^ (x_i << 13);
  wire [31:0] y = x ^ (x >> 17);

  assign next_o = y ^ (y << 5);

endmodule

`default_nettype wire
