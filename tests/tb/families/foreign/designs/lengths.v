// Copyright the fat-tree verification environment contributors
// SPDX-License-Identifier: Apache-2.0

`timescale 1ns/1ns
`default_nettype none

// A crossbar whose packets say in their first word how many words follow; none is marked as a last.
//
// Contract: an output is an input's until the packet has gone; only a first word's rest and dest
// count.  Words wait for ready.
// Timing: a word is at its output one clock after it came.
module lengths #(
  parameter N = 3,         // leaves
  parameter W = 32,        // bits of a word
  parameter L = 4,         // bits of a length
  parameter D = $clog2(N)  // derived
) (
  input  wire           clk,
  input  wire           rst,  // synchronous
  input  wire [N-1:0]   valid_i,
  output wire [N-1:0]   ready_o,
  input  wire [N*D-1:0] dest_i,
  input  wire [N*L-1:0] rest_i,
  input  wire [N*W-1:0] data_i,
  output reg  [N-1:0]   valid_o,
  input  wire [N-1:0]   ready_i,
  output reg  [N*L-1:0] rest_o,
  output reg  [N*W-1:0] data_o
);

  reg [N*L-1:0] left_q;  // by output: words that are to come
  reg [N*D-1:0] from_q;  // of this input
  reg [N-1:0]   busy_q;  // by input: it is within a packet
  reg [D-1:0]   turn_q;
  reg [N-1:0]   puts, takes;
  reg [N*D-1:0] from;

  assign ready_o = takes;

  always @* begin : choose
    integer o, k, i;
    puts  = {N{1'b0}};
    takes = {N{1'b0}};
    from  = from_q;
    for (o = 0; o < N; o = o + 1)
      for (k = 0; k < N; k = k + 1) begin
        i = ({{(32-D){1'b0}}, turn_q} + k) % N;
        if (valid_i[i] && !puts[o] && (!valid_o[o] || ready_i[o])
            && ((left_q[o*L +: L] != {L{1'b0}}) ? {{(32-D){1'b0}}, from_q[o*D +: D]} == i
                : !busy_q[i] && {{(32-D){1'b0}}, dest_i[i*D +: D]} == o)) begin
          puts[o]        = 1'b1;
          takes[i]       = 1'b1;
          from[o*D +: D] = i[D-1:0];
        end
      end
  end

  always @(posedge clk) begin : move
    integer o, i;
    from_q <= from;
    turn_q <= ({{(32-D){1'b0}}, turn_q} == N - 1) ? {D{1'b0}} : turn_q + 1'b1;
    for (o = 0; o < N; o = o + 1) begin
      i = {{(32-D){1'b0}}, from[o*D +: D]};
      if (!valid_o[o] || ready_i[o]) valid_o[o] <= puts[o];
      if (puts[o]) begin
        data_o[o*W +: W] <= data_i[i*W +: W];
        rest_o[o*L +: L] <= rest_i[i*L +: L];
        left_q[o*L +: L] <= busy_q[i] ? left_q[o*L +: L] - 1'b1 : rest_i[i*L +: L];
        busy_q[i]        <= busy_q[i] ? left_q[o*L +: L] != 1 : rest_i[i*L +: L] != {L{1'b0}};
      end
    end
    if (rst) begin
      valid_o <= {N{1'b0}};
      busy_q  <= {N{1'b0}};
      left_q  <= {(N*L){1'b0}};
      from_q  <= {(N*D){1'b0}};
      turn_q  <= {D{1'b0}};
    end
  end

endmodule

`default_nettype wire
