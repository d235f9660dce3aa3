// Copyright the fat-tree verification environment contributors
// SPDX-License-Identifier: Apache-2.0

`timescale 1ns/1ns
`include "checks.vh"
`default_nettype none

// Sends packets on a link of SPIN.
//
// Contract: as of spin_encoder and spin_output.  Words of a packet may come with gaps.
// Timing: a word is on the link in the clock after it was taken.
module spin_sender (
  input  wire        clk,       // rising edge
  input  wire        rst,       // synchronous: as at first
  input  wire        valid_i,   // there is a word
  input  wire        head_i,    // it is the first of a packet
  input  wire        tail_i,    // it is the last: its data do not count
  input  wire [31:0] data_i,    // its 32 data bits, to which marks are added
  output wire        take_o,    // it is taken
  output wire        valid_o,   // link: a word
  output wire [35:0] word_o,    // link: that word
  input  wire        credit_i,  // link: room for one word more
  output wire        home_o     // for debuggers: all credits are here
);

  wire [35:0] word;
  wire        free, took;

  spin_encoder u_encoder (
    .clk(clk), .valid_i(took), .head_i(head_i), .tail_i(tail_i), .data_i(data_i), .word_o(word)
  );

  // Its only source needs no grant: it asks in the clock before a packet.
  spin_output #(.SOURCES(1)) u_output (
    .clk(clk), .rst(rst), .grant_i(valid_i & head_i & free), .valid_i(valid_i), .source_i(word),
    .last_i(tail_i), .take_o(took), .free_o(free), .valid_o(valid_o), .word_o(word_o),
    .credit_i(credit_i), .home_o(home_o)
  );

  assign take_o = took;

endmodule

`default_nettype wire
