// Copyright the fat-tree verification environment contributors
// SPDX-License-Identifier: Apache-2.0

`timescale 1ns/1ns
`include "checks.vh"
`default_nettype none

// Counts events at N places, and remembers where there was one.
//
// Contract: count_o is the number of events since reset; it wraps around.
// Timing: an event counts from the next clock on.
module lbbvn_event_counter #(
  parameter N       = 16,  // places, >= 1
  parameter COUNT_W = 32   // bits of the counter, enough for N
) (
  input  wire               clk,      // rising edge
  input  wire               rst,      // synchronous
  input  wire [N-1:0]       event_i,  // by place: there is an event
  output reg  [COUNT_W-1:0] count_o,  // events since reset
  output reg  [N-1:0]       seen_o    // by place: there was one since reset
);

  reg [COUNT_W-1:0] ones;  // events in this clock

  always @* begin : sum
    integer i;
    ones = {COUNT_W{1'b0}};
    if (event_i != {N{1'b0}})
      for (i = 0; i < N; i = i + 1)
        ones = ones + {{(COUNT_W-1){1'b0}}, event_i[i]};
  end

  always @(posedge clk)
    if (rst) begin
      count_o <= {COUNT_W{1'b0}};
      seen_o  <= {N{1'b0}};
    end else if (event_i != {N{1'b0}}) begin
      count_o <= count_o + ones;
      seen_o  <= seen_o | event_i;
    end

  `CHECK_PARAMETER(N >= 1, "N", N, ">= 1")

endmodule

`default_nettype wire
