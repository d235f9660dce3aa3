// Copyright the fat-tree verification environment contributors
// SPDX-License-Identifier: Apache-2.0

`timescale 1ns/1ns
`default_nettype none

// The random number of a switch, a new one in every clock.
//
// Contract: the numbers of a xorshift generator (see xorshift32).  At reset every switch starts
// elsewhere: at the seed, spread by the golden ratio times its number.  The switches of a level
// turn what they have got by pos_i * ANGLE bits.
// Timing: the first number stands in the clock after reset.
module xgft_random #(
  parameter ANGLE = 5  // bits
) (
  input  wire        clk,       // rising edge
  input  wire        rst,       // synchronous: starts at seed_i and the numbers
  input  wire [15:0] pos_i,     // the switch's number in its level, a constant
  input  wire [15:0] number_i,  // and in the network
  input  wire [31:0] seed_i,    // read at reset
  output wire [31:0] random_o   // another number in each clock
);

  localparam [31:0] TURN = ANGLE;

  wire [31:0] seed = seed_i ^ (({16'd0, number_i} + 32'd1) * 32'h9E3779B9);
  wire [4:0]  turn = pos_i[4:0] * TURN[4:0];
  wire [31:0] next;
  wire        unused = &{1'b0, pos_i[15:5]};

  reg [31:0] random_q;
  xorshift32 u_next (.x_i(random_q), .next_o(next));
  always @(posedge clk)
    random_q <= !rst ? next : (seed == 32'd0) ? 32'd1 : seed;

  assign random_o = (random_q << turn) | (random_q >> (6'd32 - {1'b0, turn}));

endmodule

`default_nettype wire
