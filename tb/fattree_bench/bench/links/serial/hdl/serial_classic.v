// Copyright the fat-tree verification environment contributors
// SPDX-License-Identifier: Apache-2.0

`timescale 1ns/1ns
`default_nettype none

// Stands in place of a serial_player, with its ports and those of a receiver: the signals serial_*
// are for an agent that moves message by message and drives the clock.
module serial_classic #(
  parameter WIRES   = 4,   // senders, and as many receivers
  parameter FRAME_W = 40,  // bits of a message
  parameter WIDTH   = 32,  // data bits of it
  parameter STATE_W = 64,  // bits of all counters
  parameter SETTING_W = 1  // bits of the settings of all nodes
) (
  input  wire                     clk,      // the agent's own
  output wire                     busy_o,   // never: no clock runs by itself
  output wire                     rst_o,
  output wire                     again_o,    // never
  output wire                     restart_o,
  output wire                     once_o,
  output wire [31:0]              seed_o,
  input  wire                     load_i,
  input  wire                     last_i,
  output wire [WIRES-1:0]         offer_valid_o,
  output wire [WIRES*FRAME_W-1:0] offer_o,
  output wire [WIRES*16-1:0]      waiting_o,
  output wire [SETTING_W-1:0]     setting_o,
  input  wire [WIRES-1:0]         take_i,
  // what the network tells in the last clock of a delivery cycle
  input  wire [WIRES-1:0]         sent_i,
  input  wire [WIRES-1:0]         acked_i,
  input  wire [WIRES*16-1:0]      ack_tick_i,
  input  wire [WIRES-1:0]         arrived_i,
  input  wire [WIRES*16-1:0]      tick_i,
  input  wire [WIRES*WIDTH-1:0]   data_i,
  input  wire [WIRES-1:0]         trailing_i,
  input  wire [STATE_W-1:0]       state_i
);

  reg                     serial_rst         = 1'b0;
  reg                     serial_restart     = 1'b0;
  reg                     serial_once        = 1'b0;
  reg [31:0]              serial_seed        = 32'd0;
  reg [WIRES-1:0]         serial_offer_valid = {WIRES{1'b0}};
  reg [WIRES*FRAME_W-1:0] serial_offer       = {(WIRES*FRAME_W){1'b0}};
  reg [WIRES*16-1:0]      serial_waiting     = {(WIRES*16){1'b0}};
  reg [SETTING_W-1:0]     serial_setting     = {SETTING_W{1'b0}};

  wire                   serial_load     = load_i;
  wire                   serial_last     = last_i;
  wire [WIRES-1:0]       serial_take     = take_i;
  wire [WIRES-1:0]       serial_sent     = sent_i;
  wire [WIRES-1:0]       serial_acked    = acked_i;
  wire [WIRES*16-1:0]    serial_ack_tick = ack_tick_i;
  wire [WIRES-1:0]       serial_arrived  = arrived_i;
  wire [WIRES*16-1:0]    serial_tick     = tick_i;
  wire [WIRES*WIDTH-1:0] serial_data     = data_i;
  wire [WIRES-1:0]       serial_trailing = trailing_i;
  wire [STATE_W-1:0]     serial_state    = state_i;

  assign busy_o        = 1'b0;
  assign rst_o         = serial_rst;
  assign again_o       = 1'b0;
  assign restart_o     = serial_restart;
  assign once_o        = serial_once;
  assign seed_o        = serial_seed;
  assign offer_valid_o = serial_offer_valid;
  assign offer_o       = serial_offer;
  assign waiting_o     = serial_waiting;
  assign setting_o     = serial_setting;

  wire unused = &{1'b0, clk};

endmodule

`default_nettype wire
