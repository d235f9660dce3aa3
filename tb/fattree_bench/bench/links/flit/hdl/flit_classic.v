// Copyright the fat-tree verification environment contributors
// SPDX-License-Identifier: Apache-2.0

`timescale 1ns/1ns
`default_nettype none

// Stands between a flit_player, which then only keeps time, and the leaves of a network.  The
// signals flit_* are for an agent that moves flit by flit and drives the clock.
module flit_classic #(
  parameter LEAVES  = 4,
  parameter VCS    = 2,
  parameter FLIT_W = 36
) (
  input  wire                    clk,       // the agent's own
  output wire [LEAVES*VCS-1:0]    valid_o,   // to the network: VC of the flit of each leaf, one-hot
  output wire [LEAVES*FLIT_W-1:0] flit_o,
  input  wire [LEAVES*VCS-1:0]    credit_i,  // credits that come back
  input  wire [LEAVES*VCS-1:0]    valid_i,   // from the network
  input  wire [LEAVES*FLIT_W-1:0] flit_i,
  output wire [LEAVES*VCS-1:0]    credit_o   // credits that go back
);

  reg [LEAVES*VCS-1:0]    flit_valid  = {(LEAVES*VCS){1'b0}};
  reg [LEAVES*FLIT_W-1:0] flit_word   = {(LEAVES*FLIT_W){1'b0}};
  reg [LEAVES*VCS-1:0]    flit_credit = {(LEAVES*VCS){1'b0}};

  wire [LEAVES*VCS-1:0]    flit_in_credit = credit_i;
  wire [LEAVES*VCS-1:0]    flit_out_valid = valid_i;
  wire [LEAVES*FLIT_W-1:0] flit_out_word  = flit_i;

  assign valid_o  = flit_valid;
  assign flit_o   = flit_word;
  assign credit_o = flit_credit;

  wire unused = &{1'b0, clk};

endmodule

`default_nettype wire
