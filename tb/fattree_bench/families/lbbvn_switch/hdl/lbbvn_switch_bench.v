// Copyright the fat-tree verification environment contributors
// SPDX-License-Identifier: Apache-2.0

`timescale 1ns/1ns
`include "checks.vh"
`default_nettype none

// Top of a simulation of lbbvn_switch: a slot_player drives and captures whole frames.
module lbbvn_switch_bench #(
  parameter N_LOG  = 4,
  parameter W      = 32,
  parameter [8*7-1:0] SCHEME   = "BASIC",
  parameter [8*7-1:0] SCHEDULE = "BITREV",
  parameter INGRESS     = 64,
  parameter MIDDLE      = 64,
  parameter RESEQUENCER = 32,
  parameter THRESHOLD   = 8,
  parameter GATE        = 4,
  parameter TRIES       = 4,
  parameter FOLDED      = 1,
  parameter [8*8-1:0]   FABRIC     = "TREE",
  parameter [8*9-1:0]   CONTROL    = "SELF",
  parameter [8*8-1:0]   UPPER_HALF = "SWITCHED",
  parameter PIPELINE    = 1,
  parameter [8*11-1:0]  CAPACITY   = "LOWER_BOUND",
  parameter [32*11-1:0] LANES      = 0,
  parameter [8*8-1:0]   FORM       = "HARDWARE",
  parameter ROW_W       = 1,    // SCHEDULED: bits of the widest row
  parameter COUNT_W     = 32,   // bits of the switch's counters
  parameter FROM_END    = 0,    // 1: those of events start at their end
  parameter SLOTS       = 64,   // rows of the player's memories
  parameter DATA_STRIDE = 32
)
`include "bench_clock.vh"

  localparam N          = 1 << N_LOG;
  localparam FLAGS_W    = 3 * N;
  localparam COUNTERS_W = 8 * 32 + FLAGS_W;

  wire                  rst;
  wire [N-1:0]          valid_in, valid_out;
  wire [N*N_LOG-1:0]    dst_in;
  wire [N*W-1:0]        data_in, data_out;
  wire                  row_write;
  wire [3:0]            row_level;
  wire [N_LOG:0]        row_slot, last_slot;
  wire [ROW_W-1:0]      row;
  wire                  expect_clear;
  wire [COUNT_W-1:0]    dropped_ingress, dropped_middle, dropped_resequencer;
  wire [COUNT_W-1:0]    padded, refused, skipped, most_resequenced, conflicts;
  wire [8*32-1:0]       counters;
  wire [N-1:0]          overflow_ingress, overflow_middle, overflow_resequencer;

  lbbvn_switch #(
    .N_LOG(N_LOG), .W(W), .SCHEME(SCHEME), .SCHEDULE(SCHEDULE), .INGRESS(INGRESS),
    .MIDDLE(MIDDLE), .RESEQUENCER(RESEQUENCER), .THRESHOLD(THRESHOLD), .GATE(GATE), .TRIES(TRIES),
    .FOLDED(FOLDED),
    .FABRIC(FABRIC), .CONTROL(CONTROL), .UPPER_HALF(UPPER_HALF), .PIPELINE(PIPELINE),
    .CAPACITY(CAPACITY), .LANES(LANES), .FORM(FORM), .COUNT_W(COUNT_W),
    .FROM_END(FROM_END), .ROW_W(ROW_W)
  ) u_switch (
    .clk                   (clk),
    .rst                   (rst),
    .valid_i               (valid_in),
    .dst_i                 (dst_in),
    .data_i                (data_in),
    .valid_o               (valid_out),
    .data_o                (data_out),
    .row_write_i           (row_write),
    .row_level_i           (row_level),
    .row_slot_i            (row_slot),
    .row_i                 (row),
    .dropped_ingress_o     (dropped_ingress),
    .dropped_middle_o      (dropped_middle),
    .dropped_resequencer_o (dropped_resequencer),
    .padded_o              (padded),
    .refused_o             (refused),
    .skipped_o             (skipped),
    .most_resequenced_o    (most_resequenced),
    .conflicts_o           (conflicts),
    .overflow_ingress_o    (overflow_ingress),
    .overflow_middle_o     (overflow_middle),
    .overflow_resequencer_o(overflow_resequencer)
  );

  counter_extender #(
    .COUNTERS(8), .W(COUNT_W), .MOST(N), .FROM_END({2'b00, {6{FROM_END == 1}}})
  ) u_extender (
    .clk(clk), .rst(rst), .count_o(counters),
    .count_i({conflicts, most_resequenced, skipped, refused, padded, dropped_resequencer,
              dropped_middle, dropped_ingress})
  );

  generate
    if (1) begin : gen_frame  // the scope in which Python looks for a player
      slot_player #(
        .N(N), .DST_W(N_LOG), .W(W), .ROW_W(ROW_W), .SLOT_W(N_LOG + 1), .COUNTERS_W(COUNTERS_W),
        .SLOTS(SLOTS), .CLOCKS(2), .DATA_STRIDE(DATA_STRIDE)
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
        .counters_i    ({overflow_resequencer, overflow_middle, overflow_ingress, counters})
      );
    end
  endgenerate

  wire unused = &{1'b0, last_slot};

  `CHECK_ALWAYS(clk, rst | ~expect_clear,
                {overflow_resequencer, overflow_middle, overflow_ingress} == 0,
                "a queue overflowed where the bench expects none")
  reg [N-1:0]   valid_q;  // what left in the clock before
  reg [N*W-1:0] data_q;
  always @(posedge clk) begin
    valid_q <= valid_out;
    data_q  <= data_out;
  end
  `CHECK_ALWAYS(clk, rst | row_write | ~gen_frame.u_player.last_clock,
                {valid_q, data_q} == {valid_out, data_out},
                "what leaves does not stand for both clocks of its slot")
  `CHECK_ALWAYS(clk, rst, conflicts == 0, "the fabric lost a word: the schedule does not fit")

endmodule

`default_nettype wire
