// Copyright the fat-tree verification environment contributors
// SPDX-License-Identifier: Apache-2.0

`timescale 1ns/1ns
`default_nettype none

// Rules of AXI4-Stream, or of any link with valid and ready, at an output of a design.
//
// Contract: side_i is all that stands beside valid.  Bits of broken_o: valid fell before ready;
// what is beside it changed before ready.
// Timing: combinational, against what was there in the clock before.
module leaf_stream_rules #(
  parameter SIDE_W = 34  // bits of side_i
) (
  input  wire              clk,
  input  wire              rst,      // of the player
  input  wire              check_i,  // the design is not in reset, and was
  input  wire              valid_i,
  input  wire              ready_i,  // 0 or 1
  input  wire [SIDE_W-1:0] side_i,
  output wire [1:0]        broken_o
);

  reg              waits_q;  // a word was not taken in the clock before
  reg [SIDE_W-1:0] side_q;
  wire             valid = (valid_i === 1'b1);

  assign broken_o = {
    check_i & waits_q & valid & (side_i !== side_q),
    check_i & waits_q & ~valid
  };

  always @(posedge clk) begin
    waits_q <= check_i & valid & ~ready_i & ~rst;
    side_q  <= side_i;
  end

endmodule

`default_nettype wire
