// Copyright the fat-tree verification environment contributors
// SPDX-License-Identifier: Apache-2.0

`timescale 1ns/1ns
`default_nettype none

// A receiver of AXI4-Stream, or of any link with valid and ready, one leaf's.
//
// Timing: ready_o does not depend on valid_i in the same clock.
module leaf_stream_receive #(
  parameter [31:0] SEED = 32'd1
) (
  input  wire       clk,
  input  wire       rst,      // of the player
  input  wire       run_i,
  input  wire [7:0] hold_i,   // see leaf_control
  input  wire       shy_i,
  input  wire       space_i,  // there is room for a word
  input  wire       valid_i,
  output wire       ready_o,
  output wire       came_o    // a word came
);

  reg  seen_q;  // valid in the clock before
  wire pause;
  wire valid = (valid_i === 1'b1);

  leaf_pause #(.SEED(SEED)) u_pause (
    .clk(clk), .rst(rst), .share_i(hold_i), .step_i(1'b1), .pause_o(pause)
  );

  assign ready_o = run_i & space_i & ~pause & (~shy_i | seen_q);
  assign came_o  = valid & ready_o;

  always @(posedge clk) seen_q <= valid & ~rst;

endmodule

`default_nettype wire
