// Copyright the fat-tree verification environment contributors
// SPDX-License-Identifier: Apache-2.0

`timescale 1ns/1ns
`include "checks.vh"
`default_nettype none

// Shared output buffer of RSPIN: a packet waits in it for its child, out of the way of others.
//
// Contract: it takes a packet only if it is empty, and then that packet alone, until its last word
//   has left; a packet that fits leaves its input whatever its output does.
// Timing: a word that comes in a clock can leave from the next on; its place is free for a word of
//   the clock after it left.
module spin_buffer #(
  parameter SOURCES  = 8,   // inputs of the router
  parameter CHILDREN = 4,   // of the router
  parameter WORDS    = 18,  // that it holds, >= 2
  parameter WORD_W   = 36   // bits of a word; next to the highest is the end mark
) (
  input  wire                      clk,      // rising edge
  input  wire                      rst,      // synchronous: what is inside is gone
  input  wire [SOURCES-1:0]        grant_i,  // whose packet comes in, with empty_o: see spin_lane
  input  wire [CHILDREN-1:0]       child_i,  // the child that it goes to, one-hot
  input  wire [SOURCES-1:0]        valid_i,  // by input: it has a word
  input  wire [SOURCES*WORD_W-1:0] word_i,   // by input: that word
  input  wire [SOURCES-1:0]        last_i,   // by input: it is its packet's last
  output wire [SOURCES-1:0]        take_o,   // by input: the word moves into the buffer
  output wire                      empty_o,  // 1: holds no packet
  output wire [CHILDREN-1:0]       ask_o,    // the packet needs this child's output, one-hot
  input  wire                      path_i,   // it gets it
  output wire                      valid_o,  // a word of it
  output wire [WORD_W-1:0]         word_o,   // the oldest word of the packet
  output wire                      last_o,   // it is the last
  input  wire                      take_i    // it leaves, with valid_o
);

  localparam        PLACE_W = $clog2(WORDS);
  localparam        COUNT_W = $clog2(WORDS + 1);
  localparam [31:0] LAST    = WORDS - 1;

  reg  [PLACE_W-1:0]  read_q, write_q;
  reg  [COUNT_W-1:0]  count_q;
  reg  [CHILDREN-1:0] child_q;   // of the packet; zero: there is none
  reg                 leaving_q; // it has its output
  wire                enters, idle;
  wire [WORD_W-1:0]   word;
  wire                room   = (count_q != WORDS[COUNT_W-1:0]);
  wire                leaves = take_i & valid_o;

  assign empty_o = (child_q == {CHILDREN{1'b0}});
  assign ask_o   = leaving_q ? {CHILDREN{1'b0}} : child_q;
  assign valid_o = leaving_q & (count_q != {COUNT_W{1'b0}});
  assign last_o  = word_o[WORD_W-2];

  spin_lane #(.SOURCES(SOURCES), .WORD_W(WORD_W)) u_lane (
    .clk(clk), .rst(rst), .grant_i(grant_i), .valid_i(valid_i), .word_i(word_i), .last_i(last_i),
    .take_o(take_o), .free_o(idle), .ready_i(room), .valid_o(enters), .word_o(word)
  );

  register_file #(.WORDS(WORDS), .WIDTH(WORD_W), .CLEARED(0)) u_words (
    .clk(clk), .rst(rst), .write_i(enters & ~rst), .write_at_i(write_q), .word_i(word),
    .read_at_i(read_q), .word_o(word_o)
  );

  always @(posedge clk)
    if (rst) begin
      read_q    <= {PLACE_W{1'b0}};
      write_q   <= {PLACE_W{1'b0}};
      count_q   <= {COUNT_W{1'b0}};
      child_q   <= {CHILDREN{1'b0}};
      leaving_q <= 1'b0;
    end else begin
      if (grant_i != {SOURCES{1'b0}}) child_q <= child_i;
      if (path_i) leaving_q <= 1'b1;
      if (enters) write_q <= (write_q == LAST[PLACE_W-1:0]) ? {PLACE_W{1'b0}} : write_q + 1'b1;
      if (leaves) read_q  <= (read_q == LAST[PLACE_W-1:0]) ? {PLACE_W{1'b0}} : read_q + 1'b1;
      if (enters != leaves) count_q <= enters ? count_q + 1'b1 : count_q - 1'b1;
      if (leaves && last_o) begin
        child_q   <= {CHILDREN{1'b0}};
        leaving_q <= 1'b0;
      end
    end

  `CHECK_PARAMETER(WORDS >= 2, "WORDS", WORDS, ">= 2")
  `CHECK_SHARED(clk, rst, !(empty_o && !idle), "a packet comes into a shared buffer without owner")
  `CHECK_SHARED(clk, rst, empty_o || grant_i == {SOURCES{1'b0}},
                "a shared buffer gets a second packet")

endmodule

`default_nettype wire
