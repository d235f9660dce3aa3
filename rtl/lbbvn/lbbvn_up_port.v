// Copyright the fat-tree verification environment contributors
// SPDX-License-Identifier: Apache-2.0

`timescale 1ns/1ns
`include "checks.vh"
`default_nettype none

// The way up through a node: who leaves upward, who turns, and the port to the parent.
//
// Contract: SELF: a packet leaves upward when its destination lies outside this node's subtree,
// else it turns.  SCHEDULED: settings name what leaves; every packet may turn.
// With GROUPS > 1 (static upper half) the port is split into GROUPS equal parts; part g takes only
// packets for the node whose index is this node's XOR (g + 1).
// Timing: turning_o is combinational, the port as lbbvn_port.
module lbbvn_up_port #(
  parameter FORM     = "HARDWARE",  // "HARDWARE", "FAST": of packet_concentrator
  parameter CONTROL  = "SELF",      // "SELF", "SCHEDULED"
  parameter PIPELINE = 1,           // 1: registered outputs
  parameter N_LOG    = 4,           // n: the tree has 2^n leaves
  parameter LEVEL    = 1,           // of the node
  parameter C_UP     = 4,           // lanes to the parent; 0: there is none
  parameter GROUPS   = 1,           // parts of the port
  parameter R        = 6,           // lanes from both children
  parameter H        = 4,           // header bits of a lane
  parameter W        = 32,          // data bits of a lane
  // derived
  parameter UP       = (C_UP > 0) ? C_UP : 1,  // vectors are never empty
  parameter SELECT_W = $clog2(R)               // bits that select an input
) (
  input  wire                   clk,        // rising edge
  input  wire                   rst,        // synchronous: with PIPELINE = 1 outputs go to zero
  input  wire [N_LOG-1:0]       pos_i,      // index of the node in its level
  input  wire [R-1:0]           valid_i,    // from the children: a packet is there
  input  wire [R*H-1:0]         header_i,   // SELF: its destination
  input  wire [R*W-1:0]         data_i,     // by lane: payload of that packet
  input  wire [UP-1:0]          enable_i,   // SCHEDULED: the lane is fed ...
  input  wire [UP*SELECT_W-1:0] select_i,   // SCHEDULED: ... by this input
  output wire [UP-1:0]          valid_o,    // to the parent: a packet is there
  output wire [UP*H-1:0]        header_o,   // by lane: header; zero when idle
  output wire [UP*W-1:0]        data_o,     // by lane: payload; zero when idle
  output wire [R-1:0]           turning_o,  // packets that may go down from here
  output wire [N_LOG:0]         lost_o      // SELF: found no lane in this clock
);

  localparam FIELD = N_LOG - LEVEL;  // destination bits from here on name a node of this level
  localparam SHARE = UP / GROUPS;    // lanes of a part

  wire [GROUPS*R-1:0]         ask;   // by part
  wire [GROUPS*(N_LOG+1)-1:0] lost;

  genvar g;
  generate
    if (CONTROL == "SELF" && LEVEL > 0) begin : gen_self
      wire               unused = &{1'b0, pos_i};
      reg [R-1:0]        outside;  // the destination is not in this subtree
      reg [GROUPS*R-1:0] wants;
      reg [LEVEL-1:0]    away;     // destination's node XOR this one
      integer            i, p;
      always @* begin
        away  = {LEVEL{1'b0}};
        wants = {(GROUPS*R){1'b0}};
        for (i = 0; i < R; i = i + 1) begin
          away       = header_i[i*H + FIELD +: LEVEL] ^ pos_i[LEVEL-1:0];
          outside[i] = away != {LEVEL{1'b0}};
          for (p = 0; p < GROUPS; p = p + 1)
            wants[p*R + i] = valid_i[i] && outside[i]
                           && (GROUPS == 1 || {{(32-LEVEL){1'b0}}, away} == p + 1);
        end
      end
      assign ask       = wants;
      assign turning_o = valid_i & ~outside;
    end else begin : gen_all
      wire unused = &{1'b0, pos_i};
      assign ask       = {GROUPS{valid_i}};
      assign turning_o = valid_i;
    end

    if (C_UP > 0) begin : gen_port
      for (g = 0; g < GROUPS; g = g + 1) begin : gen_part
        lbbvn_port #(
          .FORM(FORM), .CONTROL(CONTROL), .PIPELINE(PIPELINE),
          .R(R), .S(SHARE), .H(H), .W(W), .LOST_W(N_LOG + 1)
        ) u_port (
          .clk(clk), .rst(rst), .ask_i(ask[g*R +: R]), .header_i(header_i), .data_i(data_i),
          .enable_i(enable_i[g*SHARE +: SHARE]),
          .select_i(select_i[g*SHARE*SELECT_W +: SHARE*SELECT_W]),
          .valid_o(valid_o[g*SHARE +: SHARE]), .header_o(header_o[g*SHARE*H +: SHARE*H]),
          .data_o(data_o[g*SHARE*W +: SHARE*W]), .lost_o(lost[g*(N_LOG+1) +: N_LOG+1])
        );
      end
    end else begin : gen_root
      wire unused = &{1'b0, clk, rst, ask, header_i, data_i, enable_i, select_i};
      assign valid_o  = {UP{1'b0}};
      assign header_o = {(UP*H){1'b0}};
      assign data_o   = {(UP*W){1'b0}};
      assign lost     = {(GROUPS*(N_LOG+1)){1'b0}};
    end
  endgenerate

  sum_of #(.TERMS(GROUPS), .TERM_W(N_LOG + 1), .SUM_W(N_LOG + 1)) u_lost (
    .terms_i(lost), .sum_o(lost_o)
  );

endmodule

`default_nettype wire
