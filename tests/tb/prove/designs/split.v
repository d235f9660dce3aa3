// Copyright the fat-tree verification environment contributors
// SPDX-License-Identifier: Apache-2.0

`timescale 1ns/1ns
`default_nettype none

// A router of three ports: each output has a register, and belongs to a packet up to its last word.
//
// Contract: a word is taken when valid and ready are high, and waits at its output for ready.
// Timing: a word is at its output one clock after it was taken.
module split #(
  parameter W = 32
) (
  input  wire           clk,
  input  wire           rst,  // synchronous
  input  wire [2:0]     in_valid,
  output wire [2:0]     in_ready,
  input  wire [3*W-1:0] in_data,
  input  wire [5:0]     in_dest,
  input  wire [2:0]     in_last,
  output reg  [2:0]     out_valid,
  input  wire [2:0]     out_ready,
  output reg  [3*W-1:0] out_data,
  output reg  [2:0]     out_last
);

  wire [8:0] takes;  // by output: the input whose word it takes, one-hot

  assign in_ready = takes[2:0] | takes[5:3] | takes[8:6];

  genvar g;
  generate
    for (g = 0; g < 3; g = g + 1) begin : gen_output
      reg  [2:0] owner_q;  // whose packet is on its way, one-hot
      reg  [2:0] after_q;  // these come first
      wire [2:0] asks = in_valid & {in_dest[5:4] == g, in_dest[3:2] == g, in_dest[1:0] == g};
      wire [2:0] some = ((asks & after_q) != 3'd0) ? asks & after_q : asks;
      wire [2:0] wins = (owner_q != 3'd0) ? owner_q & asks : some & (~some + 3'd1);
      wire       free = ~out_valid[g] | out_ready[g];
      wire       last = (wins & in_last) != 3'd0;
      assign takes[3*g +: 3] = wins & {3{free}};
      always @(posedge clk) begin
        if (free) begin
          out_valid[g]       <= (wins != 3'd0);
          out_last[g]        <= last;
          out_data[g*W +: W] <= ({W{wins[0]}} & in_data[0 +: W])
            | ({W{wins[1]}} & in_data[W +: W]) | ({W{wins[2]}} & in_data[2*W +: W]);
          if (wins != 3'd0) begin
            owner_q <= last ? 3'd0 : wins;
            after_q <= ~((wins - 3'd1) | wins);
          end
        end
        if (rst) begin
          out_valid[g] <= 1'b0;
          owner_q      <= 3'd0;
          after_q      <= 3'd0;
        end
      end
    end
  endgenerate

endmodule

`default_nettype wire
