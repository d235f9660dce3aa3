// Copyright the fat-tree verification environment contributors
// SPDX-License-Identifier: Apache-2.0

`timescale 1ns/1ns
`include "checks.vh"
`default_nettype none

// Divides time into delivery cycles.
//
// Contract: delivery cycles of CYCLE clocks follow one after the other from reset on.  tick_o
// numbers the clocks of each, load_o is high in the first and last_o in the last.
// Timing: restart_o is high with load_o, in the first delivery cycle after reset and where
// restart_i says so.
module delivery_clock #(
  parameter CYCLE  = 56,            // clocks of a delivery cycle, >= 2
  parameter TICK_W = $clog2(CYCLE)  // derived
) (
  input  wire              clk,        // rising edge
  input  wire              rst,        // synchronous: delivery cycle 0 begins
  input  wire              restart_i,  // with load_o: this delivery cycle has number 0
  output wire [TICK_W-1:0] tick_o,     // number of the clock in its delivery cycle
  output wire              load_o,     // it is the first
  output wire              last_o,     // it is the last
  output wire              restart_o,  // it is the first of delivery cycle number 0
  output wire              clear_o     // reset, or the first: paths end
);

  localparam [31:0] LAST = CYCLE - 1;

  reg [TICK_W-1:0] tick_q;
  always @(posedge clk)
    tick_q <= (rst || last_o) ? {TICK_W{1'b0}} : tick_q + 1'b1;

  reg first_q;  // no delivery cycle has begun since reset
  always @(posedge clk)
    if (rst)         first_q <= 1'b1;
    else if (load_o) first_q <= 1'b0;

  assign tick_o    = tick_q;
  assign load_o    = (tick_q == {TICK_W{1'b0}});
  assign last_o    = (tick_q == LAST[TICK_W-1:0]);
  assign restart_o = load_o & (restart_i | first_q);
  assign clear_o   = rst | load_o;

  `CHECK_PARAMETER(CYCLE >= 2, "CYCLE", CYCLE, ">= 2")

endmodule

`default_nettype wire
