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
  parameter [8*11-1:0] ARBITER = "ROUND_ROBIN"  // see arbiter
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

  localparam INPUTS = PORTS * VCS;       // input VCs of a switch
  localparam ALL    = SWITCHES * INPUTS;
  localparam LINKS  = SWITCHES * PORTS;
  localparam HALF   = (CLASSES == 2) ? VCS / 2 : VCS;

  localparam [VCS-1:0] ANY   = {VCS{1'b1}};
  localparam [VCS-1:0] UPPER = (CLASSES == 2) ? ANY << HALF : ANY;
  localparam [VCS-1:0] LOWER = (CLASSES == 2) ? ~UPPER : ANY;
  localparam [VCS-1:0] FIRST = 1;

  // The output port, among those of all switches, that input VC i names.
  function integer link(input integer i, input [PORT_W-1:0] port);
    link = i / INPUTS * PORTS + {{(32-PORT_W){1'b0}}, port};
  endfunction

  reg [ALL*VCS-1:0]      choice;   // by input VC: the VC that it would get
  reg [LINKS*INPUTS-1:0] request;  // by output port
  reg [LINKS-1:0]        asked;

  integer         i, p;
  reg [VCS-1:0]   open;
  always @* begin
    choice  = {(ALL*VCS){1'b0}};
    request = {(LINKS*INPUTS){1'b0}};
    asked   = {LINKS{1'b0}};
    open    = {VCS{1'b0}};
    p       = 0;
    for (i = 0; i < ALL; i = i + 1)
      if (want_i[i]) begin
        p    = link(i, port_i[i*PORT_W +: PORT_W]);
        open = free_i[p*VCS +: VCS] & (class_i[i] ? UPPER : LOWER);
        if (MODE == "KEEP")
          open = open & (FIRST << (i % VCS));
        if (open != {VCS{1'b0}}) begin
          if ((open & home_i[p*VCS +: VCS]) != {VCS{1'b0}})
            open = open & home_i[p*VCS +: VCS];
          choice[i*VCS +: VCS]           = open & (~open + 1'b1);
          request[p*INPUTS + i % INPUTS] = 1'b1;
          asked[p]                       = 1'b1;
        end
      end
  end

  wire [LINKS*INPUTS-1:0] winner;
  arbiter #(.COPIES(LINKS), .R(INPUTS), .KIND(ARBITER)) u_arbiter (
    .clk(clk), .rst(rst), .request_i(request), .taken_i(asked), .grant_o(winner)
  );

  integer j, q;
  always @* begin
    grant_o = {ALL{1'b0}};
    claim_o = {ALL{1'b0}};
    q       = 0;
    for (j = 0; j < ALL; j = j + 1)
      if (want_i[j]) begin
        q = link(j, port_i[j*PORT_W +: PORT_W]);
        if (winner[q*INPUTS + j % INPUTS]) begin
          grant_o[j] = 1'b1;
          claim_o[q*VCS +: VCS] = choice[j*VCS +: VCS];
        end
      end
  end

  assign vc_o = choice;

  `CHECK_PARAMETER(CLASSES == 1 || (CLASSES == 2 && VCS >= 2), "CLASSES", CLASSES)
  `CHECK_CHOICE(MODE == "ANY" || MODE == "KEEP", "MODE", MODE)

endmodule

`default_nettype wire
