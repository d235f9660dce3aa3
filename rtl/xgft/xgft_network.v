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
// ASYNC: which clocks there are.  NONE: clk.  LEAVES: clk for switches, clocks_i for leaves, one
// each.  LINKS: clk for leaves, clocks_i for the levels of switches, lowest first.  Whoever has
// another clock is joined by async_links; tables are written with clk, so not with LINKS.
// With several clocks nobody sends after a reset until ready_o.
// Timing: from a flit on the link of a leaf to its being on the link of another: (STAGES + 1)
// clocks a switch, if nobody is in the way.
//
// Flit, from bit 0: WIDTH data bits, tail mark, head mark, HOPS_W bits of the list of hops (output
// port + 1 of each switch that the head has left, HOP_W bits each, the latest lowest).
// Data of a head flit, from bit 0: address of the destination (ADDR_W bits), number of the source
// (NODE_W), class (1), the rest free.
// With TBCH > 0 the nodes are turnback_nodes: two switches joined by turn-back channels, whose own
// output ports the list of hops has.  Root links 0, 1, 2, 3 .. of top t lead to tops t + 1, t - 1,
// t + 2, t - 2 .., in a ring.
// State, by input virtual channel (VC), from bit 0: flits wait; the packet has an output VC; its
// output port; that VC, one-hot.
//
// Vectors by leaf: leaf p owns slice p.  Vectors by switch, or by input or output VC of the
// switches: switch by switch, lower levels first; VCs port by port: children, parents, root links,
// turn-back channels.
//
// H, M and W are the h, m and w of the papers.
module xgft_network #(
  parameter H = 3,                                         // levels of switches, 1 .. 8
  parameter [32*8-1:0] M = {160'd0, 32'd4, 32'd4, 32'd4},  // m_i at [32*(i-1) +: 32]
  parameter [32*8-1:0] W = {160'd0, 32'd4, 32'd4, 32'd1},  // w_i there
  parameter VCS     = 2,                                   // virtual channels a link, 1 .. 4
  parameter DEPTH   = 4,                                   // flits a VC's queue holds
  parameter WIDTH   = 32,                                  // data bits of a flit
  parameter HOPS_W  = 0,                                   // bits of the list of hops, see above
  parameter HOP_W   = 4,                                   // bits of a hop in it
  parameter PATHS   = 1,                                   // addresses a leaf
  parameter CLASSES = 1,                                   // 1, 2: see xgft_vc_allocator
  parameter STAGES  = 1,                                   // 1 .. 3: see xgft_input_unit
  parameter AHEAD   = 0,                                   // 0, 1: see xgft_input_unit
  parameter WAYS    = 1,                                   // see xgft_switch
  parameter TBCH    = 0,                                   // turn-back channels of a node, or 0
  parameter ROOT_LINKS = 0,                                // of a top, each way: see above
  parameter [8*4-1:0]  LATERAL = "1",                      // see turnback_route
  parameter [8*6-1:0]  ADDRESS = "NUMBER",                 // see turnback_digit
  parameter [8*8-1:0]  ROUTING = "DMODK",                  // see xgft_route, turnback_route
  parameter [8*3-1:0]  CLIMB   = "NCA",                    // see xgft_route
  parameter [8*4-1:0]  MODE    = "ANY",                    // see xgft_vc_allocator
  parameter [8*11-1:0] ARBITER = "ROUND_ROBIN",            // see arbiter
  parameter [8*6-1:0]  ASYNC   = "NONE",                   // "NONE", "LEAVES", "LINKS": see above
  parameter SYNC    = 2,                                   // see async_link
  // derived
  parameter LEAVES    = span_m(H),              // the endpoints
  parameter LOWEST    = lowest(0),               // level of the lowest switches
  parameter SWITCHES  = switches(H + 1),        // of all levels
  parameter INPUTS    = inputs(H + 1),          // input VCs of all switches
  parameter STATE_W   = states(H + 1),          // bits of the state of all input VCs
  parameter ADDRESSES = LEAVES * PATHS,         // of all leaves
  parameter ADDR_W    = (ADDRESS == "VECTOR") ? digit_bits(H) : $clog2(ADDRESSES),  // its bits
  parameter NODE_W    = $clog2(LEAVES),         // bits of a leaf's number
  parameter ENTRY_W   = 8,                      // bits of an entry of a forwarding table
  parameter FLIT_W    = WIDTH + 2 + HOPS_W,     // bits of a flit
  parameter CLOCKS    = (ASYNC == "LEAVES") ? LEAVES : (ASYNC == "LINKS") ? H + 1 - LOWEST : 1
) (
  input  wire                         clk,  // rising edge
  input  wire                         rst,  // synchronous
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
  output wire [INPUTS/VCS*FLIT_W-1:0] link_flit_o    // for debuggers: by output port: the flit
);

  `include "xgft_sizes.vh"

  // ---- clocks and resets ------------------------------------------------------------------------

  localparam LINKS  = (ASYNC == "LINKS") ? 1 : 0;
  localparam LEAVES_APART = (ASYNC == "NONE") ? 0 : 1;

  wire              own_rst, own_clear;  // of clk
  wire [CLOCKS-1:0] rsts, clears;        // of clocks_i

  genvar l, s, k;
  generate
    if (LEAVES_APART == 1) begin : gen_resets
      async_reset #(.CLOCKS(CLOCKS), .SYNC(SYNC)) u_reset (
        .clk(clk), .rst_i(rst), .rst_o(own_rst), .clear_o(own_clear), .ready_o(ready_o),
        .clocks_i(clocks_i), .rsts_o(rsts), .clears_o(clears)
      );
    end else begin : gen_one_reset
      assign own_rst   = rst;
      assign own_clear = rst;
      assign ready_o   = 1'b1;
      assign rsts      = {CLOCKS{rst}};
      assign clears    = {CLOCKS{rst}};
      wire unused = &{1'b0, clocks_i, own_clear, rsts, clears};
    end
  endgenerate

  // ---- levels -----------------------------------------------------------------------------------

  generate
    for (l = LOWEST; l <= H; l = l + 1) begin : gen_level
      localparam DOWN   = m(l);
      localparam UP     = w(l + 1);
      localparam ROOTS  = roots(l);
      localparam PORTS  = DOWN + UP + ROOTS;
      localparam SHOWN  = ports(l);             // with turn-back channels
      localparam PORT_W = port_bits(SHOWN);
      localparam SIZE   = size(l);
      localparam BELOW  = SIZE * DOWN;          // links to the level below, each way
      localparam ABOVE  = (UP > 0) ? SIZE * UP : 1;
      localparam LOW    = span_w(l);            // nodes that differ in the digits up to a_l alone
      localparam FIRST  = inputs(l);

      // Links between the children and this level, child by child, and links to the next one.
      wire [BELOW*VCS-1:0]    up_valid, up_credit, down_valid, down_credit;
      wire [BELOW*FLIT_W-1:0] up_flit, down_flit;
      wire [ABOVE*VCS-1:0]    above_valid, above_credit, back_valid, back_credit;
      wire [ABOVE*FLIT_W-1:0] above_flit, back_flit;
      // The latter in the clock of the next level.
      wire [ABOVE*VCS-1:0]    next_valid, next_credit, last_valid, last_credit;
      wire [ABOVE*FLIT_W-1:0] next_flit, last_flit;
      wire                    level_clk, level_rst, level_clear;
      wire                    unused_clear = &{1'b0, level_clear};
      if (LINKS == 1) begin : gen_own_clock
        assign level_clk = clocks_i[l - LOWEST];
        assign level_rst = rsts[l - LOWEST];
        assign level_clear = clears[l - LOWEST];
      end else begin : gen_same_clock
        assign level_clk = clk;
        assign level_rst = own_rst;
        assign level_clear = own_clear;
      end
      if (ROOTS > 0) begin : gen_ring  // root links, top by top
        wire [SIZE*ROOTS*VCS-1:0]    valid, credit;
        wire [SIZE*ROOTS*FLIT_W-1:0] flit;
      end

      // Ports of a switch: children, then parents, then root links.
      for (s = 0; s < SIZE; s = s + 1) begin : gen_switch
        localparam D = s * DOWN;                       // first link below
        localparam U = s * UP;                         // first link above
        localparam G = FIRST / VCS + s * SHOWN;        // first port
        localparam STATE = SHOWN * VCS * (2 + PORT_W + VCS);
        localparam S = states(l) + s * STATE;
        localparam [31:0] POS    = s;
        localparam [31:0] NUMBER = switches(l) + s;

        wire [PORTS*VCS-1:0]    in_valid, in_credit, out_valid, out_credit;
        wire [PORTS*FLIT_W-1:0] in_flit, out_flit;
        wire [ENTRY_W-1:0]      entry = entries_i[NUMBER*ENTRY_W +: ENTRY_W];
        wire                    unused = &{1'b0, entry, write_i, address_i};

        if (TBCH > 0) begin : gen_turnback
          localparam        SUBTREE = s / LOW;
          localparam [31:0] PLACE   = (ADDRESS == "VECTOR") ? digits(l, SUBTREE) : SUBTREE;
          turnback_node #(
            .DOWN(DOWN), .UP(UP), .ROOTS(ROOTS), .TURNS(TBCH), .BELOW(span_m(l)),
            .FIELDS((l > 0) ? digit_bits(l - 1) : 0), .VCS(VCS), .DEPTH(DEPTH), .WIDTH(WIDTH),
            .HOPS_W(HOPS_W), .HOP_W(HOP_W), .ADDR_W(ADDR_W), .NODE_W(NODE_W), .CLASSES(CLASSES),
            .STAGES(STAGES), .AHEAD(AHEAD), .WAYS(WAYS), .ROUTING(ROUTING[8*4-1:0]),
            .LATERAL(LATERAL), .ADDRESS(ADDRESS), .MODE(MODE), .ARBITER(ARBITER)
          ) u_node (
            .clk(level_clk), .rst(level_rst), .pos_i(POS[15:0]), .number_i(NUMBER[15:0]),
            .subtree_i(PLACE[15:0]), .seed_i(seed_i), .valid_i(in_valid), .flit_i(in_flit),
            .credit_o(in_credit), .valid_o(out_valid), .flit_o(out_flit), .credit_i(out_credit),
            .turn_valid_o(link_valid_o[(G+PORTS)*VCS +: (SHOWN-PORTS)*VCS]),
            .turn_flit_o(link_flit_o[(G+PORTS)*FLIT_W +: (SHOWN-PORTS)*FLIT_W]),
            .state_o(state_o[S +: STATE]), .home_o(home_o[G*VCS +: SHOWN*VCS])
          );
        end else begin : gen_plain
          xgft_switch #(
            .DOWN(DOWN), .UP(UP), .BELOW(span_m(l)), .SPREAD(LOW), .VCS(VCS), .DEPTH(DEPTH),
            .WIDTH(WIDTH), .HOPS_W(HOPS_W), .HOP_W(HOP_W), .ADDR_W(ADDR_W), .NODE_W(NODE_W),
            .PATHS(PATHS), .ADDRESSES(ADDRESSES), .CLASSES(CLASSES), .STAGES(STAGES),
            .AHEAD(AHEAD), .WAYS(WAYS), .ROUTING(ROUTING), .CLIMB(CLIMB), .MODE(MODE),
            .ARBITER(ARBITER)
          ) u_switch (
            .clk(level_clk), .rst(level_rst), .pos_i(POS[15:0]), .number_i(NUMBER[15:0]),
            .seed_i(seed_i), .write_i(write_i), .address_i(address_i),
            .entry_i(entry[PORT_W-1:0]), .valid_i(in_valid), .flit_i(in_flit),
            .credit_o(in_credit), .valid_o(out_valid), .flit_o(out_flit), .credit_i(out_credit),
            .state_o(state_o[S +: STATE]), .home_o(home_o[G*VCS +: PORTS*VCS])
          );
        end

        assign link_valid_o[G*VCS +: PORTS*VCS]       = out_valid;
        assign link_flit_o [G*FLIT_W +: PORTS*FLIT_W] = out_flit;

        assign in_valid   [0 +: DOWN*VCS]             = up_valid  [D*VCS +: DOWN*VCS];
        assign in_flit    [0 +: DOWN*FLIT_W]          = up_flit   [D*FLIT_W +: DOWN*FLIT_W];
        assign up_credit  [D*VCS +: DOWN*VCS]         = in_credit [0 +: DOWN*VCS];
        assign down_valid [D*VCS +: DOWN*VCS]         = out_valid [0 +: DOWN*VCS];
        assign down_flit  [D*FLIT_W +: DOWN*FLIT_W]   = out_flit  [0 +: DOWN*FLIT_W];
        assign out_credit [0 +: DOWN*VCS]             = down_credit[D*VCS +: DOWN*VCS];

        if (UP > 0) begin : gen_up
          assign above_valid [U*VCS +: UP*VCS]        = out_valid   [DOWN*VCS +: UP*VCS];
          assign above_flit  [U*FLIT_W +: UP*FLIT_W]  = out_flit    [DOWN*FLIT_W +: UP*FLIT_W];
          assign out_credit  [DOWN*VCS +: UP*VCS]     = above_credit[U*VCS +: UP*VCS];
          assign in_valid    [DOWN*VCS +: UP*VCS]     = back_valid  [U*VCS +: UP*VCS];
          assign in_flit     [DOWN*FLIT_W +: UP*FLIT_W] = back_flit [U*FLIT_W +: UP*FLIT_W];
          assign back_credit [U*VCS +: UP*VCS]        = in_credit   [DOWN*VCS +: UP*VCS];
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

      // Link k up, of child s' = k / UP, goes to parent c = k mod UP, port a = digit l+1 of s'.
      if (l < H) begin : gen_links
        if (LINKS == 1) begin : gen_apart
          async_links #(
            .LINKS(ABOVE), .VCS(VCS), .DEPTH(DEPTH), .FLIT_W(FLIT_W), .SYNC(SYNC)
          ) u_links (
            .clks_i({ABOVE{level_clk}}), .rsts_i({ABOVE{level_rst}}),
            .clears_i({ABOVE{level_clear}}), .up_valid_i(above_valid), .up_flit_i(above_flit),
            .up_credit_o(above_credit), .down_valid_o(back_valid), .down_flit_o(back_flit),
            .down_credit_i(back_credit), .clk(clocks_i[l + 1 - LOWEST]),
            .rst(rsts[l + 1 - LOWEST]), .clear_i(clears[l + 1 - LOWEST]),
            .up_valid_o(next_valid), .up_flit_o(next_flit), .up_credit_i(next_credit),
            .down_valid_i(last_valid), .down_flit_i(last_flit), .down_credit_o(last_credit)
          );
        end else begin : gen_together
          assign next_valid   = above_valid;
          assign next_flit    = above_flit;
          assign above_credit = next_credit;
          assign back_valid   = last_valid;
          assign back_flit    = last_flit;
          assign last_credit  = back_credit;
        end
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
      end
      if (l == LOWEST) begin : gen_leaves
        if (LEAVES_APART == 1) begin : gen_apart
          wire [LEAVES-1:0] clks, resets, clearings;
          for (k = 0; k < LEAVES; k = k + 1) begin : gen_leaf
            assign clks[k]   = (LINKS == 1) ? clk : clocks_i[k % CLOCKS];
            assign resets[k] = (LINKS == 1) ? own_rst : rsts[k % CLOCKS];
            assign clearings[k] = (LINKS == 1) ? own_clear : clears[k % CLOCKS];
          end
          async_links #(
            .LINKS(LEAVES), .VCS(VCS), .DEPTH(DEPTH), .FLIT_W(FLIT_W), .SYNC(SYNC)
          ) u_links (
            .clks_i(clks), .rsts_i(resets), .clears_i(clearings), .up_valid_i(valid_i),
            .up_flit_i(flit_i), .up_credit_o(credit_o), .down_valid_o(valid_o),
            .down_flit_o(flit_o), .down_credit_i(credit_i), .clk(level_clk), .rst(level_rst),
            .clear_i(level_clear), .up_valid_o(up_valid), .up_flit_o(up_flit),
            .up_credit_i(up_credit), .down_valid_i(down_valid), .down_flit_i(down_flit),
            .down_credit_o(down_credit)
          );
        end else begin : gen_together
          assign up_valid    = valid_i;
          assign up_flit     = flit_i;
          assign credit_o    = up_credit;
          assign valid_o     = down_valid;
          assign flit_o      = down_flit;
          assign down_credit = credit_i;
        end
      end
      if (l == H) begin : gen_top
        assign above_valid  = {(ABOVE*VCS){1'b0}};
        assign above_flit   = {(ABOVE*FLIT_W){1'b0}};
        assign above_credit = {(ABOVE*VCS){1'b0}};
        assign back_valid   = {(ABOVE*VCS){1'b0}};
        assign back_flit    = {(ABOVE*FLIT_W){1'b0}};
        assign back_credit  = {(ABOVE*VCS){1'b0}};
        assign next_valid   = above_valid;
        assign next_flit    = above_flit;
        assign next_credit  = above_credit;
        assign last_valid   = back_valid;
        assign last_flit    = back_flit;
        assign last_credit  = back_credit;
        wire unused = &{1'b0, next_valid, next_flit, next_credit, last_valid, last_flit,
                        last_credit};
      end
    end
  endgenerate

  // ---- parameters -------------------------------------------------------------------------------

  `CHECK_PARAMETER(H >= 1 && H <= 8, "H", H, "1 to 8")
  `CHECK_CHOICE(ASYNC == "NONE" || ASYNC == "LEAVES" || (LINKS == 1 && ROUTING != "TABLE"), "ASYNC",
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
