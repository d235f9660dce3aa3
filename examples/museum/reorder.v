// Copyright the fat-tree verification environment contributors
// SPDX-License-Identifier: Apache-2.0

`timescale 1ns/1ns
`default_nettype none

// A switch of two leaves with a reorder buffer of four words at each output.
//
// Contract: a word gets the next place of its output's buffer as it is taken, and leaves in that
// order; words of input 1 go a longer way to their place.
// Timing: a word is at its output one clock after it was taken, of input 1 two.
module reorder #(
  parameter W = 32  // bits of a word
) (
  input  wire           clk,
  input  wire           rst,  // synchronous
  input  wire [1:0]     in_valid,
  output wire [1:0]     in_ready,
  input  wire [2*W-1:0] in_data,
  input  wire [1:0]     in_dest,
  output wire [1:0]     out_valid,
  input  wire [1:0]     out_ready,
  output wire [2*W-1:0] out_data
);

  wire [3:0] takes;  // by output: the input whose word gets a place, one-hot

  assign in_ready = takes[1:0] | takes[3:2];

  genvar g;
  generate
    for (g = 0; g < 2; g = g + 1) begin : gen_output
      reg  [4*W-1:0] data_q;
      reg  [3:0]     there_q;    // by place: its word has come
      reg  [1:0]     head_q;     // the place that leaves next
      reg  [2:0]     count_q;    // places that were given
      reg            turn_q;     // input 1 is first
      reg            far_q;      // a word of input 1 is on its way
      reg  [1:0]     far_at_q;   // to this place
      reg  [W-1:0]   far_word_q;
      wire [1:0]     asks = in_valid & {in_dest[1] == g, in_dest[0] == g};
      wire [1:0]     wins = (asks == 2'b11) ? {turn_q, ~turn_q} : asks;
      wire [1:0]     take = wins & {2{count_q != 3'd4}};
      wire [1:0]     tail = head_q + count_q[1:0];
      wire           pops = out_valid[g] & out_ready[g];
      wire [1:0]     next = head_q + {1'b0, pops};
      assign takes[2*g +: 2]    = take;
      assign out_valid[g]       = there_q[head_q];
      assign out_data[g*W +: W] = data_q[head_q*W +: W];
      always @(posedge clk) begin
        if (pops) there_q[head_q] <= 1'b0;
        if (take[0]) begin
          data_q[tail*W +: W] <= in_data[0 +: W];
          there_q[tail]       <= 1'b1;
        end
        if (far_q) data_q[far_at_q*W +: W] <= far_word_q;
        if (far_q) there_q[far_at_q] <= 1'b1;
        far_q      <= take[1];
        far_at_q   <= tail;
        far_word_q <= in_data[W +: W];
        head_q     <= next;
        count_q    <= count_q + {2'd0, take != 2'd0} - {2'd0, pops};
        if (take != 2'd0) turn_q <= take[0];
        if (rst) begin
          there_q <= 4'd0;
          head_q  <= 2'd0;
          count_q <= 3'd0;
          turn_q  <= 1'b0;
          far_q   <= 1'b0;
          data_q  <= {(4*W){1'b1}};  // which is no word's
        end
      end
    end
  endgenerate

endmodule

`default_nettype wire
