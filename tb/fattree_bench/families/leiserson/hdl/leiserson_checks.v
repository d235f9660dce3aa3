// Copyright the fat-tree verification environment contributors
// SPDX-License-Identifier: Apache-2.0

`timescale 1ns/1ns
`include "checks.vh"
`default_nettype none

// A tree takes messages only in the load clock, and shows results only in the last one.
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

  `CHECK_ALWAYS(clk, rst | load_i, take_i == 0, "a message is taken outside the load clock")
  `CHECK_ALWAYS(clk, rst | last_i, results_i == 0 && ticks_i == 0 && data_i == 0,
                "a result outside the last clock")

endmodule

`default_nettype wire
