// Copyright the fat-tree verification environment contributors
// SPDX-License-Identifier: Apache-2.0

`timescale 1ns/1ns
`include "checks.vh"
`default_nettype none

// Takes packets from a link of SPIN, and tells at the end of each whether it is sound.
//
// Contract: words come out as spin_input makes them, so that all packets are well framed.  With the
//   last of a packet comes damaged_o: a word of it has the error mark, or the check is wrong.
// Timing: as of spin_input.
module spin_receiver (
  input  wire        clk,        // rising edge
  input  wire        rst,        // synchronous: what is inside is gone
  input  wire        valid_i,    // link: a word
  input  wire [35:0] word_i,     // link: that word
  output wire        credit_o,   // link: room for one word more
  output wire        valid_o,    // there is a word
  output wire        head_o,     // it is the first of a packet
  output wire        tail_o,     // it is the last
  output wire [31:0] data_o,     // its 32 data bits, without marks
  output wire        damaged_o,  // with tail_o: the packet is not what was sent
  input  wire        take_i,     // it is taken, with valid_o
  output wire        holds_o     // for debuggers: there are words
);

  wire        ask;
  wire [7:0]  to;
  wire [35:0] word;
  reg  [31:0] check_q;
  reg         error_q;
  wire        error = word[32] | (~word[35] & error_q);

  spin_input u_input (
    .clk(clk), .rst(rst), .framed_i(1'b0), .valid_i(valid_i), .word_i(word_i), .credit_o(credit_o),
    .ask_o(ask), .to_o(to), .grant_i(ask), .astray_i(1'b0), .valid_o(valid_o), .word_o(word),
    .last_o(tail_o), .take_i(take_i & valid_o), .holds_o(holds_o)
  );

  assign head_o    = word[35];
  assign data_o    = word[31:0];
  assign damaged_o = error | (check_q != data_o);

  wire [31:0] check = head_o ? 32'd1 : check_q;
  always @(posedge clk)
    if (take_i && valid_o) begin
      check_q <= {check[30:0], check[31]} ^ data_o;
      error_q <= error;
    end

  wire unused = &{1'b0, to, word[34:33]};

endmodule

`default_nettype wire
