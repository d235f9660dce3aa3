// Copyright the fat-tree verification environment contributors
// SPDX-License-Identifier: Apache-2.0

`timescale 1ns/1ns
`include "checks.vh"
`default_nettype none

// What leaves stands for both clocks of its slot; no queue overflows where the model predicts none;
// the fabric loses nothing.
module lbbvn_switch_checks #(
  parameter N       = 16,  // line cards
  parameter W       = 32,  // payload bits
  parameter COUNT_W = 32   // bits of a counter
) (
  input wire               clk,
  input wire               rst,
  input wire               expect_clear_i,  // no overflow is predicted
  input wire [3*N-1:0]     overflows_i,     // by kind of queue and line card: it overflowed
  input wire               settled_i,       // the last clock of a slot
  input wire [N-1:0]       valid_i,         // by line card: a cell leaves
  input wire [N*W-1:0]     data_i,          // by line card: that cell
  input wire [COUNT_W-1:0] conflicts_i      // words that the fabric lost
);

  reg [N-1:0]   valid_q;  // what left in the clock before
  reg [N*W-1:0] data_q;
  always @(posedge clk) begin
    valid_q <= valid_i;
    data_q  <= data_i;
  end

  wire         off = rst | ~expect_clear_i;
  wire [N-1:0] ingress, middle, last;
  assign {ingress, middle, last} = overflows_i;
  `CHECK_ZERO(clk, off, |ingress, "a queue overflowed where the bench expects none",
              "in the ingress of line card", first(ingress))
  `CHECK_ZERO(clk, off, |middle, "a queue overflowed where the bench expects none",
              "in a middle queue of line card", first(middle))
  `CHECK_ZERO(clk, off, |last, "a queue overflowed where the bench expects none",
              "in the resequencer of line card", first(last))

  function integer first(input [N-1:0] cards);
    for (first = 0; !cards[first]; first = first + 1) ;
  endfunction

  `CHECK_ALWAYS(clk, rst | ~settled_i, {valid_q, data_q} == {valid_i, data_i},
                "what leaves does not stand for both clocks of its slot")
  `CHECK_ALWAYS(clk, rst, conflicts_i == 0, "the fabric lost a word: the schedule does not fit")

endmodule

`default_nettype wire
