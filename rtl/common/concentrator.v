// Copyright the fat-tree verification environment contributors
// SPDX-License-Identifier: Apache-2.0

`timescale 1ns/1ns
`include "checks.vh"
`default_nettype none

// (R, S) concentrator: leads the valid ones of its R inputs to the lowest of S outputs.
//
// Contract, for every combination of inputs:
//   * at most S valid inputs: every one of them reaches exactly one output;
//   * more than S: exactly S pass, the lowest-numbered inputs, the others are lost;
//   * outputs 0, 1, 2 ... are filled without a gap, in the order of the inputs.
// Each output gives the number of the input that reaches it: the setting of a crossbar.
// Timing: combinational, depth O(log R).  A prefix sum tells each input how many idle inputs lie
// below it; a reverse butterfly then moves it down by that number, one power of two a stage.  Low
// powers go first: two valid inputs can never meet, for their distances differ by less than they
// are apart.
// Cost: O(R log^2 R) cells.
module concentrator #(
  parameter R        = 4,                       // inputs, >= 1
  parameter S        = 2,                       // outputs, >= 1; from R on they stay idle
  parameter LOST_W   = $clog2(R + 1),           // bits of the count of lost inputs
  parameter SELECT_W = (R > 1) ? $clog2(R) : 1  // derived
) (
  input  wire [R-1:0]          valid_i,   // input i asks to pass
  output reg  [S-1:0]          valid_o,   // output l is reached ...
  output reg  [S*SELECT_W-1:0] select_o,  // ... by this input; zero when idle
  output reg  [LOST_W-1:0]     lost_o     // valid inputs without output
);

  localparam STAGES = SELECT_W;
  localparam PLANES = 2 * STAGES + 1;  // low to high: number of the input, valid, distance to go
  localparam KEPT   = (S < R) ? S : R;

  // Bit planes: bit p of input i stands at [p*R + i], so that one wide operation serves all inputs.

  function automatic [STAGES*R-1:0] numbers(input unused);
    integer b, i;
    begin
      numbers = {(STAGES*R){unused}};
      for (b = 0; b < STAGES; b = b + 1)
        for (i = 0; i < R; i = i + 1)
          numbers[b*R + i] = ((i >> b) % 2 == 1);
    end
  endfunction
  localparam [STAGES*R-1:0] NUMBERS = numbers(1'b0);

  `include "count_below.vh"

  // All planes of an input move down together; the distance is used up.
  function automatic [(STAGES+1)*R-1:0] move_down(input [PLANES*R-1:0] planes);
    integer              t;
    reg   [PLANES*R-1:0] moved, moving;
    begin
      moved = planes;
      for (t = 0; t < STAGES; t = t + 1) begin
        moving = moved & {PLANES{moved[(STAGES+1+t)*R +: R]}};
        moved  = (moved ^ moving) | (moving >> (1 << t));
      end
      move_down = moved[(STAGES+1)*R-1:0];
    end
  endfunction

  integer                l, b;
  reg [(STAGES+1)*R-1:0] packed_planes;
  reg [R-1:0]            packed_valid;

  always @* begin
    valid_o       = {S{1'b0}};
    select_o      = {(S*SELECT_W){1'b0}};
    lost_o        = {LOST_W{1'b0}};
    packed_planes = move_down({count_below(~valid_i), valid_i, NUMBERS} & {PLANES{valid_i}});
    packed_valid  = packed_planes[STAGES*R +: R];
    valid_o[KEPT-1:0] = packed_valid[KEPT-1:0];
    for (l = 0; l < KEPT; l = l + 1)
      for (b = 0; b < STAGES; b = b + 1)
        select_o[l*SELECT_W + b] = packed_planes[b*R + l];
    if (|(packed_valid >> KEPT))
      for (l = KEPT; l < R; l = l + 1)
        lost_o = lost_o + {{(LOST_W-1){1'b0}}, packed_valid[l]};
  end

  `CHECK_PARAMETER(R >= 1, "R", R, ">= 1")
  `CHECK_PARAMETER(S >= 1, "S", S, ">= 1")

endmodule

`default_nettype wire
