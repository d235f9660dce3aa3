// Copyright the fat-tree verification environment contributors
// SPDX-License-Identifier: Apache-2.0

`timescale 1ns/1ns
`include "checks.vh"
`default_nettype none

// Counts events at several places.
//
// Contract: count_o is the number of events since reset; it wraps around.
// Timing: an event counts from the next clock on.
module mft_counter #(
  parameter PLACES  = 4,  // >= 1
  parameter COUNT_W = 32  // bits of the counter, enough for PLACES
) (
  input  wire               clk,      // rising edge
  input  wire               rst,      // synchronous
  input  wire [PLACES-1:0]  event_i,  // by place: there is an event
  output reg  [COUNT_W-1:0] count_o   // events since reset
);

  wire [COUNT_W-1:0] ones;

  sum_of #(.TERMS(PLACES), .TERM_W(1), .SUM_W(COUNT_W)) u_ones (.terms_i(event_i), .sum_o(ones));

  always @(posedge clk) count_o <= rst ? {COUNT_W{1'b0}} : count_o + ones;

  `CHECK_PARAMETER(PLACES >= 1, "PLACES", PLACES, ">= 1")

endmodule

`default_nettype wire
