// Copyright the fat-tree verification environment contributors
// SPDX-License-Identifier: Apache-2.0

`timescale 1ns/1ns
`include "checks.vh"
`default_nettype none

// What mft_network shows of its FIFOs agrees with what leaves them; an idle client shows zeros,
// also from the second clock of a reset on.
module mft_checks #(
  parameter N       = 8,  // clients
  parameter ENTRIES = 7,  // lanes of a client
  parameter FLIT_W  = 34,
  parameter LANE_W  = 3   // bits of a lane's number
) (
  input wire                 clk,
  input wire                 rst,
  input wire [N-1:0]         valid_i,  // by client: a flit comes out of its FIFOs
  input wire [N*FLIT_W-1:0]  flit_i,   // by client: that flit
  input wire [N*LANE_W-1:0]  lane_i,   // by client: the lane that it came by
  input wire [N*ENTRIES-1:0] holds_i   // by client and lane: flits wait
);

  reg  rst_q;
  wire first = rst & (rst_q !== 1'b1);  // of a reset: what was before still shows
  always @(posedge clk) rst_q <= rst;

  genvar g;
  generate
    for (g = 0; g < N; g = g + 1) begin : gen_client
      wire [ENTRIES-1:0] own  = holds_i[g*ENTRIES +: ENTRIES];
      wire [LANE_W-1:0]  from = lane_i[g*LANE_W +: LANE_W];
      `CHECK_ALWAYS(clk, rst, !valid_i[g] || own[from],
                    "a flit leaves a FIFO that is shown to hold none")
      `CHECK_ALWAYS(clk, first, valid_i[g] || {from, flit_i[g*FLIT_W +: FLIT_W]} == 0,
                    "an idle client shows a flit or a lane")
    end
  endgenerate

endmodule

`default_nettype wire
