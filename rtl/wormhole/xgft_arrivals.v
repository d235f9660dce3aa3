// Copyright the fat-tree verification environment contributors
// SPDX-License-Identifier: Apache-2.0

`timescale 1ns/1ns
`include "checks.vh"
`default_nettype none

// Packets that no way leads to the port where they came in: checks, for simulation.
//
// What a child sends is not for the leaves below itself, unless all packets go up to the top, or
// the child is a leaf, which may send to itself.  With "DMODK" the destination says by which parent
// a packet comes down.  (Packets for leaves elsewhere would go up again: see xgft_rules.)
// Tables may lead packets as they like: nothing is checked.
//
// Vectors by input VC: port by port, children first.
module xgft_arrivals #(
  parameter DOWN     = 4,                  // children, >= 1
  parameter UP       = 4,                  // parents; 0 at the top
  parameter BELOW    = 16,                 // leaves below the switch
  parameter SPREAD   = 4,                  // w_1 w_2 .. w_l: switches that top one subtree
  parameter VCS      = 2,                  // virtual channels a port
  parameter PATHS    = 1,                  // addresses a leaf
  parameter ADDR_W   = 6,                  // bits of an address
  parameter [8*8-1:0] ROUTING = "DMODK",   // DMODK, SMODK, RANDOM, ADAPTIVE, TWO, TABLE
  parameter [8*3-1:0] CLIMB   = "NCA",     // where packets turn: "NCA", "TOP"
  // derived
  parameter INPUTS   = (DOWN + UP) * VCS   // input VCs
) (
  input wire                     clk,        // rising edge
  input wire                     rst,        // synchronous: nothing is checked
  input wire [INPUTS-1:0]        ask_i,      // a head needs a route
  input wire [INPUTS*ADDR_W-1:0] address_i,  // of its destination
  input wire [15:0]              subtree_i   // number of the switch's subtree, of BELOW leaves
);
  /* verilator inline_module */  // a part of the switch, which is what instances share

  localparam CHILD   = BELOW / DOWN;          // leaves below a child
  localparam PARENTS = (UP > 0) ? UP : 1;

  reg early, other;
  always @* begin : look
    integer    i, port;
    reg [31:0] destination;
    i           = 0;
    port        = 0;
    destination = 32'd0;
    early       = 1'b0;
    other       = 1'b0;
    if (ROUTING != "TABLE" && ask_i != {INPUTS{1'b0}})
      for (i = 0; i < INPUTS; i = i + 1)
        if (ask_i[i]) begin
          port        = i / VCS;
          destination = {{(32-ADDR_W){1'b0}}, address_i[i*ADDR_W +: ADDR_W]} / PATHS;
          early = early | (port < DOWN && CLIMB == "NCA" && CHILD > 1
                           && destination / BELOW == {16'd0, subtree_i}
                           && (destination / CHILD) % DOWN == port);
          other = other | (port >= DOWN && ROUTING == "DMODK"
                           && (destination / SPREAD) % PARENTS != port - DOWN);
        end
  end
  `CHECK_SHARED(clk, rst, !early, "a packet climbed although its destination is below")
  `CHECK_SHARED(clk, rst, !other, "a packet came down by another parent than D-mod-k's")

endmodule

`default_nettype wire
