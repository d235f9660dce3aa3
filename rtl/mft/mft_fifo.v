// Copyright the fat-tree verification environment contributors
// SPDX-License-Identifier: Apache-2.0

`timescale 1ns/1ns
`include "checks.vh"
`default_nettype none

// FIFO of a lane at a client of a modified fat-tree: it takes whole packets, or loses them.
//
// Contract: a packet is taken if at least ROOM flits are free when its head comes, those that leave
//   in that clock not counted; else all of it is lost.  No packet is longer than ROOM, so what is
//   taken fits.  Flits of a packet come one a clock, without a gap.
// Timing: a flit that comes in a clock can leave from the next one on; flit_o is combinational from
//   the memory.
module mft_fifo #(
  parameter FLIT_W = 34,  // bits of a flit; the highest is the head mark
  parameter FIFO   = 32,  // flits that it holds, >= 2
  parameter ROOM   = 16   // flits that must be free for a packet, 1 .. FIFO
) (
  input  wire              clk,        // rising edge
  input  wire              rst,        // synchronous: what is inside is gone
  input  wire              valid_i,    // a flit comes
  input  wire [FLIT_W-1:0] flit_i,  // that flit; its head mark decides whether its packet is taken
  input  wire              take_i,     // with holds_o: the first flit leaves
  output wire              holds_o,    // there is one
  output wire [FLIT_W-1:0] flit_o,     // the first flit; undefined without holds_o
  output wire              overflow_o  // a head comes, and its packet is lost
);

  localparam               PLACE_W = $clog2(FIFO);
  localparam               COUNT_W = $clog2(FIFO + 1);
  localparam [31:0]        END     = FIFO - 1;
  localparam [31:0]        MOST    = FIFO - ROOM;  // flits inside that leave room for a packet

  reg  [PLACE_W-1:0] first_q, next_q;  // where the first flit is, and where the next one goes
  reg  [COUNT_W-1:0] count_q;
  reg                open_q;           // the packet that comes is taken

  wire head  = flit_i[FLIT_W-1];
  wire fits  = (count_q <= MOST[COUNT_W-1:0]);
  wire enter = valid_i & (head ? fits : open_q);
  wire leave = take_i & holds_o;

  assign holds_o    = (count_q != {COUNT_W{1'b0}});
  assign overflow_o = valid_i & head & ~fits;

  register_file #(.WORDS(FIFO), .WIDTH(FLIT_W), .CLEARED(0)) u_flits (
    .clk(clk), .rst(rst), .write_i(enter), .write_at_i(next_q), .word_i(flit_i),
    .read_at_i(first_q), .word_o(flit_o)
  );

  always @(posedge clk)
    if (rst) begin
      first_q <= {PLACE_W{1'b0}};
      next_q  <= {PLACE_W{1'b0}};
      count_q <= {COUNT_W{1'b0}};
      open_q  <= 1'b0;
    end else begin
      if (leave) first_q <= (first_q == END[PLACE_W-1:0]) ? {PLACE_W{1'b0}} : first_q + 1'b1;
      if (enter) next_q  <= (next_q == END[PLACE_W-1:0]) ? {PLACE_W{1'b0}} : next_q + 1'b1;
      if (enter != leave) count_q <= enter ? count_q + 1'b1 : count_q - 1'b1;
      if (valid_i) open_q <= enter;
    end

  `CHECK_PARAMETER(FIFO >= 2, "FIFO", FIFO, ">= 2")
  `CHECK_PARAMETER(ROOM >= 1 && ROOM <= FIFO, "ROOM", ROOM, "1 to FIFO")
  `CHECK_SHARED(clk, rst, !(enter && count_q == FIFO[COUNT_W-1:0]),
                "a FIFO takes a flit without room: is a packet longer than ROOM?")

endmodule

`default_nettype wire
