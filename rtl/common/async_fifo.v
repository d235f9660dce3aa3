// Copyright the fat-tree verification environment contributors
// SPDX-License-Identifier: Apache-2.0

`timescale 1ns/1ns
`include "checks.vh"
`default_nettype none

// FIFO between two clocks of any periods and phases, which may also stop: Gray pointers, each
// brought to the other clock by a synchroniser.
//
//   write side: pointer, memory -----> read side: pointer
//        ^------- synchroniser <-----------'
//
// Contract: with valid_i and no full_o word_i is taken; with valid_o word_o is the oldest word,
// and take_i, only then, removes it.  full_o and valid_o know of the other side's doings late: the
// FIFO may seem full, or empty, when it no longer is; never the other way round.
// Resets: each of its own clock; neither side leaves its reset before both have had two
// edges in it.
// Timing: a word is seen SYNC edges of the reader after the first that comes after its write, a
// place that was read likewise.  A word a clock at equal periods takes DEPTH >= 2 SYNC + 2.
// word_o is read from memory that the writer clocks, at a place that it does not write to.
module async_fifo #(
  parameter WIDTH = 8,  // bits of a word
  parameter DEPTH = 8,  // words, a power of two, >= 2
  parameter SYNC  = 2,  // flip-flops of each synchroniser, >= 2
  parameter PLACE_W = $clog2(DEPTH)  // derived
) (
  input  wire             write_clk,  // rising edge; the write side's:
  input  wire             write_rst,  // synchronous to write_clk: its pointer goes to 0
  input  wire             valid_i,    // there is a word
  input  wire [WIDTH-1:0] word_i,     // the word to be written, with valid_i
  output wire             full_o,     // no word is taken in this clock
  input  wire             read_clk,   // rising edge; the read side's:
  input  wire             read_rst,   // synchronous to read_clk: its pointer goes to 0
  output wire             valid_o,    // there is a word
  output wire [WIDTH-1:0] word_o,     // the oldest word, with valid_o
  input  wire             take_i      // removes word_o; only with valid_o
);

  localparam POINTER_W = PLACE_W + 1;
  localparam [POINTER_W-1:0] AHEAD = 3 << (POINTER_W - 2);  // of Gray code: by DEPTH steps

  reg  [WIDTH-1:0]     words [0:DEPTH-1];
  wire [POINTER_W-1:0] write_count, write_code, read_count, read_code, read_seen;
  wire                 write = valid_i & ~full_o;
  wire                 unused = &{1'b0, write_count, read_count};

  always @(posedge write_clk) if (write) words[write_count[PLACE_W-1:0]] <= word_i;

  gray_pointer #(.WIDTH(POINTER_W)) u_write (
    .clk(write_clk), .rst(write_rst), .step_i(write), .count_o(write_count), .code_o(write_code)
  );
  synchroniser #(.SYNC(SYNC), .WIDTH(POINTER_W)) u_read_seen (
    .clk(write_clk), .rst(write_rst), .value_i(read_code), .value_o(read_seen)
  );
  assign full_o = (write_code == (read_seen ^ AHEAD));

  gray_follower #(.WIDTH(POINTER_W), .SYNC(SYNC)) u_read (
    .clk(read_clk), .rst(read_rst), .leader_i(write_code), .step_i(take_i), .behind_o(valid_o),
    .count_o(read_count), .code_o(read_code)
  );
  assign word_o = words[read_count[PLACE_W-1:0]];

  `CHECK_PARAMETER(DEPTH >= 2 && (DEPTH & (DEPTH - 1)) == 0, "DEPTH", DEPTH, "2, 4, 8 ..")

endmodule

`default_nettype wire
