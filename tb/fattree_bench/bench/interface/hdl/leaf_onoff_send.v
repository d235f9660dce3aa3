// Copyright the fat-tree verification environment contributors
// SPDX-License-Identifier: Apache-2.0

`timescale 1ns/1ns
`default_nettype none

// A sender that the design stops, one leaf's.
//
// Contract: with RESEND a word that meets stop was not taken, and is sent again; else none is sent
// LAG clocks after stop was seen.
// Timing: LAG = 0: what stop says counts in the same clock.
module leaf_onoff_send #(
  parameter VCS    = 1,  // virtual channels, of which each may have a stop of its own
  parameter LAG    = 0,
  parameter RESEND = 0
) (
  input  wire           clk,
  input  wire           offered_i,  // of leaf_feed
  input  wire [VCS-1:0] vc_i,
  output wire [VCS-1:0] able_o,
  output wire           take_o,
  output wire           valid_o,
  input  wire [VCS-1:0] stop_i  // of leaf_heard
);

  wire [VCS-1:0] late;  // stop LAG clocks ago

  generate
    if (LAG == 0) begin : gen_now
      wire unused = clk;
      assign late = stop_i;
    end else begin : gen_late
      reg [LAG*VCS-1:0] stop_q;
      always @(posedge clk) stop_q <= (stop_q << VCS) | {{((LAG-1)*VCS){1'b0}}, stop_i};
      assign late = stop_q[(LAG-1)*VCS +: VCS];
    end
  endgenerate

  assign able_o   = (RESEND != 0) ? {VCS{1'b1}} : ~late;
  assign valid_o  = offered_i;
  assign take_o   = offered_i & ((RESEND == 0) | ((vc_i & ~stop_i) != {VCS{1'b0}}));

endmodule

`default_nettype wire
