// Copyright the fat-tree verification environment contributors
// SPDX-License-Identifier: Apache-2.0

`timescale 1ns/1ns
`include "prove.vh"
`default_nettype none

// The choice of a parent by what packets before had (xgft_spread), for all routes, random numbers,
// rooms, credits and grants, where a grant is of the route of the same clock (one or two stages).
//
// One input port, any, is watched, and the packets of one flow, any.
//
//   S1  a route down stays as it is
//   S2  a route up leads to one of the parents
//   S3  RR: until each parent was granted to the port once, none is chosen a second time
//   S4  FLOWLET: while the last grant is at most GAP clocks old, a packet of the flow has its
//       parent, if the switch remembers one flow alone
//   S5  FLOWLET: else it has a parent with room, if any has
//   S6  DRILL: no parent is chosen that has less room, or with as much more flits out, than the
//       one that was granted to the port last
//   S7  all VCs of the port have the same parent
module xgft_spread_proof #(
  parameter DOWN = 2, UP = 2, VCS = 1, DEPTH = 1, GAP = 2,
  parameter [8*8-1:0] ROUTING = "RR",
  // derived
  parameter PORT_W = $clog2(DOWN + UP),
  parameter INPUTS = DOWN * VCS,
  parameter UP_W   = (UP > 1) ? $clog2(UP) : 1
) (
  input wire                     clk,
  input wire [$clog2(DOWN+1)-1:0] port_i,    // the port that is watched
  input wire [31:0]              random_i,
  input wire [UP-1:0]            room_i,
  input wire [UP*VCS-1:0]        sent_i,
  input wire [UP*VCS-1:0]        credit_i,
  input wire [INPUTS-1:0]        grant_i,
  input wire [INPUTS*PORT_W-1:0] route_i
);

  localparam COUNT_W = $clog2(VCS * DEPTH + 2);
  localparam AGE_W   = $clog2(GAP + 2);

  reg first = 1'b1;
  wire [INPUTS*PORT_W-1:0] route;
  xgft_spread #(
    .DOWN(DOWN), .UP(UP), .VCS(VCS), .DEPTH(DEPTH), .ADDR_W(1), .NODE_W(1), .PORT_W(PORT_W),
    .ROUTING(ROUTING), .GAP(GAP), .ENTRIES(1)
  ) u_spread (
    .clk(clk), .rst(first), .salt_i(16'd0), .random_i(random_i), .room_i(room_i), .sent_i(sent_i),
    .credit_i(credit_i), .header_i({(INPUTS*3){1'b0}}), .grant_i(grant_i), .port_i(route),
    .route_i(route_i), .route_o(route)
  );

  // What the wrapper remembers: the port, parents that it was granted in this turn, the last one,
  // the switch's last one and its age, flits out by parent.
  reg [$clog2(DOWN+1)-1:0] port_q;
  reg [UP-1:0]             turn_q;
  reg [UP_W-1:0]           kept_q, last_q;
  reg [AGE_W-1:0]          age_q;
  reg [UP*COUNT_W-1:0]     out_q;
  reg [UP-1:0]             turn;
  reg [UP_W-1:0]           kept, last, parent, own;
  reg [AGE_W-1:0]          age;
  reg [UP*COUNT_W-1:0]     out, known;
  reg                      down, up, once, steady, roomy, best, alike, any;
  integer                  i, k, p;

  always @* begin
    {turn, kept, last, age, out} = {turn_q, kept_q, last_q, age_q, out_q};
    {down, up, once, steady, roomy, best, alike} = {7{1'b1}};
    {any, own} = 0;
    for (k = 0; k < UP; k = k + 1) begin
      known[k*COUNT_W +: COUNT_W] = out_q[k*COUNT_W +: COUNT_W] + (|sent_i[k*VCS +: VCS]);
      out  [k*COUNT_W +: COUNT_W] = known[k*COUNT_W +: COUNT_W];
      for (i = 0; i < VCS; i = i + 1)
        out[k*COUNT_W +: COUNT_W] = out[k*COUNT_W +: COUNT_W] - credit_i[k*VCS+i];
    end
    if (age != GAP + 1) age = age + 1;
    for (i = 0; i < INPUTS; i = i + 1) begin
      p = i / VCS;
      if (route_i[i*PORT_W +: PORT_W] < DOWN) begin
        if (route[i*PORT_W +: PORT_W] != route_i[i*PORT_W +: PORT_W]) down = 1'b0;
      end else begin
        if (route[i*PORT_W +: PORT_W] < DOWN || route[i*PORT_W +: PORT_W] >= DOWN + UP) up = 1'b0;
        parent = route[i*PORT_W +: PORT_W] - DOWN;
        if (age_q <= GAP && parent != last_q) steady = 1'b0;
        if (age_q > GAP && !room_i[parent] && room_i != {UP{1'b0}}) roomy = 1'b0;
        if (p == port_q) begin
          if (turn_q[parent]) once = 1'b0;
          if (any && parent != own) alike = 1'b0;
          {any, own} = {1'b1, parent};
          if ({!room_i[parent], known[parent*COUNT_W +: COUNT_W]}
              > {!room_i[kept_q], known[kept_q*COUNT_W +: COUNT_W]}) best = 1'b0;
        end
        if (grant_i[i]) begin
          last = parent;
          age  = 1;
          if (p == port_q) begin
            kept = parent;
            turn = turn | ({{(UP-1){1'b0}}, 1'b1} << parent);
            if (turn == {UP{1'b1}}) turn = {UP{1'b0}};
          end
        end
      end
    end
  end

  always @(posedge clk) begin
    first <= 1'b0;
    port_q <= first ? port_i : port_q;
    turn_q <= first ? {UP{1'b0}} : turn;
    kept_q <= first ? {UP_W{1'b0}} : kept;
    last_q <= first ? {UP_W{1'b0}} : last;
    age_q  <= first ? GAP + 1 : age;
    out_q  <= first ? {(UP*COUNT_W){1'b0}} : out;
  end

  // A VC of an output port is given to one packet a clock, flits have credits, credits had flits.
  reg     fair;
  integer a, b;
  always @* begin
    fair = 1'b1;
    for (a = 0; a < INPUTS; a = a + 1)
      for (b = 0; b < a; b = b + 1)
        if (grant_i[a] && grant_i[b] && route[a*PORT_W +: PORT_W] == route[b*PORT_W +: PORT_W])
          fair = 1'b0;
    for (a = 0; a < UP; a = a + 1) begin
      if (known[a*COUNT_W +: COUNT_W] > VCS * DEPTH) fair = 1'b0;
      for (b = 0; b < VCS; b = b + 1)
        if (credit_i[a*VCS+b] && (out_q[a*COUNT_W +: COUNT_W] < VCS)) fair = 1'b0;
    end
    for (a = 0; a < INPUTS; a = a + 1)
      if (route_i[a*PORT_W +: PORT_W] >= DOWN + UP) fair = 1'b0;
  end

  always @* begin
    `GIVEN(fair)
    `GIVEN(!first || port_i < DOWN)
    if (!first) begin
      `PROVE(S1, down)
      `PROVE(S2, up)
      `PROVE(S3, once)
      `PROVE(S4, steady)
      `PROVE(S5, roomy)
      `PROVE(S6, best)
      `PROVE(S7, alike)
    end
  end

endmodule

`default_nettype wire
