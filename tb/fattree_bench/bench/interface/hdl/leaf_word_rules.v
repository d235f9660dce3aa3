// Copyright the fat-tree verification environment contributors
// SPDX-License-Identifier: Apache-2.0

`timescale 1ns/1ns
`default_nettype none

// Rules that words from a design keep on any link, one leaf's: see rules.py for their names.
//
// Contract: bits of broken_o: unknown_i; valid in reset; X beside it; the word names another leaf;
// its packet is too long; bits beyond the flit; a wrong head mark; no virtual channel (VC), or
// several; it is not full; a field changed within a packet; there was no room for it.
// Timing: combinational, against what was there in the clock before.
module leaf_word_rules #(
  parameter VCS     = 1,
  parameter VALID_W = 1,   // bits of valid
  parameter SIDE_W  = 34,  // bits beside it
  parameter STILL_W = 1    // bits that stay the same through a packet
) (
  input  wire               clk,
  input  wire               quiet_i,   // of leaf_control
  input  wire               silent_i,
  input  wire               unknown_i, // of leaf_heard
  input  wire [VALID_W-1:0] valid_i,
  input  wire [SIDE_W-1:0]  side_i,
  input  wire [STILL_W-1:0] still_i,
  input  wire [VCS-1:0]     came_i,    // a word came, its VC one-hot
  input  wire               head_i,    // it is its packet's first
  input  wire               mark_i,    // it is marked so
  input  wire               mine_i,    // it names this leaf
  input  wire               full_i,    // every byte of it counts
  input  wire               long_i,    // of leaf_collect
  input  wire               copies_i,
  input  wire               crowded_i, // it came, and there was no room
  output wire [10:0]        broken_o
);

  reg  [VCS*STILL_W-1:0] still_q;  // of the packet that each VC is at
  reg                    moved;
  wire                   valid = ((|valid_i) === 1'b1);
  wire                   came  = (came_i != {VCS{1'b0}});
  wire                   check = ~quiet_i;
  integer                v, w;

  always @* begin
    moved = 1'b0;
    for (v = 0; v < VCS; v = v + 1)
      if (came_i[v] && !head_i && still_i !== still_q[v*STILL_W +: STILL_W]) moved = 1'b1;
  end

  assign broken_o = {
    crowded_i,
    moved,
    came & (full_i !== 1'b1),
    check & valid & ((came_i & (came_i - 1'b1)) != {VCS{1'b0}}),
    came & (mark_i !== head_i),
    came & copies_i,
    came & long_i,
    came & (mine_i !== 1'b1),
    check & valid & ((side_i ^ side_i) !== {SIDE_W{1'b0}}),
    silent_i & valid,
    unknown_i
  };

  always @(posedge clk)
    for (w = 0; w < VCS; w = w + 1)
      if (came_i[w]) still_q[w*STILL_W +: STILL_W] <= still_i;

endmodule

`default_nettype wire
