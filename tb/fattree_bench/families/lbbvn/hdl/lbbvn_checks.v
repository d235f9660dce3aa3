// Copyright the fat-tree verification environment contributors
// SPDX-License-Identifier: Apache-2.0

`timescale 1ns/1ns
`include "checks.vh"
`default_nettype none

// No conflicts are counted where the model predicts none.
module lbbvn_checks #(
  parameter LEVELS = 6  // that have counters
) (
  input wire                   clk,
  input wire                   rst,
  input wire                   expect_clear_i,  // no conflict is predicted
  input wire [2*LEVELS*32-1:0] conflicts_i      // by level on the way up, then on the way down
);

  genvar j;
  generate
    for (j = 0; j < LEVELS; j = j + 1) begin : gen_clear
      `CHECK_ZERO(clk, rst | ~expect_clear_i, conflicts_i[j*32 +: 32],
                  "a conflict where the bench expects none", "on the way up at level", j)
      `CHECK_ZERO(clk, rst | ~expect_clear_i, conflicts_i[(LEVELS+j)*32 +: 32],
                  "a conflict where the bench expects none", "on the way down at level", j)
    end
  endgenerate

endmodule

`default_nettype wire
