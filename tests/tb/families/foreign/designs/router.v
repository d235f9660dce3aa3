// Copyright the fat-tree verification environment contributors
// SPDX-License-Identifier: Apache-2.0

`timescale 1ns/1ns
`default_nettype none

// A router of a mesh by itself, as others write them: ports by letters, paths for legal turns.
//
// Contract: a packet is a head, bodies and a tail, or a single word, in a port {valid, a spare bit,
// y, x, type, data}; the output is free for others when its last word has gone.  A word stays
// while it meets full or hold.  With ORDER "XY" no packet turns from N or S to E or W, with "YX"
// the other way round, and none goes back where it came from: such a packet waits for ever.
// Timing: a word is at its output one clock after it came.
module router #(
  parameter W     = 32,    // bits of a word's data
  parameter ORDER = "XY",  // or "YX"
  parameter X     = 1,     // of this router, 0 to 3
  parameter Y     = 1
) (
  input  wire         clk,
  input  wire         rst,     // synchronous
  input  wire [W+7:0] in_N, in_E, in_S, in_W, in_L,            // N: to larger y, E: to larger x
  output wire         full_N, full_E, full_S, full_W, full_L,  // the word is not taken
  output wire [W+7:0] out_N, out_E, out_S, out_W, out_L,
  input  wire         hold_N, hold_E, hold_S, hold_W, hold_L   // the word is not taken
);

  localparam B = W + 8;
  localparam [4:0] Y_SIDE = (ORDER == "XY") ? 5'b00101 : 5'b01010;  // turns from here to X_SIDE
  localparam [4:0] X_SIDE = 5'b01111 & ~Y_SIDE;                     // are not legal
  localparam [1:0] HERE_X = X;
  localparam [1:0] HERE_Y = Y;

  wire [5*B-1:0] in   = {in_L, in_W, in_S, in_E, in_N};
  wire [4:0]     hold = {hold_L, hold_W, hold_S, hold_E, hold_N};
  wire [24:0]    takes;  // by output: the input whose word it takes, one-hot
  reg  [5*B-1:0] out_q;

  assign {out_L, out_W, out_S, out_E, out_N} = out_q;
  assign {full_L, full_W, full_S, full_E, full_N} =
    ~(takes[4:0] | takes[9:5] | takes[14:10] | takes[19:15] | takes[24:20]);

  wire [24:0] goes;  // by input: where its word goes, one-hot
  genvar g, h;
  generate
    for (g = 0; g < 5; g = g + 1) begin : gen_input
      wire [1:0] x    = in[g*B + W + 2 +: 2];
      wire [1:0] y    = in[g*B + W + 4 +: 2];
      wire       near = (x == HERE_X);
      assign goes[g*5 +: 5] = {5{in[g*B + B - 1]}} & {
        near & (y == HERE_Y), x < HERE_X, near & (y < HERE_Y), x > HERE_X, near & (y > HERE_Y)};
    end
    for (g = 0; g < 5; g = g + 1) begin : gen_output
      reg  [4:0] held_q;   // the input whose packet is on its way, one-hot
      reg  [4:0] after_q;  // these inputs come first
      wire [4:0] asks;
      wire [4:0] some  = ((asks & after_q) != 5'd0) ? asks & after_q : asks;
      wire [4:0] grant = (held_q != 5'd0) ? held_q & asks : some & (~some + 5'd1);
      wire       free  = ~out_q[g*B + B - 1] | ~hold[g];
      reg  [B-1:0] word;
      integer      i;
      for (h = 0; h < 5; h = h + 1) begin : gen_turn
        assign asks[h] = goes[h*5 + g] & (h != g) & ~(Y_SIDE[h] & X_SIDE[g]);
      end
      assign takes[g*5 +: 5] = free ? grant : 5'd0;
      always @* begin
        word = {B{1'b0}};
        for (i = 0; i < 5; i = i + 1) if (grant[i]) word = in[i*B +: B];
      end
      always @(posedge clk) begin
        if (free) out_q[g*B +: B] <= word;
        if (free && grant != 5'd0) begin
          held_q  <= word[W+1] ? 5'd0 : grant;  // types: 0 body, 1 head, 2 tail, 3 single
          after_q <= ~((grant - 5'd1) | grant);
        end
        if (rst) begin
          out_q[g*B + B - 1] <= 1'b0;
          held_q             <= 5'd0;
          after_q            <= 5'd0;
        end
      end
    end
  endgenerate

endmodule

`default_nettype wire
