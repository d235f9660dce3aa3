// Copyright the fat-tree verification environment contributors
// SPDX-License-Identifier: Apache-2.0

`timescale 1ns/1ns
`include "checks.vh"
`default_nettype none

// Memory of settings of a node's up port, its down ports, or a leaf (SCHEDULED): a row a slot.
//
// Contract: a row is read as it was written last; it keeps its contents through a reset.
// Timing: the row that slot_i names is there in the same clock; a row written in one clock is seen
// from the next.
module lbbvn_settings #(
  parameter WIDTH  = 8,   // bits of a row, >= 1
  parameter DEPTH  = 16,  // rows, >= 1
  parameter SLOT_W = 4    // bits of a slot's number
) (
  input  wire              clk,           // rising edge
  input  wire              write_i,       // write in this clock ...
  input  wire [SLOT_W-1:0] write_slot_i,  // ... for this slot ...
  input  wire [WIDTH-1:0]  row_i,         // ... these settings
  input  wire [SLOT_W-1:0] slot_i,        // slot whose settings are wanted
  output wire [WIDTH-1:0]  row_o          // settings that were written for that slot last
);

  reg [WIDTH-1:0] rows [0:DEPTH-1];

  always @(posedge clk)
    if (write_i) rows[write_slot_i] <= row_i;

  assign row_o = rows[slot_i];

  `CHECK_PARAMETER(WIDTH >= 1, "WIDTH", WIDTH, ">= 1")
  `CHECK_PARAMETER(DEPTH >= 1, "DEPTH", DEPTH, ">= 1")

endmodule

`default_nettype wire
