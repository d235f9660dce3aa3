// Copyright the fat-tree verification environment contributors
// SPDX-License-Identifier: Apache-2.0

`timescale 1ns/1ns
`default_nettype none

// A memory's end of a Wishbone B4 bus: cyc and stb become requests with valid and ready, and an
// answer with valid becomes ack or err for a clock.
//
// Contract: classic: a request comes once, and stays until it is answered.  PIPELINED: stall is
// low where it is taken.  side_i is all that goes with stb.  Bits of broken_o: cyc or stb (only cyc
// if PIPELINED) fell before the answer; side_i changed before it.
// Timing: combinational; what is on its way is counted at the clock edge.
module leaf_wishbone_memory #(
  parameter W         = 69,  // bits of side_i
  parameter PIPELINED = 0
) (
  input  wire         clk,
  input  wire         run_i,      // of leaf_control
  input  wire         quiet_i,
  output wire         q_valid_o,  // X where cyc and stb are
  input  wire         q_ready_i,
  input  wire         p_valid_i,
  input  wire         p_err_i,
  output wire         p_ready_o,
  input  wire         cyc_i,
  input  wire         stb_i,
  input  wire [W-1:0] side_i,
  output wire         ack_o,
  output wire         err_o,
  output wire         stall_o,
  output wire [1:0]   broken_o
);

  reg [7:0]   due_q;   // requests taken and not answered
  reg [W-1:0] side_q;

  wire        asked = cyc_i & stb_i;
  wire        waits = (due_q != 8'd0);
  wire        takes = (q_valid_o === 1'b1) & q_ready_i;
  wire        check = ~quiet_i & run_i & waits;

  assign q_valid_o = asked & ((PIPELINED != 0) | ~waits);
  assign stall_o   = ~q_ready_i;
  assign p_ready_o = 1'b1;
  assign ack_o     = p_valid_i & ~p_err_i;
  assign err_o     = p_valid_i & p_err_i;
  assign broken_o  = {
    check & (PIPELINED == 0) & (asked === 1'b1) & (side_i !== side_q),
    check & (((PIPELINED != 0) ? cyc_i : asked) === 1'b0)
  };

  always @(posedge clk) begin
    if (takes) side_q <= side_i;
    due_q <= run_i ? due_q + {7'd0, takes} - {7'd0, p_valid_i} : 8'd0;
  end

endmodule

`default_nettype wire
