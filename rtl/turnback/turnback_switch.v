// Copyright the fat-tree verification environment contributors
// SPDX-License-Identifier: Apache-2.0

`timescale 1ns/1ns
`include "checks.vh"
`default_nettype none

// One of the two switches of a turnback_node: INS links in, OUTS links out, VCS virtual channels
// (VCs) each, an xgft_core with its routes.
//
//   CLIMBS = 1, the up switch: in: DOWN children, then root links; out: UP parents, ROOTS root
//               links, then turn-back channels; see turnback_route.
//   CLIMBS = 0, the down switch: in: parents, then turn-back channels; out: DOWN children, to the
//               one of the destination.
//
// Contract: flits and credits as in xgft_switch.
// Timing: as in xgft_switch.
//
// Vectors by port, vectors by VC: port by port.
module turnback_switch #(
  `include "wormhole_params.vh"
  parameter CLIMBS  = 1,                         // 1: the up switch; 0: the down switch
  parameter INS     = 4,                         // input ports
  parameter OUTS    = 3,                         // output ports
  parameter DOWN    = 4,                         // children of the node
  parameter UP      = 2,                         // its parents; 0 at the top
  parameter ROOTS   = 0,                         // its root links, each way: at the top
  parameter FIRST   = 4,                         // number of the first output port in the node
  parameter BELOW   = 16,                        // leaves below the node
  parameter FIELDS  = 2,                         // bits of an address below the node's own digit
  parameter ADDR_W  = 6,                         // bits of an address
  parameter NODE_W  = 6,                         // bits of a leaf's number
  parameter SHOWN_W = 3,                         // bits of the number of a port of the node
  parameter [8*4-1:0]  ROUTING = "TB",           // "TB"; "TBWP": on where no channel is open
  parameter [8*4-1:0]  LATERAL = "1",            // root links a packet may take: "1", "MANY"
  parameter [8*6-1:0]  ADDRESS = "NUMBER",       // "NUMBER", "VECTOR": digits in bit fields
  // derived
  parameter FLIT_W  = WIDTH + 2 + HOPS_W,        // bits of a flit
  parameter STATE_W = 2 + SHOWN_W + VCS          // bits of the state of an input VC
) (
  input  wire                       clk,        // rising edge
  input  wire                       rst,        // synchronous: packets are lost, credits full
  input  wire [15:0]                pos_i,      // the node's number in its level, a constant
  input  wire [15:0]                number_i,   // and in the network
  input  wire [15:0]                subtree_i,  // its subtree, see turnback_digit, a constant
  input  wire [31:0]                seed_i,     // of random choices, read at reset
  input  wire [INS*VCS-1:0]         valid_i,    // links in: the VC of a flit
  input  wire [INS*FLIT_W-1:0]      flit_i,     // by port: {hops, head, tail, data}
  output wire [INS*VCS-1:0]         credit_o,   // room for one flit more
  output wire [OUTS*VCS-1:0]        valid_o,    // links out: the VC of a flit
  output wire [OUTS*FLIT_W-1:0]     flit_o,     // by port: {hops, head, tail, data}
  input  wire [OUTS*VCS-1:0]        credit_i,   // room for one flit more
  output wire [INS*VCS*STATE_W-1:0] state_o,    // for debuggers, see xgft_network
  output wire [OUTS*VCS-1:0]        home_o      // for debuggers: output VCs free, with all credits
);
  /* verilator no_inline_module */  // the instances of a level share one body

  localparam INPUTS   = INS * VCS;
  localparam PORT_W   = (OUTS > 1) ? $clog2(OUTS) : 1;
  localparam HEADER_W = ADDR_W + NODE_W + 1;  // address, source, class
  localparam UNIT_W   = 2 + PORT_W + VCS;     // bits of an input unit's state of a VC
  localparam ON       = UP + ROOTS;
  // Who is sent on over root links that are not open waits there.
  localparam HOLD     = (CLIMBS == 0 || (ROOTS > 0 && LATERAL == "MANY")) ? 1 : 0;

  localparam [31:0]    SHIFT = FIRST;
  localparam [VCS-1:0] ALL   = {VCS{1'b1}};
  localparam [VCS-1:0] UPPER = (CLASSES == 2) ? ALL << VCS / 2 : ALL;
  localparam [VCS-1:0] LOWER = (CLASSES == 2) ? ~UPPER : ALL;
  localparam [VCS-1:0] ONE   = 1;

  wire [INPUTS-1:0]          ask, want, grant;  // by input VC
  wire [INPUTS*HEADER_W-1:0] header;
  wire [INPUTS*PORT_W-1:0]   port, route;
  wire [INPUTS*UNIT_W-1:0]   state;
  wire [OUTS*VCS-1:0]        free;       // by output VC
  wire [OUTS-1:0]            room;
  wire [31:0]                random;
  wire                       unused = &{1'b0, want, grant, port, free, room};

  xgft_core #(
    `include "wormhole_pass.vh"
    .INS(INS), .OUTS(OUTS), .ABOVE(INS), .LOW(OUTS), .HEADER_W(HEADER_W), .PORT_W(PORT_W),
    .HOLD(HOLD)
  ) u_core (
    .clk(clk), .rst(rst), .valid_i(valid_i), .flit_i(flit_i), .credit_o(credit_o), .ask_o(ask),
    .header_o(header), .route_i(route), .want_o(want), .port_o(port), .grant_o(grant),
    .valid_o(valid_o), .flit_o(flit_o), .credit_i(credit_i), .free_o(free), .room_o(room),
    .state_o(state), .home_o(home_o)
  );

  genvar i, o;
  generate
    for (i = 0; i < INPUTS; i = i + 1) begin : gen_route
      localparam TURN = 32 - 5 * i % 32;  // each input sees the random number turned elsewhere
      wire [63:0]        twice = {random, random};
      wire               reply = header[i*HEADER_W + HEADER_W - 1];
      wire               below;
      wire [PORT_W-1:0]  child;
      wire [OUTS-1:0]    open;
      wire [SHOWN_W-1:0] local_port = {{(SHOWN_W-PORT_W){1'b0}}, state[i*UNIT_W+2 +: PORT_W]};
      wire               unused_here = &{1'b0, twice, reply, below, child, open,
                                         header[i*HEADER_W + ADDR_W +: NODE_W]};

      assign state_o[i*STATE_W +: STATE_W] = {
        state[i*UNIT_W+2+PORT_W +: VCS], local_port + SHIFT[SHOWN_W-1:0], state[i*UNIT_W +: 2]
      };

      turnback_digit #(
        .DOWN(DOWN), .BELOW(BELOW), .FIELDS(FIELDS), .ADDR_W(ADDR_W), .PORT_W(PORT_W),
        .ADDRESS(ADDRESS)
      ) u_digit (
        .ask_i(ask[i]), .address_i(header[i*HEADER_W +: ADDR_W]), .subtree_i(subtree_i),
        .below_o(below), .child_o(child)
      );

      if (CLIMBS == 1) begin : gen_up
        wire [VCS-1:0] own  = (MODE == "KEEP") ? ONE << i % VCS : ALL;
        wire [VCS-1:0] mine = own & (reply ? UPPER : LOWER);  // VCs that the packet may have
        for (o = 0; o < OUTS; o = o + 1) begin : gen_open
          assign open[o] = |(free[o*VCS +: VCS] & mine);
        end
        turnback_route #(
          .ON(ON), .TOP((UP == 0) ? 1 : 0), .TURNS(OUTS - ON), .PORT_W(PORT_W),
          .ROUTING(ROUTING), .LATERAL(LATERAL)
        ) u_route (
          .ask_i(ask[i]), .below_i(below), .lateral_i(i >= DOWN * VCS),
          .random_i(twice[TURN +: 16]), .open_i(open), .room_i(room),
          .port_o(route[i*PORT_W +: PORT_W])
        );
      end else begin : gen_down
        assign open = {OUTS{1'b0}};
        assign route[i*PORT_W +: PORT_W] = child;
      end
    end

    if (CLIMBS == 1) begin : gen_random
      xgft_random #(.ANGLE(5 * INPUTS)) u_random (
        .clk(clk), .rst(rst), .pos_i(pos_i), .number_i(number_i), .seed_i(seed_i), .random_o(random)
      );
    end else begin : gen_no_random
      assign random = 32'd0;
      wire unused_seed = &{1'b0, pos_i, number_i, seed_i};
    end

    if (CLIMBS == 1 && ROOTS > 0 && LATERAL == "1") begin : gen_once
      reg over;  // a packet that came over a root link wants another
      always @* begin : look
        integer n;
        over = 1'b0;
        for (n = DOWN * VCS; n < INPUTS; n = n + 1)
          over = over | (want[n] && {{(32-PORT_W){1'b0}}, port[n*PORT_W +: PORT_W]} < ON);
      end
      `CHECK_SHARED(clk, rst, !over, "a packet took a second root link")
    end
  endgenerate

endmodule

`default_nettype wire
