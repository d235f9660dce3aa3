// Copyright the fat-tree verification environment contributors
// SPDX-License-Identifier: Apache-2.0

`timescale 1ns/1ns
`include "checks.vh"
`default_nettype none

// R x S crossbar of words: every output shows the input that its setting names.
//
// Contract: an enabled output shows the input it selects; any other, and one that selects an input
// >= R, shows zero.
// Timing: combinational, depth O(log R).  Cost: R S crosspoints of W bits.
module crossbar #(
  parameter R = 4,                              // inputs, >= 1
  parameter S = 2,                              // outputs, >= 1
  parameter W = 8,                              // bits of a word, >= 1
  parameter SELECT_W = (R > 1) ? $clog2(R) : 1  // derived: bits of an input's number
) (
  input  wire [R*W-1:0]        data_i,    // words of the inputs
  input  wire [S-1:0]          enable_i,  // output l shows ...
  input  wire [S*SELECT_W-1:0] select_i,  // ... this input
  output reg  [S*W-1:0]        data_o     // words of the outputs
);

  integer l, i;

  always @* begin
    data_o = {(S*W){1'b0}};
    i      = 0;
    for (l = 0; l < S; l = l + 1) begin
      i = {{(32-SELECT_W){1'b0}}, select_i[l*SELECT_W +: SELECT_W]};
      if (enable_i[l] && i < R) data_o[l*W +: W] = data_i[i*W +: W];
    end
  end

  `CHECK_PARAMETER(R >= 1, "R", R, ">= 1")
  `CHECK_PARAMETER(S >= 1, "S", S, ">= 1")
  `CHECK_PARAMETER(W >= 1, "W", W, ">= 1")

endmodule

`default_nettype wire
