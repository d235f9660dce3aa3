// Copyright the fat-tree verification environment contributors
// SPDX-License-Identifier: Apache-2.0

`timescale 1ns/1ns
`default_nettype none

// Rules of AXI4-Stream, or of any link with valid and ready, at an output of a design.
//
// Contract: side_i is all that stands next to valid.  Bits of broken_o: valid fell before ready;
// what stands next to it changed before ready.  Neither is a rule unless STABLE; with EACH a word
// may give way to another channel's (VC).
// Timing: combinational, against what was there in the clock before.
module leaf_handshake #(
  parameter SIDE_W = 34,  // bits of side_i
  parameter STABLE = 1,   // a word that waits stays as it is
  parameter VCS    = 1,
  parameter EACH   = 0    // each VC has a ready of its own
) (
  input  wire              clk,
  input  wire              quiet_i,  // of leaf_control
  input  wire [VCS-1:0]    valid_i,  // 0 or 1
  input  wire [VCS-1:0]    ready_i,  // 0 or 1
  input  wire [SIDE_W-1:0] side_i,
  output wire [1:0]        broken_o
);

  reg  [VCS-1:0]    waits_q;  // a word was not taken in the clock before
  reg  [SIDE_W-1:0] side_q;
  wire              check = ~quiet_i & (waits_q != {VCS{1'b0}});
  wire              some  = (valid_i != {VCS{1'b0}});
  wire              other = (valid_i != waits_q);

  assign broken_o = {
    check & some & (other ? (EACH == 0) : (side_i !== side_q)),
    check & ~some
  };

  always @(posedge clk) begin
    waits_q <= (STABLE != 0 && !quiet_i) ? valid_i & ~ready_i : {VCS{1'b0}};
    side_q  <= side_i;
  end

endmodule

`default_nettype wire
