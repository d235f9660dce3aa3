// Copyright the fat-tree verification environment contributors
// SPDX-License-Identifier: Apache-2.0

`timescale 1ns/1ns
`default_nettype none

// Serves those who ask in turn: a word of one of them comes into a register.
//
// Contract: take_o says whose word, if any, is taken in this clock.  open_i: words may be taken.
// Timing: a word is at the output in the clock after it was taken.
module mapped_ask #(
  parameter N      = 4,   // who ask
  parameter W      = 32,  // bits of a word
  parameter SELF_W = 2    // bits of a number of N
) (
  input  wire              clk,
  input  wire              rst,      // synchronous
  input  wire              open_i,
  input  wire [N-1:0]      valid_i,
  input  wire [N*W-1:0]    word_i,
  output wire [N-1:0]      take_o,
  output reg               valid_o,
  input  wire              ready_i,
  output reg  [W-1:0]      word_o,
  output reg  [SELF_W-1:0] from_o    // whose word it is
);

  reg  [N-1:0] after_q;  // those behind the one that was served last
  wire [N-1:0] turn  = ((valid_i & after_q) != {N{1'b0}}) ? valid_i & after_q : valid_i;
  wire [N-1:0] first = turn & (~turn + 1'b1);
  wire         free  = open_i & (~valid_o | ready_i);

  assign take_o = free ? first : {N{1'b0}};

  always @(posedge clk) begin : serve
    integer i;
    if (ready_i) valid_o <= 1'b0;
    for (i = 0; i < N; i = i + 1)
      if (take_o[i]) begin
        valid_o <= 1'b1;
        word_o  <= word_i[i*W +: W];
        from_o  <= i[SELF_W-1:0];
        after_q <= ~((first - 1'b1) | first);
      end
    if (rst) begin
      valid_o <= 1'b0;
      after_q <= {N{1'b0}};
    end
  end

endmodule

`default_nettype wire
