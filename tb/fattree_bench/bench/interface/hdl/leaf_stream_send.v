// Copyright the fat-tree verification environment contributors
// SPDX-License-Identifier: Apache-2.0

`timescale 1ns/1ns
`default_nettype none

// A sender of valid and ready with virtual channels (VCs), one leaf's.
//
// Contract: a word stays until it is taken.  With EACH, where each VC has its own ready, a word
// whose VC is not ready gives way in the next clock to a word of a VC that was.
// Timing: what is offered does not depend on ready_i in the same clock.
module leaf_stream_send #(
  parameter VCS  = 2,  // >= 2
  parameter EACH = 1   // 0: all bits of ready_i are alike
) (
  input  wire           clk,
  input  wire           rst,
  input  wire           offered_i,  // of leaf_feed
  input  wire [VCS-1:0] vc_i,
  input  wire [VCS-1:0] some_i,     // VCs that have words
  output wire [VCS-1:0] able_o,
  output wire           take_o,
  input  wire [VCS-1:0] ready_i     // of leaf_heard
);

  reg  [VCS-1:0] stay_q;  // one of these is offered; none: any may be
  wire [VCS-1:0] other;

  genvar g;
  generate
    for (g = 0; g < VCS; g = g + 1) begin : gen_vc
      assign other[g] = (EACH != 0) & ready_i[g] & some_i[g] & ~vc_i[g];
    end
  endgenerate

  assign able_o   = (stay_q == {VCS{1'b0}}) ? {VCS{1'b1}} : stay_q;
  assign take_o   = offered_i & ((vc_i & ready_i) != {VCS{1'b0}});

  always @(posedge clk)
    if (rst || !offered_i || take_o) stay_q <= {VCS{1'b0}};
    else stay_q <= (other != {VCS{1'b0}}) ? other : vc_i;

endmodule

`default_nettype wire
