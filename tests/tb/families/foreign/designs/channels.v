// Copyright the fat-tree verification environment contributors
// SPDX-License-Identifier: Apache-2.0

`timescale 1ns/1ns
`default_nettype none

// A switch with two virtual channels (VCs), each with a valid and a ready of its own, and one data.
//
// Contract: a packet is words up to a last one in one VC of an output, which no other enters
// meanwhile.  Vectors run upwards: leaf 0 is leftmost, and so is VC 0 of a leaf.  An output offers
// a word of a VC that is ready, if it has one; so a word that waits may give way to the other VC's.
// Timing: a word is at its output two clocks after it came.
module channels #(
  parameter N = 4,         // leaves
  parameter W = 32,        // bits of a word
  parameter D = $clog2(N)  // derived
) (
  input  wire           clk,
  input  wire           rst,  // synchronous
  // verilator lint_off ASCRANGE
  input  wire [0:2*N-1] valid_i,
  output wire [0:2*N-1] ready_o,
  input  wire [0:N*D-1] dest_i,
  input  wire [0:N*W-1] data_i,
  input  wire [0:N-1]   last_i,
  output wire [0:2*N-1] valid_o,
  input  wire [0:2*N-1] ready_i,
  output wire [0:N*W-1] data_o,
  output wire [0:N-1]   last_o
  // verilator lint_on ASCRANGE
);

  localparam Q = 2 * N;      // a register each input and VC, and each output and VC
  localparam B = W + D + 1;  // last, dest, data

  reg  [Q-1:0]       full_q, held_q, there_q;
  reg  [Q*B-1:0]     word_q;
  reg  [Q*D-1:0]     from_q;  // the input whose packet is on its way
  reg  [Q*(W+1)-1:0] out_q;
  reg  [N-1:0]       turn_q;  // the VC that an output sent last
  reg  [D-1:0]       first_q; // the input that is looked at first
  reg  [Q-1:0]       gone, puts;
  reg  [Q*D-1:0]     from;
  wire [Q-1:0]       leaves;

  genvar g;
  generate
    for (g = 0; g < N; g = g + 1) begin : gen_output
      wire [1:0] there = there_q[2*g +: 2];
      wire [1:0] ready = {ready_i[2*g+1], ready_i[2*g]};
      wire [1:0] some  = ((there & ready) != 2'b00) ? there & ready : there;
      wire       high  = some[1] & ~(some[0] & turn_q[g]);  // VC 1 sends
      assign valid_o[2*g]        = some[0] & ~high;
      assign valid_o[2*g+1]      = high;
      assign leaves[2*g +: 2]    = {high, some[0] & ~high} & ready;
      assign {last_o[g], data_o[g*W +: W]} = out_q[(high ? 2*g+1 : 2*g)*(W+1) +: W+1];
      assign ready_o[2*g]        = ~full_q[2*g] | gone[2*g];
      assign ready_o[2*g+1]      = ~full_q[2*g+1] | gone[2*g+1];
    end
  endgenerate

  always @* begin : choose
    integer h, k, i, q;
    gone = {Q{1'b0}};
    puts = {Q{1'b0}};
    from = from_q;
    for (h = 0; h < Q; h = h + 1)
      for (k = 0; k < N; k = k + 1) begin
        i = ({{(32-D){1'b0}}, first_q} + k) % N;
        q = 2 * i + h % 2;
        if ((!there_q[h] || leaves[h]) && !puts[h] && full_q[q]
            && {{(32-D){1'b0}}, word_q[q*B + W +: D]} == h / 2
            && (!held_q[h] || {{(32-D){1'b0}}, from_q[h*D +: D]} == i)) begin
          puts[h]         = 1'b1;
          gone[q]         = 1'b1;
          from[h*D +: D]  = i[D-1:0];
        end
      end
  end

  always @(posedge clk) begin : move
    integer h, q;
    first_q <= ({{(32-D){1'b0}}, first_q} == N - 1) ? {D{1'b0}} : first_q + 1'b1;
    from_q  <= from;
    for (h = 0; h < Q; h = h + 1) begin
      q = 2 * {{(32-D){1'b0}}, from[h*D +: D]} + h % 2;
      if (leaves[h]) turn_q[h/2] <= (h % 2 == 1);
      there_q[h] <= puts[h] | (there_q[h] & ~leaves[h]);
      if (puts[h]) begin
        out_q[h*(W+1) +: W+1] <= {word_q[q*B + B - 1], word_q[q*B +: W]};
        held_q[h]             <= ~word_q[q*B + B - 1];
      end
      full_q[h] <= valid_i[h] | (full_q[h] & ~gone[h]);
      if (valid_i[h] && ready_o[h])
        word_q[h*B +: B] <= {last_i[h/2], dest_i[(h/2)*D +: D], data_i[(h/2)*W +: W]};
    end
    if (rst) begin
      full_q  <= {Q{1'b0}};
      held_q  <= {Q{1'b0}};
      there_q <= {Q{1'b0}};
      turn_q  <= {N{1'b0}};
      first_q <= {D{1'b0}};
      from_q  <= {(Q*D){1'b0}};
    end
  end

endmodule

`default_nettype wire
