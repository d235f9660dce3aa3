// Copyright the fat-tree verification environment contributors
// SPDX-License-Identifier: Apache-2.0

`timescale 1ns/1ns
`default_nettype none

// What a design shows, for readers who know 0 and 1 alone: X and Z become 0.
//
// Timing: combinational.
module leaf_known #(
  parameter W = 32
) (
  input  wire [W-1:0] value_i,
  output wire [W-1:0] value_o,
  output wire         unknown_o  // a bit was X or Z
);

  assign unknown_o = ((value_i ^ value_i) !== {W{1'b0}});

  genvar i;
  generate
    for (i = 0; i < W; i = i + 1) begin : gen_bit  // not a process: X may stay from the start
      assign value_o[i] = (value_i[i] === 1'b1);
    end
  endgenerate

endmodule

`default_nettype wire
