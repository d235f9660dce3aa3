// Copyright the fat-tree verification environment contributors
// SPDX-License-Identifier: Apache-2.0

`timescale 1ns/1ns
`default_nettype none

// A cable between two leaves that flaps: of each eight clocks nothing passes in two.
//
// Contract: each end keeps a word until its leaf takes it.  The other end sends the next one when
// the credit for that place has come back over the cable.
// Timing: a word is at the other end one clock after it was taken.
module cable #(
  parameter W = 32  // bits of a word
) (
  input  wire           clk,
  input  wire           rst,  // synchronous
  input  wire [1:0]     in_valid,
  output wire [1:0]     in_ready,
  input  wire [2*W-1:0] in_data,
  input  wire [1:0]     in_dest,  // always the other leaf
  output wire [1:0]     out_valid,
  input  wire [1:0]     out_ready,
  output wire [2*W-1:0] out_data
);

  reg  [2:0] phase_q;
  wire       up = (phase_q[2:1] != 2'd3);

  always @(posedge clk) phase_q <= rst ? 3'd0 : phase_q + 3'd1;

  genvar g;
  generate
    for (g = 0; g < 2; g = g + 1) begin : gen_way  // from leaf g to the other
      reg          credit_q;  // at leaf g
      reg          full_q;    // at the other leaf
      reg          owed_q;    // there: a credit that has not gone back
      reg  [W-1:0] word_q;
      wire         sends  = in_valid[g] & in_ready[g];
      wire         leaves = full_q & out_ready[1-g];
      wire         back   = up & owed_q;
      assign in_ready[g]           = up & credit_q & (in_dest[g] != g);
      assign out_valid[1-g]        = full_q;
      assign out_data[(1-g)*W +: W] = word_q;
      always @(posedge clk) begin
        if (sends) word_q <= in_data[g*W +: W];
        full_q   <= sends | (full_q & ~leaves);
        credit_q <= back | (credit_q & ~sends);
        owed_q   <= leaves | (owed_q & ~back);
        if (rst) begin
          full_q   <= 1'b0;
          credit_q <= 1'b1;
          owed_q   <= 1'b0;
        end
      end
    end
  endgenerate

endmodule

`default_nettype wire
