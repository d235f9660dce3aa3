// Copyright the fat-tree verification environment contributors
// SPDX-License-Identifier: Apache-2.0

`timescale 1ns/1ns
`default_nettype none

// Which packets an input port of a switch discards: a flit a clock, up to the tail.
//
// Contract: a packet that holds a VC of a dead port, whose choice is dead, or that came from a
// parent and is led up again, is discarded.  begin_o: it is a head without a VC, which becomes as
// one that is granted, but has none.  drop_o: the flit at the front leaves.  busy_o: a packet is
// being discarded, and does not ask for anything.
// Timing: combinational, from the clock in which the port is known to be dead on.
//
// Slice v of vectors is of VC v.
module faulty_discard #(
  parameter VCS    = 2,  // virtual channels (VCs)
  parameter PORTS  = 8,  // output ports
  parameter PORT_W = 3,  // bits of a port's number
  parameter DOWN   = 4,  // output ports below
  parameter ABOVE  = 0   // 1: what comes in is from a parent
) (
  input  wire                  clk,       // acts at its rising edges
  input  wire                  rst,       // synchronous: nothing is discarded
  input  wire [PORTS-1:0]      known_i,   // by output port: it is dead
  input  wire [VCS-1:0]        present_i, // by VC: a flit is at the front
  input  wire [VCS-1:0]        tail_i,    // which ends its packet
  input  wire [VCS-1:0]        active_i,  // its packet has a VC
  input  wire [VCS-1:0]        ask_i,     // it asks for a route
  input  wire [VCS*PORT_W-1:0] route_i,   // the output port, for those that ask
  input  wire [VCS*PORT_W-1:0] port_i,    // the port that it has, or had
  output wire [VCS-1:0]        begin_o,   // a head without a VC is discarded
  output wire [VCS-1:0]        drop_o,    // the flit at the front leaves
  output wire [VCS-1:0]        busy_o     // a packet is being discarded
);

  reg  [VCS-1:0] discard_q;
  wire [VCS-1:0] holds, searching;  // a VC of a dead port; a head without a VC

  assign searching = present_i & ~active_i;
  assign busy_o    = discard_q | holds | begin_o;
  assign drop_o    = busy_o & present_i;

  always @(posedge clk) discard_q <= rst ? {VCS{1'b0}} : busy_o & ~(drop_o & tail_i);

  genvar v;
  generate
    for (v = 0; v < VCS; v = v + 1) begin : gen_vc
      wire [PORT_W-1:0] port   = port_i[v*PORT_W +: PORT_W];
      wire [PORT_W-1:0] choice = ask_i[v] ? route_i[v*PORT_W +: PORT_W] : port;
      wire              turned = (ABOVE == 1) && {{(32-PORT_W){1'b0}}, choice} >= DOWN;
      assign holds[v]   = active_i[v] & known_i[port];
      assign begin_o[v] = searching[v] & (known_i[choice] | turned);
    end
  endgenerate

endmodule

`default_nettype wire
