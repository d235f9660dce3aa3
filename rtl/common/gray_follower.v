// Copyright the fat-tree verification environment contributors
// SPDX-License-Identifier: Apache-2.0

`timescale 1ns/1ns
`include "checks.vh"
`default_nettype none

// Pointer that follows one of another clock, step by step.
//
// Contract: behind_o: the leader has taken steps that this pointer has not; step_i, only then,
// takes one.  The leader is fewer than 2^WIDTH steps ahead.
// Timing: a step of the leader is seen SYNC edges after the first that samples it, own steps in the
// next clock.
module gray_follower #(
  parameter WIDTH = 3,  // bits of the pointers, >= 2
  parameter SYNC  = 2   // flip-flops of the synchroniser, >= 2
) (
  input  wire             clk,       // rising edge
  input  wire             rst,       // synchronous: no step taken
  input  wire [WIDTH-1:0] leader_i,  // code of the leader's gray_pointer, registers of its clock
  input  wire             step_i,    // follow by one
  output wire             behind_o,  // there is a step to take
  output wire [WIDTH-1:0] count_o,   // steps taken, mod 2^WIDTH
  output wire [WIDTH-1:0] code_o     // that in Gray code
);

  wire [WIDTH-1:0] seen;

  synchroniser #(.SYNC(SYNC), .WIDTH(WIDTH)) u_synchroniser (
    .clk(clk), .rst(rst), .value_i(leader_i), .value_o(seen)
  );
  gray_pointer #(.WIDTH(WIDTH)) u_pointer (
    .clk(clk), .rst(rst), .step_i(step_i), .count_o(count_o), .code_o(code_o)
  );

  assign behind_o = (seen != code_o);

  `CHECK_SHARED(clk, rst, !step_i || behind_o, "a pointer overtook the one that it follows")

endmodule

`default_nettype wire
