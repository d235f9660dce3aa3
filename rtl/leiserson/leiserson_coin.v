// Copyright the fat-tree verification environment contributors
// SPDX-License-Identifier: Apache-2.0

`timescale 1ns/1ns
`default_nettype none

// Whether a wire sends in this delivery cycle (Greenberg and Leiserson, "Randomized routing on
// fat-trees", 1985).
//
// Contract: lucky_o with probability k / 2^exponent_i, k = messages_i: each of them tosses a coin,
// one can go.  That many low bits of an LFSR (32-bit xorshift, one step a delivery cycle) are a
// number less than k.  It starts at seed_i with restart_i, or at 1 where that is 0, and steps
// whether a message waits or not: docs/leiserson.md, "Draws".
// Timing: lucky_o is valid in the clock of load_i.
module leiserson_coin (
  input  wire        clk,         // rising edge
  input  wire        load_i,      // a delivery cycle begins
  input  wire        restart_i,   // with load_i: the first of all
  input  wire [31:0] seed_i,      // of the LFSR, read at restart
  input  wire [3:0]  exponent_i,  // guess of the load factor: 2^exponent_i
  input  wire [16:0] messages_i,  // that wait for this wire
  output wire        lucky_o      // the wire sends in this delivery cycle
);

  reg  [31:0] lfsr_q;
  wire [31:0] lfsr = restart_i ? ((seed_i == 32'd0) ? 32'd1 : seed_i) : lfsr_q;
  wire [31:0] mask = (32'd1 << exponent_i) - 32'd1;
  wire [31:0] next;
  xorshift32 u_next (.x_i(lfsr), .next_o(next));
  always @(posedge clk) if (load_i) lfsr_q <= next;

  assign lucky_o = ((lfsr & mask) < {15'd0, messages_i});

endmodule

`default_nettype wire
