// Copyright the fat-tree verification environment contributors
// SPDX-License-Identifier: Apache-2.0

`timescale 1ns/1ns
`include "checks.vh"
`default_nettype none

// Bufferless slot-synchronous fat-tree of N = 2^N_LOG leaves: the fabric of a load-balanced
// Birkhoff-von Neumann switch (Chueh et al., HPSR 2013).
//
// Contract: in every clock each leaf may offer one packet; that clock is the packet's slot.  Every
// packet turns at the lowest common ancestor of source and destination and leaves LATENCY clocks
// later at its destination, unless it is lost.  A packet is lost only where a channel has fewer
// lanes than requests, and every loss is counted, by level and direction.  Idle leaves give zeros.
//   CONTROL = "SELF"       dst_i is the header; lowest input first where lanes are short.
//   CONTROL = "SCHEDULED"  no header: the nodes step through their rows of settings, row 0 in the
//                          first slot after reset, row last_slot_i before row 0 again.
//   UPPER_HALF = "STATIC"  fixed wires instead of the nodes above level h = floor(n/2): 2^(n-2h)
//                          from every level-h subtree to every other.
// Timing: LATENCY = 0 without PIPELINE; with it one register a node and direction on the path:
// 2n - 1 clocks, or 2(n - h) with the static upper half.  rst is synchronous, discards what is
// inside and clears the counters; the settings stay.
//
// Counters are COUNT_W bits, wrap around, and count the clocks up to the last edge.  Level j's
// conflicts stand at [j*COUNT_W +: COUNT_W], j = 1 .. n; level n + 1, down, is the leaves' output
// ports, contested by a loop-back.
module lbbvn_tree #(
  parameter [8*8-1:0]  FORM = "HARDWARE",  // "HARDWARE", "FAST" (to simulate): of its blocks
  parameter N_LOG      = 4,              // n, 1 .. 10
  parameter W          = 32,             // payload bits, >= 1
  parameter [8*9-1:0]  CONTROL    = "SELF",      // "SELF", "SCHEDULED"
  parameter [8*8-1:0]  UPPER_HALF = "SWITCHED",  // "SWITCHED", "STATIC"
  parameter PIPELINE   = 1,              // 0, 1: registers a level
  parameter [8*11-1:0] CAPACITY = "LOWER_BOUND",  // "LOWER_BOUND" (Lemma 1), "NONBLOCKING", "GIVEN"
  parameter [32*11-1:0] LANES = 0,       // GIVEN: lanes of a level-j channel at [32*j +: 32]
  parameter DEPTH      = 1 << N_LOG,     // SCHEDULED: rows of settings, >= 1
  parameter COUNT_W    = 32,             // bits of a counter, > N_LOG
  parameter FROM_END   = 0,              // 0; 1: counters start at their end, see event_counter
  // derived
  parameter N          = 1 << N_LOG,                       // leaves
  parameter SLOT_W     = (DEPTH > 1) ? $clog2(DEPTH) : 1,  // bits of a slot's number
  // Bits of the widest row of settings.
  parameter ROW_W      = (CONTROL == "SELF") ? 1 : widest_row(0)
) (
  input  wire                       clk,  // rising edge
  input  wire                       rst,  // synchronous: packets are lost, settings stay
  // one packet a leaf a slot
  input  wire [N-1:0]               valid_i,  // leaf x offers a packet
  input  wire [N*N_LOG-1:0]         dst_i,    // its destination (SELF)
  input  wire [N*W-1:0]             data_i,   // payload of that packet
  output wire [N-1:0]               valid_o,  // leaf x gets a packet
  output wire [N*W-1:0]             data_o,
  // settings (SCHEDULED): a row is written for one level and slot at a time; level n's row holds
  // the leaves' loop-back bits
  input  wire                       row_write_i,  // SCHEDULED: a row is written
  input  wire [3:0]                 row_level_i,  // of this level; n: loop-backs of the leaves
  input  wire [SLOT_W-1:0]          row_slot_i,   // for this slot
  input  wire [ROW_W-1:0]           row_i,        // settings of that level, node by node
  input  wire [SLOT_W-1:0]          last_slot_i,
  // counters
  output wire [(N_LOG+2)*COUNT_W-1:0] conflicts_up_o,    // packets lost on the way up, by level
  output wire [(N_LOG+2)*COUNT_W-1:0] conflicts_down_o,  // on the way down, by level
  output wire [COUNT_W-1:0]           injected_o,        // packets taken in
  output wire [COUNT_W-1:0]           delivered_o        // packets given out
);

  `include "lbbvn_sizes.vh"

  localparam TOP    = top_level(0);
  localparam LOST_W = N_LOG + 1;

  wire [2*N_LOG*SLOT_W-1:0] slot;  // SCHEDULED: slot of the packets that entered i clocks ago
  wire [(N-1)*LOST_W-1:0]   up_lost, down_lost;  // by node, in this clock
  wire [N-1:0]              loop_lost, entered;  // by leaf
  wire                      unused = &{1'b0, up_lost, down_lost};

  lbbvn_slots #(
    .CONTROL(CONTROL), .PIPELINE(PIPELINE), .STAGES(2 * N_LOG), .SLOT_W(SLOT_W)
  ) u_slots (
    .clk(clk), .rst(rst), .last_slot_i(last_slot_i), .slot_o(slot)
  );

  lbbvn_datapath #(
    .FORM(FORM), .N_LOG(N_LOG), .TOP(TOP), .W(W), .CONTROL(CONTROL), .PIPELINE(PIPELINE),
    .LANES(all_lanes(0)), .DEPTH(DEPTH), .SLOT_W(SLOT_W), .ROW_W(ROW_W)
  ) u_datapath (
    .clk(clk), .rst(rst), .valid_i(valid_i), .dst_i(dst_i), .data_i(data_i), .valid_o(valid_o),
    .data_o(data_o), .slot_i(slot), .row_write_i(row_write_i), .row_level_i(row_level_i),
    .row_slot_i(row_slot_i), .row_i(row_i), .up_lost_o(up_lost), .down_lost_o(down_lost),
    .entered_o(entered), .loop_lost_o(loop_lost)
  );

  // ---- counters ---------------------------------------------------------------------------------

  genvar j;
  generate
    for (j = 0; j <= N_LOG + 1; j = j + 1) begin : gen_count
      // Up: what nodes of level j lose there; down: what nodes of level j - 1 lose.
      localparam NODES = 1 << j;
      localparam ABOVE = NODES / 2;
      if (j > 0 && j >= TOP && j < N_LOG) begin : gen_up
        event_counter #(
          .TERMS(NODES), .TERM_W(LOST_W), .COUNT_W(COUNT_W), .FROM_END(FROM_END)
        ) u_count (
          .clk(clk), .rst(rst), .terms_i(up_lost[(NODES-1)*LOST_W +: NODES*LOST_W]),
          .count_o(conflicts_up_o[j*COUNT_W +: COUNT_W])
        );
      end else begin : gen_no_up
        assign conflicts_up_o[j*COUNT_W +: COUNT_W] = {COUNT_W{FROM_END == 1}};
      end
      if (j > TOP && j <= N_LOG) begin : gen_down
        event_counter #(
          .TERMS(ABOVE), .TERM_W(LOST_W), .COUNT_W(COUNT_W), .FROM_END(FROM_END)
        ) u_count (
          .clk(clk), .rst(rst), .terms_i(down_lost[(ABOVE-1)*LOST_W +: ABOVE*LOST_W]),
          .count_o(conflicts_down_o[j*COUNT_W +: COUNT_W])
        );
      end else if (j <= TOP) begin : gen_no_down
        assign conflicts_down_o[j*COUNT_W +: COUNT_W] = {COUNT_W{FROM_END == 1}};
      end
    end
  endgenerate

  event_counter #(.TERMS(N), .COUNT_W(COUNT_W), .FROM_END(FROM_END)) u_loop_lost (
    .clk(clk), .rst(rst), .terms_i(loop_lost),
    .count_o(conflicts_down_o[(N_LOG+1)*COUNT_W +: COUNT_W])
  );
  event_counter #(.TERMS(N), .COUNT_W(COUNT_W), .FROM_END(FROM_END)) u_injected (
    .clk(clk), .rst(rst), .terms_i(entered), .count_o(injected_o)
  );
  event_counter #(.TERMS(N), .COUNT_W(COUNT_W), .FROM_END(FROM_END)) u_delivered (
    .clk(clk), .rst(rst), .terms_i(valid_o), .count_o(delivered_o)
  );

  // ---- parameters -------------------------------------------------------------------------------

  `CHECK_PARAMETER(N_LOG >= 1 && N_LOG <= 10, "N_LOG", N_LOG, "1 to 10")
  `CHECK_PARAMETER(W >= 1, "W", W, ">= 1")
  `CHECK_PARAMETER(PIPELINE == 0 || PIPELINE == 1, "PIPELINE", PIPELINE, "0 or 1")
  `CHECK_PARAMETER(DEPTH >= 1, "DEPTH", DEPTH, ">= 1")
  `CHECK_PARAMETER(COUNT_W > N_LOG, "COUNT_W", COUNT_W, "> N_LOG")
  `CHECK_CHOICE(CONTROL == "SELF" || CONTROL == "SCHEDULED", "CONTROL", CONTROL, "SELF, SCHEDULED")
  `CHECK_CHOICE(UPPER_HALF == "SWITCHED" || UPPER_HALF == "STATIC",
                "UPPER_HALF", UPPER_HALF, "SWITCHED, STATIC")
  `CHECK_CHOICE(CAPACITY == "LOWER_BOUND" || CAPACITY == "NONBLOCKING" || CAPACITY == "GIVEN",
                "CAPACITY", CAPACITY, "LOWER_BOUND, NONBLOCKING, GIVEN")
  generate
    for (j = 1; j <= N_LOG; j = j + 1) begin : gen_check
      `CHECK_PARAMETER(lanes(j) >= 1 && lanes(j) <= (1 << (N_LOG - j)),
                       "LANES", lanes(j), "1 to 2^(n-j)")
      if (j <= TOP) begin : gen_static
        `CHECK_PARAMETER(lanes(j) == (1 << (N_LOG - j)) - (1 << (N_LOG - 2 * j)),
                         "LANES", lanes(j), "2^(n-j) - 2^(n-2j), for the wires are fixed")
      end
    end
  endgenerate

endmodule

`default_nettype wire
