// Copyright the fat-tree verification environment contributors
// SPDX-License-Identifier: Apache-2.0

`timescale 1ns/1ns
`include "checks.vh"
`default_nettype none

// Output of a link of RSPIN: a column of the crossbar, a register before the link, credits.
//
// Contract: it sends at most 4 words more than credits came back.
// Timing: a word that leaves its source is on the link in the next clock.
module spin_output #(
  parameter SOURCES = 9,  // crosspoints, >= 1
  parameter WORD_W  = 36  // bits of a word
) (
  input  wire                      clk,       // rising edge
  input  wire                      rst,       // synchronous: as at first, with 4 credits
  input  wire [SOURCES-1:0]        grant_i,   // who gets the output, one-hot; only with free_o
  input  wire [SOURCES-1:0]        valid_i,   // by source: it has a word
  input  wire [SOURCES*WORD_W-1:0] source_i,  // see word_i of spin_lane
  input  wire [SOURCES-1:0]        last_i,    // by source: it is a packet's last
  output wire [SOURCES-1:0]        take_o,    // by source: its word moves to the link
  output wire                      free_o,    // no packet has it, and a credit is left
  output reg                       valid_o,   // link: a word
  output reg  [WORD_W-1:0]         word_o,    // link: that word
  input  wire                      credit_i,  // link: room for one word more
  output wire                      home_o     // for debuggers: no packet has it, all credits back
);

  reg  [2:0]        credits_q;
  wire              idle, sends;
  wire [WORD_W-1:0] word;
  wire              ready = (credits_q != 3'd0);

  assign free_o = idle & ready;
  assign home_o = idle & credits_q[2];

  spin_lane #(.SOURCES(SOURCES), .WORD_W(WORD_W)) u_lane (
    .clk(clk), .rst(rst), .grant_i(grant_i), .valid_i(valid_i), .word_i(source_i), .last_i(last_i),
    .take_o(take_o), .free_o(idle), .ready_i(ready), .valid_o(sends), .word_o(word)
  );

  always @(posedge clk)
    if (rst) begin
      valid_o   <= 1'b0;
      credits_q <= 3'd4;
    end else begin
      valid_o <= sends;
      if (sends) word_o <= word;
      if (credit_i != sends) credits_q <= credit_i ? credits_q + 3'd1 : credits_q - 3'd1;
    end

  `CHECK_SHARED(clk, rst, !(credit_i && credits_q[2] && !sends), "more credits came back than went")

endmodule

`default_nettype wire
