// Copyright the fat-tree verification environment contributors
// SPDX-License-Identifier: Apache-2.0

`timescale 1ns/1ns
`default_nettype none

// A receiver that stops the design, one leaf's, and its rule: bit 0 of broken_o, more than SLACK
// words came while it was stopped.
//
// Contract: with RESEND a word that meets stop is not taken; else all are.
// Timing: stop_o does not depend on valid_i in the same clock.
module leaf_onoff_receive #(
  parameter VCS     = 1,
  parameter COUNT_W = 4,   // bits of a count of flits
  parameter SLACK   = 0,   // words that may come after stop
  parameter RESEND  = 0,
  parameter [31:0] SEED = 32'd1
) (
  input  wire                   clk,
  input  wire                   rst,
  input  wire                   run_i,
  input  wire [7:0]             hold_i,   // see leaf_control
  input  wire [VCS*COUNT_W-1:0] space_i,  // room for flits
  input  wire [VCS-1:0]         valid_i,  // a word is there, its VC one-hot
  output reg  [VCS-1:0]         stop_o,
  output wire [VCS-1:0]         came_o,   // a word came, and there was room
  output wire                   crowded_o,
  output wire [0:0]             broken_o
);

  localparam [31:0] LEFT = SLACK;

  reg  [VCS*8-1:0] after_q;  // words since stop
  reg  [VCS-1:0]   room, over;
  wire             pause;
  integer          v, w;

  leaf_pause #(.SEED(SEED)) u_pause (
    .clk(clk), .rst(rst), .share_i(hold_i), .step_i(1'b1), .pause_o(pause)
  );

  always @* begin
    for (v = 0; v < VCS; v = v + 1) begin
      room[v]   = (space_i[v*COUNT_W +: COUNT_W] != {COUNT_W{1'b0}});
      stop_o[v] = ~run_i | pause
                  | ({{(32-COUNT_W){1'b0}}, space_i[v*COUNT_W +: COUNT_W]} <= LEFT);
      over[v]   = (RESEND == 0) & valid_i[v] & stop_o[v] & ({24'd0, after_q[v*8 +: 8]} >= LEFT);
    end
  end

  wire [VCS-1:0] sent = (RESEND != 0) ? valid_i & ~stop_o : valid_i;
  assign came_o    = sent & room;
  assign crowded_o = (sent & ~room) != {VCS{1'b0}};
  assign broken_o  = run_i & (over != {VCS{1'b0}});

  always @(posedge clk)
    for (w = 0; w < VCS; w = w + 1)
      if (rst || !stop_o[w]) after_q[w*8 +: 8] <= 8'd0;
      else if (valid_i[w] && after_q[w*8 +: 8] != 8'hff)
        after_q[w*8 +: 8] <= after_q[w*8 +: 8] + 8'd1;

endmodule

`default_nettype wire
