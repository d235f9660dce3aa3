// Copyright the fat-tree verification environment contributors
// SPDX-License-Identifier: Apache-2.0

`timescale 1ns/1ns
`include "checks.vh"
`default_nettype none

// Node of a fat-tree made of two switches (Kariniemi, Nurmi): what climbs and what descends meet
// only in turn-back channels.
//
//        parents, root links         parents
//                ^                      |
//   +------------+-----+ turn-back +----v--------+
//   | up switch        |==========>| down switch |
//   +--^----------^----+ channels  +----v--------+
//      |          |                     |
//   children   root links           children
//
// Contract: flits and credits as in xgft_switch.  A packet climbs until its destination is below,
// passes one of TURNS turn-back channels, and descends; see turnback_route.
// Timing: two switches where a packet turns, else one: see xgft_input_unit.
//
// Vectors by port: children, parents, then ROOTS root links (of a top), each way.  State and homes:
// also turn-back channels, whose input is the down switch's and whose output the up switch's.
module turnback_node #(
  `include "wormhole_params.vh"
  parameter DOWN    = 4,                         // children, >= 1
  parameter UP      = 2,                         // parents; 0 at the top
  parameter ROOTS   = 0,                         // root links, each way; 0 below the top
  parameter TURNS   = 2,                         // turn-back channels, >= 1
  parameter BELOW   = 16,                        // leaves below the node
  parameter FIELDS  = 2,                         // bits of an address below the node's own digit
  parameter ADDR_W  = 6,                         // bits of an address
  parameter NODE_W  = 6,                         // bits of a leaf's number
  parameter [8*4-1:0]  ROUTING = "TB",           // "TB"; "TBWP": on where no channel is open
  parameter [8*4-1:0]  LATERAL = "1",            // root links a packet may take: "1", "MANY"
  parameter [8*6-1:0]  ADDRESS = "NUMBER",       // "NUMBER", "VECTOR": digits in bit fields
  // derived
  parameter PORTS   = DOWN + UP + ROOTS,         // each way
  parameter SHOWN   = PORTS + TURNS,             // with turn-back channels
  parameter SHOWN_W = $clog2(SHOWN),             // bits of their number
  parameter FLIT_W  = WIDTH + 2 + HOPS_W,        // bits of a flit
  parameter STATE_W = VCS * (2 + SHOWN_W + VCS)  // bits of the state of an input port
) (
  input  wire                     clk,           // rising edge
  input  wire                     rst,           // synchronous: packets are lost, credits full
  input  wire [15:0]              pos_i,         // the node's number in its level, a constant
  input  wire [15:0]              number_i,      // and in the network
  input  wire [15:0]              subtree_i,     // its subtree, see turnback_digit, a constant
  input  wire [31:0]              seed_i,        // of random choices, read at reset
  input  wire [PORTS*VCS-1:0]     valid_i,       // links into the node: the VC of a flit
  input  wire [PORTS*FLIT_W-1:0]  flit_i,        // by port: {hops, head, tail, data}
  output wire [PORTS*VCS-1:0]     credit_o,      // room for one flit more
  output wire [PORTS*VCS-1:0]     valid_o,       // links out of the node: the VC of a flit
  output wire [PORTS*FLIT_W-1:0]  flit_o,        // by port: {hops, head, tail, data}
  input  wire [PORTS*VCS-1:0]     credit_i,      // room for one flit more
  output wire [TURNS*VCS-1:0]     turn_valid_o,  // for debuggers: turn-back channels
  output wire [TURNS*FLIT_W-1:0]  turn_flit_o,   // for debuggers: their flits
  output wire [TURNS*VCS-1:0]     turn_credit_o, // for debuggers: their credits
  output wire [SHOWN*STATE_W-1:0] state_o,       // for debuggers, see xgft_network
  output wire [SHOWN*VCS-1:0]     home_o         // for debuggers: output VCs free, with all credits
);

  localparam UP_INS   = DOWN + ROOTS;
  localparam UP_OUTS  = UP + ROOTS + TURNS;
  localparam DOWN_INS = UP + TURNS;

  wire [UP_INS*VCS-1:0]       up_valid, up_credit;    // into the up switch
  wire [UP_INS*FLIT_W-1:0]    up_flit;
  wire [UP_OUTS*VCS-1:0]      on_valid, on_credit;    // out of it
  wire [UP_OUTS*FLIT_W-1:0]   on_flit;
  wire [DOWN_INS*VCS-1:0]     down_valid, down_credit;  // into the down switch
  wire [DOWN_INS*FLIT_W-1:0]  down_flit;
  wire [UP_INS*STATE_W-1:0]   up_state;
  wire [DOWN_INS*STATE_W-1:0] down_state;

  turnback_switch #(
    `include "wormhole_pass.vh"
    .CLIMBS(1), .INS(UP_INS), .OUTS(UP_OUTS), .DOWN(DOWN), .UP(UP), .ROOTS(ROOTS), .FIRST(DOWN),
    .BELOW(BELOW), .FIELDS(FIELDS), .ADDR_W(ADDR_W), .NODE_W(NODE_W), .SHOWN_W(SHOWN_W),
    .ROUTING(ROUTING), .LATERAL(LATERAL), .ADDRESS(ADDRESS)
  ) u_up (
    .clk(clk), .rst(rst), .pos_i(pos_i), .number_i(number_i), .subtree_i(subtree_i),
    .seed_i(seed_i), .valid_i(up_valid), .flit_i(up_flit), .credit_o(up_credit),
    .valid_o(on_valid), .flit_o(on_flit), .credit_i(on_credit), .state_o(up_state),
    .home_o(home_o[DOWN*VCS +: UP_OUTS*VCS])
  );

  turnback_switch #(
    `include "wormhole_pass.vh"
    .CLIMBS(0), .INS(DOWN_INS), .OUTS(DOWN), .DOWN(DOWN), .UP(0), .ROOTS(0), .FIRST(0),
    .BELOW(BELOW), .FIELDS(FIELDS), .ADDR_W(ADDR_W), .NODE_W(NODE_W), .SHOWN_W(SHOWN_W),
    .ROUTING(ROUTING), .LATERAL(LATERAL), .ADDRESS(ADDRESS)
  ) u_down (
    .clk(clk), .rst(rst), .pos_i(pos_i), .number_i(number_i), .subtree_i(subtree_i),
    .seed_i(seed_i), .valid_i(down_valid), .flit_i(down_flit), .credit_o(down_credit),
    .valid_o(valid_o[0 +: DOWN*VCS]), .flit_o(flit_o[0 +: DOWN*FLIT_W]),
    .credit_i(credit_i[0 +: DOWN*VCS]), .state_o(down_state), .home_o(home_o[0 +: DOWN*VCS])
  );

  assign turn_valid_o  = on_valid[(UP+ROOTS)*VCS +: TURNS*VCS];
  assign turn_flit_o   = on_flit[(UP+ROOTS)*FLIT_W +: TURNS*FLIT_W];
  assign turn_credit_o = on_credit[(UP+ROOTS)*VCS +: TURNS*VCS];

  // ---- port by port -----------------------------------------------------------------------------

  genvar p;
  generate
    for (p = 0; p < SHOWN; p = p + 1) begin : gen_port
      localparam OUTER = (p < PORTS) ? 1 : 0;  // no turn-back channel
      localparam ROOT  = (p >= DOWN + UP && OUTER == 1) ? 1 : 0;
      // The port of the up or down switch at which comes in what comes in here, and its output.
      localparam I = (p < DOWN) ? p : (ROOT == 1) ? p - UP : p - DOWN - (1 - OUTER) * ROOTS;
      localparam O = p - DOWN;
      wire [VCS-1:0]    came, taken;
      wire [FLIT_W-1:0] flit;

      if (OUTER == 1) begin : gen_outer
        assign came                    = valid_i[p*VCS +: VCS];
        assign flit                    = flit_i[p*FLIT_W +: FLIT_W];
        assign credit_o[p*VCS +: VCS]  = taken;
        if (p >= DOWN) begin : gen_on
          assign valid_o[p*VCS +: VCS]      = on_valid[O*VCS +: VCS];
          assign flit_o[p*FLIT_W +: FLIT_W] = on_flit[O*FLIT_W +: FLIT_W];
          assign on_credit[O*VCS +: VCS]    = credit_i[p*VCS +: VCS];
        end
      end else begin : gen_turn
        assign came                    = on_valid[O*VCS +: VCS];
        assign flit                    = on_flit[O*FLIT_W +: FLIT_W];
        assign on_credit[O*VCS +: VCS] = taken;
      end

      if (p < DOWN || ROOT == 1) begin : gen_climbs
        assign up_valid[I*VCS +: VCS]         = came;
        assign up_flit[I*FLIT_W +: FLIT_W]    = flit;
        assign taken                          = up_credit[I*VCS +: VCS];
        assign state_o[p*STATE_W +: STATE_W]  = up_state[I*STATE_W +: STATE_W];
      end else begin : gen_descends
        assign down_valid[I*VCS +: VCS]       = came;
        assign down_flit[I*FLIT_W +: FLIT_W]  = flit;
        assign taken                          = down_credit[I*VCS +: VCS];
        assign state_o[p*STATE_W +: STATE_W]  = down_state[I*STATE_W +: STATE_W];
      end
    end
  endgenerate

  `CHECK_PARAMETER(DOWN >= 1, "DOWN", DOWN, ">= 1")
  `CHECK_PARAMETER(ROOTS == 0 || UP == 0, "ROOTS", ROOTS, "0 below the top")
  `CHECK_PARAMETER(WIDTH > ADDR_W + NODE_W, "WIDTH", WIDTH, "> ADDR_W + NODE_W")

endmodule

`default_nettype wire
