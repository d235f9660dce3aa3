// Copyright the fat-tree verification environment contributors
// SPDX-License-Identifier: Apache-2.0

`timescale 1ns/1ns
`include "checks.vh"
`default_nettype none

// A leaf of the bufferless fat-tree: entry, loop-back and output port.
//
// Contract: a packet whose destination is its own source is looped back here and uses no channel
// (SELF: its header says so; SCHEDULED: loop_i does).  The output port takes one packet a slot;
// the one from the tree goes first, a loop-back that finds it taken is lost and counted.  What is
// offered during reset is not taken in.
// Timing: combinational towards and from the tree; a loop-back takes LATENCY clocks.
module lbbvn_leaf #(
  parameter CONTROL = "SELF",  // "SELF", "SCHEDULED"
  parameter N_LOG   = 4,       // n: the tree has 2^n leaves
  parameter LATENCY = 7,       // clocks through the tree, >= 0
  parameter H       = 4,       // header bits of a lane
  parameter W       = 32       // data bits of a lane
) (
  input  wire             clk,           // rising edge
  input  wire             rst,           // synchronous: loop-backs inside are lost
  input  wire [N_LOG-1:0] number_i,      // of this leaf
  input  wire             valid_i,       // the user offers a packet
  input  wire [N_LOG-1:0] dst_i,         // SELF: its destination
  input  wire [W-1:0]     data_i,        // payload of that packet
  output wire             valid_o,       // a packet for the user
  output wire [W-1:0]     data_o,        // its payload; zero when idle
  output wire             up_valid_o,    // into the tree
  output wire [H-1:0]     up_header_o,   // its header; zero under SCHEDULED
  output wire [W-1:0]     up_data_o,     // payload; zero when idle
  input  wire             down_valid_i,  // out of the tree
  input  wire [W-1:0]     down_data_i,   // payload from the tree; zero when idle
  input  wire             loop_i,        // SCHEDULED: loop back in this slot
  output wire             entered_o,     // a packet was taken in, in this clock
  output wire             lost_o         // a loop-back was lost, in this clock
);

  wire entering = valid_i & ~rst;
  wire own;  // the destination is this leaf

  generate
    if (CONTROL == "SELF") begin : gen_self
      wire unused = &{1'b0, loop_i};
      assign own         = entering & (dst_i == number_i);
      assign up_header_o = dst_i & {N_LOG{entering}};
    end else begin : gen_scheduled
      wire unused = &{1'b0, number_i, dst_i};
      assign own         = entering & loop_i;
      assign up_header_o = {H{1'b0}};
    end
  endgenerate

  wire [W-1:0] own_data = data_i & {W{own}};
  wire         looped;
  wire [W-1:0] looped_data;

  delay_line #(.DEPTH(LATENCY), .WIDTH(W + 1)) u_loop (
    .clk(clk), .rst(rst), .data_i({own_data, own}), .data_o({looped_data, looped})
  );

  assign up_valid_o = entering & ~own;
  assign up_data_o  = data_i & {W{up_valid_o}};
  assign valid_o    = down_valid_i | looped;
  assign data_o     = down_data_i | (looped_data & {W{~down_valid_i}});
  assign entered_o  = entering;
  assign lost_o     = down_valid_i & looped;

endmodule

`default_nettype wire
