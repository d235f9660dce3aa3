// Copyright the fat-tree verification environment contributors
// SPDX-License-Identifier: Apache-2.0

`timescale 1ns/1ns
`include "checks.vh"
`default_nettype none

// Packet-switched fat-tree XGFT(H; m_1 .. m_H; w_1 .. w_H) of wormhole switches (Oehring, Ibel,
// Das, Kumar 1995).  k-ary n-trees, GFT(h, m, w), FT(m, n) and the fat-tree Benes network are such
// trees.
//
// Level l = 0 (leaves) .. H (tops).  A node of level l is (a_1 .. a_H), a_i < w_i for i <= l and
// a_i < m_i for i > l, and has the number a_1 + w_1 (a_2 + .. ), radix w_i or m_i.  Parent c of a
// node of level l has a_{l+1} = c; child q of a node of level l has a_l = q; all other digits
// agree.
// With w_1 = 1 a leaf is a link to its one switch; with w_1 > 1 a switch with one link below.
//
// Contract: the links of the leaves are as in xgft_switch, valid_i and flit_i into the network.
// What leaves send has zeros for a list of hops.
// ASYNC: which clocks there are.  NONE: clk.  LEAVES: clk for switches, clocks_i for leaves, one
// each.  LINKS: clk for leaves, clocks_i for the levels of switches, lowest first.  Clocks meet in
// async_border and async_links; tables are written with clk, so not with LINKS.
// With several clocks leaves wait after a reset for ready_o.
// Timing: from a flit on the link of a leaf to its being on the link of another: (STAGES + 1)
// clocks a switch, if the way is free.
//
// Flit, from bit 0: WIDTH data bits, tail mark, head mark, HOPS_W bits of the list of hops (output
// port + 1 of each switch that the head has left, HOP_W bits each, the latest lowest).
// Data of a head flit, from bit 0: address of the destination (ADDR_W bits), number of the source
// (NODE_W), class (1), the rest free.
// With TBCH > 0 the nodes are turnback_nodes: two switches joined by turn-back channels, whose own
// output ports the list of hops has.  Root links 0, 1, 2, 3 .. of top t lead to tops t + 1, t - 1,
// t + 2, t - 2 .., in a ring.
// State, by input virtual channel (VC), from bit 0: flits wait; the packet has an output VC; its
// output port; that VC, one-hot.  Port and VC stay when the packet is gone: docs/wormhole.md.
//
// Vectors by leaf: leaf p owns slice p.  Vectors by switch, or by input or output VC of the
// switches: switch by switch, lower levels first; VCs port by port: children, parents, root links,
// turn-back channels.
//
// H, M and W are the h, m and w of the papers.
module xgft_network #(
  `include "wormhole_params.vh"
  `include "spread_params.vh"
  parameter H = 3,                                         // levels of switches, 1 .. 8
  parameter [32*8-1:0] M = {160'd0, 32'd4, 32'd4, 32'd4},  // m_i at [32*(i-1) +: 32]
  parameter [32*8-1:0] W = {160'd0, 32'd4, 32'd4, 32'd1},  // w_i there
  parameter PATHS   = 1,                                   // addresses a leaf
  parameter TBCH    = 0,                                   // turn-back channels of a node, or 0
  parameter ROOT_LINKS = 0,                                // of a top, each way: see above
  parameter [8*4-1:0]  LATERAL = "1",  // root links a packet may take: "1", "MANY"
  parameter [8*6-1:0]  ADDRESS = "NUMBER",  // "NUMBER", "VECTOR": digits in bit fields
  parameter [8*8-1:0]  ROUTING = "DMODK",  // as of xgft_switch; TBCH > 0: of turnback_node
  parameter [8*3-1:0]  CLIMB   = "NCA",                    // where packets turn: "NCA", "TOP"
  parameter [8*6-1:0]  ASYNC   = "NONE",                   // "NONE", "LEAVES", "LINKS": see above
  parameter SYNC    = 2,                                   // flip-flops of each synchroniser, >= 2
  // derived
  parameter LEAVES    = span_m(H),              // number of endpoints, derived
  parameter LOWEST    = lowest(0),               // level of the lowest switches
  parameter SWITCHES  = switches(H + 1),        // of all levels
  parameter INPUTS    = inputs(H + 1),          // input VCs of all switches
  parameter STATE_W   = states(H + 1),          // bits of the state of all input VCs
  parameter ADDRESSES = LEAVES * PATHS,         // of all leaves
  parameter ADDR_W    = (ADDRESS == "VECTOR") ? digit_bits(H) : $clog2(ADDRESSES),  // bits of one
  parameter NODE_W    = $clog2(LEAVES),         // bits of a leaf's number
  parameter ENTRY_W   = 8,                      // bits of an entry of a forwarding table
  parameter FLIT_W    = WIDTH + 2 + HOPS_W,     // bits of a flit
  // other clocks
  parameter CLOCKS    = (ASYNC == "LEAVES") ? LEAVES : (ASYNC == "LINKS") ? H + 1 - LOWEST : 1
) (
  input  wire                         clk,        // rising edge
  input  wire                         rst,  // synchronous: packets are lost, tables stay
  input  wire [CLOCKS-1:0]            clocks_i,   // rising edges of other clocks, see above
  output wire                         ready_o,    // no reset is on
  input  wire [31:0]                  seed_i,     // of random choices, read at reset
  input  wire                         write_i,    // TABLE: an entry is stored in every switch
  input  wire [ADDR_W-1:0]            address_i,  // TABLE: for this address
  input  wire [SWITCHES*ENTRY_W-1:0]  entries_i,  // TABLE: by switch: the output port
  input  wire [LEAVES*VCS-1:0]        valid_i,    // by leaf: it sends a flit in this VC
  input  wire [LEAVES*FLIT_W-1:0]     flit_i,     // by leaf: that flit
  output wire [LEAVES*VCS-1:0]        credit_o,   // by leaf: room for one flit more in this VC
  output wire [LEAVES*VCS-1:0]        valid_o,    // by leaf: a flit comes to it in this VC
  output wire [LEAVES*FLIT_W-1:0]     flit_o,     // by leaf: that flit
  input  wire [LEAVES*VCS-1:0]        credit_i,   // by leaf: room for one flit more in this VC
  output wire [STATE_W-1:0]           state_o,       // for debuggers: by input VC, see above
  output wire [INPUTS-1:0]            home_o,        // for debuggers: output VCs free, credits full
  output wire [INPUTS-1:0]            link_valid_o,  // for debuggers: VCs of what leaves switches
  output wire [INPUTS/VCS*FLIT_W-1:0] link_flit_o,   // for debuggers: by output port: the flit
  output wire [INPUTS-1:0]            link_credit_o  // for debuggers: credits that come back there
);

  `include "xgft_sizes.vh"

  // ---- clocks, resets, leaves -------------------------------------------------------------------

  localparam LINKS = (ASYNC == "LINKS") ? 1 : 0;

  wire              own_rst, own_clear;  // of clk
  wire [CLOCKS-1:0] rsts, clears;        // of clocks_i
  wire              unused_clear = &{1'b0, own_clear, rsts, clears};

  async_border #(
    .ASYNC(ASYNC), .LEAVES(LEAVES), .CLOCKS(CLOCKS), .VCS(VCS), .DEPTH(DEPTH), .FLIT_W(FLIT_W),
    .SYNC(SYNC)
  ) u_border (
    .clk(clk), .rst(rst), .clocks_i(clocks_i), .ready_o(ready_o), .rst_o(own_rst),
    .clear_o(own_clear), .rsts_o(rsts), .clears_o(clears), .valid_i(valid_i), .flit_i(flit_i),
    .credit_o(credit_o), .valid_o(valid_o), .flit_o(flit_o), .credit_i(credit_i),
    .up_clk(gen_level[LOWEST].level_clk), .up_rst(gen_level[LOWEST].level_rst),
    .up_clear_i(gen_level[LOWEST].level_clear), .up_valid_o(gen_level[LOWEST].up_valid),
    .up_flit_o(gen_level[LOWEST].up_flit), .up_credit_i(gen_level[LOWEST].up_credit),
    .down_clk(gen_level[LOWEST].level_clk), .down_rst(gen_level[LOWEST].level_rst),
    .down_clear_i(gen_level[LOWEST].level_clear), .down_valid_i(gen_level[LOWEST].down_valid),
    .down_flit_i(gen_level[LOWEST].down_flit), .down_credit_o(gen_level[LOWEST].down_credit)
  );

  // ---- levels -----------------------------------------------------------------------------------

  genvar l, k;
  generate
    for (l = LOWEST; l <= H; l = l + 1) begin : gen_level
      localparam UP    = w(l + 1);
      localparam SIZE  = size(l);
      localparam BELOW = SIZE * m(l);    // links to the level below, each way
      localparam ABOVE = (UP > 0) ? SIZE * UP : 1;
      localparam LOW   = span_w(l);      // nodes that differ in the digits up to a_l alone
      localparam FIRST = inputs(l);
      localparam COUNT = inputs(l + 1) - FIRST;
      localparam STATE = states(l + 1) - states(l);

      // Links between the children and this level, child by child, and links to the next one.
      wire [BELOW*VCS-1:0]    up_valid, up_credit, down_valid, down_credit;
      wire [BELOW*FLIT_W-1:0] up_flit, down_flit;
      wire [ABOVE*VCS-1:0]    above_valid, above_credit, back_valid, back_credit;
      wire [ABOVE*FLIT_W-1:0] above_flit, back_flit;

      localparam OWN = (LINKS == 1) ? l - LOWEST : 0;
      wire level_clk   = (LINKS == 1) ? clocks_i[OWN] : clk;
      wire level_rst   = (LINKS == 1) ? rsts[OWN]     : own_rst;
      wire level_clear = (LINKS == 1) ? clears[OWN]   : own_clear;

      xgft_level #(
        `include "wormhole_pass.vh"
        `include "spread_pass.vh"
        .H(H), .M(M), .W(W), .LEVEL(l), .PATHS(PATHS), .TBCH(TBCH), .ROOT_LINKS(ROOT_LINKS),
        .LATERAL(LATERAL), .ADDRESS(ADDRESS), .ROUTING(ROUTING), .CLIMB(CLIMB),
        .ADDRESSES(ADDRESSES), .ADDR_W(ADDR_W), .NODE_W(NODE_W), .ENTRY_W(ENTRY_W)
      ) u_level (
        .clk(level_clk), .rst(level_rst), .seed_i(seed_i), .write_i(write_i), .address_i(address_i),
        .entries_i(entries_i[switches(l)*ENTRY_W +: SIZE*ENTRY_W]), .up_valid_i(up_valid),
        .up_flit_i(up_flit), .up_credit_o(up_credit), .down_valid_o(down_valid),
        .down_flit_o(down_flit), .down_credit_i(down_credit), .above_valid_o(above_valid),
        .above_flit_o(above_flit), .above_credit_i(above_credit), .back_valid_i(back_valid),
        .back_flit_i(back_flit), .back_credit_o(back_credit), .state_o(state_o[states(l) +: STATE]),
        .home_o(home_o[FIRST +: COUNT]), .link_valid_o(link_valid_o[FIRST +: COUNT]),
        .link_flit_o(link_flit_o[FIRST/VCS*FLIT_W +: COUNT/VCS*FLIT_W]),
        .link_credit_o(link_credit_o[FIRST +: COUNT])
      );

      // Link k up, of child s' = k / UP, goes to parent c = k mod UP, port a = digit l+1 of s'.
      if (l < H) begin : gen_links
        wire [ABOVE*VCS-1:0]    next_valid, next_credit, last_valid, last_credit;
        wire [ABOVE*FLIT_W-1:0] next_flit, last_flit;  // these in the clock of the next level

        async_links #(
          .APART(LINKS), .LINKS(ABOVE), .VCS(VCS), .DEPTH(DEPTH), .FLIT_W(FLIT_W), .SYNC(SYNC)
        ) u_up (
          .send_clks_i({ABOVE{level_clk}}), .send_rsts_i({ABOVE{level_rst}}),
          .send_clears_i({ABOVE{level_clear}}), .valid_i(above_valid), .flit_i(above_flit),
          .credit_o(above_credit), .take_clks_i({ABOVE{gen_level[l+1].level_clk}}),
          .take_rsts_i({ABOVE{gen_level[l+1].level_rst}}),
          .take_clears_i({ABOVE{gen_level[l+1].level_clear}}), .valid_o(next_valid),
          .flit_o(next_flit), .credit_i(next_credit)
        );
        async_links #(
          .APART(LINKS), .LINKS(ABOVE), .VCS(VCS), .DEPTH(DEPTH), .FLIT_W(FLIT_W), .SYNC(SYNC)
        ) u_down (
          .send_clks_i({ABOVE{gen_level[l+1].level_clk}}),
          .send_rsts_i({ABOVE{gen_level[l+1].level_rst}}),
          .send_clears_i({ABOVE{gen_level[l+1].level_clear}}), .valid_i(last_valid),
          .flit_i(last_flit), .credit_o(last_credit), .take_clks_i({ABOVE{level_clk}}),
          .take_rsts_i({ABOVE{level_rst}}), .take_clears_i({ABOVE{level_clear}}),
          .valid_o(back_valid), .flit_o(back_flit), .credit_i(back_credit)
        );
        for (k = 0; k < ABOVE; k = k + 1) begin : gen_link
          localparam CHILD  = k / UP;
          localparam A      = CHILD / LOW % m(l + 1);
          localparam PARENT = CHILD % LOW + LOW * (k % UP + UP * (CHILD / (LOW * m(l + 1))));
          localparam J      = PARENT * m(l + 1) + A;
          assign gen_level[l+1].up_valid   [J*VCS +: VCS]       = next_valid [k*VCS +: VCS];
          assign gen_level[l+1].up_flit    [J*FLIT_W +: FLIT_W] = next_flit  [k*FLIT_W +: FLIT_W];
          assign gen_level[l+1].down_credit[J*VCS +: VCS]       = last_credit[k*VCS +: VCS];
          assign next_credit [k*VCS +: VCS]       = gen_level[l+1].up_credit [J*VCS +: VCS];
          assign last_valid  [k*VCS +: VCS]       = gen_level[l+1].down_valid[J*VCS +: VCS];
          assign last_flit   [k*FLIT_W +: FLIT_W] = gen_level[l+1].down_flit [J*FLIT_W +: FLIT_W];
        end
      end else begin : gen_top
        assign above_credit = {(ABOVE*VCS){1'b0}};
        assign back_valid   = {(ABOVE*VCS){1'b0}};
        assign back_flit    = {(ABOVE*FLIT_W){1'b0}};
        wire unused = &{1'b0, above_valid, above_flit, back_credit, level_clear};
      end
    end
  endgenerate

  // ---- parameters -------------------------------------------------------------------------------

  `CHECK_PARAMETER(H >= 1 && H <= 8, "H", H, "1 to 8")
  `CHECK_CHOICE(ASYNC == "NONE" || ASYNC == "LEAVES" || (ROUTING != "TABLE" && LINKS == 1), "ASYNC",
                ASYNC, "NONE, LEAVES, without tables LINKS")
  `CHECK_PARAMETER(LEAVES >= 2, "M", LEAVES, ">= 2")
  `CHECK_PARAMETER(ROOT_LINKS == 0 || (TBCH > 0 && ROOT_LINKS <= 2 * size(H) - 2),
                   "ROOT_LINKS", ROOT_LINKS, "0 to two for each other top, with TBCH > 0")
  generate
    for (k = 1; k <= H; k = k + 1) begin : gen_check
      `CHECK_PARAMETER(m(k) >= 1, "M", m(k), ">= 1")
      `CHECK_PARAMETER(w(k) >= 1, "W", w(k), ">= 1")
    end
  endgenerate

endmodule

`default_nettype wire
