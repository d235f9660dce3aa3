// Copyright the fat-tree verification environment contributors
// SPDX-License-Identifier: Apache-2.0

`timescale 1ns/1ns
`include "prove.vh"
`default_nettype none

// The routes of all switches of one level of XGFT(3; M1, M2, M3; W1, W2, W3), for all switches,
// destinations, sources, random numbers and parents with room.
//
// The wrapper goes by the digits of Oehring et al.: a node of level l is (a_1 .. a_3), radix w_i
// for i <= l and m_i for i > l, the first the least significant; a leaf d is (d_1 .. d_3), radix
// m_i.  It is below the switch if a_i = d_i for all i > l, and then the child's number is d_l.
// One packet, from a child or a parent of any switch, is watched.
//
//   R1  a destination below: the packet goes down, to the child of its digit
//   R2  any other: it goes up, to one of the W_l+1 parents.  So it turns at the nearest common
//       ancestor, and no higher
//   R3  D-mod-k, S-mod-k: to parent floor(d / (W1 .. Wl)) mod W_l+1, of destination or source,
//       which is digit l+1 of the number written with the radices W1, W2, ..
//   R4  adaptive: to a parent with room, if any has
//
// With CLIMB "TOP" what comes from below goes up whatever its destination (R1 is for the others).
module xgft_route_proof #(
  parameter LEVEL = 1,
  parameter M1 = 2, M2 = 2, M3 = 2,
  parameter W1 = 1, W2 = 2, W3 = 2,
  parameter [8*8-1:0] ROUTING = "DMODK",
  parameter [8*3-1:0] CLIMB   = "NCA",
  // derived
  parameter LEAVES   = M1 * M2 * M3,
  parameter DOWN     = (LEVEL == 1) ? M1 : (LEVEL == 2) ? M2 : M3,
  parameter UP       = (LEVEL == 1) ? W2 : (LEVEL == 2) ? W3 : 0,
  parameter BELOW    = (LEVEL == 1) ? M1 : (LEVEL == 2) ? M1 * M2 : LEAVES,
  parameter SPREAD   = (LEVEL == 1) ? W1 : (LEVEL == 2) ? W1 * W2 : W1 * W2 * W3,
  parameter SWITCHES = LEAVES / BELOW * SPREAD,
  parameter PORTS    = DOWN + UP,
  parameter PARENTS  = (UP > 0) ? UP : 1,
  parameter NODE_W   = $clog2(LEAVES),
  parameter PORT_W   = $clog2(PORTS)
) (
  input wire [$clog2(SWITCHES+1)-1:0] switch_i,  // its number in the level
  input wire                          below_i,   // the packet came from a child
  input wire [NODE_W-1:0]             destination_i,
  input wire [NODE_W-1:0]             source_i,
  input wire [15:0]                   random_i,
  input wire [PARENTS-1:0]            room_i
);

  wire [15:0]       subtree = switch_i / SPREAD;
  wire [PORT_W-1:0] route;
  xgft_route #(
    .DOWN(DOWN), .UP(UP), .BELOW(BELOW), .SPREAD(SPREAD), .PATHS(1), .ADDR_W(NODE_W),
    .NODE_W(NODE_W), .PORT_W(PORT_W), .ROUTING(ROUTING), .CLIMB(CLIMB)
  ) u_route (
    .ask_i(1'b1), .address_i(destination_i), .source_i(source_i), .below_i(below_i),
    .subtree_i(subtree), .random_i(random_i), .room_i(room_i), .table_i({PORT_W{1'b0}}),
    .port_o(route)
  );

  integer            s, port, number;
  integer            a1, a2, a3, d1, d2, d3, child, parent;
  reg                below, climbs;
  always @* begin
    s    = switch_i;
    port = route;

    // Digits of the switch and of the destination.
    a1 = s % W1;
    a2 = (s / W1) % ((LEVEL >= 2) ? W2 : M2);
    a3 = (s / W1 / ((LEVEL >= 2) ? W2 : M2)) % ((LEVEL >= 3) ? W3 : M3);
    d1 = destination_i % M1;
    d2 = (destination_i / M1) % M2;
    d3 = destination_i / M1 / M2;
    below  = (LEVEL >= 3 || a3 == d3) && (LEVEL >= 2 || a2 == d2);
    child  = (LEVEL == 1) ? d1 : (LEVEL == 2) ? d2 : d3;
    climbs = (CLIMB == "TOP") ? below_i && UP > 0 : !below;

    // The parent of the formula: the number's digits, radix W1, W2, W3, one taken away at a time.
    number = (ROUTING == "SMODK") ? source_i : destination_i;
    number = number / W1;
    if (LEVEL == 2) number = number / W2;
    parent = (UP > 0) ? number % UP : 0;

    `GIVEN(switch_i < SWITCHES && destination_i < LEAVES && source_i < LEAVES)
    `PROVE(R1, climbs || !below || port == child)
    `PROVE(R2, !climbs || (port >= DOWN && port < PORTS))
    `PROVE(R3, !climbs || port == DOWN + parent)
    `PROVE(R4, !climbs || room_i[port - DOWN] || room_i == {PARENTS{1'b0}})
  end

endmodule

`default_nettype wire
