// Copyright the fat-tree verification environment contributors
// SPDX-License-Identifier: Apache-2.0

`timescale 1ns/1ns
`include "checks.vh"
`include "xgft_routings.vh"
`default_nettype none

// Route computation: the output port of a head flit.
//
// Ports of a switch of level l: 0 .. DOWN-1 lead to its children, DOWN .. DOWN+UP-1 to its parents.
// A packet for the leaves below goes down, to the child whose subtree holds its destination.  Any
// other goes up, and any parent will do:
//   "DMODK"    floor(destination / SPREAD) mod UP;  "SMODK" the same with the source;
//   "RANDOM"   one at random (Valiant's routing in a tree);
//   "ADAPTIVE" one with room, if there is any, at random;
//   "TWO"      the same of two at random;
//   "ECMP"     by a hash of the pair: see spread_hash.vh;
//   "TABLE"    what the forwarding table says, for all packets; of others xgft_spread decides.
// CLIMB = "TOP": packets go up to the top whatever their destination, and turn only there.
// Contract: destinations are leaves; at the top every leaf is below.
// Timing: combinational.  All divisions are by constants: see xgft_way.vh.
module xgft_route #(
  parameter DOWN   = 4,                   // children, >= 1
  parameter UP     = 4,                   // parents; 0 at the top
  parameter BELOW  = 16,                  // leaves below the switch
  parameter SPREAD = 4,                   // w_1 w_2 .. w_l
  parameter PATHS  = 1,                   // addresses a leaf
  parameter ADDR_W = 6,                   // bits of an address
  parameter NODE_W = 6,                   // bits of a leaf's number
  parameter PORT_W = 3,                   // bits of a port's number
  parameter [8*8-1:0] ROUTING = "DMODK",  // DMODK, SMODK, RANDOM, ADAPTIVE, TWO, ECMP, TABLE
  parameter [8*3-1:0] CLIMB   = "NCA",    // "NCA", "TOP"
  // derived
  parameter PARENTS  = (UP > 0) ? UP : 1  // vectors are never empty
) (
  input  wire                      ask_i,      // a head needs a route
  input  wire [ADDR_W-1:0]         address_i,  // of its destination
  input  wire [NODE_W-1:0]         source_i,   // number of the leaf that it comes from
  input  wire                      below_i,    // it came from a child
  input  wire [15:0]               subtree_i,  // number of the switch's subtree, of BELOW leaves
  input  wire [15:0]               random_i,   // a random number; ECMP: the switch's salt
  input  wire [PARENTS-1:0]        room_i,     // by parent: as room_o of xgft_output_unit
  input  wire [PORT_W-1:0]         table_i,    // the forwarding table's entry for the address
  output reg  [PORT_W-1:0]         port_o      // the output port, if ask_i
);

  reg [31:0] port;
  wire       unused = &{1'b0, port};
  always @* begin : way
    reg [31:0]               address, source, destination, number, parent, lone, rival, hash;
    reg [15:0]               subtree, drawn;
    reg [PARENTS-1:0]        rooms;
    reg                      below;
    integer                  step;
    {address, source, destination, number, parent, lone, rival, step, port, hash} = 0;
    {below, subtree, drawn, rooms} = 0;
    if (ask_i && ROUTING != "TABLE") begin
      {address, source} = {{(32-ADDR_W){1'b0}}, address_i, {(32-NODE_W){1'b0}}, source_i};
      {below, subtree, drawn, rooms} = {below_i, subtree_i, random_i, room_i};
`include "xgft_way.vh"
    end
    port_o = (ROUTING == "TABLE") ? table_i : port[PORT_W-1:0];
  end

  `CHECK_PARAMETER(DOWN >= 1 && BELOW % DOWN == 0, "DOWN", DOWN, "a divisor of BELOW")
  `CHECK_PARAMETER(PATHS >= 1, "PATHS", PATHS, ">= 1")
  `CHECK_CHOICE(`DECIDES(ROUTING) || `SPREADS(ROUTING), "ROUTING", ROUTING,
                "DMODK, SMODK, RANDOM, ADAPTIVE, TWO, ECMP, RR, FLOWLET, DRILL, TABLE")
  `CHECK_CHOICE(CLIMB == "NCA" || CLIMB == "TOP", "CLIMB", CLIMB, "NCA, TOP")

endmodule

`default_nettype wire
