// Copyright the fat-tree verification environment contributors
// SPDX-License-Identifier: Apache-2.0

`timescale 1ns/1ns
`include "checks.vh"
`default_nettype none

// Small memory with one write port and one or two asynchronous read ports, for what must be read
// and rewritten in one clock: lookup-table RAM of an FPGA, or a register file.
//
// Contract: a read shows the word that was written there last, in clocks before.  With CLEARED = 1
// a word that was not written since the last reset reads INITIAL: a flip-flop per word knows, so
// that a reset takes one clock although memories have none.  With 0 it is unknown.
// Timing: combinational from read_at_i to word_o.  Cost: WORDS x WIDTH bits of memory per read
// port.
//
// Slices: read port r owns the r-th slice of read_at_i and of word_o.
module register_file #(
  parameter WORDS   = 16,  // >= 2
  parameter WIDTH   = 8,   // bits of a word, >= 1
  parameter READS   = 1,   // read ports, 1 or 2
  parameter CLEARED = 1,   // whether a reset sets all words to INITIAL, 0 or 1
  parameter [WIDTH-1:0] INITIAL = {WIDTH{1'b0}},  // of every word after a reset
  parameter ADDRESS_W = $clog2(WORDS)  // derived
) (
  input  wire                       clk,         // rising edge
  input  wire                       rst,         // synchronous; without effect if CLEARED = 0
  input  wire                       write_i,     // word_i is written
  input  wire [ADDRESS_W-1:0]       write_at_i,  // where, < WORDS
  input  wire [WIDTH-1:0]           word_i,      // what is written
  input  wire [READS*ADDRESS_W-1:0] read_at_i,   // which words are shown, < WORDS
  output wire [READS*WIDTH-1:0]     word_o       // what is read, port by port
);

  reg [WIDTH-1:0] words [0:WORDS-1];

  always @(posedge clk)
    if (write_i) words[write_at_i] <= word_i;

  genvar r;
  generate
    if (CLEARED != 0) begin : gen_cleared
      reg [WORDS-1:0] written_q;

      always @(posedge clk)
        if (rst)
          written_q <= {WORDS{1'b0}};
        else if (write_i)
          written_q[write_at_i] <= 1'b1;

      for (r = 0; r < READS; r = r + 1) begin : gen_read
        wire [ADDRESS_W-1:0] at = read_at_i[r*ADDRESS_W +: ADDRESS_W];
        assign word_o[r*WIDTH +: WIDTH] = written_q[at] ? words[at] : INITIAL;
      end
    end else begin : gen_unknown
      for (r = 0; r < READS; r = r + 1) begin : gen_read
        assign word_o[r*WIDTH +: WIDTH] = words[read_at_i[r*ADDRESS_W +: ADDRESS_W]];
      end
      wire unused = &{1'b0, rst};
    end
  endgenerate

  `CHECK_PARAMETER(WORDS >= 2, "WORDS", WORDS, ">= 2")
  `CHECK_PARAMETER(WIDTH >= 1, "WIDTH", WIDTH, ">= 1")
  `CHECK_PARAMETER(READS == 1 || READS == 2, "READS", READS, "1 or 2")
  `CHECK_PARAMETER(CLEARED == 0 || CLEARED == 1, "CLEARED", CLEARED, "0 or 1")

endmodule

`default_nettype wire
