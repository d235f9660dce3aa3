// Copyright the fat-tree verification environment contributors
// SPDX-License-Identifier: Apache-2.0

`timescale 1ns/1ns
`include "checks.vh"
`default_nettype none

// An output port of a node: control, crossbar and output register.
//
// Contract: CONTROL = "SELF": the inputs that ask are allotted lanes 0, 1, 2 ... in their order;
// those beyond S are lost and counted.  CONTROL = "SCHEDULED": select_i and enable_i name the input
// of each lane; nothing is counted here.  Idle lanes carry zeros.
// Timing: combinational, or one clock when PIPELINE = 1.
module lbbvn_port #(
  parameter FORM     = "HARDWARE",              // "HARDWARE", "FAST": of packet_concentrator
  parameter CONTROL  = "SELF",                  // "SELF", "SCHEDULED"
  parameter PIPELINE = 1,                       // 1: registered outputs
  parameter R        = 4,                       // input lanes, >= 1
  parameter S        = 2,                       // output lanes, >= 1
  parameter H        = 4,                       // header bits of a lane, >= 1
  parameter W        = 32,                      // data bits of a lane, >= 1
  parameter LOST_W   = $clog2(R + 1),           // bits of the count of losses
  parameter SELECT_W = (R > 1) ? $clog2(R) : 1  // derived
) (
  input  wire                  clk,       // rising edge
  input  wire                  rst,       // synchronous: with PIPELINE = 1 outputs go to zero
  input  wire [R-1:0]          ask_i,     // a packet is there and, SELF, wants this port
  input  wire [R*H-1:0]        header_i,  // SELF: its header
  input  wire [R*W-1:0]        data_i,    // by input: payload of that packet
  input  wire [S-1:0]          enable_i,  // SCHEDULED: the lane is fed ...
  input  wire [S*SELECT_W-1:0] select_i,  // SCHEDULED: ... by this input
  output wire [S-1:0]          valid_o,   // the lane has a packet
  output wire [S*H-1:0]        header_o,  // its header; SCHEDULED: zero
  output wire [S*W-1:0]        data_o,    // by lane: payload; zero when idle
  output wire [LOST_W-1:0]     lost_o     // inputs of this slot that asked and found no lane
);

  wire [S-1:0]   valid;
  wire [S*W-1:0] data;

  generate
    if (CONTROL == "SELF") begin : gen_self
      wire [S*H-1:0] header;
      wire unused = &{1'b0, enable_i, select_i};

      packet_concentrator #(.FORM(FORM), .R(R), .S(S), .H(H), .W(W), .LOST_W(LOST_W)) u_packets (
        .valid_i(ask_i), .header_i(header_i), .data_i(data_i),
        .valid_o(valid), .header_o(header), .data_o(data), .lost_o(lost_o)
      );
      delay_line #(.DEPTH(PIPELINE), .WIDTH(S*H)) u_header_q (
        .clk(clk), .rst(rst), .data_i(header), .data_o(header_o)
      );
    end else begin : gen_scheduled
      wire unused = &{1'b0, header_i};

      assign lost_o   = {LOST_W{1'b0}};
      assign header_o = {(S*H){1'b0}};
      crossbar #(.R(R), .S(S), .W(1)) u_valid (
        .data_i(ask_i), .enable_i(enable_i), .select_i(select_i), .data_o(valid)
      );
      crossbar #(.R(R), .S(S), .W(W)) u_data (
        .data_i(data_i), .enable_i(enable_i), .select_i(select_i), .data_o(data)
      );
    end
  endgenerate

  delay_line #(.DEPTH(PIPELINE), .WIDTH(S)) u_valid_q (
    .clk(clk), .rst(rst), .data_i(valid), .data_o(valid_o)
  );
  delay_line #(.DEPTH(PIPELINE), .WIDTH(S*W)) u_data_q (
    .clk(clk), .rst(rst), .data_i(data), .data_o(data_o)
  );

endmodule

`default_nettype wire
