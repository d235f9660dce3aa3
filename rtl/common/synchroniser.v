// Copyright the fat-tree verification environment contributors
// SPDX-License-Identifier: Apache-2.0

`timescale 1ns/1ns
`include "checks.vh"
`default_nettype none

// Chain of SYNC flip-flops that brings registers of another clock into this one.
//
// Contract: value_i comes straight from registers that change by at most one bit at an edge of
// their clock; else bits of different edges are mixed.  After power-up it shows 0.
// Timing: what is sampled comes out SYNC edges later; a register that reads value_o changes with
// the next edge.
module synchroniser #(
  parameter SYNC  = 2,  // flip-flops, >= 2: the first one settles before anybody looks
  parameter WIDTH = 1   // bits
) (
  input  wire             clk,      // rising edge
  input  wire             rst,      // synchronous: all flip-flops go to 0
  input  wire [WIDTH-1:0] value_i,  // registers of another clock
  output wire [WIDTH-1:0] value_o   // the same, of this clock
);

  localparam REST = (SYNC > 1) ? (SYNC - 1) * WIDTH : WIDTH;  // bits of all but the first

  wire [WIDTH-1:0] sampled;
  reg  [REST-1:0]  settled_q;  // the latest lowest

  sampler #(.WIDTH(WIDTH)) u_sampler (
    .clk(clk), .rst(rst), .value_i(value_i), .value_o(sampled)
  );

  wire [REST+WIDTH-1:0] chain = {settled_q, sampled};
  initial settled_q = {REST{1'b0}};
  always @(posedge clk) settled_q <= rst ? {REST{1'b0}} : chain[REST-1:0];

  assign value_o = chain[(SYNC-1)*WIDTH +: WIDTH];

  `CHECK_PARAMETER(SYNC >= 2, "SYNC", SYNC, ">= 2")

endmodule

`default_nettype wire
