// Copyright the fat-tree verification environment contributors
// SPDX-License-Identifier: Apache-2.0

`timescale 1ns/1ns
`default_nettype none

// A network of slots without queues: of the words to one output the first input's gets through, the
// others are dropped and counted.
//
// Contract: a word each clock at each input; nobody can be told to wait.
// Timing: a word is at its output two clocks later.
module slots #(
  parameter N = 4,
  parameter W = 24,
  parameter D = $clog2(N)  // derived
) (
  input  wire           clk,
  input  wire           rst,      // synchronous
  input  wire [N-1:0]   valid_i,
  input  wire [N*D-1:0] dest_i,
  input  wire [N*W-1:0] data_i,
  output reg  [N-1:0]   valid_o,
  output reg  [N*W-1:0] data_o,
  output reg  [15:0]    dropped   // words so far
);

  reg [N-1:0]   valid_q;
  reg [N*D-1:0] dest_q;
  reg [N*W-1:0] data_q;

  always @(posedge clk) begin : pass
    reg [N-1:0]  taken;
    reg [15:0]   lost;
    integer      i, o;
    valid_q <= rst ? {N{1'b0}} : valid_i;
    dest_q  <= dest_i;
    data_q  <= data_i;
    taken = {N{1'b0}};
    lost  = 16'd0;
    for (i = 0; i < N; i = i + 1)
      for (o = 0; o < N; o = o + 1)
        if (valid_q[i] && dest_q[i*D +: D] == o[D-1:0]) begin
          if (taken[o]) lost = lost + 16'd1;
          else data_o[o*W +: W] <= data_q[i*W +: W];
          taken[o] = 1'b1;
        end
    valid_o <= rst ? {N{1'b0}} : taken;
    dropped <= rst ? 16'd0 : dropped + lost;
  end

endmodule

`default_nettype wire
