// Copyright the fat-tree verification environment contributors
// SPDX-License-Identifier: Apache-2.0

`timescale 1ns/1ns
`include "prove.vh"
`default_nettype none

// The routes of the up switches of one level of XGFT(3; M1, M2, M3; W1, W2, W3), for all nodes,
// destinations, open ports, ports with room and random numbers.
//
// The wrapper goes by digits, as xgft_route_proof does, and writes the address digit by digit where
// it is a vector.  Ports that lead on: to parents or, at the top, over root links.
//
//   T1  whether the destination is below, and below which child, is found from its digits
//   T2  a destination that is not below: the packet goes on
//   T3  TB: one that is below: it takes a turn-back channel
//   T4  TBWP: one that is below: it takes a turn-back channel that is open, if there is one
//   T5  TBWP: if there is none, it goes on to an open port if there is one, else it stays with the
//       turn-back channels; who came over a root link takes no other.  Except with LATERAL "MANY"
//       at the top: there it goes on, open or not
//   T6  the port is open if any of its sort is, and has room if any such has
module turnback_route_proof #(
  parameter LEVEL = 1,
  parameter M1 = 2, M2 = 2, M3 = 2,
  parameter W1 = 1, W2 = 2, W3 = 2,
  parameter TURNS = 2,
  parameter ROOTS = 0,  // 0 below the top
  parameter [8*4-1:0] ROUTING = "TB",
  parameter [8*4-1:0] LATERAL = "1",
  parameter [8*6-1:0] ADDRESS = "NUMBER",
  // derived
  parameter LEAVES   = M1 * M2 * M3,
  parameter DOWN     = (LEVEL == 1) ? M1 : (LEVEL == 2) ? M2 : M3,
  parameter UP       = (LEVEL == 1) ? W2 : (LEVEL == 2) ? W3 : 0,
  parameter ON       = UP + ROOTS,
  parameter OUTS     = ON + TURNS,
  parameter BELOW    = (LEVEL == 1) ? M1 : (LEVEL == 2) ? M1 * M2 : LEAVES,
  parameter D1_W     = $clog2(M1), D2_W = $clog2(M2), D3_W = $clog2(M3),
  parameter FIELDS   = (LEVEL == 1) ? 0 : (LEVEL == 2) ? D1_W : D1_W + D2_W,
  parameter ADDR_W   = D1_W + D2_W + D3_W,
  parameter PORT_W   = $clog2(OUTS),
  parameter CHILD_W  = $clog2(DOWN)
) (
  input wire [D1_W-1:0]        d1_i,  // digits of the destination
  input wire [D2_W-1:0]        d2_i,
  input wire [D3_W-1:0]        d3_i,
  input wire [D2_W-1:0]        a2_i,  // of the node, as far as they tell its subtree
  input wire [D3_W-1:0]        a3_i,
  input wire                   lateral_i,
  input wire [15:0]            random_i,
  input wire [OUTS-1:0]        open_i,
  input wire [OUTS-1:0]        room_i
);

  localparam TOP  = (LEVEL == 3) ? 1 : 0;
  localparam MANY = (LATERAL == "MANY") ? 1 : 0;

  wire [ADDR_W-1:0] number  = d1_i + M1 * (d2_i + M2 * d3_i);
  wire [ADDR_W-1:0] address = (ADDRESS == "VECTOR") ? {d3_i, d2_i, d1_i} : number;
  wire [15:0]       place   = (LEVEL == 3) ? 0 : (LEVEL == 2) ? a3_i
                              : (ADDRESS == "VECTOR") ? {a3_i, a2_i} : a2_i + M2 * a3_i;

  wire               found;
  wire [CHILD_W-1:0] child;
  turnback_digit #(
    .DOWN(DOWN), .BELOW(BELOW), .FIELDS(FIELDS), .ADDR_W(ADDR_W), .PORT_W(CHILD_W),
    .ADDRESS(ADDRESS)
  ) u_digit (
    .ask_i(1'b1), .address_i(address), .subtree_i(place), .below_o(found), .child_o(child)
  );

  wire              over = TOP == 1 && lateral_i;  // only there are root links
  wire [PORT_W-1:0] route;
  turnback_route #(
    .ON(ON), .TOP(TOP), .TURNS(TURNS), .PORT_W(PORT_W), .ROUTING(ROUTING), .LATERAL(LATERAL)
  ) u_route (
    .ask_i(1'b1), .below_i(found), .lateral_i(over), .random_i(random_i), .open_i(open_i),
    .room_i(room_i), .port_o(route)
  );

  integer i, port, digit;
  reg     below, turns, turn_open, on_open, on, open, best;
  always @* begin
    port      = route;
    below     = (LEVEL >= 3 || a3_i == d3_i) && (LEVEL >= 2 || a2_i == d2_i);
    digit     = (LEVEL == 1) ? d1_i : (LEVEL == 2) ? d2_i : d3_i;
    turns     = port >= ON && port < OUTS;
    open      = open_i[port];
    turn_open = 1'b0;
    on_open   = 1'b0;
    best      = 1'b1;
    for (i = 0; i < OUTS; i = i + 1) begin
      if (i >= ON && open_i[i]) turn_open = 1'b1;
      if (i < ON && open_i[i])  on_open   = 1'b1;
      if ((i >= ON) == turns
          && (open_i[i] && !open
              || open_i[i] == open && room_i[i] && !room_i[port]))
        best = 1'b0;
    end
    on = (TOP == 1 && MANY == 1) ? ROOTS > 0 : on_open && !(over && MANY == 0);

    `GIVEN(d1_i < M1 && d2_i < M2 && d3_i < M3 && a2_i < M2 && a3_i < M3)
    `PROVE(T1, found == below && child == digit)
    `PROVE(T2, below || port < ON)
    `PROVE(T3, !below || turns)
    `PROVE(T4, !below || !turn_open || (turns && open))
    `PROVE(T5, !below || turn_open || (turns == !on && (turns || open || (TOP == 1 && MANY == 1))))
    `PROVE(T6, best)
  end

endmodule

`default_nettype wire
