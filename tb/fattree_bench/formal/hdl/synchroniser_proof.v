// Copyright the fat-tree verification environment contributors
// SPDX-License-Identifier: Apache-2.0

`timescale 1ns/1ns
`include "prove.vh"
`include "peek.vh"
`include "flight.vh"
`default_nettype none

// The synchroniser, for all that it may sample, after power-up and resets at any time.
//
// A bit that moves while it is sampled may take until the next edge to settle, and may then be seen
// as 0 by one and as 1 by another.  So two synchronisers that differ in nothing but what they
// sampled at the last edge must look alike.
//
//   S1  what was sampled comes out SYNC edges later
//   S2  nothing that comes out depends on what was sampled at the last edge
module synchroniser_proof #(
  parameter SYNC  = 2,
  parameter WIDTH = 2
) (
  input wire             clk,
  input wire             rst_i,
  input wire [WIDTH-1:0] value_i,
  input wire [WIDTH-1:0] other_i   // what the second one gets
);

  wire [WIDTH-1:0] out, other;
  synchroniser #(.SYNC(SYNC), .WIDTH(WIDTH)) u_one (
    .clk(clk), .rst(rst_i), .value_i(value_i), .value_o(out)
  );
  synchroniser #(.SYNC(SYNC), .WIDTH(WIDTH)) u_other (
    .clk(clk), .rst(rst_i), .value_i(other_i), .value_o(other)
  );
  `POKE([WIDTH-1:0], \u_one.u_sampler.arrived , u_one.u_sampler.arrived, value_i)
  `POKE([WIDTH-1:0], \u_other.u_sampler.arrived , u_other.u_sampler.arrived, other_i)

  reg [SYNC*WIDTH-1:0] sampled = 0;  // the latest lowest
  reg                  alike   = 1'b1;  // both got the same until the edge before the last
  reg                  same    = 1'b1;  // and at the last
  always @(posedge clk) begin
    sampled <= rst_i ? 0 : (sampled << WIDTH) | value_i;
    alike   <= alike && same;
    same    <= rst_i || value_i == other_i;
  end

  always @* begin
    `PROVE(S1, out == sampled[(SYNC-1)*WIDTH +: WIDTH])
    `PROVE(S2, !alike || out == other)
  end

endmodule

`default_nettype wire
