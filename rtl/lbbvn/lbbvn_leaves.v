// Copyright the fat-tree verification environment contributors
// SPDX-License-Identifier: Apache-2.0

`include "checks.vh"
`default_nettype none

// All leaves of the bufferless fat-tree: entry, loop-back and output port.
//
// Contract: a packet whose destination is its own source is looped back here and uses no channel
// (SELF: its header says so; SCHEDULED: loop_i does).  The output port takes one packet a slot;
// the one from the tree goes first, a loop-back that finds it taken is lost and counted.  What is
// offered during reset is not taken in.
// Timing: combinational towards and from the tree; a loop-back takes LATENCY clocks.
module lbbvn_leaves #(
  parameter CONTROL = "SELF",
  parameter N_LOG   = 4,
  parameter LATENCY = 7,   // clocks through the tree, >= 0
  parameter W       = 32,
  parameter H       = 4,   // header bits a lane
  parameter N       = 1 << N_LOG  // derived
) (
  input  wire                   clk,
  input  wire                   rst,
  // the user's side
  input  wire [N-1:0]           valid_i,
  input  wire [N*N_LOG-1:0]     dst_i,      // SCHEDULED: not used
  input  wire [N*W-1:0]         data_i,
  output wire [N-1:0]           valid_o,
  output wire [N*W-1:0]         data_o,
  // the tree's side
  output wire [N-1:0]           up_valid_o,
  output wire [N*H-1:0]         up_header_o,
  output wire [N*W-1:0]         up_data_o,
  input  wire [N-1:0]           down_valid_i,
  input  wire [N*W-1:0]         down_data_i,
  // SCHEDULED: leaves that loop back in this slot
  input  wire [N-1:0]           loop_i,
  // in this clock: taken in, given out, lost at the output ports
  output reg  [N_LOG:0]         injected_o,
  output reg  [N_LOG:0]         delivered_o,
  output reg  [N_LOG:0]         lost_o
);

  wire [N-1:0]   entering = valid_i & {N{~rst}};
  wire [N-1:0]   own;         // the destination is the leaf itself
  wire [N*W-1:0] own_data;
  wire [N-1:0]   looped;
  wire [N*W-1:0] looped_data;

  genvar x;
  generate
    for (x = 0; x < N; x = x + 1) begin : gen_leaf
      localparam [31:0] LEAF = x;
      if (CONTROL == "SELF") begin : gen_self
        assign own[x] = entering[x] & (dst_i[x*N_LOG +: N_LOG] == LEAF[N_LOG-1:0]);
        assign up_header_o[x*H +: H] = dst_i[x*N_LOG +: N_LOG] & {N_LOG{entering[x]}};
      end else begin : gen_scheduled
        assign own[x] = entering[x] & loop_i[x];
        assign up_header_o[x*H +: H] = {H{1'b0}};
      end
      assign own_data[x*W +: W] = data_i[x*W +: W] & {W{own[x]}};
      assign up_data_o[x*W +: W] = data_i[x*W +: W] & {W{entering[x] & ~own[x]}};
      assign data_o[x*W +: W] =
        down_data_i[x*W +: W] | (looped_data[x*W +: W] & {W{~down_valid_i[x]}});
    end
  endgenerate

  delay_line #(.DEPTH(LATENCY), .WIDTH(N)) u_loop_valid (
    .clk(clk), .rst(rst), .data_i(own), .data_o(looped)
  );
  delay_line #(.DEPTH(LATENCY), .WIDTH(N*W)) u_loop_data (
    .clk(clk), .rst(rst), .data_i(own_data), .data_o(looped_data)
  );

  assign up_valid_o = entering & ~own;
  assign valid_o    = down_valid_i | looped;

  wire unused;
  generate
    if (CONTROL == "SELF") begin : gen_unused_loop
      assign unused = &{1'b0, loop_i};
    end else begin : gen_unused_dst
      assign unused = &{1'b0, dst_i};
    end
  endgenerate

  integer i;
  always @* begin
    injected_o  = {(N_LOG+1){1'b0}};
    delivered_o = {(N_LOG+1){1'b0}};
    lost_o      = {(N_LOG+1){1'b0}};
    for (i = 0; i < N; i = i + 1) begin
      injected_o  = injected_o  + {{N_LOG{1'b0}}, entering[i]};
      delivered_o = delivered_o + {{N_LOG{1'b0}}, valid_o[i]};
      lost_o      = lost_o      + {{N_LOG{1'b0}}, down_valid_i[i] & looped[i]};
    end
  end

endmodule

`default_nettype wire
