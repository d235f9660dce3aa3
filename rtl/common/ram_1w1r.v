// Copyright the fat-tree verification environment contributors
// SPDX-License-Identifier: Apache-2.0

`timescale 1ns/1ns
`include "checks.vh"
`default_nettype none

// Memory with one write port and one synchronous read port, as RAM compilers and FPGAs have it.
//
// Contract: a read shows the word that was written there last, in clocks before; what was never
// written is unknown, also after a reset.
// Timing: what is read in a clock with read_i stands at word_o from the next clock up to the next
// read.  Cost: WORDS x WIDTH bits of memory.
module ram_1w1r #(
  parameter WORDS = 16,                // >= 2
  parameter WIDTH = 8,                 // bits of a word, >= 1
  parameter ADDRESS_W = $clog2(WORDS)  // derived
) (
  input  wire                 clk,         // rising edge
  input  wire                 write_i,     // word_i is written
  input  wire [ADDRESS_W-1:0] write_at_i,  // where, < WORDS
  input  wire [WIDTH-1:0]     word_i,      // what is written
  input  wire                 read_i,      // a word is read
  input  wire [ADDRESS_W-1:0] read_at_i,   // which, < WORDS
  output reg  [WIDTH-1:0]     word_o       // the word that was read last
);

  reg [WIDTH-1:0] words [0:WORDS-1];

  always @(posedge clk) begin
    if (write_i) words[write_at_i] <= word_i;
    if (read_i) word_o <= words[read_at_i];
  end

  `CHECK_PARAMETER(WORDS >= 2, "WORDS", WORDS, ">= 2")
  `CHECK_PARAMETER(WIDTH >= 1, "WIDTH", WIDTH, ">= 1")

endmodule

`default_nettype wire
