// Copyright the fat-tree verification environment contributors
// SPDX-License-Identifier: Apache-2.0

`timescale 1ns/1ns
`default_nettype none

// Top of a simulation of a packet-switched network: a flit_player drives it and captures what it
// does.  TOPOLOGY = "XGFT": xgft_network, of H, M, W; "RUFT": ruft_network, of K, LEVELS, LONG;
// "BENES": benes_network, of N, LEVELS.  With ASYNC other than "NONE" bench_clocks makes the
// clocks; the player waits while the network resets them, and with "LEAVES" it is joined to the
// leaves by flit_paces.
module wormhole_bench #(
  parameter [8*5-1:0] TOPOLOGY = "XGFT",
  parameter H = 3,
  parameter [32*8-1:0] M = {160'd0, 32'd4, 32'd4, 32'd4},
  parameter [32*8-1:0] W = {160'd0, 32'd4, 32'd4, 32'd1},
  parameter K       = 4,
  parameter N       = 4,
  parameter LEVELS  = 3,
  parameter LONG    = 0,
  parameter VCS     = 2,
  parameter DEPTH   = 4,
  parameter WIDTH   = 32,
  parameter HOPS_W  = 20,
  parameter HOP_W   = 4,
  parameter PATHS   = 1,
  parameter CLASSES = 1,
  parameter STAGES  = 1,
  parameter AHEAD   = 0,
  parameter WAYS    = 1,
  parameter TBCH    = 0,
  parameter ROOT_LINKS = 0,
  parameter [8*4-1:0]  LATERAL = "1",
  parameter [8*6-1:0]  ADDRESS = "NUMBER",
  parameter [8*8-1:0]  ROUTING = "DMODK",
  parameter [8*3-1:0]  CLIMB   = "NCA",
  parameter [8*4-1:0]  MODE    = "ANY",
  parameter [8*11-1:0] ARBITER = "ROUND_ROBIN",
  parameter LEAVES    = 64,   // what the model works out of the above, as the network does
  parameter SWITCHES  = 48,
  parameter INPUTS    = 640,  // input VCs of all switches
  parameter STATE_W   = 4480, // bits of the network's state
  parameter ADDRESSES = 64,
  parameter ADDR_W    = 6,
  parameter NODE_W    = 6,
  parameter NUMBER_W  = 19,   // bits of a packet's number
  parameter QUEUE     = 32,   // see flit_player
  parameter ROWS      = 64,
  parameter DATA_STRIDE = 32,
  parameter SIDE_STRIDE = 32,
  parameter [8*6-1:0]  ASYNC = "NONE",
  parameter SYNC      = 2,
  parameter OTHERS    = 1,    // clocks beside the player's
  parameter COUNT     = 2,    // see bench_clocks
  parameter [32*8-1:0] PERIODS = {192'd0, 32'd7300, 32'd10000},
  parameter JITTER    = 0,
  parameter HALTS     = 0,
  parameter RECORD    = 1,    // 1: all links are recorded; 2: hashed, too; see flit_recorder
  parameter [63:0] UNMIX = 64'd1
)
`include "bench_clock.vh"

  localparam FLIT_W     = WIDTH + 2 + HOPS_W;
  localparam TABLE_ROWS = (ROUTING == "TABLE" || TOPOLOGY == "BENES") ? ADDRESSES : 2;

  wire                         rst, write, ready;
  wire [31:0]                  seed;
  wire [ADDR_W-1:0]            address;
  wire [SWITCHES*8-1:0]        entries;
  wire [LEAVES*VCS-1:0]        up_valid, up_credit, down_valid, down_credit;      // the network's
  wire [LEAVES*FLIT_W-1:0]     up_flit, down_flit;
  wire [LEAVES*VCS-1:0]        send_valid, send_credit, take_valid, take_credit;  // the player's
  wire [LEAVES*FLIT_W-1:0]     send_flit, take_flit;
  wire [STATE_W-1:0]           state;
  wire [INPUTS-1:0]            home, link_valid, link_credit;
  wire [INPUTS/VCS*FLIT_W-1:0] link_flit;

  // ---- clocks -----------------------------------------------------------------------------------

  wire              own_clk, player_clk;
  wire [OTHERS-1:0] clocks;

  genvar g;
  generate
    if (ASYNC == "NONE") begin : gen_one_clock
      assign own_clk    = clk;
      assign player_clk = clk;
      assign clocks     = {OTHERS{1'b0}};
      wire unused = &{1'b0, ready};
    end else begin : gen_clocks
      reg ready_q;
      initial ready_q = 1'b1;
      always @(negedge clk) ready_q <= ready;
      assign player_clk = own_clk & ready_q;
      bench_clocks #(
        .CLOCKS(OTHERS + 1), .COUNT(COUNT), .PERIODS(PERIODS), .JITTER(JITTER), .HALTS(HALTS)
      ) u_clocks (
        .clk(clk), .start_i(rst), .seed_i(seed), .clocks_o({clocks, own_clk})
      );
    end

    if (ASYNC == "LEAVES") begin : gen_paced
      for (g = 0; g < LEAVES; g = g + 1) begin : gen_leaf
        flit_pace #(.VCS(VCS), .DEPTH(DEPTH), .FLIT_W(FLIT_W)) u_up (
          .clear_i(~ready), .send_clk(player_clk), .valid_i(send_valid[g*VCS +: VCS]),
          .flit_i(send_flit[g*FLIT_W +: FLIT_W]), .credit_o(send_credit[g*VCS +: VCS]),
          .take_clk(clocks[g % OTHERS]), .valid_o(up_valid[g*VCS +: VCS]),
          .flit_o(up_flit[g*FLIT_W +: FLIT_W]), .credit_i(up_credit[g*VCS +: VCS])
        );
        flit_pace #(.VCS(VCS), .DEPTH(DEPTH), .FLIT_W(FLIT_W)) u_down (
          .clear_i(~ready), .send_clk(clocks[g % OTHERS]), .valid_i(down_valid[g*VCS +: VCS]),
          .flit_i(down_flit[g*FLIT_W +: FLIT_W]), .credit_o(down_credit[g*VCS +: VCS]),
          .take_clk(player_clk), .valid_o(take_valid[g*VCS +: VCS]),
          .flit_o(take_flit[g*FLIT_W +: FLIT_W]), .credit_i(take_credit[g*VCS +: VCS])
        );
      end
    end else begin : gen_straight
      assign up_valid    = send_valid;
      assign up_flit     = send_flit;
      assign send_credit = up_credit;
      assign take_valid  = down_valid;
      assign take_flit   = down_flit;
      assign down_credit = take_credit;
    end
  endgenerate

  // ---- the network ------------------------------------------------------------------------------

  generate
    if (TOPOLOGY == "RUFT") begin : gen_ruft
      ruft_network #(
        .K(K), .LEVELS(LEVELS), .LONG(LONG), .VCS(VCS), .DEPTH(DEPTH), .WIDTH(WIDTH),
        .HOPS_W(HOPS_W), .HOP_W(HOP_W), .CLASSES(CLASSES), .STAGES(STAGES), .AHEAD(AHEAD),
        .WAYS(WAYS), .MODE(MODE), .ARBITER(ARBITER), .ASYNC(ASYNC), .SYNC(SYNC)
      ) u_network (
        .clk         (own_clk),
        .rst         (rst),
        .clocks_i    (clocks),
        .ready_o     (ready),
        .valid_i     (up_valid),
        .flit_i      (up_flit),
        .credit_o    (up_credit),
        .valid_o     (down_valid),
        .flit_o      (down_flit),
        .credit_i    (down_credit),
        .state_o     (state),
        .home_o      (home),
        .link_valid_o(link_valid),
        .link_flit_o (link_flit),
        .link_credit_o(link_credit)
      );
      wire unused = &{1'b0, seed, write, address, entries};
    end else if (TOPOLOGY == "BENES") begin : gen_benes
      benes_network #(
        .N(N), .LEVELS(LEVELS), .VCS(VCS), .DEPTH(DEPTH), .WIDTH(WIDTH), .HOPS_W(HOPS_W),
        .HOP_W(HOP_W), .PATHS(PATHS), .CLASSES(CLASSES), .STAGES(STAGES), .AHEAD(AHEAD),
        .WAYS(WAYS), .MODE(MODE), .ARBITER(ARBITER), .ASYNC(ASYNC), .SYNC(SYNC)
      ) u_network (
        .clk         (own_clk),
        .rst         (rst),
        .clocks_i    (clocks),
        .ready_o     (ready),
        .write_i     (write),
        .address_i   (address),
        .entries_i   (entries),
        .valid_i     (up_valid),
        .flit_i      (up_flit),
        .credit_o    (up_credit),
        .valid_o     (down_valid),
        .flit_o      (down_flit),
        .credit_i    (down_credit),
        .state_o     (state),
        .home_o      (home),
        .link_valid_o(link_valid),
        .link_flit_o (link_flit),
        .link_credit_o(link_credit)
      );
      wire unused = &{1'b0, seed};
    end else begin : gen_xgft
      xgft_network #(
        .H(H), .M(M), .W(W), .VCS(VCS), .DEPTH(DEPTH), .WIDTH(WIDTH), .HOPS_W(HOPS_W),
        .HOP_W(HOP_W), .PATHS(PATHS), .CLASSES(CLASSES), .STAGES(STAGES), .AHEAD(AHEAD),
        .WAYS(WAYS), .TBCH(TBCH), .ROOT_LINKS(ROOT_LINKS), .LATERAL(LATERAL), .ADDRESS(ADDRESS),
        .ROUTING(ROUTING), .CLIMB(CLIMB), .MODE(MODE), .ARBITER(ARBITER), .ASYNC(ASYNC), .SYNC(SYNC)
      ) u_network (
        .clk         (own_clk),
        .rst         (rst),
        .clocks_i    (clocks),
        .ready_o     (ready),
        .seed_i      (seed),
        .write_i     (write),
        .address_i   (address),
        .entries_i   (entries),
        .valid_i     (up_valid),
        .flit_i      (up_flit),
        .credit_o    (up_credit),
        .valid_o     (down_valid),
        .flit_o      (down_flit),
        .credit_i    (down_credit),
        .state_o     (state),
        .home_o      (home),
        .link_valid_o(link_valid),
        .link_flit_o (link_flit),
        .link_credit_o(link_credit)
      );
    end
  endgenerate

  // ---- the player -------------------------------------------------------------------------------

  flit_player #(
    .NODES(LEAVES), .VCS(VCS), .DEPTH(DEPTH), .WIDTH(WIDTH), .HOPS_W(HOPS_W), .ADDR_W(ADDR_W),
    .NODE_W(NODE_W), .NUMBER_W(NUMBER_W), .PATHS(PATHS), .QUEUE(QUEUE), .ROWS(ROWS),
    .TABLE_ROWS(TABLE_ROWS), .TABLE_W(SWITCHES*8), .STATE_W(STATE_W), .HOME_W(INPUTS),
    .DATA_STRIDE(DATA_STRIDE), .SIDE_STRIDE(SIDE_STRIDE), .UNMIX(UNMIX)
  ) u_player (
    .clk      (player_clk),
    .busy_o   (busy_o),
    .rst_o    (rst),
    .seed_o   (seed),
    .write_o  (write),
    .address_o(address),
    .entries_o(entries),
    .valid_o  (send_valid),
    .flit_o   (send_flit),
    .credit_i (send_credit),
    .valid_i  (take_valid),
    .flit_i   (take_flit),
    .credit_o (take_credit),
    .state_i  (state),
    .home_i   (home)
  );

  // Links out of switches, links from leaves, and the far ends of long links to leaves.
  generate
    if (RECORD != 0) begin : gen_record
      localparam FAR   = (LONG > 0) ? LEAVES : 0;
      localparam LINKS = INPUTS/VCS + LEAVES + FAR;
      wire [2*LEAVES*VCS-1:0]    leaf_valid  = {down_valid, up_valid};
      wire [2*LEAVES*FLIT_W-1:0] leaf_flit   = {down_flit, up_flit};
      wire [2*LEAVES*VCS-1:0]    leaf_credit = {down_credit, up_credit};
      wire unused = &{1'b0, leaf_valid, leaf_flit, leaf_credit};
      flit_recorder #(
        .LINKS(LINKS), .VCS(VCS), .WIDTH(WIDTH), .HOPS_W(HOPS_W), .ROWS(ROWS),
        .SHOWN_W(STATE_W + INPUTS), .HASHED(RECORD - 1)
      ) u_recorder (
        .clk(player_clk), .run_i(busy_o), .row_i(u_player.clocks),
        .valid_i({leaf_valid[0 +: (LEAVES+FAR)*VCS], link_valid}),
        .flit_i({leaf_flit[0 +: (LEAVES+FAR)*FLIT_W], link_flit}),
        .credit_i({leaf_credit[0 +: (LEAVES+FAR)*VCS], link_credit}),
        .shown_i({home, state})
      );
    end else begin : gen_no_record
      wire unused = &{1'b0, link_valid, link_flit, link_credit};
    end
  endgenerate

endmodule

`default_nettype wire
