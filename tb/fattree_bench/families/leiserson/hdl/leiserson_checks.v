// Copyright the fat-tree verification environment contributors
// SPDX-License-Identifier: Apache-2.0

`timescale 1ns/1ns
`include "checks.vh"
`default_nettype none

// A tree takes messages only in the load clock, and shows results only in the last one; a reset
// begins a delivery cycle, as is seen from its second clock on.
module leiserson_checks #(
  parameter WIRES = 32,  // senders, and as many receivers
  parameter WIDTH = 32   // data bits of a message
) (
  input wire                   clk,
  input wire                   rst,
  input wire                   load_i,     // the load clock of a delivery cycle
  input wire                   last_i,     // its last clock
  input wire [WIRES-1:0]       take_i,     // by wire: its message is taken
  input wire [WIRES-1:0]       results_i,  // by wire: any result is shown
  input wire [WIRES*16-1:0]    ticks_i,    // by wire: when, in all results
  input wire [WIRES*WIDTH-1:0] data_i      // by wire: data that arrived
);

  reg  rst_q;
  wire first = rst & (rst_q !== 1'b1);  // of a reset: what was before still shows
  always @(posedge clk) rst_q <= rst;
  `CHECK_ALWAYS(clk, ~rst | first, load_i && !last_i, "a reset does not begin a delivery cycle")
  `CHECK_ALWAYS(clk, first | load_i, take_i == 0, "a message is taken outside the load clock")
  `CHECK_ALWAYS(clk, first | last_i, results_i == 0 && ticks_i == 0 && data_i == 0,
                "a result outside the last clock")

endmodule

`default_nettype wire
