// Copyright the fat-tree verification environment contributors
// SPDX-License-Identifier: Apache-2.0

`include "checks.vh"
`default_nettype none

// Output ports of one kind of all nodes of a level, side by side: Fig. 3 of Leiserson's paper
// without the selector, which the two ports of an input share (leiserson_node).
//
// Contract: ask_i says that the message of an input wire, whose address bit is on the wire in this
// clock, goes to this port.  CONCENTRATOR = "IDEAL": the request is made at once.  "PARTIAL": the
// message carries three decision bits a stage behind its address bit; the request is made when
// they are all there, and they are stripped as the address bit is.  The next bits of the message
// follow its M bit on the wire that it was given; no wire, no message.
// Timing: from an M bit on wire_i to the M bit on wire_o 1 + 3 stages + PIPELINE clocks.
module leiserson_port #(
  parameter COPIES   = 1,                         // nodes, or children of nodes
  parameter R        = 4,                         // input wires of each
  parameter S        = 2,                         // output wires of each
  parameter [8*7-1:0] CONCENTRATOR = "IDEAL",     // "IDEAL", "PARTIAL"
  parameter [8*8-1:0] PRIORITY     = "FIXED",     // "FIXED", "ROTATING"
  parameter PIPELINE = 1,                         // 0, 1
  parameter LOST_W   = 8                          // bits of the count of lost messages
) (
  input  wire                clk,
  input  wire                clear_i,    // a delivery cycle begins: all wires are free
  input  wire                restart_i,  // with clear_i: it is the first one
  input  wire [COPIES*R-1:0] ask_i,
  input  wire [COPIES*R-1:0] wire_i,
  output wire [COPIES*S-1:0] wire_o,
  input  wire [COPIES*S-1:0] ack_i,
  output wire [COPIES*R-1:0] ack_o,
  output wire [LOST_W-1:0]   lost_o
);

  generate
    if (CONCENTRATOR == "PARTIAL") begin : gen_partial
      partial_concentrator_switch #(
        .COPIES(COPIES), .R(R), .S(S), .PRIORITY(PRIORITY), .PIPELINE(PIPELINE), .LOST_W(LOST_W)
      ) u_switch (
        .clk(clk), .clear_i(clear_i), .restart_i(restart_i), .ask_i(ask_i),
        .wire_i(wire_i), .wire_o(wire_o), .ack_i(ack_i), .ack_o(ack_o), .lost_o(lost_o)
      );
    end else begin : gen_ideal
      concentrator_switch #(
        .COPIES(COPIES), .R(R), .S(S), .PRIORITY(PRIORITY), .PIPELINE(PIPELINE), .LOST_W(LOST_W)
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
