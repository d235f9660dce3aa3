// Copyright the fat-tree verification environment contributors
// SPDX-License-Identifier: Apache-2.0

`timescale 1ns/1ns
`include "checks.vh"
`default_nettype none

// One output port of a node: Fig. 3 of Leiserson's paper without the selector, which the two ports
// of an input share (leiserson_node).
//
// Contract: ask_i says that the message of an input wire, whose address bit is on the wire in this
// clock, goes to this port.  CONCENTRATOR = "IDEAL": the request is made at once.  "PARTIAL": the
// message carries three decision bits a stage behind its address bit; the request is made when
// they are all there, and they are stripped as the address bit is.  The next bits of the message
// follow its M bit on the wire that it was given; no wire, no message.
// Timing: from an M bit on wire_i to the M bit on wire_o 1 + 3 stages + PIPELINE clocks.
module leiserson_port #(
  parameter [8*8-1:0] FORM = "HARDWARE",       // "HARDWARE", "FAST": of concentrator_switch
  parameter R        = 4,                      // input wires
  parameter S        = 2,                      // output wires
  parameter [8*7-1:0] CONCENTRATOR = "IDEAL",  // "IDEAL", "PARTIAL"
  parameter [8*8-1:0] PRIORITY     = "FIXED",  // "FIXED", "ROTATING"
  parameter PIPELINE = 1,                      // 0, 1: registers in each direction
  parameter LOST_W   = $clog2(R + 1)           // bits of the count of lost messages
) (
  input  wire              clk,        // rising edge
  input  wire              clear_i,    // a delivery cycle begins: all wires are free
  input  wire              restart_i,  // with clear_i: it is the first one
  input  wire [R-1:0]      ask_i,      // the message of wire i goes to this port
  input  wire [R-1:0]      wire_i,     // bits of the messages
  output wire [S-1:0]      wire_o,     // bits of those that have a path
  input  wire [S-1:0]      ack_i,      // acknowledges from where wire_o leads
  output wire [R-1:0]      ack_o,      // acknowledges to where wire_i comes from
  output wire [LOST_W-1:0] lost_o      // messages that found no wire in this clock
);

  generate
    if (CONCENTRATOR == "PARTIAL") begin : gen_partial
      partial_concentrator_switch #(
        .R(R), .S(S), .PRIORITY(PRIORITY), .PIPELINE(PIPELINE), .LOST_W(LOST_W)
      ) u_switch (
        .clk(clk), .clear_i(clear_i), .restart_i(restart_i), .ask_i(ask_i),
        .wire_i(wire_i), .wire_o(wire_o), .ack_i(ack_i), .ack_o(ack_o), .lost_o(lost_o)
      );
    end else begin : gen_ideal
      concentrator_switch #(
        .FORM(FORM), .R(R), .S(S), .PRIORITY(PRIORITY), .PIPELINE(PIPELINE), .LOST_W(LOST_W)
      ) u_switch (
        .clk(clk), .clear_i(clear_i), .restart_i(restart_i), .request_i(ask_i),
        .wire_i(wire_i), .wire_o(wire_o), .ack_i(ack_i), .ack_o(ack_o), .lost_o(lost_o)
      );
    end
  endgenerate

  `CHECK_CHOICE(CONCENTRATOR == "IDEAL" || CONCENTRATOR == "PARTIAL",
                "CONCENTRATOR", CONCENTRATOR, "IDEAL, PARTIAL")

endmodule

`default_nettype wire
