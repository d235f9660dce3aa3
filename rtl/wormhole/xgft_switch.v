// Copyright the fat-tree verification environment contributors
// SPDX-License-Identifier: Apache-2.0

`timescale 1ns/1ns
`include "checks.vh"
`include "xgft_routings.vh"
`default_nettype none

// Wormhole switch of a fat-tree: DOWN links to children, UP links to parents, both ways, VCS
// virtual channels (VCs) each, queues at the inputs, credits back.
//
//   link -> input -> route -> VC allocator -> switch allocator -> crossbar -> output -> link
//
// Contract: on each link valid_i names the VC of a flit, one-hot; flits of a VC are whole packets,
// one after the other, in order.  Credits: a sender sends at most DEPTH flits more than credits
// came back.  Packets from parents go down, so that waiting channels cannot form a cycle.
// Timing: see xgft_input_unit (STAGES); one clock more on the link.  A VC runs at full rate from
// DEPTH = STAGES + 3 on: so many clocks after a flit was sent its credit counts.
//
// FORM = "FAST" is the same in every clock, as a simulator likes it (fast/xgft_switch_fast.v): for
// up to 64 input VCs and two ports or more; of others, and of what a block refuses, "HARDWARE" is.
//
// Vectors by port: children first, then parents.  Vectors by VC: port by port.
module xgft_switch #(
  `include "wormhole_params.vh"
  `include "spread_params.vh"
  parameter DOWN    = 4,                         // children, >= 1
  parameter UP      = 4,                         // parents; 0 at the top
  parameter BELOW   = 16,                        // leaves below the switch
  parameter SPREAD  = 4,                         // w_1 w_2 .. w_l: switches that top one subtree
  parameter ADDR_W  = 6,                         // bits of an address
  parameter NODE_W  = 6,                         // bits of a leaf's number
  parameter PATHS   = 1,                         // addresses a leaf
  parameter ADDRESSES = 64,                      // of all leaves
  parameter [8*8-1:0]  ROUTING = "DMODK",        // of xgft_route or, UP > 0, of xgft_spread
  parameter [8*3-1:0]  CLIMB   = "NCA",          // where packets turn: "NCA", "TOP"
  // derived
  parameter PORTS   = DOWN + UP,                        // each way
  parameter [16*PORTS-1:0] RATIOS = {PORTS{16'd1}},     // by port: clocks from flit to flit
  parameter PORT_W  = (PORTS > 1) ? $clog2(PORTS) : 1,  // bits of a port's number
  parameter FLIT_W  = WIDTH + 2 + HOPS_W                // bits of a flit
) (
  input  wire                    clk,  // rising edge
  input  wire                    rst,  // synchronous: packets are lost, credits full, table stays
  input  wire [15:0]             pos_i,      // the switch's number in its level, a constant
  input  wire [15:0]             number_i,   // and in the network: makes its random choices its own
  input  wire [31:0]             seed_i,     // of random choices, read at reset
  input  wire                    write_i,    // TABLE: an entry is stored, see xgft_table
  input  wire [ADDR_W-1:0]       address_i,  // TABLE: for this address
  input  wire [PORT_W-1:0]       entry_i,    // TABLE: the output port
  input  wire [PORTS*VCS-1:0]    valid_i,    // links into the switch: the VC of a flit
  input  wire [PORTS*FLIT_W-1:0] flit_i,     // by port: {hops, head, tail, data}
  output wire [PORTS*VCS-1:0]    credit_o,   // room for one flit more
  output wire [PORTS*VCS-1:0]    valid_o,    // links out of the switch: the VC of a flit
  output wire [PORTS*FLIT_W-1:0] flit_o,     // by port: {hops, head, tail, data}
  input  wire [PORTS*VCS-1:0]    credit_i,   // room for one flit more
  output wire [PORTS*VCS*(2+PORT_W+VCS)-1:0] state_o,  // for debuggers, see xgft_network
  output wire [PORTS*VCS-1:0]    home_o      // for debuggers: output VCs free, with all credits
);
  /* verilator no_inline_module */  // the instances of a level share one body

  // Whether it fits, and all blocks would have the parameters (see their checks).
  localparam FAST = (FORM == "FAST" && PORTS > 1 && PORTS * VCS <= 64 && DOWN >= 1 && DEPTH >= 1
    && VCS >= 1 && VCS <= 4 && WAYS >= 1 && WAYS <= VCS && VCS / WAYS * WAYS == VCS && STAGES >= 1
    && STAGES <= 3 && (AHEAD == 0 || AHEAD == 1) && (CLASSES == 1 || (CLASSES == 2 && VCS > 1))
    && (MODE == "ANY" || MODE == "KEEP") && (ARBITER == "ROUND_ROBIN" || ARBITER == "MATRIX")
    && (HOPS_W == 0 || (HOPS_W > HOP_W && PORTS < (1 << HOP_W))) && PATHS >= 1 && BELOW % DOWN == 0
    && `DECIDES(ROUTING) && (CLIMB == "NCA" || CLIMB == "TOP")) ? 1 : 0;
  wire [15:0] salt = (SALT == "SAME") ? 16'd0 : number_i;  // of hashes
  genvar      i;
  generate
    if (FAST == 1) begin : gen_fast
      xgft_switch_fast #(
        `include "wormhole_pass.vh"
        .DOWN(DOWN), .UP(UP), .BELOW(BELOW), .SPREAD(SPREAD), .ADDR_W(ADDR_W), .NODE_W(NODE_W),
        .PATHS(PATHS), .ADDRESSES(ADDRESSES), .ROUTING(ROUTING), .CLIMB(CLIMB), .RATIOS(RATIOS)
      ) u_fast (
        .clk(clk), .rst(rst), .pos_i(pos_i), .number_i((ROUTING == "ECMP") ? salt : number_i),
        .seed_i(seed_i), .write_i(write_i), .address_i(address_i), .entry_i(entry_i),
        .valid_i(valid_i), .flit_i(flit_i), .credit_o(credit_o), .valid_o(valid_o),
        .flit_o(flit_o), .credit_i(credit_i), .state_o(state_o), .home_o(home_o)
      );
    end else begin : gen_hardware
      localparam INPUTS   = PORTS * VCS;
      localparam HEADER_W = ADDR_W + NODE_W + 1;  // address, source, class
      localparam PARENTS  = (UP > 0) ? UP : 1;
      localparam [31:0] TOPS = SPREAD;

      wire [INPUTS-1:0]          ask;  // by input VC
      wire [INPUTS*HEADER_W-1:0] header;
      wire [INPUTS*ADDR_W-1:0]   address;
      wire [INPUTS*PORT_W-1:0]   entry, made, route, port;
      wire [PORTS-1:0]           room;
      wire [31:0]                random;
      wire [15:0]                subtree = pos_i / TOPS[15:0];  // the subtree that the switch tops
      wire [INPUTS-1:0]          want, free, grant;  // rules and allocators look at them
      wire                       unused = &{1'b0, room, want, free, grant, port, salt};

      xgft_core #(
        `include "wormhole_pass.vh"
        .INS(PORTS), .OUTS(PORTS), .ABOVE(DOWN), .LOW(DOWN), .HEADER_W(HEADER_W), .PORT_W(PORT_W),
        .HOLD(`FREE(ROUTING) ? 0 : 1), .RATIOS(RATIOS)
      ) u_core (
        .clk(clk), .rst(rst), .valid_i(valid_i), .flit_i(flit_i), .credit_o(credit_o), .ask_o(ask),
        .header_o(header), .route_i(route), .want_o(want), .port_o(port), .grant_o(grant),
        .valid_o(valid_o), .flit_o(flit_o), .credit_i(credit_i), .free_o(free), .room_o(room),
        .state_o(state_o), .home_o(home_o)
      );

      for (i = 0; i < INPUTS; i = i + 1) begin : gen_route
        localparam TURN = 32 - 5 * i % 32;  // each input sees the random number turned elsewhere
        wire [63:0] twice = {random, random};
        wire        unused_twice = &{1'b0, twice, header[i*HEADER_W + HEADER_W - 1]};

        assign address[i*ADDR_W +: ADDR_W] = header[i*HEADER_W +: ADDR_W];

        xgft_route #(
          .DOWN(DOWN), .UP(UP), .BELOW(BELOW), .SPREAD(SPREAD), .PATHS(PATHS), .ADDR_W(ADDR_W),
          .NODE_W(NODE_W), .PORT_W(PORT_W), .ROUTING(ROUTING), .CLIMB(CLIMB)
        ) u_route (
          .ask_i(ask[i]), .address_i(address[i*ADDR_W +: ADDR_W]),
          .source_i(header[i*HEADER_W + ADDR_W +: NODE_W]), .below_i(i < DOWN * VCS),
          .subtree_i(subtree), .random_i((ROUTING == "ECMP") ? salt : twice[TURN +: 16]),
          .room_i(room[PORTS-1:PORTS-PARENTS]),
          .table_i(entry[i*PORT_W +: PORT_W]), .port_o(made[i*PORT_W +: PORT_W])
        );
      end

      if (`SPREADS(ROUTING) && UP > 0) begin : gen_spread
        localparam LOW = DOWN * VCS;  // input VCs of children
        assign route[INPUTS*PORT_W-1:LOW*PORT_W] = made[INPUTS*PORT_W-1:LOW*PORT_W];
        xgft_spread #(
          `include "spread_pass.vh"
          .DOWN(DOWN), .UP(UP), .VCS(VCS), .DEPTH(DEPTH), .ADDR_W(ADDR_W), .NODE_W(NODE_W),
          .PORT_W(PORT_W), .ROUTING(ROUTING)
        ) u_spread (
          .clk(clk), .rst(rst), .salt_i(salt), .random_i(random), .room_i(room[PORTS-1:DOWN]),
          .sent_i(valid_o[INPUTS-1:LOW]), .credit_i(credit_i[INPUTS-1:LOW]),
          .header_i(header[0 +: LOW*HEADER_W]), .grant_i(grant[LOW-1:0]),
          .port_i(port[0 +: LOW*PORT_W]), .route_i(made[0 +: LOW*PORT_W]),
          .route_o(route[0 +: LOW*PORT_W])
        );
      end else begin : gen_routes
        assign route = made;
      end

      xgft_arrivals #(
        .DOWN(DOWN), .UP(UP), .BELOW(BELOW), .SPREAD(SPREAD), .VCS(VCS), .PATHS(PATHS),
        .ADDR_W(ADDR_W), .ROUTING(ROUTING), .CLIMB(CLIMB)
      ) u_arrivals (
        .clk(clk), .rst(rst), .ask_i(ask), .address_i(address), .subtree_i(subtree)
      );

      // ---- random numbers, forwarding table -----------------------------------------------------

      if (`DRAWS(ROUTING)) begin : gen_random
        xgft_random #(.ANGLE(5 * INPUTS)) u_random (
          .clk(clk), .rst(rst), .pos_i(pos_i), .number_i(number_i), .seed_i(seed_i),
          .random_o(random)
        );
      end else begin : gen_no_random
        assign random = 32'd0;
        wire unused_seed = &{1'b0, seed_i, number_i};
      end

      if (ROUTING == "TABLE") begin : gen_table
        xgft_table #(
          .ADDRESSES(ADDRESSES), .ADDR_W(ADDR_W), .PORT_W(PORT_W), .READS(INPUTS)
        ) u_table (
          .clk(clk), .write_i(write_i), .address_i(address_i), .entry_i(entry_i), .look_i(ask),
          .look_address_i(address), .port_o(entry)
        );
      end else begin : gen_no_table
        assign entry = {(INPUTS*PORT_W){1'b0}};
        wire unused_entry = &{1'b0, write_i, address_i, entry_i};
      end
    end
  endgenerate

  `CHECK_PARAMETER(DOWN >= 1, "DOWN", DOWN, ">= 1")
  `CHECK_PARAMETER(WIDTH > ADDR_W + NODE_W, "WIDTH", WIDTH, "> ADDR_W + NODE_W")
  `CHECK_PARAMETER(ADDRESSES >= 2 && ADDRESSES <= (1 << ADDR_W),
                   "ADDRESSES", ADDRESSES, "2 to 2^ADDR_W")

endmodule

`default_nettype wire
