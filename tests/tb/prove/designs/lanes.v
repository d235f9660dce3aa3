// Copyright the fat-tree verification environment contributors
// SPDX-License-Identifier: Apache-2.0

`timescale 1ns/1ns
`default_nettype none

// A router of three ports with two virtual channels (VCs): a queue of two words for each of them.
//
// Contract: an output VC belongs to a packet up to its last word.  A credit goes back for each word
// that leaves its queue.
// Timing: a word is at its output two clocks after it came.
module lanes #(
  parameter W = 32
) (
  input  wire           clk,
  input  wire           rst,  // synchronous
  input  wire [5:0]     in_valid,  // by VC, VC 0 of port 0 lowest
  input  wire [3*W-1:0] in_data,
  input  wire [5:0]     in_dest,
  input  wire [2:0]     in_last,
  output reg  [5:0]     in_credit,
  output reg  [5:0]     out_valid,
  output reg  [3*W-1:0] out_data,
  output reg  [2:0]     out_last,
  input  wire [5:0]     out_credit
);

  localparam B = W + 3;  // last, dest, data

  wire [6*B-1:0] front;
  wire [5:0]     there;
  wire [17:0]    takes;  // by output: the queue whose word it takes, one-hot
  wire [5:0]     gone = takes[5:0] | takes[11:6] | takes[17:12];

  genvar g;
  generate
    for (g = 0; g < 6; g = g + 1) begin : gen_queue
      reg [B-1:0] first_q, second_q;
      reg [1:0]   count_q;
      wire [B-1:0] word = {in_last[g/2], in_dest[(g/2)*2 +: 2], in_data[(g/2)*W +: W]};
      wire [1:0]   left = count_q - {1'b0, gone[g]};
      assign front[g*B +: B] = first_q;
      assign there[g]        = (count_q != 2'd0);
      always @(posedge clk) begin
        if (gone[g]) first_q <= second_q;
        if (in_valid[g] && left == 2'd0) first_q <= word;
        if (in_valid[g] && left != 2'd0) second_q <= word;
        count_q      <= left + {1'b0, in_valid[g]};
        in_credit[g] <= gone[g];
        if (rst) begin
          count_q      <= 2'd0;
          in_credit[g] <= 1'b0;
        end
      end
    end

    for (g = 0; g < 3; g = g + 1) begin : gen_output
      reg  [5:0] owner_q;     // by VC in turn: whose packet is on its way, one-hot
      reg  [5:0] after_q;     // these come first
      reg  [3:0] left_q;      // credits of VC 1, of VC 0
      wire [1:0] held  = {(owner_q & 6'b101010) != 6'd0, (owner_q & 6'b010101) != 6'd0};
      wire [1:0] room  = {left_q[3:2] != 2'd0, left_q[1:0] != 2'd0};
      wire [5:0] open  = (owner_q | ~{3{held}}) & {3{room}};
      wire [5:0] asks  = there & open & {
        front[5*B + W +: 2] == g, front[4*B + W +: 2] == g, front[3*B + W +: 2] == g,
        front[2*B + W +: 2] == g, front[1*B + W +: 2] == g, front[0*B + W +: 2] == g};
      wire [5:0] some  = ((asks & after_q) != 6'd0) ? asks & after_q : asks;
      wire [5:0] wins  = some & (~some + 6'd1);
      reg  [B-1:0] word;
      integer      i;
      assign takes[6*g +: 6] = wins;
      always @* begin
        word = {B{1'b0}};
        for (i = 0; i < 6; i = i + 1) if (wins[i]) word = word | front[i*B +: B];
      end
      wire [1:0] sends = {(wins & 6'b101010) != 6'd0, (wins & 6'b010101) != 6'd0};
      always @(posedge clk) begin
        out_valid[2*g +: 2] <= sends;
        out_data[g*W +: W]  <= word[W-1:0];
        out_last[g]         <= word[B-1];
        if (wins != 6'd0) after_q <= ~((wins - 6'd1) | wins);
        owner_q <= word[B-1] ? owner_q & ~wins : owner_q | wins;
        left_q  <= {left_q[3:2] - {1'b0, sends[1]} + {1'b0, out_credit[2*g+1]},
                    left_q[1:0] - {1'b0, sends[0]} + {1'b0, out_credit[2*g]}};
        if (rst) begin
          out_valid[2*g +: 2] <= 2'd0;
          owner_q             <= 6'd0;
          after_q             <= 6'd0;
          left_q              <= 4'b1010;
        end
      end
    end
  endgenerate

endmodule

`default_nettype wire
