// Copyright the fat-tree verification environment contributors
// SPDX-License-Identifier: Apache-2.0

`timescale 1ns/1ns
`default_nettype none

// What a network needs where leaves and switches have different clocks: one reset for all clocks,
// and the links of the leaves across.
//
// Contract: ASYNC says whose clocks_i are: "NONE": unused, clk is the only clock; "LEAVES": the
// leaves', one each; "LINKS": the switches', and clk is the leaves'.  Links as async_links: up into
// switches of up_clk, down out of switches of down_clk.  With several clocks senders wait after a
// reset for ready_o.
// Timing: as async_reset and async_link; with "NONE" resets and links are wires.
//
// Vectors by leaf: leaf p owns slice p.
module async_border #(
  parameter [8*6-1:0] ASYNC = "NONE",  // "NONE", "LEAVES", "LINKS"
  parameter LEAVES = 4,   // number of endpoints
  parameter CLOCKS = 1,   // other clocks: LEAVES with "LEAVES", 1 with "NONE"
  parameter VCS    = 2,   // virtual channels (VCs) a link, 1 .. 4
  parameter DEPTH  = 4,   // credits of each VC
  parameter FLIT_W = 34,  // bits of a flit
  parameter SYNC   = 2    // flip-flops of each synchroniser, >= 2
) (
  input  wire                     clk,            // rising edge
  input  wire                     rst,            // synchronous: starts the reset of all clocks
  input  wire [CLOCKS-1:0]        clocks_i,       // rising edges of the other clocks
  output wire                     ready_o,        // for clk: no reset is on
  output wire                     rst_o,          // the reset of clk's side
  output wire                     clear_o,        // clears the links' side of clk
  output wire [CLOCKS-1:0]        rsts_o,         // by other clock: its reset
  output wire [CLOCKS-1:0]        clears_o,       // by other clock: clears its side of links
  // leaves
  input  wire [LEAVES*VCS-1:0]    valid_i,        // by leaf: it sends a flit in this VC
  input  wire [LEAVES*FLIT_W-1:0] flit_i,         // by leaf: that flit
  output wire [LEAVES*VCS-1:0]    credit_o,       // by leaf: room for one flit more in this VC
  output wire [LEAVES*VCS-1:0]    valid_o,        // by leaf: a flit comes to it in this VC
  output wire [LEAVES*FLIT_W-1:0] flit_o,         // by leaf: that flit
  input  wire [LEAVES*VCS-1:0]    credit_i,       // by leaf: room for one flit more in this VC
  // switches
  input  wire                     up_clk,         // rising edge, of those that leaves send to
  input  wire                     up_rst,         // synchronous to up_clk
  input  wire                     up_clear_i,     // synchronous to up_clk: pointers go to 0
  output wire [LEAVES*VCS-1:0]    up_valid_o,     // valid_i in up_clk
  output wire [LEAVES*FLIT_W-1:0] up_flit_o,      // flit_i in up_clk
  input  wire [LEAVES*VCS-1:0]    up_credit_i,    // room for one flit more
  input  wire                     down_clk,       // rising edge, of those that send to leaves
  input  wire                     down_rst,       // synchronous to down_clk
  input  wire                     down_clear_i,   // synchronous to down_clk: pointers go to 0
  input  wire [LEAVES*VCS-1:0]    down_valid_i,   // by leaf: a flit for it in this VC
  input  wire [LEAVES*FLIT_W-1:0] down_flit_i,    // by leaf: that flit
  output wire [LEAVES*VCS-1:0]    down_credit_o   // room for one flit more
);

  localparam APART = (ASYNC == "NONE") ? 0 : 1;

  wire [LEAVES-1:0] leaf_clk, leaf_rst, leaf_clear;

  genvar k;
  generate
    if (APART == 1) begin : gen_resets
      async_reset #(.CLOCKS(CLOCKS), .SYNC(SYNC)) u_reset (
        .clk(clk), .rst_i(rst), .rst_o(rst_o), .clear_o(clear_o), .ready_o(ready_o),
        .clocks_i(clocks_i), .rsts_o(rsts_o), .clears_o(clears_o)
      );
    end else begin : gen_one_reset
      assign rst_o    = rst;
      assign clear_o  = rst;
      assign ready_o  = 1'b1;
      assign rsts_o   = {CLOCKS{rst}};
      assign clears_o = {CLOCKS{rst}};
      wire unused = &{1'b0, clocks_i};
    end

    for (k = 0; k < LEAVES; k = k + 1) begin : gen_leaf
      assign leaf_clk[k]   = (ASYNC == "LEAVES") ? clocks_i[k % CLOCKS] : clk;
      assign leaf_rst[k]   = (ASYNC == "LEAVES") ? rsts_o[k % CLOCKS]   : rst_o;
      assign leaf_clear[k] = (ASYNC == "LEAVES") ? clears_o[k % CLOCKS] : clear_o;
    end
  endgenerate

  async_links #(
    .APART(APART), .LINKS(LEAVES), .VCS(VCS), .DEPTH(DEPTH), .FLIT_W(FLIT_W), .SYNC(SYNC)
  ) u_up (
    .send_clks_i(leaf_clk), .send_rsts_i(leaf_rst), .send_clears_i(leaf_clear),
    .valid_i(valid_i), .flit_i(flit_i), .credit_o(credit_o), .take_clks_i({LEAVES{up_clk}}),
    .take_rsts_i({LEAVES{up_rst}}), .take_clears_i({LEAVES{up_clear_i}}), .valid_o(up_valid_o),
    .flit_o(up_flit_o), .credit_i(up_credit_i)
  );
  async_links #(
    .APART(APART), .LINKS(LEAVES), .VCS(VCS), .DEPTH(DEPTH), .FLIT_W(FLIT_W), .SYNC(SYNC)
  ) u_down (
    .send_clks_i({LEAVES{down_clk}}), .send_rsts_i({LEAVES{down_rst}}),
    .send_clears_i({LEAVES{down_clear_i}}), .valid_i(down_valid_i), .flit_i(down_flit_i),
    .credit_o(down_credit_o), .take_clks_i(leaf_clk), .take_rsts_i(leaf_rst),
    .take_clears_i(leaf_clear), .valid_o(valid_o), .flit_o(flit_o), .credit_i(credit_i)
  );

endmodule

`default_nettype wire
