// Copyright the fat-tree verification environment contributors
// SPDX-License-Identifier: Apache-2.0

`timescale 1ns/1ns
`include "checks.vh"
`default_nettype none

// Which of R inputs is served first in a delivery cycle.
//
// Contract: input 0 ("FIXED"), or an input that moves on by one with every clear_i, from 0 at
// restart_i on, wrapping around ("ROTATING").
// Timing: first_o changes in the clock after clear_i.
module rotating_first #(
  parameter R = 4,                              // inputs, >= 1
  parameter [8*8-1:0] PRIORITY = "FIXED",       // "FIXED", "ROTATING"
  parameter SELECT_W = (R > 1) ? $clog2(R) : 1  // derived
) (
  input  wire                clk,        // rising edge
  input  wire                clear_i,    // a delivery cycle begins
  input  wire                restart_i,  // with clear_i: it is the first one
  output wire [SELECT_W-1:0] first_o     // the input that is served first
);

  generate
    if (PRIORITY == "ROTATING" && R > 1) begin : gen_rotating
      localparam [31:0] LAST = R - 1;
      reg [SELECT_W-1:0] first_q;
      always @(posedge clk)
        if (clear_i)
          first_q <= (restart_i || first_q == LAST[SELECT_W-1:0]) ? {SELECT_W{1'b0}}
                                                                  : first_q + 1'b1;
      assign first_o = first_q;
    end else begin : gen_fixed
      wire unused = &{1'b0, clk, clear_i, restart_i};
      assign first_o = {SELECT_W{1'b0}};
    end
  endgenerate

  `CHECK_PARAMETER(R >= 1, "R", R, ">= 1")
  `CHECK_CHOICE(PRIORITY == "FIXED" || PRIORITY == "ROTATING",
                "PRIORITY", PRIORITY, "FIXED, ROTATING")

endmodule

`default_nettype wire
