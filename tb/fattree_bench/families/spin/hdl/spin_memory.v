// Copyright the fat-tree verification environment contributors
// SPDX-License-Identifier: Apache-2.0

`timescale 1ns/1ns
`default_nettype none

// The memory behind a target of SPIN; its words are 0 at first, and no reset changes them.
module spin_memory #(
  parameter WORDS_LOG = 6   // 2^WORDS_LOG words
) (
  input  wire                 clk,
  input  wire                 write_i,
  input  wire [WORDS_LOG-1:0] address_i,
  input  wire [31:0]          word_i,
  output wire [31:0]          word_o      // what was there before the clock
);

  reg [31:0] words [0:(1 << WORDS_LOG) - 1];

  integer k;
  initial
    for (k = 0; k < (1 << WORDS_LOG); k = k + 1) words[k] = 32'd0;

  assign word_o = words[address_i];

  always @(posedge clk)
    if (write_i) words[address_i] <= word_i;

endmodule

`default_nettype wire
