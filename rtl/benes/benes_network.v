// Copyright the fat-tree verification environment contributors
// SPDX-License-Identifier: Apache-2.0

`timescale 1ns/1ns
`include "checks.vh"
`default_nettype none

// Fat-tree Benes network as drawn, unfolded (IBM Research Zurich, slides "Fat tree Benes"): columns
// 0 .. 2 LEVELS - 2 of switches with N ports, joined by shuffles; leaves at both edges.
//
// A column has (N/2)^(LEVELS-1) switches; column LEVELS - 1 is the spine.  Half of the ports of a
// switch are on its left side, half on its right.  Leaves 0 .. LEAVES / 2 - 1 are at the left side
// of column 0, the others at the right side of the last one, in order.  Right port p of a column,
// counted over its switches, is joined to left port benes_shuffle(p) of the next, both ways.
// Folded at the spine it is the tree of xgft_network.
//
// Contract, timing, flits: as in xgft_network; the routes are those of forwarding tables.
// Ports of a switch, in tables and lists of hops: those towards its edge first, of the spine the
// left ones first.
//
// Vectors by switch, or by VC of the switches: column by column; VCs port by port.
//
// N is the N of the slides, LEVELS their L.
module benes_network #(
  `include "wormhole_params.vh"
  parameter N       = 4,                       // ports of a switch, an even number
  parameter LEVELS  = 2,                       // columns up to the spine, 1 .. 8
  parameter PATHS   = 1,                       // addresses a leaf
  parameter [8*6-1:0]  ASYNC   = "NONE",         // "NONE", "LEAVES": see xgft_network
  parameter SYNC      = 2,                       // flip-flops of each synchroniser, >= 2
  // derived
  parameter SIZE      = power(LEVELS - 1),     // switches of a column
  parameter LEAVES    = N * SIZE,              // number of endpoints, derived
  parameter SWITCHES  = (2 * LEVELS - 1) * SIZE,  // of all columns
  parameter INPUTS    = SWITCHES * N * VCS,    // input VCs of all switches
  parameter STATE_W   = INPUTS * (2 + $clog2(N) + VCS),  // bits of the state of all input VCs
  parameter ADDRESSES = LEAVES * PATHS,        // of all leaves
  parameter ADDR_W    = $clog2(ADDRESSES),     // bits of an address
  parameter NODE_W    = $clog2(LEAVES),        // bits of a leaf's number
  parameter ENTRY_W   = 8,                     // bits of an entry of a forwarding table
  parameter FLIT_W    = WIDTH + 2 + HOPS_W,    // bits of a flit
  parameter CLOCKS    = (ASYNC == "NONE") ? 1 : LEAVES  // other clocks
) (
  input  wire                         clk,  // rising edge
  input  wire                         rst,  // synchronous: packets are lost, tables stay
  input  wire [CLOCKS-1:0]            clocks_i,   // rising edges of the leaves' clocks
  output wire                         ready_o,    // no reset is on
  input  wire                         write_i,    // an entry is stored in every switch
  input  wire [ADDR_W-1:0]            address_i,  // for this address
  input  wire [SWITCHES*ENTRY_W-1:0]  entries_i,  // by switch: the output port
  input  wire [LEAVES*VCS-1:0]        valid_i,    // by leaf: it sends a flit in this VC
  input  wire [LEAVES*FLIT_W-1:0]     flit_i,     // by leaf: that flit
  output wire [LEAVES*VCS-1:0]        credit_o,   // by leaf: room for one flit more in this VC
  output wire [LEAVES*VCS-1:0]        valid_o,    // by leaf: a flit comes to it in this VC
  output wire [LEAVES*FLIT_W-1:0]     flit_o,     // by leaf: that flit
  input  wire [LEAVES*VCS-1:0]        credit_i,   // by leaf: room for one flit more in this VC
  output wire [STATE_W-1:0]           state_o,       // for debuggers: by input VC
  output wire [INPUTS-1:0]            home_o,        // for debuggers: output VCs free, credits full
  output wire [INPUTS-1:0]            link_valid_o,  // for debuggers: VCs of what leaves switches
  output wire [INPUTS/VCS*FLIT_W-1:0] link_flit_o,   // for debuggers: by output port: the flit
  output wire [INPUTS-1:0]            link_credit_o  // for debuggers: credits that come back there
);

  localparam HALF   = N / 2;
  localparam EDGE   = SIZE * HALF;  // ports of a side of a column
  localparam SPINE  = LEVELS - 1;
  localparam LAST   = 2 * SPINE;
  localparam PORT_W = $clog2(N);
  localparam EACH_W = N * VCS * (2 + PORT_W + VCS);  // bits of the state of a switch
  localparam LINK_W = 2 * VCS + FLIT_W;  // all that goes one way: credits, valid, flit

  // ---- the shuffles of the slides ---------------------------------------------------------------

  // N/2 to the e-th.
  function integer power(input integer e);
    integer i;
    begin
      power = 1;
      for (i = 0; i < e; i = i + 1) power = power * (N / 2);
    end
  endfunction

  // Perfect shuffle of x places by y, and its inverse.
  function integer perfect_shuffle(input integer x, input integer y, input integer i);
    perfect_shuffle = (y * i + i / (x / y)) % x;
  endfunction
  function integer inverse_shuffle(input integer x, input integer y, input integer i);
    inverse_shuffle = (i / y + i * (x / y)) % x;
  endfunction

  // Left port of the next column to which right port p of column c is joined.
  function integer benes_shuffle(input integer c, input integer p);
    integer block;  // places that are shuffled among themselves
    begin
      block = EDGE / power((c < SPINE) ? c : LAST - c - 1);
      benes_shuffle = p / block * block + ((c < SPINE) ? inverse_shuffle(block, HALF, p % block)
                                                       : perfect_shuffle(block, HALF, p % block));
    end
  endfunction

  // ---- leaves -----------------------------------------------------------------------------------

  wire                     own_rst, own_clear;  // of clk
  wire [CLOCKS-1:0]        rsts, clears;        // of clocks_i
  wire                     unused_resets = &{1'b0, rsts, clears};
  wire [LEAVES*VCS-1:0]    up_valid, up_credit, down_valid, down_credit;  // in its clock
  wire [LEAVES*FLIT_W-1:0] up_flit, down_flit;

  async_border #(
    .ASYNC(ASYNC), .LEAVES(LEAVES), .CLOCKS(CLOCKS), .VCS(VCS), .DEPTH(DEPTH), .FLIT_W(FLIT_W),
    .SYNC(SYNC)
  ) u_border (
    .clk(clk), .rst(rst), .clocks_i(clocks_i), .ready_o(ready_o), .rst_o(own_rst),
    .clear_o(own_clear), .rsts_o(rsts), .clears_o(clears), .valid_i(valid_i), .flit_i(flit_i),
    .credit_o(credit_o), .valid_o(valid_o), .flit_o(flit_o), .credit_i(credit_i), .up_clk(clk),
    .up_rst(own_rst), .up_clear_i(own_clear), .up_valid_o(up_valid), .up_flit_o(up_flit),
    .up_credit_i(up_credit), .down_clk(clk), .down_rst(own_rst), .down_clear_i(own_clear),
    .down_valid_i(down_valid), .down_flit_i(down_flit), .down_credit_o(down_credit)
  );

  // ---- columns ----------------------------------------------------------------------------------

  genvar c, s, q;
  generate
    for (c = 0; c <= LAST; c = c + 1) begin : gen_column
      localparam DOWN = (c == SPINE) ? N : HALF;

      // What goes out of the column and into it, on each side, port by port.
      wire [EDGE*LINK_W-1:0] left_out, left_in, right_out, right_in;

      for (s = 0; s < SIZE; s = s + 1) begin : gen_switch
        localparam [31:0] NUMBER = c * SIZE + s;

        wire [N*VCS-1:0]    in_valid, in_credit, out_valid, out_credit;
        wire [N*FLIT_W-1:0] in_flit, out_flit;
        wire [ENTRY_W-1:0]  entry = entries_i[NUMBER*ENTRY_W +: ENTRY_W];
        wire                unused = &{1'b0, entry};

        xgft_switch #(
          `include "wormhole_pass.vh"
          .DOWN(DOWN), .UP(N - DOWN), .BELOW(DOWN), .SPREAD(1), .ADDR_W(ADDR_W), .NODE_W(NODE_W),
          .PATHS(PATHS), .ADDRESSES(ADDRESSES), .ROUTING("TABLE"), .CLIMB("NCA")
        ) u_switch (
          .clk(clk), .rst(own_rst), .pos_i(16'd0), .number_i(NUMBER[15:0]), .seed_i(32'd0),
          .write_i(write_i), .address_i(address_i), .entry_i(entry[PORT_W-1:0]), .valid_i(in_valid),
          .flit_i(in_flit), .credit_o(in_credit), .valid_o(out_valid), .flit_o(out_flit),
          .credit_i(out_credit), .state_o(state_o[NUMBER*EACH_W +: EACH_W]),
          .home_o(home_o[NUMBER*N*VCS +: N*VCS])
        );

        assign link_valid_o [NUMBER*N*VCS +: N*VCS]       = out_valid;
        assign link_flit_o  [NUMBER*N*FLIT_W +: N*FLIT_W] = out_flit;
        assign link_credit_o[NUMBER*N*VCS +: N*VCS]       = out_credit;

        for (q = 0; q < N; q = q + 1) begin : gen_port
          localparam P = (s * HALF + q % HALF) * LINK_W;
          wire [LINK_W-1:0] in;
          wire [LINK_W-1:0] out = {in_credit[q*VCS +: VCS], out_valid[q*VCS +: VCS],
                                   out_flit[q*FLIT_W +: FLIT_W]};
          assign {out_credit[q*VCS +: VCS], in_valid[q*VCS +: VCS],
                  in_flit[q*FLIT_W +: FLIT_W]} = in;
          if ((q < HALF) == (c <= SPINE)) begin : gen_left
            assign left_out[P +: LINK_W] = out;
            assign in = left_in[P +: LINK_W];
          end else begin : gen_right
            assign right_out[P +: LINK_W] = out;
            assign in = right_in[P +: LINK_W];
          end
        end
      end

      for (q = 0; q < EDGE; q = q + 1) begin : gen_link
        if (c < LAST) begin : gen_shuffle
          localparam R = benes_shuffle(c, q);
          assign gen_column[c+1].left_in[R*LINK_W +: LINK_W] = right_out[q*LINK_W +: LINK_W];
          assign right_in[q*LINK_W +: LINK_W] = gen_column[c+1].left_out[R*LINK_W +: LINK_W];
        end else begin : gen_right_edge
          localparam M = EDGE + q;
          assign right_in[q*LINK_W +: LINK_W] =
            {down_credit[M*VCS +: VCS], up_valid[M*VCS +: VCS], up_flit[M*FLIT_W +: FLIT_W]};
          assign {up_credit[M*VCS +: VCS], down_valid[M*VCS +: VCS],
                  down_flit[M*FLIT_W +: FLIT_W]} = right_out[q*LINK_W +: LINK_W];
        end
        if (c == 0) begin : gen_left_edge
          assign left_in[q*LINK_W +: LINK_W] =
            {down_credit[q*VCS +: VCS], up_valid[q*VCS +: VCS], up_flit[q*FLIT_W +: FLIT_W]};
          assign {up_credit[q*VCS +: VCS], down_valid[q*VCS +: VCS],
                  down_flit[q*FLIT_W +: FLIT_W]} = left_out[q*LINK_W +: LINK_W];
        end
      end
    end
  endgenerate

  `CHECK_CHOICE(ASYNC == "NONE" || ASYNC == "LEAVES", "ASYNC", ASYNC, "NONE, LEAVES")
  `CHECK_PARAMETER(N >= 2 && N % 2 == 0, "N", N, "an even number")
  `CHECK_PARAMETER(LEVELS >= 1 && LEVELS <= 8, "LEVELS", LEVELS, "1 to 8")

endmodule

`default_nettype wire
