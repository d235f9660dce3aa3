// Copyright the fat-tree verification environment contributors
// SPDX-License-Identifier: Apache-2.0

`timescale 1ns/1ns
`default_nettype none

// A receiver of AXI4-Stream, or of any link with valid and ready, one leaf's, and its rules.
//
// Contract: side_i is all that stands beside valid.  Bits of broken_o: valid fell before ready;
// what is beside it changed before ready.
// Timing: ready_o does not depend on valid_i in the same clock.
module foreign_stream_receive #(
  parameter SIDE_W = 34,
  parameter [31:0] SEED = 32'd1
) (
  input  wire              clk,
  input  wire              rst,      // of the player
  input  wire              check_i,  // the design is not in reset, and was
  input  wire              run_i,
  input  wire [7:0]        hold_i,   // see foreign_control
  input  wire              shy_i,
  input  wire              space_i,  // there is room for a word
  input  wire              valid_i,
  output wire              ready_o,
  input  wire [SIDE_W-1:0] side_i,
  output wire              came_o,   // a word came
  output wire [1:0]        broken_o
);

  reg               seen_q;   // valid in the clock before
  reg               waits_q;  // and it was not taken
  reg  [SIDE_W-1:0] side_q;
  wire              pause;
  wire              valid = (valid_i === 1'b1);

  foreign_pause #(.SEED(SEED)) u_pause (
    .clk(clk), .rst(rst), .share_i(hold_i), .step_i(1'b1), .pause_o(pause)
  );

  assign ready_o = run_i & space_i & ~pause & (~shy_i | seen_q);
  assign came_o  = valid & ready_o;
  assign broken_o = {
    check_i & waits_q & valid & (side_i !== side_q),
    check_i & waits_q & ~valid
  };

  always @(posedge clk) begin
    seen_q  <= valid & ~rst;
    waits_q <= check_i & valid & ~ready_o & ~rst;
    side_q  <= side_i;
  end

endmodule

`default_nettype wire
