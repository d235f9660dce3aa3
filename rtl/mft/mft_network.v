// Copyright the fat-tree verification environment contributors
// SPDX-License-Identifier: Apache-2.0

`timescale 1ns/1ns
`include "checks.vh"
`default_nettype none

// Modified fat-tree, MFT, and improved one, IMFT (Bouhraoua and Elrabaa 2006): N = 2^N_LOG clients
// below N_LOG rows of N / 2 routers without buffers; FIFOs only at the clients.
// Wiring, flits and links as of mft_fabric.
//
// Contract: a client sends packets of at most ROOM flits, one flit a clock, without a gap inside a
//   packet, and none to itself (mft_departures).  Clients never stall.  Packets are lost whole,
//   in routers only with doubled lanes (mft_lanes), at the clients where a FIFO has no room
//   (mft_fifo); both are counted.
// Timing: to a FIFO (2 turn + 1) PIPELINE clocks, for a packet that turns in row `turn`; out of it
//   from the next clock on (mft_client).
//
// Vectors by client: client i owns slice i.
module mft_network #(
  parameter N_LOG    = 3,               // 2^N_LOG clients, 1 .. 6
  parameter WIDTH    = 32,              // data bits of a flit, >= N_LOG
  parameter FIFO     = 32,              // flits of a FIFO, see mft_fifo
  parameter ROOM     = 16,              // flits that must be free for a packet, 1 .. FIFO
  parameter PIPELINE = 1,               // registers behind a router, >= 0
  parameter COUNT_W  = 32,              // bits of a counter, enough for what a clock can bring
  parameter FROM_END = 0,               // 0; 1: counters start at their end, see event_counter
  parameter [8*4-1:0] MODE  = "IMFT",   // "IMFT": link q for port q; "MFT": either
  parameter [8*8-1:0] LANES = "EXACT",  // "EXACT": one each; "DOUBLING": fewer, can be short
  // derived
  parameter N       = 1 << N_LOG,       // clients
  parameter FLIT_W  = WIDTH + 2,        // bits of a flit
  parameter ENTRIES = lanes(0),         // lanes of a client
  parameter LANE_W  = (ENTRIES > 1) ? $clog2(ENTRIES) : 1,  // bits of a lane's number
  parameter DOWN    = below(N_LOG)      // lanes of all rows
) (
  input  wire                     clk,          // rising edge
  input  wire                     rst,          // synchronous: what is inside is gone
  input  wire [N-1:0]             valid_i,      // by client: it sends a flit
  input  wire [N*FLIT_W-1:0]      flit_i,       // by client: that flit
  output wire [N-1:0]             valid_o,      // by client: a flit comes out of its FIFOs
  output wire [N*FLIT_W-1:0]      flit_o,       // by client: that flit
  output wire [N*LANE_W-1:0]      lane_o,       // by client: the lane that it came by
  output wire [N*COUNT_W-1:0]     overflow_o,   // by client: packets lost at its FIFOs
  output wire [N_LOG*COUNT_W-1:0] lost_o,       // by row: packets lost in its routers
  output wire [N*ENTRIES-1:0]     holds_o,      // for debuggers: by client and lane: flits wait
  output wire [N_LOG*N-1:0]       up_valid_o,   // for debuggers: by up link: a flit leaves
  output wire [DOWN-1:0]          down_valid_o  // for debuggers: by lane: a flit leaves
);

  `include "mft_sizes.vh"

  wire [N*ENTRIES-1:0]        lane_valid;
  wire [N*ENTRIES*FLIT_W-1:0] lane_flit;

  mft_fabric #(
    .N_LOG(N_LOG), .WIDTH(WIDTH), .PIPELINE(PIPELINE), .COUNT_W(COUNT_W),
    .FROM_END(FROM_END), .MODE(MODE), .LANES(LANES)
  ) u_fabric (
    .clk(clk), .rst(rst), .valid_i(valid_i), .flit_i(flit_i), .lane_valid_o(lane_valid),
    .lane_flit_o(lane_flit), .lost_o(lost_o), .up_valid_o(up_valid_o),
    /* verilator lint_off PINCONNECTEMPTY */
    .up_flit_o(),
    /* verilator lint_on PINCONNECTEMPTY */
    .down_valid_o(down_valid_o)
  );

  mft_departures #(.N_LOG(N_LOG), .WIDTH(WIDTH), .ROOM(ROOM)) u_departures (
    .clk(clk), .rst(rst), .valid_i(valid_i), .flit_i(flit_i)
  );

  genvar c;
  generate
    for (c = 0; c < N; c = c + 1) begin : gen_client
      wire [ENTRIES-1:0] overflow;
      mft_client #(.COUNT(ENTRIES), .FLIT_W(FLIT_W), .FIFO(FIFO), .ROOM(ROOM)) u_client (
        .clk(clk), .rst(rst), .valid_i(lane_valid[c*ENTRIES +: ENTRIES]),
        .flit_i(lane_flit[c*ENTRIES*FLIT_W +: ENTRIES*FLIT_W]), .valid_o(valid_o[c]),
        .flit_o(flit_o[c*FLIT_W +: FLIT_W]), .lane_o(lane_o[c*LANE_W +: LANE_W]),
        .holds_o(holds_o[c*ENTRIES +: ENTRIES]), .overflow_o(overflow)
      );
      event_counter #(.TERMS(ENTRIES), .COUNT_W(COUNT_W), .FROM_END(FROM_END)) u_overflow (
        .clk(clk), .rst(rst), .terms_i(overflow), .count_o(overflow_o[c*COUNT_W +: COUNT_W])
      );
    end
  endgenerate

endmodule

`default_nettype wire
