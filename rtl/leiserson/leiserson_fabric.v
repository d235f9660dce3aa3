// Copyright the fat-tree verification environment contributors
// SPDX-License-Identifier: Apache-2.0

`timescale 1ns/1ns
`include "checks.vh"
`default_nettype none

// The nodes of a bit-serial fat-tree of n = 2^N_LOG processors, and the wires between them.
//
// Contract: bits of messages go in at wire_i and come out at wire_o, acknowledges go in at ack_i
// and come out at ack_o; what the nodes do with them is in leiserson_node.  Wires: processor p has
// wires p*P .. p*P+P-1, P = capacity of a leaf channel; behind them come the wires of the channel
// above the root, the interface to the outside world.
//   NODES = "OFFLINE": leiserson_offline_node.  Node q of level k has its settings at
//   settings_above(k) + q * node_settings(k): those of U, of L and of R.  Nothing is acknowledged.
// Timing: an M bit needs 1 + 3 stages + PIPELINE clocks a node, an acknowledge PIPELINE; off-line
// PIPELINE clocks.
module leiserson_fabric #(
  parameter [8*8-1:0] FORM = "HARDWARE",               // "HARDWARE", "FAST": of concentrator_switch
  parameter N_LOG      = 2,                            // lg n, 1 .. 10
  parameter [32*11-1:0] CAPS = {32'd1, 32'd2, 32'd3},  // wires of a level-k channel at [32*k +: 32]
  parameter [8*7-1:0]  CONCENTRATOR = "IDEAL",         // "IDEAL", "PARTIAL"
  parameter [8*8-1:0]  PRIORITY     = "FIXED",         // "FIXED", "ROTATING"
  parameter PIPELINE   = 1,                            // 0, 1: registers a node and direction
  parameter [8*7-1:0]  NODES = "ONLINE",               // "ONLINE", "OFFLINE"
  parameter SETTING_W  = 1,                            // bits of all settings; 1 without any
  parameter COUNT_W    = 8,                            // bits of a count, enough for WIRES
  // derived
  // Derived: of all leaves, and of the root.
  parameter WIRES      = (1 << N_LOG) * CAPS[32*N_LOG +: 32] + CAPS[31:0]
) (
  input  wire                     clk,        // rising edge
  input  wire                     clear_i,    // a delivery cycle begins: all wires are free
  input  wire                     restart_i,  // with clear_i: it is the first one
  input  wire [SETTING_W-1:0]     setting_i,  // OFFLINE: of all nodes, for a whole delivery cycle
  input  wire [WIRES-1:0]         wire_i,     // bits that are sent
  output wire [WIRES-1:0]         ack_o,      // acknowledges of these messages
  output wire [WIRES-1:0]         wire_o,     // bits that arrive
  input  wire [WIRES-1:0]         ack_i,      // acknowledges of these messages
  // messages that find no wire in this clock, by level of the node
  output wire [N_LOG*COUNT_W-1:0] up_lost_o,   // to the channel above it
  output wire [N_LOG*COUNT_W-1:0] down_lost_o  // to the channels below it
);

  localparam LEAF_WIRES = CAPS[32*N_LOG +: 32];
  localparam LEAVES     = 1 << N_LOG;
  localparam LOST_W     = $clog2(WIRES + 1);
  localparam [8*11-1:0] CAPACITY = "GIVEN";
  localparam [31:0]     ROOT     = 32'd0;

  `include "partial_stages.vh"

  `include "leiserson_sizes.vh"
  `include "leiserson_settings.vh"

  // ---- channels: gen_channel[k].gen_above[q] is the one above node (or leaf) q of level k -------

  genvar k, q;
  generate
    for (k = 0; k <= N_LOG; k = k + 1) begin : gen_channel
      localparam C = CAPS[32*k +: 32];
      for (q = 0; q < (1 << k); q = q + 1) begin : gen_above
        wire [C-1:0] up, up_ack;      // messages upwards, and their acknowledges
        wire [C-1:0] down, down_ack;  // messages downwards, and their acknowledges
      end
    end

    for (q = 0; q < LEAVES; q = q + 1) begin : gen_leaf
      localparam AT = q * LEAF_WIRES;
      assign gen_channel[N_LOG].gen_above[q].up       = wire_i[AT +: LEAF_WIRES];
      assign gen_channel[N_LOG].gen_above[q].down_ack = ack_i [AT +: LEAF_WIRES];
      assign wire_o[AT +: LEAF_WIRES] = gen_channel[N_LOG].gen_above[q].down;
      assign ack_o [AT +: LEAF_WIRES] = gen_channel[N_LOG].gen_above[q].up_ack;
    end
  endgenerate

  assign gen_channel[0].gen_above[0].down   = wire_i[WIRES-1:LEAVES*LEAF_WIRES];
  assign gen_channel[0].gen_above[0].up_ack = ack_i [WIRES-1:LEAVES*LEAF_WIRES];
  assign wire_o[WIRES-1:LEAVES*LEAF_WIRES] = gen_channel[0].gen_above[0].up;
  assign ack_o [WIRES-1:LEAVES*LEAF_WIRES] = gen_channel[0].gen_above[0].down_ack;

  generate
    if (NODES != "OFFLINE") begin : gen_no_settings
      wire unused_setting = &{1'b0, setting_i};
    end
  endgenerate

  // ---- nodes ------------------------------------------------------------------------------------

  generate
    for (k = 0; k < N_LOG; k = k + 1) begin : gen_level
      localparam COUNT = 1 << k;
      wire [COUNT*LOST_W-1:0] up_lost, down_lost;  // node by node

      for (q = 0; q < COUNT; q = q + 1) begin : gen_node
        if (NODES == "OFFLINE") begin : gen_offline
          localparam AT   = settings_above(k) + q * node_settings(k);
          localparam UP_W = up_settings(k);
          leiserson_offline_node #(
            .C_UP(CAPS[32*k +: 32]), .C_DOWN(CAPS[32*(k+1) +: 32]), .PIPELINE(PIPELINE)
          ) u_node (
            .clk            (clk),
            .rst            (clear_i),
            .up_i           ({gen_channel[k+1].gen_above[2*q+1].up,
                              gen_channel[k+1].gen_above[2*q].up}),
            .down_o         ({gen_channel[k+1].gen_above[2*q+1].down,
                              gen_channel[k+1].gen_above[2*q].down}),
            .up_o           (gen_channel[k].gen_above[q].up),
            .down_i         (gen_channel[k].gen_above[q].down),
            .up_setting_i   (setting_i[AT +: UP_W]),
            .down_setting_i (setting_i[AT + UP_W +: node_settings(k) - UP_W])
          );
          assign gen_channel[k+1].gen_above[2*q+1].up_ack = {CAPS[32*(k+1) +: 32]{1'b0}};
          assign gen_channel[k+1].gen_above[2*q].up_ack   = {CAPS[32*(k+1) +: 32]{1'b0}};
          assign gen_channel[k].gen_above[q].down_ack     = {CAPS[32*k +: 32]{1'b0}};
          assign up_lost  [q*LOST_W +: LOST_W] = {LOST_W{1'b0}};
          assign down_lost[q*LOST_W +: LOST_W] = {LOST_W{1'b0}};
          wire unused = &{1'b0, restart_i, gen_channel[k].gen_above[q].up_ack,
                          gen_channel[k+1].gen_above[2*q+1].down_ack,
                          gen_channel[k+1].gen_above[2*q].down_ack};
        end else begin : gen_online
          leiserson_node #(
            .FORM(FORM), .C_UP(CAPS[32*k +: 32]), .C_DOWN(CAPS[32*(k+1) +: 32]),
            .CONCENTRATOR(CONCENTRATOR), .PRIORITY(PRIORITY), .PIPELINE(PIPELINE), .LOST_W(LOST_W)
          ) u_node (
            .clk        (clk),
            .clear_i    (clear_i),
            .restart_i  (restart_i),
            .up_i       ({gen_channel[k+1].gen_above[2*q+1].up,
                          gen_channel[k+1].gen_above[2*q].up}),
            .up_ack_o   ({gen_channel[k+1].gen_above[2*q+1].up_ack,
                          gen_channel[k+1].gen_above[2*q].up_ack}),
            .down_o     ({gen_channel[k+1].gen_above[2*q+1].down,
                          gen_channel[k+1].gen_above[2*q].down}),
            .down_ack_i ({gen_channel[k+1].gen_above[2*q+1].down_ack,
                          gen_channel[k+1].gen_above[2*q].down_ack}),
            .up_o       (gen_channel[k].gen_above[q].up),
            .up_ack_i   (gen_channel[k].gen_above[q].up_ack),
            .down_i     (gen_channel[k].gen_above[q].down),
            .down_ack_o (gen_channel[k].gen_above[q].down_ack),
            .up_lost_o  (up_lost  [q*LOST_W +: LOST_W]),
            .down_lost_o(down_lost[q*LOST_W +: LOST_W])
          );
        end
      end

      sum_of #(.TERMS(COUNT), .TERM_W(LOST_W), .SUM_W(COUNT_W)) u_up_lost (
        .terms_i(up_lost), .sum_o(up_lost_o[k*COUNT_W +: COUNT_W])
      );
      sum_of #(.TERMS(COUNT), .TERM_W(LOST_W), .SUM_W(COUNT_W)) u_down_lost (
        .terms_i(down_lost), .sum_o(down_lost_o[k*COUNT_W +: COUNT_W])
      );
    end
  endgenerate

  // ---- parameters -------------------------------------------------------------------------------

  `CHECK_PARAMETER(N_LOG >= 1 && N_LOG <= 10, "N_LOG", N_LOG, "1 to 10")
  `CHECK_PARAMETER(COUNT_W >= LOST_W, "COUNT_W", COUNT_W, "enough for all wires")
  `CHECK_CHOICE(NODES == "ONLINE" || NODES == "OFFLINE", "NODES", NODES, "ONLINE, OFFLINE")
  generate
    for (k = 0; k <= N_LOG; k = k + 1) begin : gen_check
      `CHECK_PARAMETER(CAPS[32*k +: 32] >= 1, "CAPS", CAPS[32*k +: 32], ">= 1")
    end
  endgenerate

endmodule

`default_nettype wire
