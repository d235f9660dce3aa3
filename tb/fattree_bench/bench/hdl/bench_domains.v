// Copyright the fat-tree verification environment contributors
// SPDX-License-Identifier: Apache-2.0

`timescale 1ns/1ns
`default_nettype none

// Clocks of a network whose parts have different ones, between its leaves and a flit_player.
//
// Contract: bench_clocks makes the clocks; the player waits while the network resets them
// (ready_i is low).  With PACED each leaf has a clock of its own, and flit_paces join it to the
// player; else the player and the leaves share one.
// Timing: combinational without PACED; see flit_pace.
module bench_domains #(
  parameter LEAVES  = 4,
  parameter VCS     = 2,
  parameter DEPTH   = 4,      // flits of a virtual channel's queue
  parameter FLIT_W  = 40,
  parameter PACED   = 0,      // 0, 1: see above
  parameter OTHERS  = 1,      // clocks of the network that are not the player's
  parameter COUNT   = 2,      // see bench_clocks, as the following
  parameter [32*8-1:0] PERIODS = {192'd0, 32'd73, 32'd100},
  parameter JITTER  = 0,
  parameter HALTS   = 0
) (
  input  wire                     clk,          // of the simulator
  input  wire                     start_i,      // reset
  input  wire [31:0]              seed_i,       // of phases and jitter
  input  wire                     ready_i,      // the network is out of reset
  output wire                     own_clk_o,    // the clock of the network that starts first
  output wire                     player_clk_o,
  output wire [OTHERS-1:0]        clocks_o,     // the network's others
  // the player
  input  wire [LEAVES*VCS-1:0]    send_valid_i,
  input  wire [LEAVES*FLIT_W-1:0] send_flit_i,
  output wire [LEAVES*VCS-1:0]    send_credit_o,
  output wire [LEAVES*VCS-1:0]    receive_valid_o,
  output wire [LEAVES*FLIT_W-1:0] receive_flit_o,
  input  wire [LEAVES*VCS-1:0]    receive_credit_i,
  // the network
  output wire [LEAVES*VCS-1:0]    up_valid_o,
  output wire [LEAVES*FLIT_W-1:0] up_flit_o,
  input  wire [LEAVES*VCS-1:0]    up_credit_i,
  input  wire [LEAVES*VCS-1:0]    down_valid_i,
  input  wire [LEAVES*FLIT_W-1:0] down_flit_i,
  output wire [LEAVES*VCS-1:0]    down_credit_o
);

  reg ready_q;
  initial ready_q = 1'b1;
  always @(negedge clk) ready_q <= ready_i;
  assign player_clk_o = own_clk_o & ready_q;

  bench_clocks #(
    .CLOCKS(OTHERS + 1), .COUNT(COUNT), .PERIODS(PERIODS), .JITTER(JITTER), .HALTS(HALTS)
  ) u_clocks (
    .clk(clk), .start_i(start_i), .seed_i(seed_i), .clocks_o({clocks_o, own_clk_o})
  );

  genvar g;
  generate
    if (PACED == 1) begin : gen_paced
      for (g = 0; g < LEAVES; g = g + 1) begin : gen_leaf
        flit_pace #(.VCS(VCS), .DEPTH(DEPTH), .FLIT_W(FLIT_W)) u_up (
          .clear_i(~ready_i), .send_clk(player_clk_o), .valid_i(send_valid_i[g*VCS +: VCS]),
          .flit_i(send_flit_i[g*FLIT_W +: FLIT_W]), .credit_o(send_credit_o[g*VCS +: VCS]),
          .take_clk(clocks_o[g % OTHERS]), .valid_o(up_valid_o[g*VCS +: VCS]),
          .flit_o(up_flit_o[g*FLIT_W +: FLIT_W]), .credit_i(up_credit_i[g*VCS +: VCS])
        );
        flit_pace #(.VCS(VCS), .DEPTH(DEPTH), .FLIT_W(FLIT_W)) u_down (
          .clear_i(~ready_i), .send_clk(clocks_o[g % OTHERS]),
          .valid_i(down_valid_i[g*VCS +: VCS]), .flit_i(down_flit_i[g*FLIT_W +: FLIT_W]),
          .credit_o(down_credit_o[g*VCS +: VCS]), .take_clk(player_clk_o),
          .valid_o(receive_valid_o[g*VCS +: VCS]), .flit_o(receive_flit_o[g*FLIT_W +: FLIT_W]),
          .credit_i(receive_credit_i[g*VCS +: VCS])
        );
      end
    end else begin : gen_straight
      assign up_valid_o      = send_valid_i;
      assign up_flit_o       = send_flit_i;
      assign send_credit_o   = up_credit_i;
      assign receive_valid_o = down_valid_i;
      assign receive_flit_o  = down_flit_i;
      assign down_credit_o   = receive_credit_i;
    end
  endgenerate

endmodule

`default_nettype wire
