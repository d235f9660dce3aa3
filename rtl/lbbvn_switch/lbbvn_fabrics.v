// Copyright the fat-tree verification environment contributors
// SPDX-License-Identifier: Apache-2.0

`timescale 1ns/1ns
`include "checks.vh"
`default_nettype none

// What stands between the line cards of a load-balanced Birkhoff-von Neumann switch: one fabric
// that is used twice a slot (FOLDED = 1), or two that are used once, as drawn in Fig. 1 of Chueh et
// al. (HPSR 2013): fabric 0 balances the load (phase 1), fabric 1 switches (phase 2).
//
// Contract: the words of a slot's second clock are those of phase 1, and leave at the middles; the
// words of its first clock are those of phase 2, and leave at the outputs; each as the schedule
// says for the slot that is given, LATENCY clocks later.
// Of two fabrics each carries zeros in the other's clocks.
//
// Slices: line card x owns the x-th slice of each vector.
module lbbvn_fabrics #(
  parameter FOLDED     = 1,    // 1: one fabric, 0: two
  parameter LATENCY    = 1,    // clocks through a fabric
  parameter N_LOG      = 4,    // log2 of the leaves
  parameter W          = 48,   // bits of a word
  parameter [8*8-1:0]   FABRIC     = "TREE",         // "TREE", "CROSSBAR"
  parameter [8*7-1:0]   SCHEDULE   = "BITREV",       // "BITREV", "ROTATOR", "TDM", "XOR", "SAME"
  parameter [8*9-1:0]   CONTROL    = "SELF",         // "SELF", "SCHEDULED"
  parameter [8*8-1:0]   UPPER_HALF = "SWITCHED",     // "SWITCHED", "STATIC": wires
  parameter PIPELINE   = 1,    // 0, 1: registers a level
  parameter [8*11-1:0]  CAPACITY   = "LOWER_BOUND",  // "LOWER_BOUND", "NONBLOCKING", "GIVEN"
  parameter [32*11-1:0] LANES      = 0,              // GIVEN: of a level-j channel at [32*j +: 32]
  parameter [8*8-1:0]   FORM       = "HARDWARE",     // "HARDWARE", "FAST": of the tree's blocks
  parameter COUNT_W    = 32,   // bits of the counter, > N_LOG
  parameter ROW_W      = 1,    // SCHEDULED: bits of the widest row of settings
  parameter N          = 1 << N_LOG  // derived
) (
  input  wire               clk,            // rising edge
  input  wire               rst,            // synchronous: words inside are lost, settings stay
  input  wire               second_i,       // the slot's second clock
  input  wire [N_LOG-1:0]   input_slot_i,   // slot of the words of phase 1
  input  wire [N_LOG-1:0]   phase2_slot_i,  // slot of the words of phase 2
  input  wire [N*W-1:0]     word_i,         // words of the cards
  output wire [N*W-1:0]     word_o,         // words to the cards
  output wire [COUNT_W-1:0] conflicts_o,    // words that were lost
  // settings (SCHEDULED): both fabrics have the same
  input  wire               row_write_i,  // a row of settings is written
  input  wire [3:0]         row_level_i,  // of this level; N_LOG: loop-backs of the leaves
  input  wire [N_LOG:0]     row_slot_i,   // for this slot of the fabric
  input  wire [ROW_W-1:0]   row_i         // settings of that level, node by node
);

  localparam FABRICS = (FOLDED == 1) ? 1 : 2;

  wire [FABRICS*N*W-1:0]     words;
  wire [FABRICS*COUNT_W-1:0] lost;

  genvar f;
  generate
    for (f = 0; f < FABRICS; f = f + 1) begin : gen_fabric
      wire phase2 = (FABRICS == 1) ? ~second_i : (f == 1);
      wire used   = (FABRICS == 1) | (phase2 ^ second_i);

      lbbvn_fabric #(
        .N_LOG(N_LOG), .W(W), .FABRIC(FABRIC), .SCHEDULE(SCHEDULE), .CONTROL(CONTROL),
        .UPPER_HALF(UPPER_HALF), .PIPELINE(PIPELINE), .CAPACITY(CAPACITY), .LANES(LANES),
        .FORM(FORM), .COUNT_W(COUNT_W), .ROW_W(ROW_W)
      ) u_fabric (
        .clk(clk), .rst(rst), .phase2_i(phase2), .slot_i(phase2 ? phase2_slot_i : input_slot_i),
        .word_i(word_i & {(N*W){used}}), .word_o(words[f*N*W +: N*W]),
        .conflicts_o(lost[f*COUNT_W +: COUNT_W]), .row_write_i(row_write_i),
        .row_level_i(row_level_i), .row_slot_i(row_slot_i), .row_i(row_i)
      );
    end

    if (FABRICS == 1) begin : gen_folded
      assign word_o      = words;
      assign conflicts_o = lost;
    end else begin : gen_unfolded
      wire switched = second_i ^ (LATENCY % 2 == 0);  // it was a first clock LATENCY clocks ago
      assign word_o      = words[(switched ? N*W : 0) +: N*W];
      assign conflicts_o = lost[0 +: COUNT_W] + lost[COUNT_W +: COUNT_W];

      `CHECK_ALWAYS(clk, rst, words[(switched ? 0 : N*W) +: N*W] == {(N*W){1'b0}},
                    "a fabric carries words in the other's clocks")
    end
  endgenerate

  `CHECK_PARAMETER(FOLDED == 0 || FOLDED == 1, "FOLDED", FOLDED, "0, 1")
  `CHECK_PARAMETER(LATENCY >= 0, "LATENCY", LATENCY, ">= 0")

endmodule

`default_nettype wire
