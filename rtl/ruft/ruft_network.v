// Copyright the fat-tree verification environment contributors
// SPDX-License-Identifier: Apache-2.0

`timescale 1ns/1ns
`include "checks.vh"
`default_nettype none

// Reduced unidirectional fat-tree (Gomez et al. 2008): a K-ary LEVELS-tree whose packets all climb
// to the top by digits of their destination, and whose way down is one long link from each port of
// the top to its leaf.
//
// Stage l = 1 .. LEVELS has K^(LEVELS-1) switches of K inputs and K outputs, numbered by the digits
// (a_2 .. a_LEVELS), a_2 least significant.  Leaf p sends to input p mod K of switch p / K of stage
// 1.  Output u of a switch of stage l < LEVELS leads to that switch of stage l + 1 whose a_{l+1} is
// u, all other digits alike, at the input that was a_{l+1} before: the links up of the K-ary tree.
// Output u of switch s of the last stage leads to leaf u K^(LEVELS-1) + s, through LONG registers.
// Stage l takes digit l - 1 of the destination.
//
// Contract: the links of the leaves are as in xgft_switch, valid_i and flit_i into the network.
// ASYNC, clocks_i, ready_o: as in xgft_network; with LINKS each stage has a clock.
// Timing: from a flit on the link of a leaf to its being on the link of another: (STAGES + 1)
// clocks a switch and LONG, if the way is free.  A VC to a leaf that gives each credit back at
// once runs at full rate if DEPTH is at least 3 + 2 LONG.
//
// Flits, states, vectors: as in xgft_network.  K is the k of the papers.
module ruft_network #(
  `include "wormhole_params.vh"
  parameter K       = 4,                       // inputs of a switch, and outputs, 2 ..
  parameter LEVELS  = 3,                       // stages of switches, 1 .. 8
  parameter LONG    = 0,                       // registers in a link of the last stage, each way
  parameter [8*6-1:0]  ASYNC   = "NONE",         // "NONE", "LEAVES", "LINKS": see xgft_network
  parameter SYNC    = 2,                         // flip-flops of each synchroniser, >= 2
  // derived
  parameter LEAVES  = power(LEVELS),           // number of endpoints, derived
  parameter INPUTS  = LEVELS * LEAVES * VCS,   // input VCs of all switches
  parameter STATE_W = INPUTS * (2 + $clog2(K) + VCS),  // bits of the state of all input VCs
  parameter NODE_W  = $clog2(LEAVES),          // bits of a leaf's number
  parameter FLIT_W  = WIDTH + 2 + HOPS_W,      // bits of a flit
  // other clocks
  parameter CLOCKS  = (ASYNC == "LEAVES") ? LEAVES : (ASYNC == "LINKS") ? LEVELS : 1
) (
  input  wire                         clk,  // rising edge
  input  wire                         rst,  // synchronous: packets are lost, all credits full
  input  wire [CLOCKS-1:0]            clocks_i,   // rising edges of other clocks
  output wire                         ready_o,    // no reset is on
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

  localparam SIZE    = LEAVES / K;                  // switches of a stage
  localparam EACH_W  = K * VCS * (2 + $clog2(K) + VCS);  // bits of the state of one

  // K to the e-th.
  function integer power(input integer e);
    integer i;
    begin
      power = 1;
      for (i = 0; i < e; i = i + 1) power = power * K;
    end
  endfunction

  localparam LINKS = (ASYNC == "LINKS") ? 1 : 0;

  wire              own_rst, own_clear;  // of clk
  wire [CLOCKS-1:0] rsts, clears;        // of clocks_i
  wire              unused_clear = &{1'b0, own_clear, rsts, clears};

  // The links of the leaves in the clocks of the first and the last stage.
  wire [LEAVES*VCS-1:0]    up_valid, up_credit, down_valid, down_credit;
  wire [LEAVES*FLIT_W-1:0] up_flit, down_flit;

  async_border #(
    .ASYNC(ASYNC), .LEAVES(LEAVES), .CLOCKS(CLOCKS), .VCS(VCS), .DEPTH(DEPTH), .FLIT_W(FLIT_W),
    .SYNC(SYNC)
  ) u_border (
    .clk(clk), .rst(rst), .clocks_i(clocks_i), .ready_o(ready_o), .rst_o(own_rst),
    .clear_o(own_clear), .rsts_o(rsts), .clears_o(clears), .valid_i(valid_i), .flit_i(flit_i),
    .credit_o(credit_o), .valid_o(valid_o), .flit_o(flit_o), .credit_i(credit_i),
    .up_clk(gen_stage[1].stage_clk), .up_rst(gen_stage[1].stage_rst),
    .up_clear_i(gen_stage[1].stage_clear), .up_valid_o(up_valid), .up_flit_o(up_flit),
    .up_credit_i(up_credit), .down_clk(gen_stage[LEVELS].stage_clk),
    .down_rst(gen_stage[LEVELS].stage_rst), .down_clear_i(gen_stage[LEVELS].stage_clear),
    .down_valid_i(down_valid), .down_flit_i(down_flit), .down_credit_o(down_credit)
  );

  genvar l, s, k;
  generate
    for (l = 1; l <= LEVELS; l = l + 1) begin : gen_stage
      localparam LOW = power(l - 1);  // switches that differ in the digits up to a_l alone

      // Links into this stage and out of it, switch by switch.
      wire [LEAVES*VCS-1:0]    in_valid, in_credit, out_valid, out_credit;
      wire [LEAVES*FLIT_W-1:0] in_flit, out_flit;

      localparam OWN = (LINKS == 1) ? l - 1 : 0;
      wire stage_clk   = (LINKS == 1) ? clocks_i[OWN] : clk;
      wire stage_rst   = (LINKS == 1) ? rsts[OWN]     : own_rst;
      wire stage_clear = (LINKS == 1) ? clears[OWN]   : own_clear;

      for (s = 0; s < SIZE; s = s + 1) begin : gen_switch
        localparam [31:0] POS    = s;
        localparam [31:0] NUMBER = (l - 1) * SIZE + s;

        xgft_switch #(
          `include "wormhole_pass.vh"
          .DOWN(K), .UP(0), .BELOW(LOW * K), .SPREAD(LOW), .ADDR_W(NODE_W), .NODE_W(NODE_W),
          .PATHS(1), .ADDRESSES(LEAVES), .ROUTING("DMODK"), .CLIMB("TOP")
        ) u_switch (
          .clk(stage_clk), .rst(stage_rst), .pos_i(POS[15:0]), .number_i(NUMBER[15:0]),
          .seed_i(32'd0), .write_i(1'b0), .address_i({NODE_W{1'b0}}), .entry_i({$clog2(K){1'b0}}),
          .valid_i(in_valid [s*K*VCS +: K*VCS]), .flit_i(in_flit [s*K*FLIT_W +: K*FLIT_W]),
          .credit_o(in_credit [s*K*VCS +: K*VCS]), .valid_o(out_valid [s*K*VCS +: K*VCS]),
          .flit_o(out_flit [s*K*FLIT_W +: K*FLIT_W]), .credit_i(out_credit[s*K*VCS +: K*VCS]),
          .state_o(state_o[NUMBER*EACH_W +: EACH_W]), .home_o(home_o[NUMBER*K*VCS +: K*VCS])
        );
      end

      assign link_valid_o [(l-1)*LEAVES*VCS +: LEAVES*VCS]       = out_valid;
      assign link_flit_o  [(l-1)*LEAVES*FLIT_W +: LEAVES*FLIT_W] = out_flit;
      assign link_credit_o[(l-1)*LEAVES*VCS +: LEAVES*VCS]       = out_credit;

      // Link k out of this stage is output k mod K of switch k / K, and leads to input J.
      if (l < LEVELS) begin : gen_next
        wire [LEAVES*VCS-1:0]    next_valid, next_credit;  // in the clock of the next stage
        wire [LEAVES*FLIT_W-1:0] next_flit;
        async_links #(
          .APART(LINKS), .LINKS(LEAVES), .VCS(VCS), .DEPTH(DEPTH), .FLIT_W(FLIT_W), .SYNC(SYNC)
        ) u_links (
          .send_clks_i({LEAVES{stage_clk}}), .send_rsts_i({LEAVES{stage_rst}}),
          .send_clears_i({LEAVES{stage_clear}}), .valid_i(out_valid), .flit_i(out_flit),
          .credit_o(out_credit), .take_clks_i({LEAVES{gen_stage[l+1].stage_clk}}),
          .take_rsts_i({LEAVES{gen_stage[l+1].stage_rst}}),
          .take_clears_i({LEAVES{gen_stage[l+1].stage_clear}}), .valid_o(next_valid),
          .flit_o(next_flit), .credit_i(next_credit)
        );
        for (k = 0; k < LEAVES; k = k + 1) begin : gen_link
          localparam A = k / K / LOW % K;  // a_{l+1}
          localparam J = (k / K % LOW + LOW * (k % K + K * (k / (K * LOW * K)))) * K + A;
          assign gen_stage[l+1].in_valid[J*VCS +: VCS]       = next_valid[k*VCS +: VCS];
          assign gen_stage[l+1].in_flit [J*FLIT_W +: FLIT_W] = next_flit [k*FLIT_W +: FLIT_W];
          assign next_credit[k*VCS +: VCS] = gen_stage[l+1].in_credit[J*VCS +: VCS];
        end
      end else begin : gen_last
        wire unused = &{1'b0, stage_clear};
        for (k = 0; k < LEAVES; k = k + 1) begin : gen_leaf
          localparam LEAF = k % K * SIZE + k / K;
          xgft_long_link #(.LONG(LONG), .VCS(VCS), .FLIT_W(FLIT_W)) u_link (
            .clk(stage_clk), .rst(stage_rst), .valid_i(out_valid[k*VCS +: VCS]),
            .flit_i(out_flit[k*FLIT_W +: FLIT_W]), .credit_o(out_credit[k*VCS +: VCS]),
            .valid_o(down_valid[LEAF*VCS +: VCS]), .flit_o(down_flit[LEAF*FLIT_W +: FLIT_W]),
            .credit_i(down_credit[LEAF*VCS +: VCS])
          );
        end
      end

      if (l == 1) begin : gen_leaves
        xgft_departures #(.LEAVES(LEAVES), .VCS(VCS), .WIDTH(WIDTH), .HOPS_W(HOPS_W)) u_departures (
          .clk(stage_clk), .rst(stage_rst), .valid_i(up_valid), .flit_i(up_flit)
        );
        assign in_valid  = up_valid;
        assign in_flit   = up_flit;
        assign up_credit = in_credit;
      end
    end
  endgenerate

  `CHECK_CHOICE(ASYNC == "NONE" || ASYNC == "LEAVES" || ASYNC == "LINKS", "ASYNC", ASYNC,
                "NONE, LEAVES, LINKS")
  `CHECK_PARAMETER(K >= 2, "K", K, ">= 2")
  `CHECK_PARAMETER(LEVELS >= 1 && LEVELS <= 8, "LEVELS", LEVELS, "1 to 8")

endmodule

`default_nettype wire
