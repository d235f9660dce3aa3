// Copyright the fat-tree verification environment contributors
// SPDX-License-Identifier: Apache-2.0

`timescale 1ns/1ns
`include "checks.vh"
`default_nettype none

// Numbers of the slots that are under way in the tree (SCHEDULED).
//
// Contract: slots are numbered 0 .. last_slot_i and again, 0 first after reset.
// Timing: stage i shows the slot of the packets that entered i clocks ago; without PIPELINE, of the
// packets that enter now.
module lbbvn_slots #(
  parameter CONTROL  = "SELF",  // "SELF": all zero
  parameter PIPELINE = 1,       // 1: stages are clocks apart
  parameter STAGES   = 8,       // >= 1
  parameter SLOT_W   = 4        // bits of a slot's number
) (
  input  wire                     clk,          // rising edge
  input  wire                     rst,          // synchronous: the next packets are those of slot 0
  input  wire [SLOT_W-1:0]        last_slot_i,  // number of the last slot before 0
  output wire [STAGES*SLOT_W-1:0] slot_o        // stage 0 lowest
);

  genvar i;
  generate
    if (CONTROL != "SELF") begin : gen_scheduled
      reg [SLOT_W-1:0] slot_q;
      always @(posedge clk)
        slot_q <= (rst || slot_q == last_slot_i) ? {SLOT_W{1'b0}} : slot_q + 1'b1;
      assign slot_o[SLOT_W-1:0] = slot_q;
      for (i = 1; i < STAGES; i = i + 1) begin : gen_stage
        delay_line #(.DEPTH(PIPELINE), .WIDTH(SLOT_W)) u_slot (
          .clk(clk), .rst(rst),
          .data_i(slot_o[(i-1)*SLOT_W +: SLOT_W]), .data_o(slot_o[i*SLOT_W +: SLOT_W])
        );
      end
    end else begin : gen_self
      assign slot_o = {(STAGES*SLOT_W){1'b0}};
      wire unused = &{1'b0, clk, rst, last_slot_i};
    end
  endgenerate

  `CHECK_PARAMETER(STAGES >= 1, "STAGES", STAGES, ">= 1")

endmodule

`default_nettype wire
