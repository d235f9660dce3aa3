// Copyright the fat-tree verification environment contributors
// SPDX-License-Identifier: Apache-2.0

`timescale 1ns/1ns
`include "checks.vh"
`default_nettype none

// One plane of SPIN (Guerrier and Greiner 2000; Adriahantenaina et al. 2003): a fat-tree of RSPIN
// routers with TERMINALS leaves.  16: a 4-ary 2-tree; 64: a 4-ary 3-tree; 32 (ours): two levels, in
// which the four routers of the top have eight children.
// Nodes, children and parents have the numbers of xgft_network.
//
// Contract: words, packets and credits as in spin_router, at the links of the terminals, too: a
//   terminal sends at most 4 words more than credits came back, and takes 4 words.  Nobody sends to
//   itself.
// Timing: from a word on the link of a terminal to its being on the link of another: 3 clocks a
//   router, if nobody is in the way.
//
// Vectors by terminal: terminal p owns slice p.  Vectors by place: router by router, lower levels
// first; of a router its ports, children first, then parents, then its two shared buffers if
// SHARED is 1.  Vectors by port leave out the buffers.
module spin_network #(
  parameter TERMINALS = 16,                     // 16, 32, 64
  parameter SHARED    = 1,                      // 0, 1: routers have shared output buffers
  // derived
  parameter WORD_W    = 36,                     // bits of a word
  parameter H         = (TERMINALS == 64) ? 3 : 2,                      // levels of routers
  parameter [32*3-1:0] M = {32'd4, (TERMINALS == 32) ? 32'd8 : 32'd4, 32'd4},  // see xgft_network
  parameter [32*3-1:0] W = {32'd4, 32'd4, 32'd1},                       // there
  parameter ROUTERS   = (TERMINALS == 64) ? 48 : (TERMINALS == 32) ? 12 : 8,
  parameter PORTS     = (TERMINALS == 64) ? 320 : (TERMINALS == 32) ? 96 : 48,  // of all routers
  parameter PLACES    = PORTS + 2 * SHARED * ROUTERS
) (
  input  wire                        clk,           // rising edge
  input  wire                        rst,           // synchronous: what is inside is gone
  input  wire [TERMINALS-1:0]        valid_i,       // by terminal: it sends a word
  input  wire [TERMINALS*WORD_W-1:0] word_i,        // by terminal: that word
  output wire [TERMINALS-1:0]        credit_o,      // by terminal: room for one word more
  output wire [TERMINALS-1:0]        valid_o,       // by terminal: a word comes to it
  output wire [TERMINALS*WORD_W-1:0] word_o,        // by terminal: that word
  input  wire [TERMINALS-1:0]        credit_i,      // by terminal: room for one word more
  output wire [ROUTERS-1:0]          stored_o,      // for debuggers: a packet goes into a buffer
  output wire [PLACES-1:0]           state_o,       // for debuggers: input or buffer holds words
  output wire [PLACES-1:0]           home_o,        // for debuggers: output or buffer is as at first
  output wire [PORTS-1:0]            link_valid_o,  // for debuggers: by port: a word leaves
  output wire [PORTS*WORD_W-1:0]     link_word_o    // for debuggers: by port: that word
);

endmodule

`default_nettype wire
