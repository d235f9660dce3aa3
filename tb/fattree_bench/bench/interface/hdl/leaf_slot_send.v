// Copyright the fat-tree verification environment contributors
// SPDX-License-Identifier: Apache-2.0

`timescale 1ns/1ns
`default_nettype none

// A sender of a word a slot, one leaf's.  With slots of one clock it is one of AXI4-Stream, or of
// any link with valid and ready.
//
// Contract: a word stays for its slot; if grant_i is high in its last clock the word is taken, else
// it is offered in the next slot again.  Where nothing is granted grant_i is 1.
// Timing: combinational.
module leaf_slot_send (
  input  wire       clk,
  input  wire       rst,
  input  wire       first_i,    // of leaf_slots
  input  wire       last_i,
  input  wire       offered_i,  // of leaf_feed
  output wire       take_o,
  output wire       valid_o,
  input  wire       grant_i     // of leaf_heard
);

  reg on_q;  // a word is on the link in this slot

  assign valid_o  = first_i ? offered_i : on_q & offered_i;
  assign take_o   = valid_o & last_i & grant_i;
  always @(posedge clk) on_q <= valid_o & ~last_i & ~rst;

endmodule

`default_nettype wire
