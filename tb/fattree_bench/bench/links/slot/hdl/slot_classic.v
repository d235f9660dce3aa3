// Copyright the fat-tree verification environment contributors
// SPDX-License-Identifier: Apache-2.0

`timescale 1ns/1ns
`default_nettype none

// Stands in place of a slot_player, with the same ports: the signals slot_* are for an agent that
// moves packet by packet and drives the clock.  There are no settings.
module slot_classic #(
  parameter N          = 16,  // leaves
  parameter DST_W      = 4,   // bits of a leaf number
  parameter W          = 32,  // payload bits
  parameter ROW_W      = 1,   // bits of a row of settings
  parameter SLOT_W     = 4,   // bits of a slot number
  parameter COUNTERS_W = 64   // bits of all counters
) (
  input  wire                  clk,             // the agent's own
  output wire                  busy_o,          // never: no clock runs by itself
  output wire                  rst_o,
  output wire [N-1:0]          valid_o,
  output wire [N*DST_W-1:0]    dst_o,
  output wire [N*W-1:0]        data_o,
  output wire                  row_write_o,
  output wire [3:0]            row_level_o,
  output wire [SLOT_W-1:0]     row_slot_o,
  output wire [ROW_W-1:0]      row_o,
  output wire [SLOT_W-1:0]     last_slot_o,
  output wire                  expect_clear_o,  // Python: the model predicts no conflict
  input  wire [N-1:0]          valid_i,
  input  wire [N*W-1:0]        data_i,
  input  wire [COUNTERS_W-1:0] counters_i
);

  reg               slot_rst          = 1'b0;
  reg [N-1:0]       slot_valid        = {N{1'b0}};
  reg [N*DST_W-1:0] slot_dst          = {(N*DST_W){1'b0}};
  reg [N*W-1:0]     slot_data         = {(N*W){1'b0}};
  reg               slot_expect_clear = 1'b0;

  wire [N-1:0]          slot_out_valid = valid_i;
  wire [N*W-1:0]        slot_out_data  = data_i;
  wire [COUNTERS_W-1:0] slot_counters  = counters_i;

  assign busy_o         = 1'b0;
  assign rst_o          = slot_rst;
  assign valid_o        = slot_valid;
  assign dst_o          = slot_dst;
  assign data_o         = slot_data;
  assign row_write_o    = 1'b0;
  assign row_level_o    = 4'd0;
  assign row_slot_o     = {SLOT_W{1'b0}};
  assign row_o          = {ROW_W{1'b0}};
  assign last_slot_o    = {SLOT_W{1'b0}};
  assign expect_clear_o = slot_expect_clear;

  wire unused = &{1'b0, clk};

endmodule

`default_nettype wire
