// Copyright the fat-tree verification environment contributors
// SPDX-License-Identifier: Apache-2.0

`timescale 1ns/1ns
`default_nettype none

// Top of a simulation of relay_switch.
module relay_bench #(
  parameter N_LOG       = 2,
  parameter W           = 16,
  parameter COUNT_W     = 32,
  parameter SLOTS       = 64, // rows of the player's memories
  parameter DATA_STRIDE = 16
)
`include "bench_clock.vh"

  localparam N = 1 << N_LOG;

  wire               rst;
  wire [N-1:0]       valid_in, valid_out;
  wire [N*N_LOG-1:0] dst_in;
  wire [N*W-1:0]     data_in, data_out;
  wire [COUNT_W-1:0] sent, lost;
  wire [63:0]        counters;
  wire               row_write, row_slot, row, last_slot, expect_clear;
  wire [3:0]         row_level;

  relay_switch #(.N_LOG(N_LOG), .W(W), .COUNT_W(COUNT_W)) u_switch (
    .clk(clk), .rst(rst), .valid_i(valid_in), .dst_i(dst_in), .data_i(data_in),
    .valid_o(valid_out), .data_o(data_out), .sent_o(sent), .lost_o(lost)
  );

  counter_extender #(.COUNTERS(2), .W(COUNT_W), .MOST(N)) u_extender (
    .clk(clk), .rst(rst), .count_i({lost, sent}), .count_o(counters)
  );

  generate
    if (SLOTS > 1) begin : gen_frame
      slot_player #(
        .N(N), .DST_W(N_LOG), .W(W), .ROW_W(1), .SLOT_W(1), .COUNTERS_W(64), .SLOTS(SLOTS),
        .DATA_STRIDE(DATA_STRIDE)
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
    end
  endgenerate

  wire unused = &{1'b0, row_write, row_level, row_slot, row, last_slot, expect_clear};

endmodule

`default_nettype wire
