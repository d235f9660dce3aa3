// Copyright the fat-tree verification environment contributors
// SPDX-License-Identifier: Apache-2.0

`timescale 1ns/1ns
`include "checks.vh"
`default_nettype none

// The queue of a virtual channel: flits leave in the order in which they came.
//
//   flit_i --+--> memory --> front_o       the oldest flit stands in a register,
//            +-------------> front_o       those behind it in a memory
//
// Contract: valid_i only while there is room, take_i only while present_o; xgft_input_unit watches.
// Timing: what comes to an empty queue is at the front in the next clock; after take_i the next
// flit is there in the next clock.
// Cost: DEPTH words of memory with one write port and one read port that is not clocked.
module xgft_queue #(
  parameter DEPTH  = 4,  // flits that it holds, >= 1
  parameter FLIT_W = 34  // bits of a flit
) (
  input  wire              clk,        // rising edge
  input  wire              rst,        // empties the queue
  input  wire              valid_i,    // a flit comes
  input  wire [FLIT_W-1:0] flit_i,     // that flit; only while full_o is 0
  input  wire              take_i,     // the flit at the front leaves
  output reg               present_o,  // a flit is at the front
  output reg  [FLIT_W-1:0] front_o,    // the oldest flit, with present_o
  output wire              full_o,     // no room: DEPTH words are kept
  output wire              more_o,     // another is behind it
  output wire [FLIT_W-1:0] next_o      // the flit behind the front, with more_o
);

  localparam               INDEX_W = (DEPTH > 1) ? $clog2(DEPTH) : 1;
  localparam [31:0]        PLACES  = DEPTH - 1;
  localparam [INDEX_W-1:0] LAST    = PLACES[INDEX_W-1:0];

  reg [FLIT_W-1:0]  ring [0:DEPTH-1];  // a place stays free: equal indices say that it is empty
  reg [INDEX_W-1:0] read_q;            // the oldest flit in the memory
  reg [INDEX_W-1:0] write_q;           // the first free place

  wire [INDEX_W-1:0] written = (write_q == LAST) ? {INDEX_W{1'b0}} : write_q + 1'b1;
  wire               more    = read_q != write_q;
  wire               keep    = more || (present_o && !take_i);  // what comes waits in the memory

  assign more_o = more;
  assign next_o = ring[read_q];
  assign full_o = present_o && written == read_q;

  always @(posedge clk)
    if (valid_i && keep) ring[write_q] <= flit_i;

  always @(posedge clk)
    if (rst) begin
      present_o <= 1'b0;
      read_q    <= {INDEX_W{1'b0}};
      write_q   <= {INDEX_W{1'b0}};
    end else if (valid_i || take_i) begin
      if (valid_i && keep) write_q <= written;
      if (take_i && more) begin
        front_o <= next_o;
        read_q  <= (read_q == LAST) ? {INDEX_W{1'b0}} : read_q + 1'b1;
      end else if (!keep) begin
        present_o <= valid_i;
        if (valid_i) front_o <= flit_i;
      end
    end

  `CHECK_PARAMETER(DEPTH >= 1, "DEPTH", DEPTH, ">= 1")

endmodule

`default_nettype wire
