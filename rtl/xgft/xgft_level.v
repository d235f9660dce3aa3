// Copyright the fat-tree verification environment contributors
// SPDX-License-Identifier: Apache-2.0

`timescale 1ns/1ns
`default_nettype none

// Switches of one level of a fat-tree, as in xgft_network, whose words and parameters these are.
//
// Contract, timing: each switch is an xgft_switch, or with TBCH > 0 a turnback_node.
//
// Vectors by link below: switch by switch, children in order; by link above: switch by switch,
// parents in order (idle at the top).  Others as in xgft_network, those of this level.
module xgft_level #(
  `include "wormhole_params.vh"
  `include "spread_params.vh"
  parameter H = 3,                                         // levels of switches
  parameter [32*8-1:0] M = {160'd0, 32'd4, 32'd4, 32'd4},  // m_i, as in xgft_network
  parameter [32*8-1:0] W = {160'd0, 32'd4, 32'd4, 32'd1},  // w_i
  parameter LEVEL   = 1,                                   // this level
  parameter PATHS   = 1,                                   // addresses a leaf
  parameter TBCH    = 0,  // turn-back channels of a node; 0: xgft_switches
  parameter ROOT_LINKS = 0,                                // of a top, each way; 0 without TBCH
  parameter [8*4-1:0]  LATERAL = "1",  // root links a packet may take: "1", "MANY"
  parameter [8*6-1:0]  ADDRESS = "NUMBER",  // "NUMBER", "VECTOR": digits in bit fields
  parameter [8*8-1:0]  ROUTING = "DMODK",  // as of xgft_switch; TBCH > 0: of turnback_node
  parameter [8*3-1:0]  CLIMB   = "NCA",                    // where packets turn: "NCA", "TOP"
  parameter ADDRESSES = 64,                                // of all leaves
  parameter ADDR_W    = 6,                                 // bits of an address
  parameter NODE_W    = 6,                                 // bits of a leaf's number
  parameter ENTRY_W   = 8,                                 // bits of an entry of a forwarding table
  // derived
  parameter FLIT_W  = WIDTH + 2 + HOPS_W,                  // bits of a flit
  parameter SIZE    = size(LEVEL),                         // switches
  parameter BELOW   = SIZE * m(LEVEL),                     // links below, each way
  parameter ABOVE   = (LEVEL < H) ? SIZE * w(LEVEL + 1) : 1,  // links above
  parameter INPUTS  = inputs(LEVEL + 1) - inputs(LEVEL),   // input VCs
  parameter STATE_W = states(LEVEL + 1) - states(LEVEL)    // bits of their state
) (
  input  wire                         clk,             // rising edge
  input  wire                         rst,             // synchronous, as in xgft_network
  input  wire [31:0]                  seed_i,          // of random choices, read at reset
  input  wire                         write_i,         // TABLE: an entry is stored
  input  wire [ADDR_W-1:0]            address_i,       // TABLE: for this address
  input  wire [SIZE*ENTRY_W-1:0]      entries_i,       // TABLE: by switch: the output port
  input  wire [BELOW*VCS-1:0]         up_valid_i,      // from below: the VC of a flit
  input  wire [BELOW*FLIT_W-1:0]      up_flit_i,       // by link: that flit from below
  output wire [BELOW*VCS-1:0]         up_credit_o,     // room for one flit more
  output wire [BELOW*VCS-1:0]         down_valid_o,    // to below: the VC of a flit
  output wire [BELOW*FLIT_W-1:0]      down_flit_o,     // by link: that flit to below
  input  wire [BELOW*VCS-1:0]         down_credit_i,   // room for one flit more
  output wire [ABOVE*VCS-1:0]         above_valid_o,   // to above: the VC of a flit
  output wire [ABOVE*FLIT_W-1:0]      above_flit_o,    // by link: that flit to above
  input  wire [ABOVE*VCS-1:0]         above_credit_i,  // room for one flit more
  input  wire [ABOVE*VCS-1:0]         back_valid_i,    // from above: the VC of a flit
  input  wire [ABOVE*FLIT_W-1:0]      back_flit_i,     // by link: that flit from above
  output wire [ABOVE*VCS-1:0]         back_credit_o,   // room for one flit more
  output wire [STATE_W-1:0]           state_o,         // for debuggers, as in xgft_network
  output wire [INPUTS-1:0]            home_o,  // for debuggers: output VCs free, credits full
  output wire [INPUTS-1:0]            link_valid_o,    // for debuggers: VCs of what leaves switches
  output wire [INPUTS/VCS*FLIT_W-1:0] link_flit_o,     // for debuggers: by output port: the flit
  output wire [INPUTS-1:0]            link_credit_o  // for debuggers: credits that come back there
);

  `include "xgft_sizes.vh"

  localparam DOWN   = m(LEVEL);
  localparam UP     = w(LEVEL + 1);
  localparam ROOTS  = roots(LEVEL);
  localparam PORTS  = DOWN + UP + ROOTS;
  localparam SHOWN  = ports(LEVEL);   // with turn-back channels
  localparam PORT_W = port_bits(SHOWN);
  localparam LOW    = span_w(LEVEL);  // nodes that differ in the digits up to a_l alone

  genvar s, k;
  generate
    if (UP == 0) begin : gen_top
      assign above_valid_o = {(ABOVE*VCS){1'b0}};
      assign above_flit_o  = {(ABOVE*FLIT_W){1'b0}};
      assign back_credit_o = {(ABOVE*VCS){1'b0}};
      wire unused = &{1'b0, above_credit_i, back_valid_i, back_flit_i};
    end
    if (LEVEL == lowest(0)) begin : gen_leaves
      xgft_departures #(.LEAVES(BELOW), .VCS(VCS), .WIDTH(WIDTH), .HOPS_W(HOPS_W)) u_departures (
        .clk(clk), .rst(rst), .valid_i(up_valid_i), .flit_i(up_flit_i)
      );
    end
    if (ROOTS > 0) begin : gen_ring  // root links, top by top
      wire [SIZE*ROOTS*VCS-1:0]    valid, credit;
      wire [SIZE*ROOTS*FLIT_W-1:0] flit;
    end

    // Ports of a switch: children, then parents, then root links.
    for (s = 0; s < SIZE; s = s + 1) begin : gen_switch
      localparam D = s * DOWN;                       // first link below
      localparam U = s * UP;                         // first link above
      localparam G = s * SHOWN;                      // first port
      localparam STATE = SHOWN * VCS * (2 + PORT_W + VCS);
      localparam S = s * STATE;
      localparam [31:0] POS    = s;
      localparam [31:0] NUMBER = switches(LEVEL) + s;

      wire [PORTS*VCS-1:0]    in_valid, in_credit, out_valid, out_credit;
      wire [PORTS*FLIT_W-1:0] in_flit, out_flit;
      wire [ENTRY_W-1:0]      entry = entries_i[s*ENTRY_W +: ENTRY_W];
      wire                    unused = &{1'b0, entry, write_i, address_i};

      if (TBCH > 0) begin : gen_turnback
        localparam        SUBTREE = s / LOW;
        localparam [31:0] PLACE   = (ADDRESS == "VECTOR") ? digits(LEVEL, SUBTREE) : SUBTREE;
        turnback_node #(
          `include "wormhole_pass.vh"
          .DOWN(DOWN), .UP(UP), .ROOTS(ROOTS), .TURNS(TBCH), .BELOW(span_m(LEVEL)),
          .FIELDS((LEVEL > 0) ? digit_bits(LEVEL - 1) : 0), .ADDR_W(ADDR_W), .NODE_W(NODE_W),
          .ROUTING(ROUTING[8*4-1:0]), .LATERAL(LATERAL), .ADDRESS(ADDRESS)
        ) u_node (
          .clk(clk), .rst(rst), .pos_i(POS[15:0]), .number_i(NUMBER[15:0]),
          .subtree_i(PLACE[15:0]), .seed_i(seed_i), .valid_i(in_valid), .flit_i(in_flit),
          .credit_o(in_credit), .valid_o(out_valid), .flit_o(out_flit), .credit_i(out_credit),
          .turn_valid_o(link_valid_o[(G+PORTS)*VCS +: (SHOWN-PORTS)*VCS]),
          .turn_flit_o(link_flit_o[(G+PORTS)*FLIT_W +: (SHOWN-PORTS)*FLIT_W]),
          .turn_credit_o(link_credit_o[(G+PORTS)*VCS +: (SHOWN-PORTS)*VCS]),
          .state_o(state_o[S +: STATE]), .home_o(home_o[G*VCS +: SHOWN*VCS])
        );
      end else begin : gen_plain
        xgft_switch #(
          `include "wormhole_pass.vh"
          `include "spread_pass.vh"
          .DOWN(DOWN), .UP(UP), .BELOW(span_m(LEVEL)), .SPREAD(LOW), .ADDR_W(ADDR_W),
          .NODE_W(NODE_W), .PATHS(PATHS), .ADDRESSES(ADDRESSES), .ROUTING(ROUTING), .CLIMB(CLIMB)
        ) u_switch (
          .clk(clk), .rst(rst), .pos_i(POS[15:0]), .number_i(NUMBER[15:0]), .seed_i(seed_i),
          .write_i(write_i), .address_i(address_i), .entry_i(entry[PORT_W-1:0]), .valid_i(in_valid),
          .flit_i(in_flit), .credit_o(in_credit), .valid_o(out_valid), .flit_o(out_flit),
          .credit_i(out_credit), .state_o(state_o[S +: STATE]), .home_o(home_o[G*VCS +: PORTS*VCS])
        );
      end

      assign link_valid_o [G*VCS +: PORTS*VCS]       = out_valid;
      assign link_flit_o  [G*FLIT_W +: PORTS*FLIT_W] = out_flit;
      assign link_credit_o[G*VCS +: PORTS*VCS]       = out_credit;

      assign in_valid   [0 +: DOWN*VCS]             = up_valid_i [D*VCS +: DOWN*VCS];
      assign in_flit    [0 +: DOWN*FLIT_W]          = up_flit_i  [D*FLIT_W +: DOWN*FLIT_W];
      assign up_credit_o [D*VCS +: DOWN*VCS]         = in_credit [0 +: DOWN*VCS];
      assign down_valid_o[D*VCS +: DOWN*VCS]         = out_valid [0 +: DOWN*VCS];
      assign down_flit_o [D*FLIT_W +: DOWN*FLIT_W]   = out_flit  [0 +: DOWN*FLIT_W];
      assign out_credit [0 +: DOWN*VCS]             = down_credit_i[D*VCS +: DOWN*VCS];

      if (UP > 0) begin : gen_up
        assign above_valid_o[U*VCS +: UP*VCS]        = out_valid   [DOWN*VCS +: UP*VCS];
        assign above_flit_o [U*FLIT_W +: UP*FLIT_W]  = out_flit    [DOWN*FLIT_W +: UP*FLIT_W];
        assign out_credit  [DOWN*VCS +: UP*VCS]     = above_credit_i[U*VCS +: UP*VCS];
        assign in_valid    [DOWN*VCS +: UP*VCS]     = back_valid_i  [U*VCS +: UP*VCS];
        assign in_flit     [DOWN*FLIT_W +: UP*FLIT_W] = back_flit_i [U*FLIT_W +: UP*FLIT_W];
        assign back_credit_o[U*VCS +: UP*VCS]        = in_credit   [DOWN*VCS +: UP*VCS];
      end

      for (k = 0; k < ROOTS; k = k + 1) begin : gen_root
        localparam P    = DOWN + UP + k;                        // the port
        localparam FAR  = (2 * (k % 2) - 1) * (k / 2 + 1);      // to the top that leads here
        localparam NEXT = s * ROOTS + k;                        // the link out of the port
        localparam LAST = (s + SIZE + FAR) % SIZE * ROOTS + k;  // and into it
        assign gen_ring.valid [NEXT*VCS +: VCS]       = out_valid      [P*VCS +: VCS];
        assign gen_ring.flit  [NEXT*FLIT_W +: FLIT_W] = out_flit       [P*FLIT_W +: FLIT_W];
        assign out_credit     [P*VCS +: VCS]          = gen_ring.credit[NEXT*VCS +: VCS];
        assign in_valid       [P*VCS +: VCS]          = gen_ring.valid [LAST*VCS +: VCS];
        assign in_flit        [P*FLIT_W +: FLIT_W]    = gen_ring.flit  [LAST*FLIT_W +: FLIT_W];
        assign gen_ring.credit[LAST*VCS +: VCS]       = in_credit      [P*VCS +: VCS];
      end
    end
  endgenerate

endmodule

`default_nettype wire
