// Copyright the fat-tree verification environment contributors
// SPDX-License-Identifier: Apache-2.0

`timescale 1ns/1ns
`include "checks.vh"
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
// Vectors by port: children first, then parents.  Vectors by VC: port by port.
module xgft_switch #(
  parameter DOWN    = 4,                         // children, >= 1
  parameter UP      = 4,                         // parents; 0 at the top
  parameter BELOW   = 16,                        // leaves below the switch
  parameter SPREAD  = 4,                         // w_1 w_2 .. w_l: switches that top one subtree
  parameter VCS     = 2,                         // virtual channels a link, 1 .. 4
  parameter DEPTH   = 4,                         // flits a VC's queue holds
  parameter WIDTH   = 32,                        // data bits of a flit
  parameter HOPS_W  = 0,                         // bits of the list of hops, see xgft_network
  parameter HOP_W   = 4,                         // bits of a hop there
  parameter ADDR_W  = 6,                         // bits of an address
  parameter NODE_W  = 6,                         // bits of a leaf's number
  parameter PATHS   = 1,                         // addresses a leaf
  parameter ADDRESSES = 64,                      // of all leaves
  parameter CLASSES = 1,                         // 1, 2: see xgft_vc_allocator
  parameter STAGES  = 1,                         // 1 .. 3: see xgft_input_unit
  parameter AHEAD   = 0,                         // 0, 1: see xgft_input_unit
  parameter WAYS    = 1,                         // of a port into the crossbar, a divisor of VCS
  parameter [8*8-1:0]  ROUTING = "DMODK",        // see xgft_route
  parameter [8*3-1:0]  CLIMB   = "NCA",          // see xgft_route
  parameter [8*4-1:0]  MODE    = "ANY",          // see xgft_vc_allocator
  parameter [8*11-1:0] ARBITER = "ROUND_ROBIN",  // see arbiter
  // derived
  parameter PORTS   = DOWN + UP,                        // each way
  parameter PORT_W  = (PORTS > 1) ? $clog2(PORTS) : 1,  // bits of a port's number
  parameter FLIT_W  = WIDTH + 2 + HOPS_W                // bits of a flit
) (
  input  wire                    clk,  // rising edge
  input  wire                    rst,  // synchronous
  input  wire [15:0]             pos_i,      // the switch's number in its level, a constant
  input  wire [15:0]             number_i,   // and in the network: makes its random choices its own
  input  wire [31:0]             seed_i,     // of random choices, read at reset
  input  wire                    write_i,    // TABLE: an entry is stored, see xgft_table
  input  wire [ADDR_W-1:0]       address_i,  // TABLE: for this address
  input  wire [PORT_W-1:0]       entry_i,    // TABLE: the output port
  input  wire [PORTS*VCS-1:0]    valid_i,    // links into the switch: the VC of a flit
  input  wire [PORTS*FLIT_W-1:0] flit_i,     // the flit
  output wire [PORTS*VCS-1:0]    credit_o,   // room for one flit more
  output wire [PORTS*VCS-1:0]    valid_o,    // links out of the switch: the VC of a flit
  output wire [PORTS*FLIT_W-1:0] flit_o,     // the flit
  input  wire [PORTS*VCS-1:0]    credit_i,   // room for one flit more
  output wire [PORTS*VCS*(2+PORT_W+VCS)-1:0] state_o,  // for debuggers, see xgft_network
  output wire [PORTS*VCS-1:0]    home_o      // for debuggers: output VCs free, with all credits
);
  /* verilator no_inline_module */  // the instances of a level share one body

  localparam INPUTS   = PORTS * VCS;
  localparam ROOM_W   = $clog2(VCS * DEPTH + DEPTH + 1);
  localparam ADAPTIVE = (ROUTING == "ADAPTIVE" || ROUTING == "TWO") ? 1 : 0;
  localparam RANDOM   = (ADAPTIVE == 1 || ROUTING == "RANDOM") ? 1 : 0;
  localparam HEADER_W = ADDR_W + NODE_W + 1;  // address, source, class
  localparam STATE_W  = VCS * (2 + PORT_W + VCS);
  localparam PARENTS  = (UP > 0) ? UP : 1;
  localparam LANES    = PORTS * WAYS;  // into the crossbar
  localparam LANE_W   = (LANES > 1) ? $clog2(LANES) : 1;

  localparam [31:0] TOPS = SPREAD;

  wire [INPUTS-1:0]        ask, want, grant, ready, take, reply;  // by input VC
  wire [INPUTS*PORT_W-1:0] entry, port;
  wire [INPUTS*ADDR_W-1:0] address;
  wire [INPUTS*VCS-1:0]    granted_vc, vc;
  wire [INPUTS-1:0]        free, home, claim, credit, send;       // by output VC
  wire [PORTS*ROOM_W-1:0]  room;
  wire [LANES*FLIT_W-1:0]  leaving;
  wire [PORTS*FLIT_W-1:0]  crossed;
  wire [PORTS-1:0]         enable;
  wire [PORTS*LANE_W-1:0]  select;
  wire [31:0]              random;
  wire [15:0]              subtree = pos_i / TOPS[15:0];  // the subtree that the switch tops
  wire                     unused  = &{1'b0, room};

  genvar p, v;
  generate
    for (p = 0; p < PORTS; p = p + 1) begin : gen_port
      wire [VCS*HEADER_W-1:0] header;
      wire [VCS*PORT_W-1:0]   route;

      xgft_input_unit #(
        .VCS(VCS), .DEPTH(DEPTH), .WIDTH(WIDTH), .FLIT_W(FLIT_W), .HEADER_W(HEADER_W),
        .PORT_W(PORT_W), .STAGES(STAGES), .HOLD(1 - ADAPTIVE),
        .AHEAD(AHEAD), .WAYS(WAYS)
      ) u_input (
        .clk     (clk),
        .rst     (rst),
        .valid_i (valid_i[p*VCS +: VCS]),
        .flit_i  (flit_i[p*FLIT_W +: FLIT_W]),
        .credit_o(credit_o[p*VCS +: VCS]),
        .ask_o   (ask[p*VCS +: VCS]),
        .header_o(header),
        .route_i (route),
        .want_o  (want[p*VCS +: VCS]),
        .port_o  (port[p*VCS*PORT_W +: VCS*PORT_W]),
        .grant_i (grant[p*VCS +: VCS]),
        .vc_i    (granted_vc[p*VCS*VCS +: VCS*VCS]),
        .ready_o (ready[p*VCS +: VCS]),
        .vc_o    (vc[p*VCS*VCS +: VCS*VCS]),
        .take_i  (take[p*VCS +: VCS]),
        .flit_o  (leaving[p*WAYS*FLIT_W +: WAYS*FLIT_W]),
        .state_o (state_o[p*STATE_W +: STATE_W])
      );

      for (v = 0; v < VCS; v = v + 1) begin : gen_vc
        localparam I    = p * VCS + v;
        localparam TURN = 32 - 5 * I % 32;  // each input sees the random number turned elsewhere
        wire [63:0] twice = {random, random};
        wire        unused_twice = &{1'b0, twice};

        assign address[I*ADDR_W +: ADDR_W] = header[v*HEADER_W +: ADDR_W];
        assign reply[I]                    = header[v*HEADER_W + HEADER_W - 1];

        xgft_route #(
          .DOWN(DOWN), .UP(UP), .BELOW(BELOW), .SPREAD(SPREAD), .PATHS(PATHS), .ADDR_W(ADDR_W),
          .NODE_W(NODE_W), .PORT_W(PORT_W), .ROOM_W(ROOM_W), .ROUTING(ROUTING), .CLIMB(CLIMB)
        ) u_route (
          .ask_i    (ask[I]),
          .address_i(address[I*ADDR_W +: ADDR_W]),
          .source_i (header[v*HEADER_W + ADDR_W +: NODE_W]),
          .below_i  (p < DOWN),
          .subtree_i(subtree),
          .random_i (twice[TURN +: 16]),
          .room_i   (room[(PORTS-PARENTS)*ROOM_W +: PARENTS*ROOM_W]),
          .table_i  (entry[I*PORT_W +: PORT_W]),
          .port_o   (route[v*PORT_W +: PORT_W])
        );
      end

      xgft_output_unit #(
        .VCS(VCS), .DEPTH(DEPTH), .WIDTH(WIDTH), .HOPS_W(HOPS_W), .HOP_W(HOP_W), .HOP(p + 1),
        .FLIT_W(FLIT_W), .ROOM_W(ROOM_W), .ROOMS(ADAPTIVE)
      ) u_output (
        .clk     (clk),
        .rst     (rst),
        .claim_i (claim[p*VCS +: VCS]),
        .send_i  (send[p*VCS +: VCS]),
        .flit_i  (crossed[p*FLIT_W +: FLIT_W]),
        .credit_i(credit_i[p*VCS +: VCS]),
        .free_o  (free[p*VCS +: VCS]),
        .ready_o (credit[p*VCS +: VCS]),
        .home_o  (home[p*VCS +: VCS]),
        .room_o  (room[p*ROOM_W +: ROOM_W]),
        .valid_o (valid_o[p*VCS +: VCS]),
        .flit_o  (flit_o[p*FLIT_W +: FLIT_W])
      );
    end
  endgenerate

  xgft_vc_allocator #(
    .INS(PORTS), .OUTS(PORTS), .VCS(VCS), .CLASSES(CLASSES), .PORT_W(PORT_W), .MODE(MODE),
    .ARBITER(ARBITER)
  ) u_vc_allocator (
    .clk(clk), .rst(rst), .want_i(want), .port_i(port), .class_i(reply), .free_i(free),
    .home_i(home), .grant_o(grant), .vc_o(granted_vc), .claim_o(claim)
  );

  xgft_switch_allocator #(
    .INS(PORTS), .OUTS(PORTS), .VCS(VCS), .PORT_W(PORT_W), .WAYS(WAYS), .ARBITER(ARBITER)
  ) u_switch_allocator (
    .clk(clk), .rst(rst), .ready_i(ready), .port_i(port), .vc_i(vc), .credit_i(credit),
    .take_o(take), .enable_o(enable), .select_o(select), .send_o(send)
  );

  crossbar #(.R(LANES), .S(PORTS), .W(FLIT_W)) u_crossbar (
    .data_i(leaving), .enable_i(enable), .select_i(select), .data_o(crossed)
  );

  assign home_o = home & free;

  // ---- random numbers, forwarding table ---------------------------------------------------------

  generate
    if (RANDOM == 1) begin : gen_random
      xgft_random #(.ANGLE(5 * INPUTS)) u_random (
        .clk(clk), .rst(rst), .pos_i(pos_i), .number_i(number_i), .seed_i(seed_i), .random_o(random)
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
  endgenerate

  xgft_rules #(
    .INS(PORTS), .OUTS(PORTS), .ABOVE(DOWN), .LOW(DOWN), .VCS(VCS), .PORT_W(PORT_W)
  ) u_rules (
    .clk(clk), .rst(rst), .want_i(want), .port_i(port), .free_i(free), .claim_i(claim),
    .send_i(send), .ready_i(credit), .home_i(home), .credit_i(credit_i)
  );

  `CHECK_PARAMETER(DOWN >= 1, "DOWN", DOWN, ">= 1")
  `CHECK_PARAMETER(WIDTH > ADDR_W + NODE_W, "WIDTH", WIDTH, "> ADDR_W + NODE_W")
  `CHECK_PARAMETER(ADDRESSES >= 2 && ADDRESSES <= (1 << ADDR_W),
                   "ADDRESSES", ADDRESSES, "2 to 2^ADDR_W")

endmodule

`default_nettype wire
