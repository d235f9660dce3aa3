// Copyright the fat-tree verification environment contributors
// SPDX-License-Identifier: Apache-2.0

`timescale 1ns/1ns
`default_nettype none

// A receiver of valid and ready with virtual channels (VCs), one leaf's.
//
// Contract: a word comes where valid and ready of its VC are high.  With EACH every VC has a ready
// and pauses by itself; otherwise one is for all, high when all have room.
// Timing: ready_o does not depend on valid_i in the same clock.
module leaf_stream_receive #(
  parameter VCS     = 2,
  parameter COUNT_W = 4,  // bits of a count of flits
  parameter EACH    = 1,
  parameter [31:0] SEED = 32'd1
) (
  input  wire                   clk,
  input  wire                   rst,
  input  wire                   run_i,
  input  wire [7:0]             hold_i,   // see leaf_control
  input  wire                   shy_i,
  input  wire [VCS*COUNT_W-1:0] space_i,  // room for flits
  input  wire [VCS-1:0]         valid_i,  // a word is there, its VC one-hot
  output wire [VCS-1:0]         ready_o,
  output wire [VCS-1:0]         came_o
);

  reg  [VCS-1:0] seen_q;  // valid in the clock before
  reg  [VCS-1:0] due_q;   // valid since the last word came: it may have fallen again
  wire [VCS-1:0] room, pause, open;
  wire [VCS-1:0] asked = seen_q | due_q;

  genvar g;
  generate
    for (g = 0; g < VCS; g = g + 1) begin : gen_vc
      leaf_pause #(.SEED(SEED ^ (g * 32'd40503))) u_pause (
        .clk(clk), .rst(rst), .share_i(hold_i), .step_i(1'b1), .pause_o(pause[g])
      );
      assign room[g]    = (space_i[g*COUNT_W +: COUNT_W] != {COUNT_W{1'b0}});
      assign open[g]    = room[g] & ~pause[(EACH != 0) ? g : 0]
        & (~shy_i | ((EACH != 0) ? asked[g] : (asked != {VCS{1'b0}})));
      assign ready_o[g] = run_i & ((EACH != 0) ? open[g] : &open);
    end
  endgenerate

  assign came_o = valid_i & ready_o;
  always @(posedge clk) begin
    seen_q <= rst ? {VCS{1'b0}} : valid_i;
    due_q  <= rst ? {VCS{1'b0}} : (valid_i | due_q) & ~came_o;
  end

endmodule

`default_nettype wire
