// Copyright the fat-tree verification environment contributors
// SPDX-License-Identifier: Apache-2.0

`timescale 1ns/1ns
`include "checks.vh"
`default_nettype none

// Makes words of SPIN out of a packet: marks, parity, and the check in the last word.
//
// Check of a packet: from 1 on, for the data of each word before the last, rotated left by a place
// and exclusive-ored with it.
//
// Contract: a packet has at least two words; the first holds its header, number of words included.
// Timing: combinational from data to word; the check advances in clocks with valid_i.
module spin_encoder (
  input  wire        clk,      // rising edge
  input  wire        valid_i,  // the word is sent
  input  wire        head_i,   // it is the first of a packet
  input  wire        tail_i,   // it is the last: its data do not count
  input  wire [31:0] data_i,   // data of the word
  output wire [35:0] word_o    // the word, see spin_input
);

  reg  [31:0] check_q;
  wire [31:0] check = head_i ? 32'd1 : check_q;
  wire [31:0] data  = tail_i ? check_q : data_i;

  assign word_o = {head_i, tail_i, ^{head_i, tail_i, data}, 1'b0, data};

  always @(posedge clk)
    if (valid_i) check_q <= {check[30:0], check[31]} ^ data_i;

endmodule

`default_nettype wire
