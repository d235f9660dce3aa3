// Copyright the fat-tree verification environment contributors
// SPDX-License-Identifier: Apache-2.0

`timescale 1ns/1ns
`default_nettype none

// Rules of AXI4-Stream, or of any link with valid and ready, at an output of a design.
//
// Contract: side_i is all that stands beside valid.  Bits of broken_o: valid fell before ready;
// what is beside it changed before ready.  With EACH a word may give way to another channel's (VC).
// Timing: combinational, against what was there in the clock before.
module leaf_stream_rules #(
  parameter SIDE_W = 34,  // bits of side_i
  parameter VCS    = 1,
  parameter EACH   = 0    // each VC has a ready of its own
) (
  input  wire              clk,
  input  wire              rst,      // of the player
  input  wire              check_i,  // the design is not in reset, and was
  input  wire [VCS-1:0]    valid_i,
  input  wire [VCS-1:0]    ready_i,  // 0 or 1
  input  wire [SIDE_W-1:0] side_i,
  output wire [1:0]        broken_o
);

  reg  [VCS-1:0]    waits_q;  // a word was not taken in the clock before
  reg  [SIDE_W-1:0] side_q;
  wire [VCS-1:0]    valid;
  wire              some   = (valid != {VCS{1'b0}});
  wire              waited = (waits_q != {VCS{1'b0}});
  wire              other  = (valid != waits_q);

  genvar g;
  generate
    for (g = 0; g < VCS; g = g + 1) begin : gen_vc
      assign valid[g] = (valid_i[g] === 1'b1);
    end
  endgenerate

  assign broken_o = {
    check_i & waited & some & (other ? (EACH == 0) : (side_i !== side_q)),
    check_i & waited & ~some
  };

  always @(posedge clk) begin
    waits_q <= (check_i && !rst) ? valid & ~ready_i : {VCS{1'b0}};
    side_q  <= side_i;
  end

endmodule

`default_nettype wire
