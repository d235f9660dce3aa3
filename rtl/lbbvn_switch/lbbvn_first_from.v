// Copyright the fat-tree verification environment contributors
// SPDX-License-Identifier: Apache-2.0

`timescale 1ns/1ns
`include "checks.vh"
`default_nettype none

// Round robin: the first of the candidates at or behind a turn, going round.
//
// Contract: with seek_i and a candidate at least, first_o is its number; else it says nothing.
// Timing: combinational, of a depth that grows with N_LOG.
module lbbvn_first_from #(
  parameter N_LOG = 4,          // log2 of the candidates, >= 1
  parameter N     = 1 << N_LOG  // derived
) (
  input  wire             seek_i,        // first_o is needed: a simulator saves the search else
  input  wire [N-1:0]     candidates_i,  // who may be the first
  input  wire [N_LOG-1:0] turn_i,        // where the search begins
  output reg  [N_LOG-1:0] first_o        // the first one
);

  always @* begin : search
    reg [N-1:0] left;
    integer     b;
    left    = {N{1'b0}};
    first_o = {N_LOG{1'b0}};
    b       = 0;
    if (seek_i) begin
      left = candidates_i & ({N{1'b1}} << turn_i);
      if (left == {N{1'b0}}) left = candidates_i;
      // The lowest one: in which half it is, in which half of that, ...
      for (b = N_LOG - 1; b >= 0; b = b - 1) begin
        first_o[b] = (left << (N - (1 << b)) == {N{1'b0}});
        if (first_o[b]) left = left >> (1 << b);
      end
    end
  end

  `CHECK_PARAMETER(N_LOG >= 1, "N_LOG", N_LOG, ">= 1")

endmodule

`default_nettype wire
