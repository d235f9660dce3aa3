// Copyright the fat-tree verification environment contributors
// SPDX-License-Identifier: Apache-2.0

`timescale 1ns/1ns
`include "checks.vh"
`default_nettype none

// Any graph of wormhole switches with forwarding tables, each with as many ports as it has cables.
//
//   cable: output of one end --> input of the other, and back
//
// Contract: the links of the leaves are as in xgft_switch, valid_i and flit_i into the network.
// What leaves send has zeros for a list of hops.  A link with ratio s carries a flit every s clocks
// at most; what leaves send is paced by them.
// Timing: from a flit on the link of a leaf to its being on the link of another: (STAGES + 1)
// clocks a switch, if the way is free; see xgft_output_unit for slow links.
// Flit and state: as in xgft_network.
//
// Ends are the ports of the switches, switch by switch, then the leaves.  Vectors by leaf: leaf p
// owns slice p.  Vectors by port, or by input or output VC: port by port.
module graph_network #(
  `include "wormhole_params.vh"
  parameter SWITCHES = 1,                       // how many, >= 1
  parameter PORTS    = 2,                       // of all switches, >= 2
  parameter LEAVES   = 2,                       // number of endpoints, >= 2
  parameter [16*(SWITCHES+1)-1:0] FIRST = {16'd2, 16'd0},  // by switch: its first port; PORTS
  parameter [16*(PORTS+LEAVES)-1:0] PEER = {16'd1, 16'd0, 16'd3, 16'd2},  // by end: the other one
  parameter [16*(PORTS+LEAVES)-1:0] RATIOS = {(PORTS+LEAVES){16'd1}},  // by end: of what it sends,
                                                // clocks from flit to flit, >= 1
  // derived
  parameter STATE_W  = states(SWITCHES),        // bits of the state of all input VCs
  parameter NODE_W   = $clog2(LEAVES),          // bits of a leaf's number, and of its address
  parameter ENTRY_W  = 8,                       // bits of an entry of a forwarding table
  parameter FLIT_W   = WIDTH + 2 + HOPS_W       // bits of a flit
) (
  input  wire                        clk,        // rising edge
  input  wire                        rst,  // synchronous: packets are lost, tables stay
  input  wire                        clocks_i,   // as in xgft_network: no other clock
  output wire                        ready_o,    // no reset is on
  input  wire                        write_i,    // an entry is stored in every switch
  input  wire [NODE_W-1:0]           address_i,  // for this address
  input  wire [SWITCHES*ENTRY_W-1:0] entries_i,  // by switch: the output port
  input  wire [LEAVES*VCS-1:0]       valid_i,    // by leaf: it sends a flit in this VC
  input  wire [LEAVES*FLIT_W-1:0]    flit_i,     // by leaf: that flit
  output wire [LEAVES*VCS-1:0]       credit_o,   // by leaf: room for one flit more in this VC
  output wire [LEAVES*VCS-1:0]       valid_o,    // by leaf: a flit comes to it in this VC
  output wire [LEAVES*FLIT_W-1:0]    flit_o,     // by leaf: that flit
  input  wire [LEAVES*VCS-1:0]       credit_i,   // by leaf: room for one flit more in this VC
  output wire [STATE_W-1:0]          state_o,       // for debuggers: by input VC
  output wire [PORTS*VCS-1:0]        home_o,        // for debuggers: output VCs free, credits full
  output wire [PORTS*VCS-1:0]        link_valid_o,  // for debuggers: VCs of what leaves switches
  output wire [PORTS*FLIT_W-1:0]     link_flit_o,   // for debuggers: by output port: the flit
  output wire [PORTS*VCS-1:0]        link_credit_o  // for debuggers: credits that come back there
);

  localparam ENDS = PORTS + LEAVES;

  function integer first(input integer s);
    first = {16'd0, FIRST[16*s +: 16]};
  endfunction

  // Bits of a port's number at a switch.
  function integer port_bits(input integer s);
    port_bits = (first(s + 1) - first(s) > 1) ? $clog2(first(s + 1) - first(s)) : 1;
  endfunction

  // Bits of the state of the first n switches.
  function integer states(input integer n);
    integer s;
    begin
      states = 0;
      for (s = 0; s < n; s = s + 1)
        states = states + (first(s + 1) - first(s)) * VCS * (2 + port_bits(s) + VCS);
    end
  endfunction

  // By end: what it sends, and the credits that it gives; what comes, and the credits that come.
  wire [ENDS*VCS-1:0]    sent_valid, given, came_valid, credit;
  wire [ENDS*FLIT_W-1:0] sent_flit, came_flit;
  wire                   unused = &{1'b0, clocks_i};

  assign ready_o       = 1'b1;
  assign link_valid_o  = sent_valid[0 +: PORTS*VCS];
  assign link_flit_o   = sent_flit [0 +: PORTS*FLIT_W];
  assign link_credit_o = credit    [0 +: PORTS*VCS];

  assign sent_valid[PORTS*VCS +: LEAVES*VCS]       = valid_i;
  assign sent_flit [PORTS*FLIT_W +: LEAVES*FLIT_W] = flit_i;
  assign given     [PORTS*VCS +: LEAVES*VCS]       = credit_i;
  assign valid_o  = came_valid[PORTS*VCS +: LEAVES*VCS];
  assign flit_o   = came_flit [PORTS*FLIT_W +: LEAVES*FLIT_W];
  assign credit_o = credit    [PORTS*VCS +: LEAVES*VCS];

  genvar e, s;
  generate
    for (e = 0; e < ENDS; e = e + 1) begin : gen_cable
      localparam [31:0] OTHER = {16'd0, PEER[16*e +: 16]};
      assign came_valid[e*VCS +: VCS]       = sent_valid[OTHER*VCS +: VCS];
      assign came_flit [e*FLIT_W +: FLIT_W] = sent_flit [OTHER*FLIT_W +: FLIT_W];
      assign credit    [e*VCS +: VCS]       = given     [OTHER*VCS +: VCS];
      `CHECK_PARAMETER(OTHER < ENDS, "PEER", OTHER, "an end")
      if (RATIOS[16*e +: 16] > 1) begin : gen_slow
        reg [15:0] since_q;  // clocks left in which no flit may come
        always @(posedge clk)
          if (rst)                                          since_q <= 16'd0;
          else if (sent_valid[e*VCS +: VCS] != {VCS{1'b0}}) since_q <= RATIOS[16*e +: 16] - 16'd1;
          else if (since_q != 16'd0)                        since_q <= since_q - 16'd1;
        `CHECK_ALWAYS(clk, rst, since_q == 16'd0 || sent_valid[e*VCS +: VCS] == {VCS{1'b0}},
                      "a slow cable carried two flits too close together")
      end
    end

    for (s = 0; s < SWITCHES; s = s + 1) begin : gen_switch
      localparam F      = first(s);
      localparam P      = first(s + 1) - F;
      localparam PORT_W = port_bits(s);
      localparam S      = states(s);
      wire [ENTRY_W-1:0] entry = entries_i[s*ENTRY_W +: ENTRY_W];
      wire               unused_entry = &{1'b0, entry};

      xgft_switch #(
        `include "wormhole_pass.vh"
        .DOWN(P), .UP(0), .BELOW(P), .SPREAD(1), .ADDR_W(NODE_W), .NODE_W(NODE_W), .PATHS(1),
        .ADDRESSES(LEAVES), .ROUTING("TABLE"), .CLIMB("NCA"), .RATIOS(RATIOS[16*F +: 16*P])
      ) u_switch (
        .clk(clk), .rst(rst), .pos_i(16'd0), .number_i(16'd0), .seed_i(32'd0), .write_i(write_i),
        .address_i(address_i), .entry_i(entry[PORT_W-1:0]),
        .valid_i(came_valid[F*VCS +: P*VCS]), .flit_i(came_flit[F*FLIT_W +: P*FLIT_W]),
        .credit_o(given[F*VCS +: P*VCS]), .valid_o(sent_valid[F*VCS +: P*VCS]),
        .flit_o(sent_flit[F*FLIT_W +: P*FLIT_W]), .credit_i(credit[F*VCS +: P*VCS]),
        .state_o(state_o[S +: states(s + 1) - S]), .home_o(home_o[F*VCS +: P*VCS])
      );
      `CHECK_PARAMETER(P >= 1 && P <= 255, "FIRST", P, "1 to 255 ports a switch")
    end
  endgenerate

  xgft_departures #(.LEAVES(LEAVES), .VCS(VCS), .WIDTH(WIDTH), .HOPS_W(HOPS_W)) u_departures (
    .clk(clk), .rst(rst), .valid_i(valid_i), .flit_i(flit_i)
  );

  `CHECK_PARAMETER(LEAVES >= 2, "LEAVES", LEAVES, ">= 2")
  `CHECK_PARAMETER(SWITCHES >= 1, "SWITCHES", SWITCHES, ">= 1")
  `CHECK_PARAMETER(first(SWITCHES) == PORTS, "PORTS", PORTS, "as FIRST says")

endmodule

`default_nettype wire
