// Copyright the fat-tree verification environment contributors
// SPDX-License-Identifier: Apache-2.0

`timescale 1ns/1ns
`default_nettype none

// One node of lbbvn_tree as it stands there, for `make area`: its place in the level is a constant,
// nobody counts its losses, and header bits that no later node reads are left open, as they are in
// a whole tree.
module area_node #(
  parameter [8*9-1:0] CONTROL = "SELF",
  parameter N_LOG      = 4,
  parameter LEVEL      = 1,
  parameter POSITION   = 0,   // of the node in its level
  parameter C_UP       = 4,
  parameter C_DOWN     = 3,
  parameter GROUPS     = 1,
  parameter TURN_DELAY = 2,
  parameter H          = 4,
  parameter W          = 32,
  parameter UP_H       = 4,   // header bits that the node above, or beside, reads
  parameter DOWN_H     = 2,   // header bits that the nodes below read; may be 0
  // derived
  parameter UP         = (C_UP > 0) ? C_UP : 1,
  parameter BELOW      = 2 * C_DOWN,
  parameter UP_KEPT    = (UP_H > 0) ? UP_H : 1,
  parameter DOWN_KEPT  = (DOWN_H > 0) ? DOWN_H : 1,
  parameter UP_SEL     = $clog2(2 * C_DOWN),
  parameter DOWN_SEL   = (C_UP + C_DOWN > 1) ? $clog2(C_UP + C_DOWN) : 1
) (
  input  wire                       clk,
  input  wire                       rst,
  input  wire [BELOW-1:0]           up_valid_i,
  input  wire [BELOW*H-1:0]         up_header_i,
  input  wire [BELOW*W-1:0]         up_data_i,
  output wire [BELOW-1:0]           down_valid_o,
  output wire [BELOW*DOWN_KEPT-1:0] down_header_o,
  output wire [BELOW*W-1:0]         down_data_o,
  output wire [UP-1:0]              up_valid_o,
  output wire [UP*UP_KEPT-1:0]      up_header_o,
  output wire [UP*W-1:0]            up_data_o,
  input  wire [UP-1:0]              down_valid_i,
  input  wire [UP*H-1:0]            down_header_i,
  input  wire [UP*W-1:0]            down_data_i,
  input  wire [UP-1:0]              up_enable_i,
  input  wire [UP*UP_SEL-1:0]       up_select_i,
  input  wire [BELOW-1:0]           down_enable_i,
  input  wire [BELOW*DOWN_SEL-1:0]  down_select_i
);

  localparam [31:0] PLACE = POSITION;

  wire [BELOW*H-1:0] down_header;
  wire [UP*H-1:0]    up_header;
  wire [N_LOG:0]     up_lost, down_lost;

  lbbvn_node #(
    .CONTROL(CONTROL), .PIPELINE(1), .N_LOG(N_LOG), .LEVEL(LEVEL), .C_UP(C_UP),
    .C_DOWN(C_DOWN), .GROUPS(GROUPS), .TURN_DELAY(TURN_DELAY), .H(H), .W(W)
  ) u_node (
    .clk(clk), .rst(rst), .pos_i(PLACE[N_LOG-1:0]),
    .up_valid_i(up_valid_i), .up_header_i(up_header_i), .up_data_i(up_data_i),
    .down_valid_o(down_valid_o), .down_header_o(down_header), .down_data_o(down_data_o),
    .up_valid_o(up_valid_o), .up_header_o(up_header), .up_data_o(up_data_o),
    .down_valid_i(down_valid_i), .down_header_i(down_header_i), .down_data_i(down_data_i),
    .up_enable_i(up_enable_i), .up_select_i(up_select_i),
    .down_enable_i(down_enable_i), .down_select_i(down_select_i),
    .up_lost_o(up_lost), .down_lost_o(down_lost)
  );

  genvar i;
  generate
    for (i = 0; i < BELOW; i = i + 1) begin : gen_down
      if (DOWN_H > 0)
        assign down_header_o[i*DOWN_KEPT +: DOWN_KEPT] = down_header[i*H +: DOWN_KEPT];
      else            assign down_header_o[i] = 1'b0;
    end
    for (i = 0; i < UP; i = i + 1) begin : gen_up
      if (UP_H > 0) assign up_header_o[i*UP_KEPT +: UP_KEPT] = up_header[i*H +: UP_KEPT];
      else          assign up_header_o[i] = 1'b0;
    end
  endgenerate

endmodule

`default_nettype wire
