// Copyright the fat-tree verification environment contributors
// SPDX-License-Identifier: Apache-2.0

`timescale 1ns/1ns
`include "checks.vh"
`default_nettype none

// The fabric of a folded load-balanced Birkhoff-von Neumann switch: N words a clock, led by the
// schedule; phase 1 and phase 2 take turns.
//
// Contract: a word of leaf x enters in every clock and leaves LATENCY clocks later, at the middle
// (phase 1) or output (phase 2) that the schedule connects x to in slot slot_i.
//   FABRIC = "TREE"      lbbvn_tree with the given control, capacities and upper half, all of whose
//                        leaves send in all clocks; the schedule must fit into its lanes.
//                        SCHEDULED: 2N rows of settings, the first one for phase 2.
//   FABRIC = "CROSSBAR"  one N x N crossbar, with a register behind it if PIPELINE = 1.
// conflicts_o counts words that found no lane: not 0 if the fabric does not carry the schedule.
//
// Slices: leaf x owns the x-th slice of each vector.
module lbbvn_fabric #(
  parameter N_LOG      = 4,    // log2 of the leaves
  parameter W          = 48,   // bits of a word
  parameter [8*8-1:0]   FABRIC     = "TREE",        // "TREE", "CROSSBAR"
  parameter [8*7-1:0]   SCHEDULE   = "BITREV",      // "BITREV", "ROTATOR", "TDM", "XOR", "SAME"
  parameter [8*9-1:0]   CONTROL    = "SELF",        // "SELF", "SCHEDULED"
  parameter [8*8-1:0]   UPPER_HALF = "SWITCHED",  // "SWITCHED", "STATIC": wires
  parameter PIPELINE   = 1,  // 0, 1: registers a level
  parameter [8*11-1:0]  CAPACITY   = "LOWER_BOUND",  // "LOWER_BOUND", "NONBLOCKING", "GIVEN"
  parameter [32*11-1:0] LANES      = 0,  // GIVEN: of a level-j channel at [32*j +: 32]
  parameter [8*8-1:0]   FORM       = "HARDWARE",     // "HARDWARE", "FAST": of the tree's blocks
  parameter COUNT_W    = 32,   // bits of the counter, > N_LOG
  parameter ROW_W      = 1,    // SCHEDULED: bits of the widest row of settings
  parameter N          = 1 << N_LOG  // derived
) (
  input  wire               clk,       // rising edge
  input  wire               rst,       // synchronous: words inside are lost, settings stay
  input  wire               phase2_i,  // this clock's words are those of phase 2
  input  wire [N_LOG-1:0]   slot_i,    // slot of the words that enter
  input  wire [N*W-1:0]     word_i,    // words of the cards
  output wire [N*W-1:0]     word_o,    // words to the cards
  output wire [COUNT_W-1:0] conflicts_o,
  // settings (SCHEDULED)
  input  wire               row_write_i,  // a row of settings is written
  input  wire [3:0]         row_level_i,  // of this level; N_LOG: loop-backs of the leaves
  input  wire [N_LOG:0]     row_slot_i,   // for this slot of the fabric
  input  wire [ROW_W-1:0]   row_i         // settings of that level, node by node
);

  genvar l;
  generate
    if (FABRIC == "TREE") begin : gen_tree
      // FAST: a lane is filled up to a word of the simulating machine, of 32 or 64 bits.
      localparam LANE_W = (FORM != "FAST" || W < 16 || W > 64) ? W : (W > 32) ? 64 : 32;
      wire [N-1:0]                   arrived;
      wire [(N_LOG+2)*COUNT_W-1:0]   up, down;
      wire [COUNT_W-1:0]             injected, delivered;
      wire [N*LANE_W-1:0]            entering, leaving;
      wire [N*N_LOG-1:0]             dst;
      reg  [COUNT_W-1:0]             sum;

      for (l = 0; l < N; l = l + 1) begin : gen_lane
        assign entering[l*LANE_W +: W] = word_i[l*W +: W];
        assign word_o[l*W +: W]        = leaving[l*LANE_W +: W];
        if (LANE_W > W) begin : gen_filling  // anything will do; what moves can be seen to move
          assign entering[l*LANE_W + W +: LANE_W - W] = word_i[l*W +: LANE_W - W];
        end
        localparam [31:0] LEAF = l;
        wire [N_LOG-1:0] first, second;  // whom it sends to, by phase
        lbbvn_meeting #(.N_LOG(N_LOG), .SCHEDULE(SCHEDULE), .WHO("MIDDLE_OF_INPUT")) u_first (
          .card_i(LEAF[N_LOG-1:0]), .slot_i(slot_i), .card_o(first)
        );
        lbbvn_meeting #(.N_LOG(N_LOG), .SCHEDULE(SCHEDULE), .WHO("OUTPUT_OF_MIDDLE")) u_second (
          .card_i(LEAF[N_LOG-1:0]), .slot_i(slot_i), .card_o(second)
        );
        assign dst[l*N_LOG +: N_LOG] = phase2_i ? second : first;
      end

      lbbvn_tree #(
        .N_LOG(N_LOG), .W(LANE_W), .CONTROL(CONTROL), .UPPER_HALF(UPPER_HALF), .PIPELINE(PIPELINE),
        .CAPACITY(CAPACITY), .LANES(LANES), .FORM(FORM), .DEPTH(2 * N), .COUNT_W(COUNT_W)
      ) u_tree (
        .clk(clk), .rst(rst), .valid_i({N{1'b1}}), .dst_i(dst), .data_i(entering),
        .valid_o(arrived), .data_o(leaving), .row_write_i(row_write_i), .row_level_i(row_level_i),
        .row_slot_i(row_slot_i), .row_i(row_i), .last_slot_i({(N_LOG+1){1'b1}}),
        .conflicts_up_o(up), .conflicts_down_o(down), .injected_o(injected), .delivered_o(delivered)
      );

      always @* begin : all_levels
        integer j;
        sum = {COUNT_W{1'b0}};
        for (j = 0; j < N_LOG + 2; j = j + 1)
          sum = sum + up[j*COUNT_W +: COUNT_W] + down[j*COUNT_W +: COUNT_W];
      end
      assign conflicts_o = sum;

      wire unused = &{1'b0, arrived, injected, delivered, leaving};
    end else begin : gen_crossbar
      wire [N*W-1:0]     crossed;
      wire [N*N_LOG-1:0] select;

      for (l = 0; l < N; l = l + 1) begin : gen_leaf
        localparam [31:0] LEAF = l;
        wire [N_LOG-1:0] first, second;  // who sends to it, by phase
        lbbvn_meeting #(.N_LOG(N_LOG), .SCHEDULE(SCHEDULE), .WHO("INPUT_OF_MIDDLE")) u_first (
          .card_i(LEAF[N_LOG-1:0]), .slot_i(slot_i), .card_o(first)
        );
        lbbvn_meeting #(.N_LOG(N_LOG), .SCHEDULE(SCHEDULE), .WHO("MIDDLE_OF_OUTPUT")) u_second (
          .card_i(LEAF[N_LOG-1:0]), .slot_i(slot_i), .card_o(second)
        );
        assign select[l*N_LOG +: N_LOG] = phase2_i ? second : first;
      end

      crossbar #(.R(N), .S(N), .W(W)) u_crossbar (
        .data_i(word_i), .enable_i({N{1'b1}}), .select_i(select), .data_o(crossed)
      );
      delay_line #(.DEPTH(PIPELINE), .WIDTH(N*W)) u_register (
        .clk(clk), .rst(rst), .data_i(crossed), .data_o(word_o)
      );
      assign conflicts_o = {COUNT_W{1'b0}};

      wire unused = &{1'b0, row_write_i, row_level_i, row_slot_i, row_i};
    end
  endgenerate

  `CHECK_CHOICE(FABRIC == "TREE" || FABRIC == "CROSSBAR", "FABRIC", FABRIC, "TREE, CROSSBAR")

endmodule

`default_nettype wire
