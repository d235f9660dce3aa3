// Copyright the fat-tree verification environment contributors
// SPDX-License-Identifier: Apache-2.0

`timescale 1ns/1ns
`include "checks.vh"
`default_nettype none

// The two shared output buffers of RSPIN, which any input can write, and any child's output read.
//
// Contract: as of spin_buffer.  Whose packet a buffer gets, and when it leaves, spin_descend says.
// Timing: as of spin_buffer.
//
// Slices: buffer b owns slice b.
module spin_buffers #(
  parameter INPUTS   = 8,  // of the router
  parameter CHILDREN = 4,  // of the router
  parameter WORD_W   = 36  // derived
) (
  input  wire                       clk,      // rising edge
  input  wire                       rst,      // synchronous: what is inside is gone
  input  wire [2*INPUTS-1:0]        store_i,  // by buffer: the input whose packet it gets, one-hot
  input  wire [INPUTS*CHILDREN-1:0] down_i,   // by input: the child of that packet, one-hot
  input  wire [INPUTS-1:0]          valid_i,  // by input: a word of a packet with a path
  input  wire [INPUTS*WORD_W-1:0]   word_i,   // by input: that word
  input  wire [INPUTS-1:0]          last_i,   // by input: it is the last
  output wire [2*INPUTS-1:0]        take_o,   // by buffer: by input: it leaves
  output wire [1:0]                 empty_o,  // 1: holds no packet
  output wire [2*CHILDREN-1:0]      ask_o,    // the child whose output its packet needs, one-hot
  input  wire [CHILDREN*2-1:0]      leave_i,  // by child: by buffer: it gets it
  output wire [1:0]                 valid_o,  // a word of a packet with an output
  output wire [2*WORD_W-1:0]        word_o,   // by buffer: its oldest word
  output wire [1:0]                 last_o,   // it is the last
  input  wire [CHILDREN*2-1:0]      take_i    // by child: by buffer: it leaves
);

  genvar b, c;
  generate
    for (b = 0; b < 2; b = b + 1) begin : gen_buffer
      wire [CHILDREN-1:0] gets, moves;
      reg  [CHILDREN-1:0] child;
      integer             n;

      always @* begin
        child = {CHILDREN{1'b0}};
        for (n = 0; n < INPUTS; n = n + 1)
          if (store_i[b*INPUTS + n]) child = child | down_i[n*CHILDREN +: CHILDREN];
      end

      for (c = 0; c < CHILDREN; c = c + 1) begin : gen_child
        assign gets[c]  = leave_i[c*2 + b];
        assign moves[c] = take_i[c*2 + b];
      end

      spin_buffer #(.SOURCES(INPUTS), .CHILDREN(CHILDREN)) u_buffer (
        .clk(clk), .rst(rst), .grant_i(store_i[b*INPUTS +: INPUTS]), .child_i(child),
        .valid_i(valid_i), .word_i(word_i), .last_i(last_i), .take_o(take_o[b*INPUTS +: INPUTS]),
        .empty_o(empty_o[b]), .ask_o(ask_o[b*CHILDREN +: CHILDREN]),
        .path_i(gets != {CHILDREN{1'b0}}), .valid_o(valid_o[b]),
        .word_o(word_o[b*WORD_W +: WORD_W]), .last_o(last_o[b]), .take_i(moves != {CHILDREN{1'b0}})
      );
    end
  endgenerate

endmodule

`default_nettype wire
