// Copyright the fat-tree verification environment contributors
// SPDX-License-Identifier: Apache-2.0

`timescale 1ns/1ns
`default_nettype none

// Random pauses: a bit that is 1 in SHARE of 256 clocks, from a generator of its own.
//
// Timing: pause_o changes with the clock.
module leaf_pause #(
  parameter [31:0] SEED = 32'd1  // of this place; not 0
) (
  input  wire       clk,
  input  wire       rst,
  input  wire [7:0] share_i,
  input  wire       step_i,   // the next is drawn
  output reg        pause_o
);

  reg [31:0] random_q;

  function [31:0] stepped(input [31:0] x);  // xorshift, as in xorshift32
    reg [31:0] y;
    begin
      y = x ^ (x << 13);
      y = y ^ (y >> 17);
      stepped = y ^ (y << 5);
    end
  endfunction

  initial begin
    random_q = SEED;
    pause_o  = 1'b0;
  end

  always @(posedge clk) begin
    if (step_i) begin
      random_q <= stepped(random_q);
      pause_o  <= (random_q[15:8] < share_i);
    end
    if (rst) pause_o <= 1'b0;
  end

endmodule

`default_nettype wire
