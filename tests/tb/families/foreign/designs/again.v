// Copyright the fat-tree verification environment contributors
// SPDX-License-Identifier: Apache-2.0

`timescale 1ns/1ns
`default_nettype none

// A crossbar without queues, as others write them: a word that meets stop is sent again.
//
// Contract: a packet is a word.  stop_o tells an input in the same clock that its word was not
// taken; a word at an output that meets hold_i stays there.  Inputs take turns.
// Timing: a word is at its output in the clock after it was taken.
module again #(
  parameter N = 3,
  parameter W = 32,
  parameter D = $clog2(N)  // derived
) (
  input  wire           clk,
  input  wire           rst,      // synchronous
  input  wire [N-1:0]   valid_i,
  input  wire [N*D-1:0] dest_i,
  input  wire [N*W-1:0] data_i,
  output wire [N-1:0]   stop_o,
  output reg  [N-1:0]   valid_o,
  output reg  [N*W-1:0] data_o,
  input  wire [N-1:0]   hold_i
);

  reg  [N*N-1:0] takes;   // by output: the input of which it takes a word, one-hot
  reg  [N*D-1:0] turn_q;  // by output: the input that it looks at first

  always @* begin : choose
    integer o, k, i;
    takes = {(N*N){1'b0}};
    for (o = 0; o < N; o = o + 1)
      for (k = 0; k < N; k = k + 1) begin
        i = (k + {{(32-D){1'b0}}, turn_q[o*D +: D]}) % N;
        if (takes[o*N +: N] == {N{1'b0}} && (!valid_o[o] || !hold_i[o])
            && valid_i[i] && dest_i[i*D +: D] == o[D-1:0])
          takes[o*N + i] = 1'b1;
      end
  end

  genvar g, h;
  generate
    for (g = 0; g < N; g = g + 1) begin : gen_input
      wire [N-1:0] taken;
      for (h = 0; h < N; h = h + 1) begin : gen_output
        assign taken[h] = takes[h*N + g];
      end
      assign stop_o[g] = valid_i[g] & (taken == {N{1'b0}});
    end
  endgenerate

  always @(posedge clk) begin : move
    integer o, i;
    for (o = 0; o < N; o = o + 1) begin
      if (!hold_i[o]) valid_o[o] <= 1'b0;
      for (i = 0; i < N; i = i + 1)
        if (takes[o*N + i]) begin
          valid_o[o]         <= 1'b1;
          data_o[o*W +: W]   <= data_i[i*W +: W];
          turn_q[o*D +: D]   <= (i == N - 1) ? {D{1'b0}} : i[D-1:0] + 1'b1;
        end
    end
    if (rst) begin
      valid_o <= {N{1'b0}};
      turn_q  <= {(N*D){1'b0}};
    end
  end

endmodule

`default_nettype wire
