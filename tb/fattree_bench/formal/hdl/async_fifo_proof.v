// Copyright the fat-tree verification environment contributors
// SPDX-License-Identifier: Apache-2.0

`timescale 1ns/1ns
`include "prove.vh"
`include "peek.vh"
`include "flight.vh"
`default_nettype none

// The FIFO between two clocks, for all interleavings of their edges, at the same time or not, and
// for resets at any time.
//
// Bits of a pointer arrive at the other clock in any order, each before the next edge of the
// pointer's own clock: see flight.vh.  One word, any, is watched; words are one bit wide.
//
//   F1  of what crosses no two bits move at once
//   F2  no word is taken when DEPTH are inside
//   F3  the FIFO shows no word when none is inside
//   F4  the watched word comes out in its turn, unmodified: none is lost, doubled or out of order
//   F5  SYNC edges of the reader after the last step arrived a FIFO that holds a word shows one
//   F6  SYNC edges of the writer after the last step arrived a FIFO with room is not full
module async_fifo_proof #(
  parameter DEPTH = 2,
  parameter SYNC  = 2,
  parameter W     = $clog2(DEPTH) + 1  // derived: bits of a pointer
) (
  input wire         clk,
  input wire         write_i,  // the write clock has an edge
  input wire         read_i,   // the read clock has one
  input wire [W-1:0] late_write_i,  // bits of its pointer that have not arrived
  input wire [W-1:0] late_read_i,
  input wire         again_i,
  input wire [1:0]   enter_i,
  input wire [1:0]   leave_i,
  input wire         valid_i,
  input wire         word_i,
  input wire         take_i,
  input wire         mark_i    // watch the word that is taken
);

  wire [1:0] ticks = {read_i, write_i};
  `include "two_resets.vh"
  `TICKS(write_clk, write_clk_on, write_i)
  `TICKS(read_clk, read_clk_on, read_i)

  wire full, valid, word;
  async_fifo #(.WIDTH(1), .DEPTH(DEPTH), .SYNC(SYNC)) u_fifo (
    .write_clk(write_clk), .write_rst(resets[0]), .valid_i(valid_i), .word_i(word_i),
    .full_o(full), .read_clk(read_clk), .read_rst(resets[1]), .valid_o(valid), .word_o(word),
    .take_i(take_i & valid)
  );

  `PEEK([W-1:0], write_code, \u_fifo.write_code , u_fifo.write_code)
  `PEEK([W-1:0], read_code, \u_fifo.read_code , u_fifo.read_code)
  `FLIGHT(written, written_q, [W-1:0], write_code, late_write_i, write_i)
  `FLIGHT(freed, freed_q, [W-1:0], read_code, late_read_i, read_i)
  `POKE([W-1:0], \u_fifo.u_read.u_synchroniser.u_sampler.arrived ,
        u_fifo.u_read.u_synchroniser.u_sampler.arrived, written)
  `POKE([W-1:0], \u_fifo.u_read_seen.u_sampler.arrived , u_fifo.u_read_seen.u_sampler.arrived,
        freed)

  // ---- what is inside -------------------------------------------------------------------------

  wire          write  = live & write_i & ~resets[0] & valid_i & ~full;
  wire          read   = live & read_i & ~resets[1] & take_i & valid;
  reg  [W:0]    inside = 0;      // words
  reg  [W:0]    ahead  = 0;      // words before the watched one
  reg           watch  = 1'b0;   // it is inside
  reg           watched = 1'b0;  // it
  reg  [W-1:0]  write_was = 0, read_was = 0;
  reg           live_q = 1'b0;
  reg  [2:0]    read_since = 0, write_since = 0;  // edges since something was on its way, to SYNC

  always @(posedge clk) begin
    inside    <= live ? inside + write - read : 0;
    write_was <= write_code;
    read_was  <= read_code;
    live_q    <= live;
    watch     <= live && (watch ? !(read && ahead == 0) : write && mark_i);
    if (!watch) watched <= word_i;
    ahead <= watch ? ahead - read : inside - read;
    read_since  <= (!live || resets[1] || written != write_code || write) ? 0
                   : read_since + (read_i && read_since < SYNC);
    write_since <= (!live || resets[0] || freed != read_code || read) ? 0
                   : write_since + (write_i && write_since < SYNC);
  end

  wire [W-1:0] write_moved = write_code ^ write_was;
  wire [W-1:0] read_moved  = read_code ^ read_was;
  wire         write_open  = live && !resets[0];
  wire         read_open   = live && !resets[1];

  always @* begin
    `PROVE(F1, !live_q || ((write_moved & (write_moved - 1'b1)) == 0
                           && (read_moved & (read_moved - 1'b1)) == 0))
    `PROVE(F2, !write || inside < DEPTH)
    `PROVE(F3, !read_open || !valid || inside != 0)
    `PROVE(F4, !watch || !read || ahead != 0 || word == watched)
    `PROVE(F5, !read_open || read_since < SYNC || inside == 0 || valid)
    `PROVE(F6, !write_open || write_since < SYNC || inside == DEPTH || !full)
  end

endmodule

`default_nettype wire
