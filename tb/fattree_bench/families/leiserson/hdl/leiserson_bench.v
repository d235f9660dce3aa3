// Copyright the fat-tree verification environment contributors
// SPDX-License-Identifier: Apache-2.0

`timescale 1ns/1ns
`include "checks.vh"
`default_nettype none

// Top of a simulation of leiserson_tree: a serial_player drives it and captures what it does.
module leiserson_bench #(
  parameter [8*8-1:0]   FORM = "HARDWARE",
  parameter N_LOG      = 4,
  parameter [8*11-1:0]  CAPACITY = "UNIVERSAL",
  parameter ROOT       = 16,
  parameter [32*11-1:0] CAPS = 0,
  parameter [8*7-1:0]   CONCENTRATOR = "IDEAL",
  parameter [8*8-1:0]   PRIORITY     = "FIXED",
  parameter [8*10-1:0]  DISCIPLINE   = "RETRY",
  parameter PIPELINE   = 1,
  parameter WIDTH      = 32,
  parameter COUNT_W    = 32,    // bits of the tree's counters
  parameter FROM_END   = 0,     // 1: they start at their end
  parameter WIRES      = 32,    // what the model works out of the above, as the tree does
  parameter FRAME_W    = 40,
  parameter ROWS       = 64,    // rows of the player's memories
  parameter FRAME_STRIDE = 64,
  parameter DATA_STRIDE  = 32
)
`include "bench_clock.vh"

  localparam COUNTERS = 2 * (N_LOG + 1);
  localparam LOST_W   = COUNTERS * 32;

  wire                     rst, restart, once, load, last;
  wire [31:0]              seed;
  wire [WIRES-1:0]         offer_valid, take, sent, acked, arrived, trailing;
  wire [WIRES*FRAME_W-1:0] offer;
  wire [WIRES*16-1:0]      waiting;
  wire [WIRES*16-1:0]      ack_tick, tick;
  wire [WIRES*WIDTH-1:0]   data;
  wire [COUNTERS*COUNT_W-1:0] own_lost;
  wire [LOST_W-1:0]        lost;

  leiserson_tree #(
    .FORM(FORM), .N_LOG(N_LOG), .CAPACITY(CAPACITY), .ROOT(ROOT), .CAPS(CAPS),
    .CONCENTRATOR(CONCENTRATOR), .PRIORITY(PRIORITY), .DISCIPLINE(DISCIPLINE),
    .PIPELINE(PIPELINE), .WIDTH(WIDTH), .COUNT_W(COUNT_W), .FROM_END(FROM_END)
  ) u_tree (
    .clk          (clk),
    .rst          (rst),
    .restart_i    (restart),
    .once_i       (once),
    .seed_i       (seed),
    .load_o       (load),
    .last_o       (last),
    .offer_valid_i(offer_valid),
    .offer_i      (offer),
    .waiting_i    (waiting),
    .take_o       (take),
    .sent_o       (sent),
    .acked_o      (acked),
    .ack_tick_o   (ack_tick),
    .arrived_o    (arrived),
    .tick_o       (tick),
    .data_o       (data),
    .trailing_o   (trailing),
    .lost_up_o    (own_lost[COUNTERS*COUNT_W/2-1:0]),
    .lost_down_o  (own_lost[COUNTERS*COUNT_W-1:COUNTERS*COUNT_W/2])
  );

  counter_extender #(
    .COUNTERS(COUNTERS), .W(COUNT_W), .MOST(WIRES), .FROM_END({COUNTERS{FROM_END == 1}})
  ) u_extender (
    .clk(clk), .rst(rst), .count_i(own_lost), .count_o(lost)
  );

  serial_player #(
    .WIRES(WIRES), .FRAME_W(FRAME_W), .WIDTH(WIDTH), .LOST_W(LOST_W),
    .ROWS(ROWS), .FRAME_STRIDE(FRAME_STRIDE), .DATA_STRIDE(DATA_STRIDE)
  ) u_player (
    .clk          (clk),
    .busy_o       (busy_o),
    .rst_o        (rst),
    .restart_o    (restart),
    .once_o       (once),
    .seed_o       (seed),
    .load_i       (load),
    .last_i       (last),
    .offer_valid_o(offer_valid),
    .offer_o      (offer),
    .waiting_o    (waiting),
    .take_i       (take),
    .sent_i       (sent),
    .acked_i      (acked),
    .ack_tick_i   (ack_tick),
    .arrived_i    (arrived),
    .tick_i       (tick),
    .data_i       (data),
    .trailing_i   (trailing),
    .lost_i       (lost)
  );

  `CHECK_ALWAYS(clk, rst | load, take == 0, "a message is taken outside the load clock")
  `CHECK_ALWAYS(clk, rst | last,
                (sent | acked | arrived | trailing) == 0 && ack_tick == 0 && tick == 0 && data == 0,
                "a result outside the last clock")

endmodule

`default_nettype wire
