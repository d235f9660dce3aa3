// Copyright the fat-tree verification environment contributors
// SPDX-License-Identifier: Apache-2.0

`timescale 1ns/1ns
`include "checks.vh"
`default_nettype none

// Route computation of an up switch (Kariniemi, Nurmi): on to a parent, over a root link, or down
// through a turn-back channel.
//
// Output ports: 0 .. ON-1 lead on, to parents or, at the top, over root links; the others are
// turn-back channels.  A port is open if a virtual channel that the packet may have is free.
//   "TB"    turns as soon as the destination is below: shortest paths;
//   "TBWP"  does so if a turn-back channel is open.  If none is, it climbs to an open parent,
//           which is also above the destination; at the top over an open root link.  If no such
//           port is open either, it stays with the turn-back channels.
// Of ports that will do it takes an open one before any other, one with room of these, ties at
// random.
// LATERAL = "1": who came over a root link turns there.  "MANY": who finds no turn-back channel
// open at the top moves over root links, open or not, until one is: this can deadlock.
// Contract: at the top every leaf is below.
// Timing: combinational.
module turnback_route #(
  parameter ON     = 2,                  // ports that lead on; 0: a top without root links
  parameter TOP    = 0,                  // 1: they are root links
  parameter TURNS  = 1,                  // turn-back channels, >= 1
  parameter PORT_W = 2,                  // bits of a port's number
  parameter [8*4-1:0] ROUTING = "TB",    // "TB", "TBWP"
  parameter [8*4-1:0] LATERAL = "1",     // "1", "MANY"
  // derived
  parameter OUTS = ON + TURNS            // output ports
) (
  input  wire                   ask_i,      // a head needs a route
  input  wire                   below_i,    // its destination is below
  input  wire                   lateral_i,  // it came over a root link
  input  wire [15:0]            random_i,   // a random number
  input  wire [OUTS-1:0]        open_i,     // by port: open
  input  wire [OUTS-1:0]        room_i,     // by port: as room_o of xgft_output_unit
  output reg  [PORT_W-1:0]      port_o      // the output port, if ask_i
);

  localparam            MOST    = (ON > TURNS) ? ON : TURNS;
  localparam [OUTS-1:0] ONWARD  = ({{(OUTS-1){1'b0}}, 1'b1} << ON) - 1'b1;
  localparam            LIMITED = (TOP == 1 && LATERAL == "1") ? 1 : 0;
  localparam            FORCED  = (TOP == 1 && LATERAL == "MANY") ? 1 : 0;

  reg [31:0] port;
  wire       unused = &{1'b0, port};
  always @* begin : way
    reg              onward;  // there is a way on that it may take
    reg              turn;
    reg [31:0]       first, count, one;
    reg [1:0]        best;
    integer          n;
    onward = 1'b0;
    turn   = 1'b0;
    first  = 32'd0;
    count  = 32'd0;
    one    = 32'd0;
    port   = 32'd0;
    best   = 2'd0;
    n      = 0;
    if (ask_i) begin
      onward = (open_i & ONWARD) != {OUTS{1'b0}};
      if (FORCED == 1) onward = ON > 0;
      if (LIMITED == 1 && lateral_i) onward = 1'b0;
      turn = below_i;
      if (ROUTING == "TBWP" && (open_i & ~ONWARD) == {OUTS{1'b0}} && onward) turn = 1'b0;

      // From a random port on, so that ties are broken fairly.
      first = turn ? ON : 32'd0;
      count = turn ? TURNS : ON;
      one   = first + (({16'd0, random_i} * count) >> 16);
      port  = one;
      best  = {open_i[one], room_i[one]};
      for (n = 1; n < MOST; n = n + 1)
        if (n < count) begin
          one = (one == first + count - 32'd1) ? first : one + 32'd1;
          if ({open_i[one], room_i[one]} > best) begin
            port = one;
            best = {open_i[one], room_i[one]};
          end
        end
    end
    port_o = port[PORT_W-1:0];
  end

  `CHECK_PARAMETER(TURNS >= 1, "TURNS", TURNS, ">= 1")
  `CHECK_CHOICE(ROUTING == "TB" || ROUTING == "TBWP", "ROUTING", ROUTING, "TB, TBWP")
  `CHECK_CHOICE(LATERAL == "1" || LATERAL == "MANY", "LATERAL", LATERAL, "1, MANY")

endmodule

`default_nettype wire
