// Copyright the fat-tree verification environment contributors
// SPDX-License-Identifier: Apache-2.0

`timescale 1ns/1ns
`include "checks.vh"
`default_nettype none

// What all processors guess the load factor to be, for randomised retry (Greenberg and Leiserson,
// "Randomized routing on fat-trees", 1985).
//
// Contract: in the delivery cycle of restart_i the guess is 1: everybody sends.  Then it is
// 2^exponent_o = 2, held for ROUNDS * 2 delivery cycles, and so on: a guess g is held for
// ROUNDS * g delivery cycles, then squared if g < LIMIT, but not beyond the power of two from LIMIT
// on, and doubled otherwise; it stays at 2^15.
// Timing: exponent_o is valid in the clock of step_i, one a delivery cycle.
module load_guess #(
  parameter LIMIT  = 8,  // lg n lg lg n
  parameter ROUNDS = 4   // delivery cycles for each unit of the guess, >= 1
) (
  input  wire       clk,        // rising edge
  input  wire       step_i,     // a delivery cycle begins
  input  wire       restart_i,  // with step_i: it is the first one
  output wire [3:0] exponent_o  // the guess is 2^exponent
);

  localparam [31:0] START   = 2 * ROUNDS;
  localparam        LIMIT_E = $clog2(LIMIT);

  reg [3:0]  exponent_q;
  reg [31:0] left_q;      // delivery cycles that the guess still holds, this one included

  wire [31:0] guess    = 32'd1 << exponent_q;
  wire [4:0]  squared  = {exponent_q, 1'b0};
  wire [4:0]  raised   = (guess >= LIMIT)          ? {1'b0, exponent_q} + 5'd1 :
                         (squared > LIMIT_E[4:0])  ? LIMIT_E[4:0] : squared;
  wire [3:0]  next     = raised[4] ? 4'd15 : raised[3:0];

  always @(posedge clk)
    if (step_i) begin
      if (restart_i) begin
        exponent_q <= 4'd1;
        left_q     <= START;
      end else if (left_q == 32'd1) begin
        exponent_q <= next;
        left_q     <= ROUNDS << next;
      end else begin
        left_q     <= left_q - 32'd1;
      end
    end

  assign exponent_o = restart_i ? 4'd0 : exponent_q;

  `CHECK_PARAMETER(LIMIT >= 1, "LIMIT", LIMIT, ">= 1")
  `CHECK_PARAMETER(ROUNDS >= 1, "ROUNDS", ROUNDS, ">= 1")

endmodule

`default_nettype wire
