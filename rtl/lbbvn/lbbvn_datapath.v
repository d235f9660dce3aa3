// Copyright the fat-tree verification environment contributors
// SPDX-License-Identifier: Apache-2.0

`timescale 1ns/1ns
`default_nettype none

// What packets pass in a bufferless fat-tree: leaves, channels and nodes, with their settings.
//
//     leaf ==== node of level n-1 ==== ... ==== node of level TOP ==== wires, if TOP > 0
//          2 x                    2 x
//
// A channel has as many lanes up as down.  gen_channel[j].gen_node[k] is the one above node k of
// level j, or above leaf k.
//
// Contract: lbbvn_tree's, of whose parameters these are; what is lost it tells by node and leaf.
// TOP > 0: instead of the levels above, fixed wires lead from every node of level TOP to every
// other one of it, 2^(n - 2 TOP) each.
// Timing: lbbvn_tree's; the losses are those of this clock.
//
// Node k of level j owns slice 2^j - 1 + k of a vector by node.
module lbbvn_datapath #(
  parameter [8*8-1:0]  FORM    = "HARDWARE",  // "HARDWARE", "FAST": of its blocks
  parameter N_LOG    = 4,                     // n: there are 2^n leaves
  parameter TOP      = 0,                     // highest level with nodes, 0 .. n/2
  parameter W        = 32,                    // payload bits, >= 1
  parameter [8*9-1:0]  CONTROL = "SELF",      // "SELF", "SCHEDULED"
  parameter PIPELINE = 1,                     // 0, 1: registers a level
  parameter [32*11-1:0] LANES  = {192'd0, 32'd1, 32'd2, 32'd3, 32'd4, 32'd0},  // of a level-j
                                              // channel at [32*j +: 32], >= 1; 0 above the root
  parameter DEPTH    = 16,                    // SCHEDULED: rows of settings, >= 1
  parameter SLOT_W   = 4,                     // bits of a slot's number
  parameter ROW_W    = 1,                     // SCHEDULED: bits of the widest row
  // derived
  parameter N        = 1 << N_LOG,            // leaves
  parameter LOST_W   = N_LOG + 1              // bits of what a node loses in a clock
) (
  input  wire                      clk,          // rising edge
  input  wire                      rst,  // synchronous: packets inside are lost, settings stay
  input  wire [N-1:0]              valid_i,      // leaf x offers a packet
  input  wire [N*N_LOG-1:0]        dst_i,        // its destination (SELF)
  input  wire [N*W-1:0]            data_i,       // payload of that packet
  output wire [N-1:0]              valid_o,      // leaf x gets a packet
  output wire [N*W-1:0]            data_o,       // payload of the packet; zero when idle
  input  wire [2*N_LOG*SLOT_W-1:0] slot_i,       // SCHEDULED: as lbbvn_slots tells
  input  wire                      row_write_i,  // SCHEDULED: a row is written
  input  wire [3:0]                row_level_i,  // of this level; n: loop-backs of the leaves
  input  wire [SLOT_W-1:0]         row_slot_i,   // for this slot
  input  wire [ROW_W-1:0]          row_i,        // settings of that level, node by node
  output wire [(N-1)*LOST_W-1:0]   up_lost_o,    // by node: lost in this clock on the way up
  output wire [(N-1)*LOST_W-1:0]   down_lost_o,  // by node: on the way down
  output wire [N-1:0]              entered_o,    // by leaf: a packet was taken in
  output wire [N-1:0]              loop_lost_o   // by leaf: a loop-back was lost
);

  localparam WIRED   = (TOP > 0);                // the upper half is fixed wires
  localparam BUNDLE  = 1 << (N_LOG - 2 * TOP);   // of them lead from a node to another
  localparam LATENCY = (PIPELINE == 0) ? 0 : WIRED ? 2 * (N_LOG - TOP) : 2 * N_LOG - 1;
  localparam H       = (CONTROL == "SELF") ? N_LOG : 1;  // header bits a lane

  // ---- channels -------------------------------------------------------------------------------

  genvar i, j, k, g;
  generate
    for (j = TOP; j <= N_LOG; j = j + 1) begin : gen_channel
      localparam C = (j > 0) ? LANES[32*j +: 32] : 1;  // vectors are never empty
      for (k = 0; k < (1 << j); k = k + 1) begin : gen_node
        wire [C-1:0]   up_valid,  down_valid;
        wire [C*H-1:0] up_header, down_header;
        wire [C*W-1:0] up_data,   down_data;
        if (j > TOP) begin : gen_tree
          wire unused = &{1'b0, down_header};  // leaves do not look at it
        end else if (WIRED) begin : gen_static
          // Instead of the levels above, bundle g leads to node k XOR (g + 1).
          for (g = 0; g < (1 << TOP) - 1; g = g + 1) begin : gen_bundle
            localparam OTHER = k ^ (g + 1);
            assign down_valid[g*BUNDLE +: BUNDLE] =
              gen_channel[j].gen_node[OTHER].up_valid[g*BUNDLE +: BUNDLE];
            assign down_header[g*BUNDLE*H +: BUNDLE*H] =
              gen_channel[j].gen_node[OTHER].up_header[g*BUNDLE*H +: BUNDLE*H];
            assign down_data[g*BUNDLE*W +: BUNDLE*W] =
              gen_channel[j].gen_node[OTHER].up_data[g*BUNDLE*W +: BUNDLE*W];
          end
        end else begin : gen_root  // nothing is above
          wire unused = &{1'b0, up_valid, up_header, up_data};
          assign down_valid  = {C{1'b0}};
          assign down_header = {(C*H){1'b0}};
          assign down_data   = {(C*W){1'b0}};
        end
      end
    end
  endgenerate

  // ---- nodes ------------------------------------------------------------------------------------

  generate
    for (j = TOP; j < N_LOG; j = j + 1) begin : gen_level
      localparam NODES    = 1 << j;
      localparam C_UP     = LANES[32*j +: 32];
      localparam C_DOWN   = LANES[32*(j+1) +: 32];
      localparam UP       = (j > 0) ? C_UP : 1;
      localparam BELOW    = 2 * C_DOWN;
      localparam UP_SEL   = $clog2(BELOW);
      localparam DOWN_SEL = (C_UP + C_DOWN > 1) ? $clog2(C_UP + C_DOWN) : 1;
      // Clocks to here and back.
      localparam STEPS    = WIRED ? N_LOG - TOP + j - TOP : N_LOG - 1 + j;
      localparam [31:0] THIS = j;

      for (k = 0; k < NODES; k = k + 1) begin : gen_node
        localparam [31:0] INDEX = k;
        wire [UP*(UP_SEL+1)-1:0]      up_settings;  // {select, enable}
        wire [BELOW*(DOWN_SEL+1)-1:0] down_settings;

        if (CONTROL != "SELF") begin : gen_settings
          // A row of the level: up enables of all nodes, up selects, down enables, down selects.
          localparam SELECTS = NODES * UP;
          localparam DOWNS   = SELECTS * (UP_SEL + 1);
          wire write = row_write_i && row_level_i == THIS[3:0];
          lbbvn_settings #(.WIDTH(UP*(UP_SEL+1)), .DEPTH(DEPTH), .SLOT_W(SLOT_W)) u_up (
            .clk(clk), .write_i(write), .write_slot_i(row_slot_i),
            .row_i({row_i[SELECTS + k*UP*UP_SEL +: UP*UP_SEL], row_i[k*UP +: UP]}),
            .slot_i(slot_i[(N_LOG-1-j)*SLOT_W +: SLOT_W]), .row_o(up_settings)
          );
          lbbvn_settings #(.WIDTH(BELOW*(DOWN_SEL+1)), .DEPTH(DEPTH), .SLOT_W(SLOT_W)) u_down (
            .clk(clk), .write_i(write), .write_slot_i(row_slot_i),
            .row_i({row_i[DOWNS + NODES*BELOW + k*BELOW*DOWN_SEL +: BELOW*DOWN_SEL],
                    row_i[DOWNS + k*BELOW +: BELOW]}),
            .slot_i(slot_i[STEPS*SLOT_W +: SLOT_W]), .row_o(down_settings)
          );
        end else begin : gen_no_settings
          assign up_settings   = {(UP*(UP_SEL+1)){1'b0}};
          assign down_settings = {(BELOW*(DOWN_SEL+1)){1'b0}};
        end

        lbbvn_node #(
          .FORM(FORM), .CONTROL(CONTROL), .PIPELINE(PIPELINE), .N_LOG(N_LOG), .LEVEL(j),
          .C_UP(C_UP), .C_DOWN(C_DOWN), .GROUPS((WIRED && j == TOP) ? NODES - 1 : 1),
          .TURN_DELAY((PIPELINE == 0) ? 0 : STEPS - (N_LOG - 1 - j)), .H(H), .W(W)
        ) u_node (
          .clk          (clk),
          .rst          (rst),
          .pos_i        (INDEX[N_LOG-1:0]),
          .up_valid_i   ({gen_channel[j+1].gen_node[2*k+1].up_valid,
                           gen_channel[j+1].gen_node[2*k].up_valid}),
          .up_header_i  ({gen_channel[j+1].gen_node[2*k+1].up_header,
                           gen_channel[j+1].gen_node[2*k].up_header}),
          .up_data_i    ({gen_channel[j+1].gen_node[2*k+1].up_data,
                           gen_channel[j+1].gen_node[2*k].up_data}),
          .down_valid_o ({gen_channel[j+1].gen_node[2*k+1].down_valid,
                           gen_channel[j+1].gen_node[2*k].down_valid}),
          .down_header_o({gen_channel[j+1].gen_node[2*k+1].down_header,
                           gen_channel[j+1].gen_node[2*k].down_header}),
          .down_data_o  ({gen_channel[j+1].gen_node[2*k+1].down_data,
                           gen_channel[j+1].gen_node[2*k].down_data}),
          .up_valid_o   (gen_channel[j].gen_node[k].up_valid),
          .up_header_o  (gen_channel[j].gen_node[k].up_header),
          .up_data_o    (gen_channel[j].gen_node[k].up_data),
          .down_valid_i (gen_channel[j].gen_node[k].down_valid),
          .down_header_i(gen_channel[j].gen_node[k].down_header),
          .down_data_i  (gen_channel[j].gen_node[k].down_data),
          .up_enable_i  (up_settings[UP-1:0]),
          .up_select_i  (up_settings[UP*(UP_SEL+1)-1:UP]),
          .down_enable_i(down_settings[BELOW-1:0]),
          .down_select_i(down_settings[BELOW*(DOWN_SEL+1)-1:BELOW]),
          .up_lost_o    (up_lost_o[(NODES-1+k)*LOST_W +: LOST_W]),
          .down_lost_o  (down_lost_o[(NODES-1+k)*LOST_W +: LOST_W])
        );
      end
    end
    if (WIRED) begin : gen_no_node
      assign up_lost_o  [((1<<TOP)-1)*LOST_W-1:0] = {(((1<<TOP)-1)*LOST_W){1'b0}};
      assign down_lost_o[((1<<TOP)-1)*LOST_W-1:0] = {(((1<<TOP)-1)*LOST_W){1'b0}};
    end
  endgenerate

  // ---- leaves -----------------------------------------------------------------------------------

  generate
    for (i = 0; i < N; i = i + 1) begin : gen_leaf
      localparam [31:0] INDEX = i, LEAVES = N_LOG;
      wire loop;
      if (CONTROL != "SELF") begin : gen_loop
        lbbvn_settings #(.WIDTH(1), .DEPTH(DEPTH), .SLOT_W(SLOT_W)) u_loop (
          .clk(clk), .write_i(row_write_i && row_level_i == LEAVES[3:0]), .write_slot_i(row_slot_i),
          .row_i(row_i[i]), .slot_i(slot_i[SLOT_W-1:0]), .row_o(loop)
        );
      end else begin : gen_no_loop
        assign loop = 1'b0;
      end
      lbbvn_leaf #(.CONTROL(CONTROL), .N_LOG(N_LOG), .LATENCY(LATENCY), .H(H), .W(W)) u_leaf (
        .clk(clk), .rst(rst), .number_i(INDEX[N_LOG-1:0]), .valid_i(valid_i[i]),
        .dst_i(dst_i[i*N_LOG +: N_LOG]), .data_i(data_i[i*W +: W]), .valid_o(valid_o[i]),
        .data_o(data_o[i*W +: W]), .up_valid_o(gen_channel[N_LOG].gen_node[i].up_valid),
        .up_header_o(gen_channel[N_LOG].gen_node[i].up_header),
        .up_data_o(gen_channel[N_LOG].gen_node[i].up_data),
        .down_valid_i(gen_channel[N_LOG].gen_node[i].down_valid),
        .down_data_i(gen_channel[N_LOG].gen_node[i].down_data), .loop_i(loop),
        .entered_o(entered_o[i]), .lost_o(loop_lost_o[i])
      );
    end
  endgenerate

  wire unused = &{1'b0, slot_i, row_write_i, row_level_i, row_slot_i, row_i};

endmodule

`default_nettype wire
