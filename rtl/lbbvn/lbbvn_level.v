// Copyright the fat-tree verification environment contributors
// SPDX-License-Identifier: Apache-2.0

`include "checks.vh"
`default_nettype none

// One level of the bufferless fat-tree: its 2^LEVEL nodes and, under SCHEDULED control, their
// memory of settings.
//
// Contract: vectors as in lbbvn_node.  A row of the memory holds the settings of all nodes for one
// slot, {down_select, down_enable, up_select, up_enable}, lane 0 lowest in each part; it keeps its
// contents through a reset.
// Timing: the row that up_slot_i / down_slot_i names is used in the same clock; a row written in
// one clock is seen from the next.
module lbbvn_level #(
  parameter CONTROL    = "SELF",
  parameter PIPELINE   = 1,
  parameter N_LOG      = 4,
  parameter LEVEL      = 1,
  parameter C_UP       = 4,   // lanes of a channel to the level above; 0: there is none
  parameter C_DOWN     = 3,   // lanes of a channel to the level below
  parameter GROUPS     = 1,
  parameter TURN_DELAY = 2,
  parameter H          = 4,
  parameter W          = 32,
  parameter DEPTH      = 16,  // rows of settings, >= 1
  parameter SLOT_W     = 4,   // bits of a slot number
  // derived
  parameter NODES      = 1 << LEVEL,
  parameter BELOW      = NODES * 2 * C_DOWN,
  parameter ABOVE      = NODES * ((C_UP > 0) ? C_UP : 1),
  parameter UP_SEL     = $clog2(2 * C_DOWN),
  parameter DOWN_SEL   = (C_UP + C_DOWN > 1) ? $clog2(C_UP + C_DOWN) : 1,
  parameter UP_ROW_W   = ABOVE * (UP_SEL + 1),
  parameter DOWN_ROW_W = BELOW * (DOWN_SEL + 1),
  parameter ROW_W      = (CONTROL == "SELF") ? 1 : UP_ROW_W + DOWN_ROW_W
) (
  input  wire               clk,
  input  wire               rst,
  // to and from the level below
  input  wire [BELOW-1:0]   up_valid_i,
  input  wire [BELOW*H-1:0] up_header_i,
  input  wire [BELOW*W-1:0] up_data_i,
  output wire [BELOW-1:0]   down_valid_o,
  output wire [BELOW*H-1:0] down_header_o,
  output wire [BELOW*W-1:0] down_data_o,
  // to and from the level above
  output wire [ABOVE-1:0]   up_valid_o,
  output wire [ABOVE*H-1:0] up_header_o,
  output wire [ABOVE*W-1:0] up_data_o,
  input  wire [ABOVE-1:0]   down_valid_i,
  input  wire [ABOVE*H-1:0] down_header_i,
  input  wire [ABOVE*W-1:0] down_data_i,
  // settings (SCHEDULED)
  input  wire [SLOT_W-1:0]  up_slot_i,     // slot now at the up ports
  input  wire [SLOT_W-1:0]  down_slot_i,   // slot now at the down ports
  input  wire               row_write_i,
  input  wire [SLOT_W-1:0]  row_slot_i,
  input  wire [ROW_W-1:0]   row_i,
  // packets lost in this clock (SELF)
  output wire [N_LOG:0]     up_lost_o,
  output wire [N_LOG:0]     down_lost_o
);

  wire [UP_ROW_W-1:0]   up_setting;
  wire [DOWN_ROW_W-1:0] down_setting;

  generate
    if (CONTROL == "SELF") begin : gen_self
      assign up_setting   = {UP_ROW_W{1'b0}};
      assign down_setting = {DOWN_ROW_W{1'b0}};
      wire unused = &{1'b0, up_slot_i, down_slot_i, row_write_i, row_slot_i, row_i};
    end else begin : gen_scheduled
      reg [UP_ROW_W-1:0]   up_rows   [0:DEPTH-1];
      reg [DOWN_ROW_W-1:0] down_rows [0:DEPTH-1];
      always @(posedge clk)
        if (row_write_i) begin
          up_rows[row_slot_i]   <= row_i[UP_ROW_W-1:0];
          down_rows[row_slot_i] <= row_i[ROW_W-1:UP_ROW_W];
        end
      assign up_setting   = up_rows[up_slot_i];
      assign down_setting = down_rows[down_slot_i];
    end
  endgenerate

  wire [NODES*N_LOG-1:0] pos;
  genvar k;
  generate
    for (k = 0; k < NODES; k = k + 1) begin : gen_pos
      localparam [31:0] INDEX = k;
      assign pos[k*N_LOG +: N_LOG] = INDEX[N_LOG-1:0];
    end
  endgenerate

  lbbvn_node #(
    .CONTROL(CONTROL), .PIPELINE(PIPELINE), .N_LOG(N_LOG), .LEVEL(LEVEL), .NODES(NODES),
    .C_UP(C_UP), .C_DOWN(C_DOWN), .GROUPS(GROUPS), .TURN_DELAY(TURN_DELAY), .H(H), .W(W)
  ) u_node (
    .clk          (clk),
    .rst          (rst),
    .pos_i        (pos),
    .up_valid_i   (up_valid_i),
    .up_header_i  (up_header_i),
    .up_data_i    (up_data_i),
    .down_valid_o (down_valid_o),
    .down_header_o(down_header_o),
    .down_data_o  (down_data_o),
    .up_valid_o   (up_valid_o),
    .up_header_o  (up_header_o),
    .up_data_o    (up_data_o),
    .down_valid_i (down_valid_i),
    .down_header_i(down_header_i),
    .down_data_i  (down_data_i),
    .up_enable_i  (up_setting[ABOVE-1:0]),
    .up_select_i  (up_setting[UP_ROW_W-1:ABOVE]),
    .down_enable_i(down_setting[BELOW-1:0]),
    .down_select_i(down_setting[DOWN_ROW_W-1:BELOW]),
    .up_lost_o    (up_lost_o),
    .down_lost_o  (down_lost_o)
  );

endmodule

`default_nettype wire
