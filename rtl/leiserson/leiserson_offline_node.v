// Copyright the fat-tree verification environment contributors
// SPDX-License-Identifier: Apache-2.0

`timescale 1ns/1ns
`include "checks.vh"
`default_nettype none

// One node of a bit-serial fat-tree as Leiserson draws it for off-line use: three partial
// concentrators whose settings are worked out before a delivery cycle, nothing else.  It decides
// nothing, so messages carry no address; it acknowledges nothing, for nothing is lost.
//
// Contract: three ports of wires as of leiserson_node.  Input wires lead where the settings say:
// those from L and R to U and to the sibling, those from U to L and to R (offline_concentrator).
// Settings stand for a whole delivery cycle.
// Timing: combinational in constant depth; PIPELINE = 1 puts a register behind each output port.
//
// Vectors of both children hold L's wires first, at [0 +: C_DOWN].  Inputs of L and R: the
// sibling's wires first, then U's.
module leiserson_offline_node #(
  parameter C_UP     = 2,  // wires to the parent, each way
  parameter C_DOWN   = 1,  // wires to a child, each way
  parameter PIPELINE = 1,  // 0, 1: registers in each direction
  // derived
  parameter BELOW    = 2 * C_DOWN,     // wires of both children
  parameter BESIDE   = C_DOWN + C_UP,  // inputs of a down port
  parameter UP_SET_W = setting_bits(BELOW, C_UP, stage_count(BELOW, C_UP)),  // bits of settings
  // of a down port
  parameter DOWN_SET_W = setting_bits(BESIDE, C_DOWN, stage_count(BESIDE, C_DOWN))
) (
  input  wire                    clk,     // rising edge
  input  wire                    rst,     // synchronous: with PIPELINE = 1 bits inside are lost
  input  wire [BELOW-1:0]        up_i,    // bits from the children
  output wire [BELOW-1:0]        down_o,  // bits to the children
  output wire [C_UP-1:0]         up_o,    // bits to the parent
  input  wire [C_UP-1:0]         down_i,  // bits from the parent
  input  wire [UP_SET_W-1:0]     up_setting_i,   // of U, for a whole delivery cycle
  input  wire [2*DOWN_SET_W-1:0] down_setting_i  // of L, then R
);

  `include "partial_stages.vh"

  wire [C_UP-1:0]  up;
  wire [BELOW-1:0] down;

  offline_concentrator #(.R(BELOW), .S(C_UP)) u_up (
    .wire_i(up_i), .setting_i(up_setting_i), .wire_o(up)
  );
  offline_concentrator #(.R(BESIDE), .S(C_DOWN)) u_left (
    .wire_i({down_i, up_i[BELOW-1:C_DOWN]}), .setting_i(down_setting_i[DOWN_SET_W-1:0]),
    .wire_o(down[C_DOWN-1:0])
  );
  offline_concentrator #(.R(BESIDE), .S(C_DOWN)) u_right (
    .wire_i({down_i, up_i[C_DOWN-1:0]}), .setting_i(down_setting_i[2*DOWN_SET_W-1:DOWN_SET_W]),
    .wire_o(down[BELOW-1:C_DOWN])
  );

  // Apart: without registers a vector of both would look like a loop.
  delay_line #(.DEPTH(PIPELINE), .WIDTH(C_UP)) u_up_registers (
    .clk(clk), .rst(rst), .data_i(up), .data_o(up_o)
  );
  delay_line #(.DEPTH(PIPELINE), .WIDTH(BELOW)) u_down_registers (
    .clk(clk), .rst(rst), .data_i(down), .data_o(down_o)
  );

  `CHECK_PARAMETER(PIPELINE == 0 || PIPELINE == 1, "PIPELINE", PIPELINE, "0 or 1")

endmodule

`default_nettype wire
