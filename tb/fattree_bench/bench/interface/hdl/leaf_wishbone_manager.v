// Copyright the fat-tree verification environment contributors
// SPDX-License-Identifier: Apache-2.0

`timescale 1ns/1ns
`default_nettype none

// A manager's end of a Wishbone B4 bus: requests with valid and ready become cyc and stb, and ack
// or err becomes an answer with valid, which is always taken.
//
// Contract: classic: a request stays until it is answered.  PIPELINED: it is taken when stall is
// low, cyc stays until all are answered, and at most 255 are on their way.  dat_o is 0 but in the
// answer of a read.  Bits of broken_o: ack together with err; one of them, and nothing was asked.
// Timing: combinational; what is on its way is counted at the clock edge.
module leaf_wishbone_manager #(
  parameter W         = 32,  // bits of a word
  parameter PIPELINED = 0
) (
  input  wire         clk,
  input  wire         run_i,      // of leaf_control
  input  wire         quiet_i,
  input  wire         q_valid_i,
  input  wire         q_we_i,
  output wire         q_ready_o,  // X where ack, err or stall is
  output wire         p_valid_o,
  output wire         p_err_o,
  output wire [W-1:0] dat_o,
  output wire         cyc_o,
  output wire         stb_o,
  input  wire         ack_i,
  input  wire         err_i,
  input  wire         stall_i,
  input  wire [W-1:0] dat_i,
  output wire [1:0]   broken_o
);

  reg [255:0] writes_q;    // PIPELINED: whether they are, of requests on their way
  reg [7:0]   in_q, out_q;

  wire        answer = ack_i | err_i;
  wire        some   = (in_q != out_q);
  wire        takes  = q_valid_i & (q_ready_o === 1'b1);
  wire        due    = q_valid_i | some;  // an answer may come in the clock of its request
  wire        write  = (PIPELINED != 0) & some ? writes_q[out_q] : q_we_i;

  assign cyc_o     = (PIPELINED != 0) ? due : q_valid_i;
  assign stb_o     = q_valid_i;
  assign q_ready_o = (PIPELINED != 0) ? ~stall_i : answer;
  assign p_valid_o = answer & due;
  assign p_err_o   = err_i;
  assign dat_o     = write ? {W{1'b0}} : dat_i;
  assign broken_o  = {
    ~quiet_i & (answer === 1'b1) & ~due,
    ~quiet_i & (ack_i === 1'b1) & (err_i === 1'b1)
  };

  always @(posedge clk) begin
    if (takes) writes_q[in_q] <= q_we_i;
    in_q  <= run_i ? in_q + {7'd0, takes & (PIPELINED != 0)} : 8'd0;
    out_q <= run_i ? out_q + {7'd0, (p_valid_o === 1'b1) & (PIPELINED != 0)} : 8'd0;
  end

endmodule

`default_nettype wire
