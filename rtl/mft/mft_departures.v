// Copyright the fat-tree verification environment contributors
// SPDX-License-Identifier: Apache-2.0

`timescale 1ns/1ns
`include "checks.vh"
`default_nettype none

// What clients send keeps to the contract of mft_network: checks, for simulation.
//
// Vectors by client.
module mft_departures #(
  parameter N_LOG    = 3,                // 2^N_LOG clients
  parameter WIDTH    = 32,               // data bits of a flit
  parameter ROOM     = 16,               // flits of the longest packet, >= 1
  // derived
  parameter N        = 1 << N_LOG,       // clients
  parameter FLIT_W   = WIDTH + 2,        // bits of a flit, see mft_fabric
  parameter LENGTH_W = (ROOM > 1) ? $clog2(ROOM) : 1  // bits of a packet's flits but its tail
) (
  input wire                clk,      // rising edge
  input wire                rst,      // synchronous: no client is inside a packet
  input wire [N-1:0]        valid_i,  // a client sends a flit
  input wire [N*FLIT_W-1:0] flit_i    // by client: that flit
);

  localparam        TAIL = FLIT_W - 2;
  localparam        HEAD = FLIT_W - 1;
  localparam [31:0] MOST = ROOM - 1;   // flits behind which a tail must come

  reg [N*LENGTH_W-1:0] length_q;  // flits sent of an unfinished packet; 0: none is unfinished
  reg [N*LENGTH_W-1:0] length;    // the same, this clock's counted
  reg                  gap, headless, nested, own, long;

  always @* begin : look
    integer              c;
    reg [LENGTH_W-1:0]   sent;
    reg [FLIT_W-1:0]     flit;
    c        = 0;
    sent     = {LENGTH_W{1'b0}};
    flit     = {FLIT_W{1'b0}};
    length   = {(N*LENGTH_W){1'b0}};
    gap      = 1'b0;
    headless = 1'b0;
    nested   = 1'b0;
    own      = 1'b0;
    long     = 1'b0;
    for (c = 0; c < N; c = c + 1) begin
      sent = length_q[c*LENGTH_W +: LENGTH_W];
      flit = flit_i[c*FLIT_W +: FLIT_W];
      if (!valid_i[c])
        gap = gap | (sent != {LENGTH_W{1'b0}});
      else begin
        headless = headless | (!flit[HEAD] && sent == {LENGTH_W{1'b0}});
        nested   = nested | (flit[HEAD] && sent != {LENGTH_W{1'b0}});
        own      = own | (flit[HEAD] && flit[N_LOG-1:0] == c[N_LOG-1:0]);
        long     = long | (!flit[TAIL] && sent == MOST[LENGTH_W-1:0]);
        if (!flit[TAIL]) length[c*LENGTH_W +: LENGTH_W] = sent + 1'b1;
      end
    end
  end

  always @(posedge clk) length_q <= rst ? {(N*LENGTH_W){1'b0}} : length;

  `CHECK_ALWAYS(clk, rst, !gap, "a client leaves a gap in a packet")
  `CHECK_ALWAYS(clk, rst, !headless, "a client sends a flit without a head")
  `CHECK_ALWAYS(clk, rst, !nested, "a client sends a packet inside another")
  `CHECK_ALWAYS(clk, rst, !own, "a client sends to itself")
  `CHECK_ALWAYS(clk, rst, !long, "a client sends a packet longer than ROOM")

endmodule

`default_nettype wire
