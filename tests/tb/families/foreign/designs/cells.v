// Copyright the fat-tree verification environment contributors
// SPDX-License-Identifier: Apache-2.0

`timescale 1ns/1ns
`default_nettype none

// A crossbar of cells: in each slot of two clocks each input asks for an output, and each output
// that can take a cell grants one input, in turn.
//
// Contract: a cell stays until it is granted, in a slot's second clock; a cell that leaves stands
// for a slot, and for more while its output is not ready.
// Timing: a granted cell stands at its output in the next slot.
module cells #(
  parameter W = 40
) (
  input  wire         clk,
  input  wire         rst,        // synchronous
  input  wire         in0_valid, in1_valid, in2_valid,
  input  wire [1:0]   in0_dest, in1_dest, in2_dest,
  input  wire [W-1:0] in0_cell, in1_cell, in2_cell,
  output wire         in0_grant, in1_grant, in2_grant,
  output wire         out0_valid, out1_valid, out2_valid,
  output wire [W-1:0] out0_cell, out1_cell, out2_cell,
  input  wire         out0_ready, out1_ready, out2_ready
);

  reg                phase_q;
  wire [2:0]         valid = {in2_valid, in1_valid, in0_valid};
  wire [5:0]         dest  = {in2_dest, in1_dest, in0_dest};
  wire [3*W-1:0]     words = {in2_cell, in1_cell, in0_cell};
  wire [2:0]         ready = {out2_ready, out1_ready, out0_ready};
  reg  [2:0]         full_q;
  reg  [3*W-1:0]     word_q;
  reg  [5:0]         next_q;  // by output: the input that is asked first
  reg  [2:0]         grant;
  reg  [2:0]         puts;    // by output
  reg  [3*W-1:0]     put;
  reg  [5:0]         next;
  integer            o, i, k;

  assign {in2_grant, in1_grant, in0_grant}    = grant & {3{phase_q}};
  assign {out2_valid, out1_valid, out0_valid} = full_q;
  assign {out2_cell, out1_cell, out0_cell}    = word_q;

  always @* begin
    grant = 3'd0;
    puts  = 3'd0;
    put   = word_q;
    next  = next_q;
    for (o = 0; o < 3; o = o + 1)
      for (i = 0; i < 3; i = i + 1) begin
        k = (i + {30'd0, next_q[o*2 +: 2]}) % 3;
        if (!puts[o] && (!full_q[o] || ready[o]) && valid[k] && dest[k*2 +: 2] == o[1:0]) begin
          puts[o]         = 1'b1;
          grant[k]        = 1'b1;
          put[o*W +: W]   = words[k*W +: W];
          next[o*2 +: 2]  = (k == 2) ? 2'd0 : k[1:0] + 2'd1;
        end
      end
  end

  always @(posedge clk) begin
    phase_q <= ~phase_q & ~rst;
    if (phase_q) begin
      full_q <= puts | (full_q & ~ready);
      word_q <= put;
      next_q <= next;
    end
    if (rst) begin
      full_q <= 3'd0;
      next_q <= 6'd0;
    end
  end

endmodule

`default_nettype wire
