// Copyright the fat-tree verification environment contributors
// SPDX-License-Identifier: Apache-2.0

`timescale 1ns/1ns
`default_nettype none

// A sender of AXI4-Stream, or of any link with valid and ready, one leaf's, and its rule: bit 0 of
// broken_o, ready is X or Z.
//
// Contract: what is offered is offered until it is taken.  Timing: combinational.
module leaf_stream_send (
  input  wire       check_i,    // outputs must be 0 or 1
  input  wire       offered_i,  // of leaf_feed
  output wire       take_o,
  output wire       valid_o,
  input  wire       ready_i,
  output wire [0:0] broken_o
);

  assign valid_o  = offered_i;
  assign take_o   = offered_i & (ready_i === 1'b1);
  assign broken_o = check_i & ((ready_i ^ ready_i) !== 1'b0);

endmodule

`default_nettype wire
