// Copyright the fat-tree verification environment contributors
// SPDX-License-Identifier: Apache-2.0

`timescale 1ns/1ns
`include "checks.vh"
`default_nettype none

// Client's end of a modified fat-tree: a FIFO a lane, and a multiplexer that serves one of them.
//
// Contract: FIFOs as of mft_fifo.  Packets leave whole, one flit a clock, in a round robin over the
//   lanes: behind one of lane i the search begins at lane i + 1.  No clock is idle while a FIFO
//   holds a flit.
// Timing: a flit that comes in a clock can leave from the next one on.
module mft_client #(
  parameter COUNT  = 3,   // lanes, >= 1
  parameter FLIT_W = 34,  // bits of a flit; the highest is the head mark, next to it the tail mark
  parameter FIFO   = 32,  // flits of a FIFO, see mft_fifo
  parameter ROOM   = 16,  // flits that must be free for a packet, 1 .. FIFO
  parameter LANE_W = (COUNT > 1) ? $clog2(COUNT) : 1  // derived
) (
  input  wire                    clk,        // rising edge
  input  wire                    rst,        // synchronous: what is inside is gone
  input  wire [COUNT-1:0]        valid_i,    // by lane: a flit comes
  input  wire [COUNT*FLIT_W-1:0] flit_i,     // by lane: that flit
  output wire                    valid_o,    // a flit leaves
  output reg  [FLIT_W-1:0]       flit_o,     // that flit; zero if there is none
  output reg  [LANE_W-1:0]       lane_o,     // the lane that it came by; zero if there is none
  output wire [COUNT-1:0]        holds_o,    // by lane: its FIFO holds flits
  output wire [COUNT-1:0]        overflow_o  // by lane: a head comes, and its packet is lost
);

  localparam TAIL = FLIT_W - 2;

  wire [COUNT*FLIT_W-1:0] first;    // the first flit of each FIFO
  wire [COUNT-1:0]        chosen;   // whose packet is to leave next
  reg  [COUNT-1:0]        lane_q;   // whose packet is leaving; zero: none
  wire                    between = (lane_q == {COUNT{1'b0}});
  wire [COUNT-1:0]        serves  = between ? chosen : lane_q & holds_o;

  assign valid_o = (serves != {COUNT{1'b0}});

  genvar k;
  generate
    for (k = 0; k < COUNT; k = k + 1) begin : gen_lane
      mft_fifo #(.FLIT_W(FLIT_W), .FIFO(FIFO), .ROOM(ROOM)) u_fifo (
        .clk(clk), .rst(rst), .valid_i(valid_i[k]), .flit_i(flit_i[k*FLIT_W +: FLIT_W]),
        .take_i(serves[k]), .holds_o(holds_o[k]), .flit_o(first[k*FLIT_W +: FLIT_W]),
        .overflow_o(overflow_o[k])
      );
    end
  endgenerate

  arbiter #(.R(COUNT)) u_round_robin (
    .clk(clk), .rst(rst), .request_i(holds_o), .taken_i(between & valid_o), .grant_o(chosen)
  );

  integer i;
  always @* begin
    flit_o = {FLIT_W{1'b0}};
    lane_o = {LANE_W{1'b0}};
    if (serves != {COUNT{1'b0}})
      for (i = 0; i < COUNT; i = i + 1)
        if (serves[i]) begin
          flit_o = first[i*FLIT_W +: FLIT_W];
          lane_o = i[LANE_W-1:0];
        end
  end

  always @(posedge clk)
    if (rst)          lane_q <= {COUNT{1'b0}};
    else if (valid_o) lane_q <= flit_o[TAIL] ? {COUNT{1'b0}} : serves;

  `CHECK_PARAMETER(COUNT >= 1, "COUNT", COUNT, ">= 1")
  `CHECK_SHARED(clk, rst, between || valid_o, "a packet is held up while it leaves")

endmodule

`default_nettype wire
