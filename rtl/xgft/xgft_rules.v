// Copyright the fat-tree verification environment contributors
// SPDX-License-Identifier: Apache-2.0

`timescale 1ns/1ns
`include "checks.vh"
`default_nettype none

// What may never happen in a switch: checks, for simulation.
//
// Vectors by input or output VC: port by port, children first.
module xgft_rules #(
  parameter DOWN   = 4,  // children
  parameter PORTS  = 8,  // each way
  parameter VCS    = 2,  // virtual channels (VCs) a port
  parameter PORT_W = 3   // bits of a port's number
) (
  input wire                        clk,       // rising edge
  input wire                        rst,       // synchronous
  input wire [PORTS*VCS-1:0]        want_i,    // by input VC: its packet wants a VC
  input wire [PORTS*VCS*PORT_W-1:0] port_i,    // by input VC: of this output port
  input wire [PORTS*VCS-1:0]        free_i,    // by output VC: no packet holds it
  input wire [PORTS*VCS-1:0]        claim_i,   // by output VC: a packet gets it
  input wire [PORTS*VCS-1:0]        send_i,    // by output VC: a flit goes
  input wire [PORTS*VCS-1:0]        ready_i,   // by output VC: it has a credit
  input wire [PORTS*VCS-1:0]        home_i,    // by output VC: all credits are here
  input wire [PORTS*VCS-1:0]        credit_i   // by output VC: a credit comes back
);

  localparam                 NUMBER_W = 32 - PORT_W;
  localparam [PORTS*VCS-1:0] NONE     = {(PORTS*VCS){1'b0}};

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
    if (want_i != NONE)
      for (i = 0; i < PORTS * VCS; i = i + 1)
        if (want_i[i]) begin
          astray = astray | ({{NUMBER_W{1'b0}}, port_i[i*PORT_W +: PORT_W]} >= PORTS);
          turned = turned | (i >= DOWN * VCS
                             && {{NUMBER_W{1'b0}}, port_i[i*PORT_W +: PORT_W]} >= DOWN);
        end
  end
  `CHECK_SHARED(clk, rst, !astray, "a packet was sent to a port that is not there")
  `CHECK_SHARED(clk, rst, !turned, "a packet turned up after it went down")

endmodule

`default_nettype wire
