// Copyright the fat-tree verification environment contributors
// SPDX-License-Identifier: Apache-2.0

`timescale 1ns/1ns
`include "checks.vh"
`default_nettype none

// Sum of numbers.
//
// Contract: sum_o is the sum of all terms, modulo 2^SUM_W.
// Timing: combinational.
module sum_of #(
  parameter TERMS  = 4,  // how many numbers, >= 1
  parameter TERM_W = 1,  // bits of a number, 1 .. SUM_W
  parameter SUM_W  = 3   // bits of the sum
) (
  input  wire [TERMS*TERM_W-1:0] terms_i,  // the numbers side by side
  output reg  [SUM_W-1:0]        sum_o     // their sum, modulo 2^SUM_W
);

  integer         i;
  reg [SUM_W-1:0] term;

  always @* begin
    sum_o = {SUM_W{1'b0}};
    term  = {SUM_W{1'b0}};
    if (terms_i != {(TERMS*TERM_W){1'b0}})
      for (i = 0; i < TERMS; i = i + 1) begin
        term[TERM_W-1:0] = terms_i[i*TERM_W +: TERM_W];
        sum_o            = sum_o + term;
      end
  end

  `CHECK_PARAMETER(TERMS >= 1, "TERMS", TERMS, ">= 1")
  `CHECK_PARAMETER(TERM_W >= 1 && TERM_W <= SUM_W, "TERM_W", TERM_W, "1 to SUM_W")

endmodule

`default_nettype wire
