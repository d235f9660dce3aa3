// Copyright the fat-tree verification environment contributors
// SPDX-License-Identifier: Apache-2.0

`timescale 1ns/1ns
`include "checks.vh"
`default_nettype none

// The trees of xgft_network, whose cables break and come back.
//
//   leaf -- faulty_leaf == cable == faulty_switch == cable == faulty_switch ..
//
// Contract: as xgft_network with ASYNC = "NONE", TBCH = 0; what is dead is in docs/faults.md.
// cut_i: the cable of a port is dead: neither flits nor credits are on it.  dead_i: its ends know.
// Both are set at both ports of a cable between switches, and at the one of a leaf's cable.
// Timing: as xgft_network.
//
// Vectors by port: switch by switch, lower levels first, children first; others as xgft_network.
module faulty_network #(
  `include "wormhole_params.vh"
  parameter H = 3,                                         // levels of switches, 1 .. 8
  parameter [32*8-1:0] M = {160'd0, 32'd4, 32'd4, 32'd4},  // m_i at [32*(i-1) +: 32]
  parameter [32*8-1:0] W = {160'd0, 32'd4, 32'd4, 32'd1},  // w_i there
  parameter PATHS   = 1,                                   // addresses a leaf
  parameter [8*8-1:0]  ROUTING = "DMODK",                  // as of faulty_switch
  parameter [8*3-1:0]  CLIMB   = "NCA",                    // where packets turn: "NCA", "TOP"
  parameter [8*5-1:0]  RECOVER = "NONE",                   // "NONE", "LOCAL"
  parameter [8*6-1:0]  ASYNC   = "NONE",                   // "NONE"
  parameter SYNC    = 2,                                   // of no use
  // derived
  parameter TBCH      = 0,                      // no turn-back channels, for xgft_sizes.vh
  parameter ROOT_LINKS = 0,                     // no root links
  parameter LEAVES    = span_m(H),              // number of endpoints, derived
  parameter SWITCHES  = switches(H + 1),        // of all levels
  parameter INPUTS    = inputs(H + 1),          // input VCs of all switches
  parameter PORTS     = INPUTS / VCS,           // of all switches
  parameter STATE_W   = states(H + 1),          // bits of the state of all input VCs
  parameter ADDRESSES = LEAVES * PATHS,         // of all leaves
  parameter ADDR_W    = $clog2(ADDRESSES),      // bits of one
  parameter NODE_W    = $clog2(LEAVES),         // bits of a leaf's number
  parameter ENTRY_W   = 8,                      // bits of an entry of a forwarding table
  parameter FLIT_W    = WIDTH + 2 + HOPS_W      // bits of a flit
) (
  input  wire                         clk,        // acts at its rising edges
  input  wire                         rst,  // synchronous: packets are lost, tables stay
  input  wire                         clocks_i,   // as in xgft_network: no other clock
  output wire                         ready_o,    // no reset is on
  input  wire [PORTS-1:0]             cut_i,      // by port: its cable is dead
  input  wire [PORTS-1:0]             dead_i,     // by port: that was detected
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
  output wire [STATE_W-1:0]           state_o,       // for debuggers: by input VC
  output wire [INPUTS-1:0]            home_o,        // for debuggers: output VCs free, credits full
  output wire [INPUTS-1:0]            link_valid_o,  // for debuggers: VCs of what leaves switches
  output wire [PORTS*FLIT_W-1:0]      link_flit_o,   // for debuggers: by output port: the flit
  output wire [INPUTS-1:0]            link_credit_o  // for debuggers: credits that come back there
);

  `include "xgft_sizes.vh"

  // By port: what it sends, and the credits that it gives; what comes, and the credits that come.
  wire [INPUTS-1:0]       sent_valid, given, came_valid, credit;
  wire [PORTS*FLIT_W-1:0] sent_flit, came_flit;
  wire                    unused = &{1'b0, clocks_i};

  assign ready_o       = 1'b1;
  assign link_valid_o  = sent_valid;
  assign link_flit_o   = sent_flit;
  assign link_credit_o = credit;

  genvar l, s, c, x;
  generate
    for (l = lowest(0); l <= H; l = l + 1) begin : gen_level
      localparam DOWN   = m(l);
      localparam UP     = w(l + 1);
      localparam P      = DOWN + UP;
      localparam FIRST  = inputs(l) / VCS;
      localparam PORT_W = port_bits(P);
      localparam STATE  = P * VCS * (2 + PORT_W + VCS);
      localparam LOW    = span_w(l);
      for (s = 0; s < size(l); s = s + 1) begin : gen_switch
        localparam        F      = FIRST + s * P;
        localparam [31:0] POS    = s;
        localparam [31:0] NUMBER = switches(l) + s;
        wire [ENTRY_W-1:0] entry = entries_i[(switches(l) + s)*ENTRY_W +: ENTRY_W];
        wire               unused_entry = &{1'b0, entry};

        faulty_switch #(
          `include "wormhole_pass.vh"
          .DOWN(DOWN), .UP(UP), .BELOW(span_m(l)), .SPREAD(LOW), .ADDR_W(ADDR_W),
          .NODE_W(NODE_W), .PATHS(PATHS), .ADDRESSES(ADDRESSES), .ROUTING(ROUTING), .CLIMB(CLIMB),
          .RECOVER(RECOVER)
        ) u_switch (
          .clk(clk), .rst(rst), .dead_i(dead_i[F +: P]), .cut_i(cut_i[F +: P]), .pos_i(POS[15:0]),
          .number_i(NUMBER[15:0]), .seed_i(seed_i), .write_i(write_i), .address_i(address_i),
          .entry_i(entry[PORT_W-1:0]), .valid_i(came_valid[F*VCS +: P*VCS]),
          .flit_i(came_flit[F*FLIT_W +: P*FLIT_W]), .credit_o(given[F*VCS +: P*VCS]),
          .valid_o(sent_valid[F*VCS +: P*VCS]), .flit_o(sent_flit[F*FLIT_W +: P*FLIT_W]),
          .credit_i(credit[F*VCS +: P*VCS]), .state_o(state_o[states(l) + s*STATE +: STATE]),
          .home_o(home_o[F*VCS +: P*VCS])
        );

        // Up port c, to port a = digit l+1 of s of the parent.
        for (c = 0; c < UP; c = c + 1) begin : gen_cable
          localparam A      = s / LOW % m(l + 1);
          localparam PARENT = s % LOW + LOW * (c + UP * (s / (LOW * m(l + 1))));
          localparam HIGH   = inputs(l + 1) / VCS + PARENT * (m(l + 1) + w(l + 2)) + A;
          localparam HERE   = F + DOWN + c;
          assign came_valid[HIGH*VCS +: VCS]       = sent_valid[HERE*VCS +: VCS];
          assign came_flit [HIGH*FLIT_W +: FLIT_W] = sent_flit [HERE*FLIT_W +: FLIT_W];
          assign credit    [HIGH*VCS +: VCS]       = given     [HERE*VCS +: VCS];
          assign came_valid[HERE*VCS +: VCS]       = sent_valid[HIGH*VCS +: VCS];
          assign came_flit [HERE*FLIT_W +: FLIT_W] = sent_flit [HIGH*FLIT_W +: FLIT_W];
          assign credit    [HERE*VCS +: VCS]       = given     [HIGH*VCS +: VCS];
        end
      end
    end

    for (x = 0; x < LEAVES; x = x + 1) begin : gen_leaf
      localparam LEAST = lowest(0);
      localparam E = x / m(LEAST) * (m(LEAST) + w(LEAST + 1)) + x % m(LEAST);  // its port
      assign came_flit[E*FLIT_W +: FLIT_W] = flit_i[x*FLIT_W +: FLIT_W];
      faulty_leaf #(.VCS(VCS), .DEPTH(DEPTH), .WIDTH(WIDTH), .HOPS_W(HOPS_W)) u_end (
        .clk(clk), .rst(rst), .dead_i(dead_i[E]), .cut_i(cut_i[E]),
        .valid_i(valid_i[x*VCS +: VCS]), .tail_i(flit_i[x*FLIT_W + WIDTH]),
        .credit_o(credit_o[x*VCS +: VCS]), .valid_o(valid_o[x*VCS +: VCS]),
        .flit_o(flit_o[x*FLIT_W +: FLIT_W]), .credit_i(credit_i[x*VCS +: VCS]),
        .cable_valid_o(came_valid[E*VCS +: VCS]), .cable_credit_i(given[E*VCS +: VCS]),
        .cable_valid_i(sent_valid[E*VCS +: VCS]), .cable_flit_i(sent_flit[E*FLIT_W +: FLIT_W]),
        .cable_credit_o(credit[E*VCS +: VCS])
      );
    end
  endgenerate

  xgft_departures #(.LEAVES(LEAVES), .VCS(VCS), .WIDTH(WIDTH), .HOPS_W(HOPS_W)) u_departures (
    .clk(clk), .rst(rst), .valid_i(valid_i), .flit_i(flit_i)
  );

  `CHECK_PARAMETER(H >= 1 && H <= 8, "H", H, "1 to 8")
  `CHECK_CHOICE(ASYNC == "NONE" && SYNC >= 2, "ASYNC", ASYNC, "NONE")
  `CHECK_PARAMETER(LEAVES >= 2, "M", LEAVES, ">= 2")

endmodule

`default_nettype wire
