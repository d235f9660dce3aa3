// Copyright the fat-tree verification environment contributors
// SPDX-License-Identifier: Apache-2.0

`include "checks.vh"
`default_nettype none

// Virtual-channel (VC) allocation: packets at the heads of input VCs get VCs of their output ports.
//
// Contract: input VC i = port * VCS + v wants a VC of port_i.  An output port gives at most one VC a
// clock, to the winner of an arbiter over all input VCs that may have one that is free:
//   MODE "ANY":  any VC of the packet's class, one whose other end is empty if there is one;
//   MODE "KEEP": the VC of the same number, so that packets of one VC stay in order.
// CLASSES = 2 splits the VCs: the lower half for class 0 (requests), the upper for class 1 (replies).
// Of clocks in which it might have had a VC, nobody waits for more than PORTS * VCS - 1.  Where not
// all want the same VCs ("KEEP", two classes) that takes the order of least recent grants: a round
// robin would be turned past one whose VC is taken by wins of others who want another.
// Timing: combinational; the arbiters' states move with the clock.
//
// SWITCHES switches stand side by side, slice by slice.
module xgft_vc_allocator #(
  parameter SWITCHES = 1,                       // switches side by side
  parameter PORTS   = 8,                        // of each
  parameter VCS     = 2,                        // virtual channels a port
  parameter CLASSES = 1,                        // 1, 2
  parameter PORT_W  = 3,                        // bits of a port's number
  parameter [8*4-1:0]  MODE    = "ANY",         // "ANY", "KEEP"
  parameter [8*11-1:0] ARBITER = "ROUND_ROBIN"  // see arbiter; where all want the same VCs
) (
  input  wire                                 clk,
  input  wire                                 rst,
  input  wire [SWITCHES*PORTS*VCS-1:0]        want_i,
  input  wire [SWITCHES*PORTS*VCS*PORT_W-1:0] port_i,
  input  wire [SWITCHES*PORTS*VCS-1:0]        class_i,
  input  wire [SWITCHES*PORTS*VCS-1:0]        free_i,   // by output port and VC
  input  wire [SWITCHES*PORTS*VCS-1:0]        home_i,
  output reg  [SWITCHES*PORTS*VCS-1:0]        grant_o,  // by input VC
  output wire [SWITCHES*PORTS*VCS*VCS-1:0]    vc_o,     // by input VC: the VC granted, one-hot
  output reg  [SWITCHES*PORTS*VCS-1:0]        claim_o   // by output port and VC
);

  localparam INPUTS = PORTS * VCS;  // input VCs of a switch
  localparam HALF   = (CLASSES == 2) ? VCS / 2 : VCS;

  localparam [8*11-1:0] KIND = (MODE == "KEEP" || CLASSES == 2) ? "MATRIX" : ARBITER;

  localparam [VCS-1:0] ANY   = {VCS{1'b1}};
  localparam [VCS-1:0] UPPER = (CLASSES == 2) ? ANY << HALF : ANY;
  localparam [VCS-1:0] LOWER = (CLASSES == 2) ? ~UPPER : ANY;
  localparam [VCS-1:0] FIRST = 1;

  reg [SWITCHES*INPUTS*VCS-1:0]   choice;   // by input VC: the VC that it would get
  reg [SWITCHES*PORTS*INPUTS-1:0] request;  // by output port
  reg [SWITCHES*PORTS-1:0]        asked;

  // Of one switch at a time:
  integer                  s, i, p;
  reg [INPUTS-1:0]         want, reply, free, home;
  reg [INPUTS*PORT_W-1:0]  port;
  reg [INPUTS*VCS-1:0]     choices;
  reg [PORTS*INPUTS-1:0]   requests;
  reg [PORTS-1:0]          asks;
  reg [VCS-1:0]            open;
  always @* begin
    choice   = {(SWITCHES*INPUTS*VCS){1'b0}};
    request  = {(SWITCHES*PORTS*INPUTS){1'b0}};
    asked    = {(SWITCHES*PORTS){1'b0}};
    reply    = {INPUTS{1'b0}};
    free     = {INPUTS{1'b0}};
    home     = {INPUTS{1'b0}};
    port     = {(INPUTS*PORT_W){1'b0}};
    choices  = {(INPUTS*VCS){1'b0}};
    requests = {(PORTS*INPUTS){1'b0}};
    asks     = {PORTS{1'b0}};
    open     = {VCS{1'b0}};
    p        = 0;
    for (s = 0; s < SWITCHES; s = s + 1) begin
      want = want_i[s*INPUTS +: INPUTS];
      if (want != {INPUTS{1'b0}}) begin
        reply    = class_i[s*INPUTS +: INPUTS];
        free     = free_i[s*INPUTS +: INPUTS];
        home     = home_i[s*INPUTS +: INPUTS];
        port     = port_i[s*INPUTS*PORT_W +: INPUTS*PORT_W];
        choices  = {(INPUTS*VCS){1'b0}};
        requests = {(PORTS*INPUTS){1'b0}};
        asks     = {PORTS{1'b0}};
        for (i = 0; i < INPUTS; i = i + 1)
          if (want[i]) begin
            p    = {{(32-PORT_W){1'b0}}, port[i*PORT_W +: PORT_W]};
            open = free[p*VCS +: VCS] & (reply[i] ? UPPER : LOWER);
            if (MODE == "KEEP")
              open = open & (FIRST << (i % VCS));
            if (open != {VCS{1'b0}}) begin
              if ((open & home[p*VCS +: VCS]) != {VCS{1'b0}})
                open = open & home[p*VCS +: VCS];
              choices[i*VCS +: VCS]  = open & (~open + 1'b1);
              requests[p*INPUTS + i] = 1'b1;
              asks[p]                = 1'b1;
            end
          end
        choice [s*INPUTS*VCS +: INPUTS*VCS]     = choices;
        request[s*PORTS*INPUTS +: PORTS*INPUTS] = requests;
        asked  [s*PORTS +: PORTS]               = asks;
      end
    end
  end

  wire [SWITCHES*PORTS*INPUTS-1:0] winner;
  arbiter #(.COPIES(SWITCHES*PORTS), .R(INPUTS), .KIND(KIND)) u_arbiter (
    .clk(clk), .rst(rst), .request_i(request), .taken_i(asked), .grant_o(winner)
  );

  integer                r, o, w;
  reg [PORTS-1:0]        asks_r;
  reg [INPUTS-1:0]       wins, grants, claims;
  reg [INPUTS*VCS-1:0]   choices_r;
  always @* begin
    grant_o   = {(SWITCHES*INPUTS){1'b0}};
    claim_o   = {(SWITCHES*INPUTS){1'b0}};
    wins      = {INPUTS{1'b0}};
    grants    = {INPUTS{1'b0}};
    claims    = {INPUTS{1'b0}};
    choices_r = {(INPUTS*VCS){1'b0}};
    for (r = 0; r < SWITCHES; r = r + 1) begin
      asks_r = asked[r*PORTS +: PORTS];
      if (asks_r != {PORTS{1'b0}}) begin
        choices_r = choice[r*INPUTS*VCS +: INPUTS*VCS];
        grants    = {INPUTS{1'b0}};
        claims    = {INPUTS{1'b0}};
        for (o = 0; o < PORTS; o = o + 1)
          if (asks_r[o]) begin
            wins   = winner[(r*PORTS + o)*INPUTS +: INPUTS];
            grants = grants | wins;
            for (w = 0; w < INPUTS; w = w + 1)
              if (wins[w]) claims[o*VCS +: VCS] = choices_r[w*VCS +: VCS];
          end
        grant_o[r*INPUTS +: INPUTS] = grants;
        claim_o[r*INPUTS +: INPUTS] = claims;
      end
    end
  end

  assign vc_o = choice;

  `CHECK_PARAMETER(CLASSES == 1 || (CLASSES == 2 && VCS >= 2),
                   "CLASSES", CLASSES, "1, or 2 with VCS >= 2")
  `CHECK_CHOICE(MODE == "ANY" || MODE == "KEEP", "MODE", MODE, "ANY, KEEP")

endmodule

`default_nettype wire
