// Copyright the fat-tree verification environment contributors
// SPDX-License-Identifier: Apache-2.0

`timescale 1ns/1ns
`include "checks.vh"
`default_nettype none

// Top of a simulation of lbbvn_tree.
//
// AGENT = "FRAME": a slot_player drives and captures whole frames.  AGENT = "CLASSIC": the tree's
// ports stand here as signals slot_*, for an agent that moves packet by packet.
// Python may drive the clock, too.
module lbbvn_bench #(
  parameter AGENT      = "FRAME",
  parameter [8*8-1:0]  FORM       = "HARDWARE",
  parameter N_LOG      = 4,
  parameter W          = 32,
  parameter [8*9-1:0]  CONTROL    = "SELF",
  parameter [8*8-1:0]  UPPER_HALF = "SWITCHED",
  parameter PIPELINE   = 1,
  parameter [8*11-1:0] CAPACITY   = "LOWER_BOUND",
  parameter [32*11-1:0] LANES = 0,
  parameter DEPTH      = 16,   // SCHEDULED: rows of settings
  parameter ROW_W      = 1,    // SCHEDULED: bits of the widest row
  parameter COUNT_W    = 32,   // bits of the tree's counters
  parameter FROM_END   = 0,    // 1: they start at their end
  parameter SLOTS      = 64,   // rows of the player's memories
  parameter DATA_STRIDE = 32
)
`include "bench_clock.vh"

  localparam N          = 1 << N_LOG;
  localparam SLOT_W     = (DEPTH > 1) ? $clog2(DEPTH) : 1;
  localparam LEVELS_W   = (N_LOG + 2) * COUNT_W;
  localparam COUNTERS   = 2 * (N_LOG + 2) + 2;
  localparam COUNTERS_W = COUNTERS * 32;

  wire                  rst;
  wire [N-1:0]          valid_in, valid_out;
  wire [N*N_LOG-1:0]    dst_in;
  wire [N*W-1:0]        data_in, data_out;
  wire                  row_write;
  wire [3:0]            row_level;
  wire [SLOT_W-1:0]     row_slot, last_slot;
  wire [ROW_W-1:0]      row;
  wire                  expect_clear;
  wire [LEVELS_W-1:0]   conflicts_up, conflicts_down;
  wire [COUNT_W-1:0]    injected, delivered;
  wire [COUNTERS_W-1:0] counters;

  lbbvn_tree #(
    .FORM(FORM), .N_LOG(N_LOG), .W(W), .CONTROL(CONTROL), .UPPER_HALF(UPPER_HALF),
    .PIPELINE(PIPELINE), .CAPACITY(CAPACITY), .LANES(LANES), .DEPTH(DEPTH), .COUNT_W(COUNT_W),
    .FROM_END(FROM_END)
  ) u_tree (
    .clk             (clk),
    .rst             (rst),
    .valid_i         (valid_in),
    .dst_i           (dst_in),
    .data_i          (data_in),
    .valid_o         (valid_out),
    .data_o          (data_out),
    .row_write_i     (row_write),
    .row_level_i     (row_level),
    .row_slot_i      (row_slot),
    .row_i           (row),
    .last_slot_i     (last_slot),
    .conflicts_up_o  (conflicts_up),
    .conflicts_down_o(conflicts_down),
    .injected_o      (injected),
    .delivered_o     (delivered)
  );

  counter_extender #(
    .COUNTERS(COUNTERS), .W(COUNT_W), .MOST(N), .FROM_END({COUNTERS{FROM_END == 1}})
  ) u_extender (
    .clk(clk), .rst(rst), .count_i({delivered, injected, conflicts_down, conflicts_up}),
    .count_o(counters)
  );

  generate
    if (AGENT == "FRAME") begin : gen_frame
      slot_player #(
        .N(N), .DST_W(N_LOG), .W(W), .ROW_W(ROW_W), .SLOT_W(SLOT_W), .COUNTERS_W(COUNTERS_W),
        .SLOTS(SLOTS), .DATA_STRIDE(DATA_STRIDE)
      ) u_player (
        .clk           (clk),
        .busy_o        (busy_o),
        .rst_o         (rst),
        .valid_o       (valid_in),
        .dst_o         (dst_in),
        .data_o        (data_in),
        .row_write_o   (row_write),
        .row_level_o   (row_level),
        .row_slot_o    (row_slot),
        .row_o         (row),
        .last_slot_o   (last_slot),
        .expect_clear_o(expect_clear),
        .valid_i       (valid_out),
        .data_i        (data_out),
        .counters_i    (counters)
      );
    end else begin : gen_classic
      reg                  slot_rst   = 1'b0;
      reg [N-1:0]          slot_valid = {N{1'b0}};
      reg [N*N_LOG-1:0]    slot_dst   = {(N*N_LOG){1'b0}};
      reg [N*W-1:0]        slot_data  = {(N*W){1'b0}};
      wire [N-1:0]         slot_out_valid = valid_out;
      wire [N*W-1:0]       slot_out_data  = data_out;
      wire [COUNTERS_W-1:0] slot_counters = counters;
      reg                  slot_expect_clear = 1'b0;
      assign busy_o       = 1'b0;
      assign rst          = slot_rst;
      assign valid_in     = slot_valid;
      assign dst_in       = slot_dst;
      assign data_in      = slot_data;
      assign row_write    = 1'b0;
      assign row_level    = 4'd0;
      assign row_slot     = {SLOT_W{1'b0}};
      assign row          = {ROW_W{1'b0}};
      assign last_slot    = {SLOT_W{1'b0}};
      assign expect_clear = slot_expect_clear;
    end
  endgenerate

  genvar j;
  generate
    for (j = 0; j <= N_LOG + 1; j = j + 1) begin : gen_clear
      `CHECK_ZERO(clk, rst | ~expect_clear, counters[j*32 +: 32],
                  "a conflict where the bench expects none", "on the way up at level", j)
      `CHECK_ZERO(clk, rst | ~expect_clear, counters[(N_LOG+2+j)*32 +: 32],
                  "a conflict where the bench expects none", "on the way down at level", j)
    end
  endgenerate

endmodule

`default_nettype wire
