// Copyright the fat-tree verification environment contributors
// SPDX-License-Identifier: Apache-2.0

`include "checks.vh"
`default_nettype none

// Route computation: the output port of each head flit that asks for one.
//
// Ports of a switch of level l: 0 .. DOWN-1 lead to its children, DOWN .. DOWN+UP-1 to its parents.
// A packet for the leaves below goes down, to the child whose subtree holds its destination.  Any
// other goes up, and any parent will do:
//   "DMODK"    floor(destination / SPREAD) mod UP;  "SMODK" the same with the source;
//   "RANDOM"   one at random (Valiant's routing in a tree);
//   "ADAPTIVE" the one with most room, ties at random;
//   "TWO"      the roomier of two at random;
//   "TABLE"    what the forwarding table says, for all packets.
// CLIMB = "TOP": packets go up to the top whatever their destination, and turn only there.
// Contract: destinations are leaves; at the top every leaf is below.
// Timing: combinational.  All divisions are by constants.
//
// SWITCHES switches of one level stand side by side; switch s tops the subtree s / SPREAD of BELOW
// leaves.  Input VC i = (s*PORTS + port)*VCS + v owns slice i.
module xgft_route #(
  parameter SWITCHES = 1,                    // switches side by side
  parameter DOWN   = 4,                      // children, >= 1
  parameter UP     = 4,                      // parents; 0 at the top
  parameter VCS    = 2,                      // virtual channels a port
  parameter BELOW  = 16,                     // leaves below a switch
  parameter SPREAD = 4,                      // w_1 w_2 .. w_l
  parameter PATHS  = 1,                      // addresses a leaf
  parameter ADDR_W = 6,                      // bits of an address
  parameter NODE_W = 6,                      // bits of a leaf's number
  parameter PORT_W = 3,                      // bits of a port's number
  parameter ROOM_W = 4,                      // bits of the room behind a port
  parameter [8*8-1:0] ROUTING = "DMODK",     // see above
  parameter [8*3-1:0] CLIMB   = "NCA",       // "NCA", "TOP"
  // derived
  parameter PORTS    = DOWN + UP,
  parameter ALL      = SWITCHES * PORTS * VCS,
  parameter HEADER_W = ADDR_W + NODE_W + 1
) (
  input  wire [ALL-1:0]                   ask_i,
  input  wire [ALL*HEADER_W-1:0]          header_i,  // address, source, class
  input  wire [SWITCHES*32-1:0]           random_i,  // by switch
  input  wire [SWITCHES*PORTS*ROOM_W-1:0] room_i,    // by port
  input  wire [ALL*PORT_W-1:0]            table_i,
  output reg  [ALL*PORT_W-1:0]            port_o
);

  localparam CHILD   = BELOW / DOWN;  // leaves below a child
  localparam PARENTS = (UP > 0) ? UP : 1;
  localparam INPUTS  = PORTS * VCS;

  // The parent that a packet goes up to; `noise` is random, `rooms` by parent.
  function integer parent(input integer destination, input integer source, input [15:0] noise,
                          input [PARENTS*ROOM_W-1:0] rooms);
    integer          one, two, n;
    reg [ROOM_W-1:0] most;
    begin
      one    = ({16'd0, noise} * PARENTS) >> 16;
      two    = ({24'd0, noise[7:0]} * PARENTS) >> 8;
      most   = rooms[one*ROOM_W +: ROOM_W];
      parent = one;
      if (ROUTING == "DMODK")
        parent = (destination / SPREAD) % PARENTS;
      else if (ROUTING == "SMODK")
        parent = (source / SPREAD) % PARENTS;
      else if (ROUTING == "TWO")
        parent = (rooms[two*ROOM_W +: ROOM_W] > most) ? two : one;
      else if (ROUTING == "ADAPTIVE")
        // From a random parent on, so that ties are broken fairly.
        for (n = 1; n < PARENTS; n = n + 1) begin
          one = (one == PARENTS - 1) ? 0 : one + 1;
          if (rooms[one*ROOM_W +: ROOM_W] > most) begin
            parent = one;
            most   = rooms[one*ROOM_W +: ROOM_W];
          end
        end
    end
  endfunction

  integer                    i, s, destination, source;
  reg [31:0]                 port, noise;
  reg [ADDR_W+NODE_W-1:0]    header;
  reg [PARENTS*ROOM_W-1:0]   rooms;
  reg                        climbs;
  wire                       unused = &{1'b0, port};
  always @* begin
    port_o      = {(ALL*PORT_W){1'b0}};
    header      = {(ADDR_W+NODE_W){1'b0}};
    noise       = 32'd0;
    rooms       = {(PARENTS*ROOM_W){1'b0}};
    climbs      = 1'b0;
    s           = 0;
    port        = 32'd0;
    destination = 0;
    source      = 0;
    for (i = 0; i < ALL; i = i + 1)
      if (ask_i[i]) begin
        if (ROUTING == "TABLE") begin
          port_o[i*PORT_W +: PORT_W] = table_i[i*PORT_W +: PORT_W];
        end else begin
          s           = i / INPUTS;
          header      = header_i[i*HEADER_W +: ADDR_W + NODE_W];
          destination = {{(32-ADDR_W){1'b0}}, header[ADDR_W-1:0]} / PATHS;
          source      = {{(32-NODE_W){1'b0}}, header[ADDR_W +: NODE_W]};
          climbs      = (CLIMB == "TOP") ? (i % INPUTS < DOWN * VCS)
                                         : (destination / BELOW != s / SPREAD);
          if (UP > 0 && climbs) begin
            // Each input sees the random number turned by another angle.
            noise = random_i[s*32 +: 32];
            noise = (noise << (5 * i % 32)) | (noise >> (32 - 5 * i % 32));
            rooms = room_i[(s*PORTS + PORTS - PARENTS)*ROOM_W +: PARENTS*ROOM_W];
            port  = DOWN + parent(destination, source, noise[15:0], rooms);
          end else begin
            port = (destination / CHILD) % DOWN;
          end
          port_o[i*PORT_W +: PORT_W] = port[PORT_W-1:0];
        end
      end
  end

  `CHECK_PARAMETER(DOWN >= 1 && BELOW % DOWN == 0, "DOWN", DOWN, "a divisor of BELOW")
  `CHECK_PARAMETER(PATHS >= 1, "PATHS", PATHS, ">= 1")
  `CHECK_CHOICE(ROUTING == "DMODK" || ROUTING == "SMODK" || ROUTING == "RANDOM"
                || ROUTING == "ADAPTIVE" || ROUTING == "TWO" || ROUTING == "TABLE",
                "ROUTING", ROUTING, "DMODK, SMODK, RANDOM, ADAPTIVE, TWO, TABLE")
  `CHECK_CHOICE(CLIMB == "NCA" || CLIMB == "TOP", "CLIMB", CLIMB, "NCA, TOP")

endmodule

`default_nettype wire
