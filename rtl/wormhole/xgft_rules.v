// Copyright the fat-tree verification environment contributors
// SPDX-License-Identifier: Apache-2.0

`timescale 1ns/1ns
`include "checks.vh"
`default_nettype none

// What may never happen in a switch: checks, for simulation.
//
// Vectors by input or output VC: port by port.  What comes in at ports from ABOVE on goes out at
// ports below LOW.
module xgft_rules #(
  parameter INS    = 8,  // input ports
  parameter OUTS   = 8,  // output ports
  parameter ABOVE  = 4,  // the first input port from which packets may not go up
  parameter LOW    = 4,  // output ports that lead down
  parameter VCS    = 2,  // virtual channels (VCs) a port
  parameter PORT_W = 3   // bits of a port's number
) (
  input wire                      clk,       // rising edge
  input wire                      rst,       // synchronous: nothing is checked
  input wire [INS*VCS-1:0]        want_i,    // by input VC: its packet wants a VC
  input wire [INS*VCS*PORT_W-1:0] port_i,    // by input VC: of this output port
  input wire [OUTS*VCS-1:0]       free_i,    // by output VC: no packet holds it
  input wire [OUTS*VCS-1:0]       claim_i,   // by output VC: a packet gets it
  input wire [OUTS*VCS-1:0]       send_i,    // by output VC: a flit goes
  input wire [OUTS*VCS-1:0]       ready_i,   // by output VC: it has a credit
  input wire [OUTS*VCS-1:0]       home_i,    // by output VC: all credits are here
  input wire [OUTS*VCS-1:0]       credit_i   // by output VC: a credit comes back
);

  localparam                NUMBER_W = 32 - PORT_W;
  localparam [OUTS*VCS-1:0] NONE     = {(OUTS*VCS){1'b0}};

  `CHECK_SHARED(clk, rst, (send_i & ~ready_i) == NONE, "a flit was sent without a credit")
  `CHECK_SHARED(clk, rst, (credit_i & home_i) == NONE, "a credit came back twice")
  `CHECK_SHARED(clk, rst, (claim_i & ~free_i) == NONE, "a virtual channel was given to two")
  `CHECK_SHARED(clk, rst, (send_i & free_i & ~claim_i) == NONE,
                "a flit was sent in a virtual channel that no packet holds")

  reg astray, turned;
  always @* begin : look
    integer i;
    i      = 0;
    astray = 1'b0;
    turned = 1'b0;
    if (want_i != {(INS*VCS){1'b0}})
      for (i = 0; i < INS * VCS; i = i + 1)
        if (want_i[i]) begin
          astray = astray | ({{NUMBER_W{1'b0}}, port_i[i*PORT_W +: PORT_W]} >= OUTS);
          turned = turned | (i >= ABOVE * VCS
                             && {{NUMBER_W{1'b0}}, port_i[i*PORT_W +: PORT_W]} >= LOW);
        end
  end
  `CHECK_SHARED(clk, rst, !astray, "a packet was sent to a port that is not there")
  `CHECK_SHARED(clk, rst, !turned, "a packet turned up after it went down")

endmodule

`default_nettype wire
