// Copyright the fat-tree verification environment contributors
// SPDX-License-Identifier: Apache-2.0

`timescale 1ns/1ns
`default_nettype none

// A router with two virtual channels (VCs): a queue of two words for each VC of each port.
//
// Contract: an output VC belongs to a packet up to its last word.  Those of a VC take turns, and
// the VCs of an output as well.  A credit goes back for each word that leaves its queue.
// Timing: a word is at its output two clocks after it came.
module lanes #(
  parameter P = 3,   // ports
  parameter W = 32
) (
  input  wire           clk,
  input  wire           rst,  // synchronous
  input  wire [2*P-1:0] in_valid,  // by VC, VC 0 of port 0 lowest
  input  wire [P*W-1:0] in_data,
  input  wire [3*P-1:0] in_dest,
  input  wire [P-1:0]   in_last,
  output reg  [2*P-1:0] in_credit,
  output reg  [2*P-1:0] out_valid,
  output reg  [P*W-1:0] out_data,
  output reg  [P-1:0]   out_last,
  input  wire [2*P-1:0] out_credit
);

  localparam C = 2 * P;
  localparam B = W + 4;  // last, dest, data
  localparam [C-1:0] EVEN = {P{2'b01}}, ODD = {P{2'b10}};

  wire [C*B-1:0] front;
  wire [C-1:0]   there;
  wire [C*P-1:0] takes;  // by output: the queue whose word it takes, one-hot
  reg  [C-1:0]   gone;
  integer        o;

  always @* begin
    gone = {C{1'b0}};
    for (o = 0; o < P; o = o + 1) gone = gone | takes[C*o +: C];
  end

  genvar g;
  generate
    for (g = 0; g < C; g = g + 1) begin : gen_queue
      reg [B-1:0] first_q, second_q;
      reg [1:0]   count_q;
      wire [B-1:0] word = {in_last[g/2], in_dest[(g/2)*3 +: 3], in_data[(g/2)*W +: W]};
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

    for (g = 0; g < P; g = g + 1) begin : gen_output
      reg  [C-1:0] owner_q;     // by VC in turn: whose packet is on its way, one-hot
      reg  [C-1:0] after_q;     // these come first
      reg  [3:0]   left_q;      // credits of VC 1, of VC 0
      reg          turn_q;      // VC 1 comes first
      wire [1:0]   held = {(owner_q & ODD) != {C{1'b0}}, (owner_q & EVEN) != {C{1'b0}}};
      wire [1:0]   room  = {left_q[3:2] != 2'd0, left_q[1:0] != 2'd0};
      reg  [C-1:0] asks;
      wire [C-1:0] late  = asks & after_q;
      wire [1:0]   lates = {(late & ODD) != {C{1'b0}}, (late & EVEN) != {C{1'b0}}};
      wire [C-1:0] some  = late | (asks & ~{P{lates}});
      wire [C-1:0] odd   = some & ODD;
      wire [C-1:0] even  = some & EVEN;
      wire         high  = odd != {C{1'b0}} && (turn_q || even == {C{1'b0}});
      wire [C-1:0] wins  = high ? odd & (~odd + 1'b1) : even & (~even + 1'b1);
      reg  [B-1:0] word;
      integer      i;
      assign takes[C*g +: C] = wins;
      always @* begin
        word = {B{1'b0}};
        for (i = 0; i < C; i = i + 1) begin
          asks[i] = there[i] && (owner_q[i] || !held[i%2]) && room[i%2]
                    && front[i*B + W +: 3] == g;
          if (wins[i]) word = word | front[i*B +: B];
        end
      end
      wire [1:0] sends = {(wins & ODD) != {C{1'b0}}, (wins & EVEN) != {C{1'b0}}};
      always @(posedge clk) begin
        out_valid[2*g +: 2] <= sends;
        out_data[g*W +: W]  <= word[W-1:0];
        out_last[g]         <= word[B-1];
        after_q <= (after_q & ~{P{sends}}) | (~((wins - 1'b1) | wins) & {P{sends}});
        if (sends != 2'd0) turn_q <= sends[0];
        owner_q <= word[B-1] ? owner_q & ~wins : owner_q | wins;
        left_q  <= {left_q[3:2] - {1'b0, sends[1]} + {1'b0, out_credit[2*g+1]},
                    left_q[1:0] - {1'b0, sends[0]} + {1'b0, out_credit[2*g]}};
        if (rst) begin
          out_valid[2*g +: 2] <= 2'd0;
          owner_q             <= {C{1'b0}};
          after_q             <= {C{1'b0}};
          left_q              <= 4'b1010;
          turn_q              <= 1'b0;
        end
      end
    end
  endgenerate

endmodule

`default_nettype wire
