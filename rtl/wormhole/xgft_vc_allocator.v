// Copyright the fat-tree verification environment contributors
// SPDX-License-Identifier: Apache-2.0

`timescale 1ns/1ns
`include "checks.vh"
`default_nettype none

// Virtual-channel (VC) allocation: packets at the heads of input VCs get VCs of their output ports.
//
// Contract: input VC i = port * VCS + v wants a VC of port_i.  An output port gives at most one VC
// a clock, to the winner of an arbiter over all input VCs that may have one that is free:
//   MODE "ANY":  any VC of the packet's class, one whose other end is empty if there is one;
//   MODE "KEEP": the VC of the same number, so that packets of one VC stay in order.
// CLASSES = 2 splits the VCs: the lower half for class 0 (requests), the upper for 1 (replies).
// Of clocks in which it might have had a VC, a packet waits for at most INS * VCS - 1.  Where not
// all want the same VCs ("KEEP", two classes) that takes the order of least recent grants: a round
// robin would be turned past one whose VC is taken by wins of others who want another.
// Timing: combinational; the arbiters' states move with the clock.
module xgft_vc_allocator #(
  parameter INS     = 8,                        // input ports
  parameter OUTS    = 8,                        // output ports
  parameter VCS     = 2,                        // virtual channels a port
  parameter CLASSES = 1,                        // 1, 2
  parameter PORT_W  = 3,                        // bits of a port's number
  parameter [8*4-1:0]  MODE    = "ANY",         // "ANY", "KEEP"
  parameter [8*11-1:0] ARBITER = "ROUND_ROBIN"  // "ROUND_ROBIN"; "MATRIX", as with KEEP
) (
  input  wire                      clk,      // rising edge
  input  wire                      rst,      // synchronous: arbiters as after power-up
  input  wire [INS*VCS-1:0]        want_i,   // by input VC: its packet wants a VC
  input  wire [INS*VCS*PORT_W-1:0] port_i,   // by input VC: of this output port
  input  wire [INS*VCS-1:0]        class_i,  // by input VC: the packet's class
  input  wire [OUTS*VCS-1:0]       free_i,   // by output port and VC: no packet holds it
  input  wire [OUTS*VCS-1:0]       home_i,   // by output port and VC: its other end is empty
  output reg  [INS*VCS-1:0]        grant_o,  // by input VC: it gets one
  output reg  [INS*VCS*VCS-1:0]    vc_o,     // by input VC with grant_o: that one, one-hot
  output reg  [OUTS*VCS-1:0]       claim_o   // by output port and VC: it is given
);

  localparam INPUTS = INS * VCS;
  localparam HALF   = (CLASSES == 2) ? VCS / 2 : VCS;

  localparam [8*11-1:0] KIND = (MODE == "KEEP" || CLASSES == 2) ? "MATRIX" : ARBITER;

  localparam [VCS-1:0] ANY   = {VCS{1'b1}};
  localparam [VCS-1:0] UPPER = (CLASSES == 2) ? ANY << HALF : ANY;
  localparam [VCS-1:0] LOWER = (CLASSES == 2) ? ~UPPER : ANY;
  localparam [VCS-1:0] FIRST = 1;

  reg [OUTS*INPUTS-1:0] request;  // by output port
  reg [OUTS-1:0]        asked;    // someone may have a VC of this port
  always @* begin : choose
    integer       i, p;
    reg [VCS-1:0] open, empty;
    vc_o    = {(INPUTS*VCS){1'b0}};
    request = {(OUTS*INPUTS){1'b0}};
    asked   = {OUTS{1'b0}};
    open    = {VCS{1'b0}};
    empty   = {VCS{1'b0}};
    p       = 0;
    if (want_i != {INPUTS{1'b0}})
      for (i = 0; i < INPUTS; i = i + 1)
        if (want_i[i]) begin
          p    = {{(32-PORT_W){1'b0}}, port_i[i*PORT_W +: PORT_W]};
          open = free_i[p*VCS +: VCS] & (class_i[i] ? UPPER : LOWER);
          if (MODE == "KEEP") open = open & (FIRST << (i % VCS));
          empty = open & home_i[p*VCS +: VCS];
          if (empty != {VCS{1'b0}}) open = empty;
          if (open != {VCS{1'b0}}) begin
            vc_o[i*VCS +: VCS]    = open & (~open + 1'b1);
            request[p*INPUTS + i] = 1'b1;
            asked[p]              = 1'b1;
          end
        end
  end

  wire [OUTS*INPUTS-1:0] winner;  // by output port
  genvar g;
  generate
    for (g = 0; g < OUTS; g = g + 1) begin : gen_port
      arbiter #(.R(INPUTS), .KIND(KIND)) u_arbiter (
        .clk(clk), .rst(rst), .request_i(request[g*INPUTS +: INPUTS]), .taken_i(asked[g]),
        .grant_o(winner[g*INPUTS +: INPUTS])
      );
    end
  endgenerate

  always @* begin : give
    integer o, w;
    grant_o = {INPUTS{1'b0}};
    claim_o = {(OUTS*VCS){1'b0}};
    w       = 0;
    for (o = 0; o < OUTS; o = o + 1)
      if (asked[o]) begin
        grant_o = grant_o | winner[o*INPUTS +: INPUTS];
        for (w = 0; w < INPUTS; w = w + 1)
          if (winner[o*INPUTS + w]) claim_o[o*VCS +: VCS] = vc_o[w*VCS +: VCS];
      end
  end

  `CHECK_SHARED(clk, rst, (winner & ~request) == {(OUTS*INPUTS){1'b0}},
                "a grant without a request")

  `CHECK_PARAMETER(CLASSES == 1 || (CLASSES == 2 && VCS >= 2),
                   "CLASSES", CLASSES, "1, or 2 with VCS >= 2")
  `CHECK_CHOICE(MODE == "ANY" || MODE == "KEEP", "MODE", MODE, "ANY, KEEP")

endmodule

`default_nettype wire
