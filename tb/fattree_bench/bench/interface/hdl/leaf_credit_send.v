// Copyright the fat-tree verification environment contributors
// SPDX-License-Identifier: Apache-2.0

`timescale 1ns/1ns
`default_nettype none

// A sender with credits, one leaf's, and its rule: bit 0 of broken_o, more credits came back than
// went.
//
// Contract: a word takes a credit of its virtual channel (VC); CREDITS of each there are first.
// Timing: a credit that comes back counts in the next clock.
module leaf_credit_send #(
  parameter VCS     = 1,
  parameter CREDITS = 4,
  parameter BACK_W  = 1    // bits of a count of credits that come back
) (
  input  wire                  clk,
  input  wire                  rst,
  input  wire                  offered_i,  // of leaf_feed
  input  wire [VCS-1:0]        vc_i,
  output wire [VCS-1:0]        able_o,
  output wire                  take_o,
  output wire [VCS-1:0]        home_o,     // all credits are here
  input  wire [VCS*BACK_W-1:0] credit_i,
  output wire [0:0]            broken_o
);

  localparam [31:0] ALL = CREDITS;

  reg  [VCS*8-1:0] credit_q;
  reg  [VCS-1:0]   over;
  integer          v, w;

  genvar g;
  generate
    for (g = 0; g < VCS; g = g + 1) begin : gen_vc
      assign able_o[g] = (credit_q[g*8 +: 8] != 8'd0);
      assign home_o[g] = (credit_q[g*8 +: 8] == ALL[7:0]);
    end
  endgenerate

  assign take_o   = offered_i;
  assign broken_o = ~rst & (over != {VCS{1'b0}});

  always @*
    for (v = 0; v < VCS; v = v + 1)
      over[v] = ({24'd0, credit_q[v*8 +: 8]} - {31'd0, offered_i & vc_i[v]}
                 + {{(32-BACK_W){1'b0}}, credit_i[v*BACK_W +: BACK_W]}) > ALL;

  always @(posedge clk)
    for (w = 0; w < VCS; w = w + 1)
      if (rst || over[w]) credit_q[w*8 +: 8] <= ALL[7:0];
      else
        credit_q[w*8 +: 8] <= credit_q[w*8 +: 8] - {7'd0, offered_i & vc_i[w]}
          + {{(8-BACK_W){1'b0}}, credit_i[w*BACK_W +: BACK_W]};

endmodule

`default_nettype wire
