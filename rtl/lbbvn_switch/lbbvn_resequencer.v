// Copyright the fat-tree verification environment contributors
// SPDX-License-Identifier: Apache-2.0

`timescale 1ns/1ns
`include "checks.vh"
`default_nettype none

// Output side of a line card that puts cells back in order: a FIFO for each middle (FOFF: Keslassy
// et al., SIGCOMM 2003).
//
// Contract: the cells of a flow go to the middles in turn, from middle 0 on, and each middle keeps
// their order.  So the next cell of source x is the head of the FIFO of middle m if the one before
// came from middle m - 1: no sequence numbers.  In every slot one such head leaves: the first one
// behind the FIFO of the middle which is connected in this slot, going round.  A cell
// that finds DEPTH cells in its FIFO is dropped.
// If a cell was lost on the way, those behind it would wait for ever.  So where no head may leave
// although a FIFO holds N + 2 cells, or although nothing was kept or given for 2 N slots, a cell
// must have been lost: then the first such FIFO's head leaves nevertheless (or the first of all),
// and the next cell of its source is expected from the next middle.
// Timing: cells are taken in in a clock with take_i and given out in a clock with give_i, both for
// slot slot_i; the two alternate, and outputs are there from the next clock up to the next but one.
// Cost: payloads in a RAM; their sources, and what is known of each FIFO and source, in register
// files: who leaves decides, in the same clock, who may leave next.
module lbbvn_resequencer #(
  parameter N_LOG   = 4,                         // log2 of the line cards
  parameter W       = 32,                        // payload bits
  parameter [8*7-1:0] SCHEDULE = "BITREV",       // "BITREV", "ROTATOR", "TDM", "XOR", "SAME"
  parameter DEPTH   = 32,                        // cells of a FIFO, a power of two >= 2
  parameter TOTAL_W = N_LOG + $clog2(DEPTH) + 1  // derived
) (
  input  wire               clk,        // rising edge
  input  wire               rst,        // synchronous; empties the FIFOs
  input  wire [N_LOG-1:0]   card_i,     // number of the line card; it stays
  input  wire               take_i,     // a cell may come in
  input  wire               give_i,     // a cell may leave
  input  wire [N_LOG-1:0]   slot_i,     // number of this slot, modulo N
  input  wire               cell_i,     // a cell comes, if take_i
  input  wire [N_LOG-1:0]   src_i,      // the input it comes from
  input  wire [W-1:0]       data_i,     // payload of that cell
  output reg                valid_o,    // a cell leaves
  output wire [W-1:0]       data_o,     // 0 if none
  output reg                dropped_o,  // a cell was dropped in the clock before
  output reg                skipped_o,  // a gap was skipped in the clock before
  output reg  [TOTAL_W-1:0] most_o      // since reset: most cells that waited at a slot's end
);

  localparam N       = 1 << N_LOG;
  localparam A       = $clog2(DEPTH);  // bits of a place in a FIFO
  localparam COUNT_W = A + 1;
  localparam IDLE_W  = N_LOG + 2;
  localparam [31:0]        DEPTH_INT = DEPTH;
  localparam [COUNT_W-1:0] FULL = DEPTH_INT[COUNT_W-1:0];
  localparam [31:0]        LONG_INT  = N + 2;
  localparam [COUNT_W-1:0] LONG   = LONG_INT[COUNT_W-1:0];
  localparam               CAN_BE_LONG = (DEPTH >= N + 2);
  localparam [31:0]        IDLE_INT  = 2 * N;
  localparam [IDLE_W-1:0]  IDLE   = IDLE_INT[IDLE_W-1:0];


  reg [N-1:0]       some_q;   // by FIFO: it has a cell,
  reg [N-1:0]       ready_q;  // its head may leave,
  reg [N-1:0]       long_q;   // it holds more than without a loss
  reg [TOTAL_W-1:0] total_q;  // cells that wait
  reg [IDLE_W-1:0]  idle_q;   // slots without a cell kept or given

  // ---- the FIFO of this clock: what comes goes there, what leaves is there ----------------------

  wire [N_LOG-1:0]   met;  // the middle of this slot
  wire               lost  = (ready_q == {N{1'b0}});  // a cell, if there are heads nevertheless
  wire [N-1:0]       stuck = (long_q != {N{1'b0}} || idle_q != IDLE) ? long_q : some_q;
  wire [N-1:0]       heads = lost ? stuck : ready_q;
  wire [N_LOG-1:0]   turn  = met + 1'b1;
  wire [N_LOG-1:0]   found;
  wire [N_LOG-1:0]   fifo  = take_i ? met : found;
  wire [A-1:0]       head;
  wire [COUNT_W-1:0] count;

  lbbvn_meeting #(.N_LOG(N_LOG), .SCHEDULE(SCHEDULE), .WHO("MIDDLE_OF_OUTPUT")) u_meeting (
    .card_i(card_i), .slot_i(slot_i), .card_o(met)
  );
  lbbvn_first_from #(.N_LOG(N_LOG)) u_first (
    .seek_i(~take_i), .candidates_i(heads), .turn_i(turn), .first_o(found)
  );

  wire               full   = (count == FULL);
  wire               comes  = take_i & cell_i;
  wire               enters = comes & ~full;
  wire               leaves = give_i & (heads != {N{1'b0}});
  wire [A-1:0]       next_head  = leaves ? head + 1'b1 : head;
  wire [COUNT_W-1:0] next_count = leaves ? count - 1'b1 : count + 1'b1;
  wire [TOTAL_W-1:0] total      = leaves ? total_q - 1'b1 : enters ? total_q + 1'b1 : total_q;
  wire [A-1:0]       place      = head + count[A-1:0];
  wire [W-1:0]       payload;

  register_file #(.WORDS(N), .WIDTH(A + COUNT_W)) u_fifos (
    .clk(clk), .rst(rst), .write_i(enters | leaves), .write_at_i(fifo),
    .word_i({next_head, next_count}), .read_at_i(fifo), .word_o({head, count})
  );
  ram_1w1r #(.WORDS(N * DEPTH), .WIDTH(W)) u_payloads (
    .clk(clk), .write_i(enters), .write_at_i({fifo, place}), .word_i(data_i),
    .read_i(leaves), .read_at_i({fifo, head}), .word_o(payload)
  );
  assign data_o = payload & {W{valid_o}};

  // ---- whose turn it is -------------------------------------------------------------------------

  wire [N_LOG-1:0] after = fifo + 1'b1;              // the next middle
  wire [N_LOG-1:0] source, source_after, source_behind;  // of the head, of the next middle's head,
  wire [N_LOG-1:0] expected;                         // of the cell behind the head
  wire             first  = enters & ~some_q[fifo];  // what comes is the head at once
  wire [N_LOG-1:0] new_head = take_i ? src_i : source_behind;

  register_file #(.WORDS(N * DEPTH), .WIDTH(N_LOG), .CLEARED(0)) u_sources (
    .clk(clk), .rst(rst), .write_i(enters), .write_at_i({fifo, place}), .word_i(src_i),
    .read_at_i({fifo, next_head}), .word_o(source_behind)
  );
  register_file #(.WORDS(N), .WIDTH(N_LOG), .READS(2), .CLEARED(0)) u_heads (
    .clk(clk), .rst(rst), .write_i(first | leaves), .write_at_i(fifo), .word_i(new_head),
    .read_at_i({after, fifo}), .word_o({source_after, source})
  );
  // By source: the middle from which its next cell comes.
  register_file #(.WORDS(N), .WIDTH(N_LOG)) u_expected (
    .clk(clk), .rst(rst), .write_i(leaves), .write_at_i(source), .word_i(after),
    .read_at_i(new_head), .word_o(expected)
  );
  // A cell behind the one that leaves, from the same source, is not next; from another it may be.
  wire fits = (expected == fifo)
              && (take_i || (next_count != {COUNT_W{1'b0}} && source_behind != source));

  always @(posedge clk)
    if (rst) begin
      some_q  <= {N{1'b0}};
      ready_q <= {N{1'b0}};
      long_q  <= {N{1'b0}};
      total_q <= {TOTAL_W{1'b0}};
      idle_q  <= {IDLE_W{1'b0}};
    end else begin
      total_q <= total;
      if (enters | leaves) begin
        some_q[fifo] <= (next_count != {COUNT_W{1'b0}});
        long_q[fifo] <= CAN_BE_LONG && (next_count >= LONG);
        idle_q       <= {IDLE_W{1'b0}};
      end else if (give_i && idle_q != IDLE)
        idle_q <= idle_q + 1'b1;
      if (first | leaves) ready_q[fifo] <= fits;
      // The next cell of the source may wait at the next middle's head.
      if (leaves && some_q[after] && source_after == source) ready_q[after] <= 1'b1;
    end

  // ---- events -----------------------------------------------------------------------------------

  always @(posedge clk)
    if (rst) begin
      valid_o   <= 1'b0;
      dropped_o <= 1'b0;
      skipped_o <= 1'b0;
      most_o    <= {TOTAL_W{1'b0}};
    end else begin
      if (give_i) valid_o <= leaves;
      dropped_o <= comes & full;
      skipped_o <= leaves & lost;
      if (give_i && total > most_o) most_o <= total;
    end

  `CHECK_PARAMETER(DEPTH >= 2 && (DEPTH & (DEPTH - 1)) == 0, "DEPTH", DEPTH, "a power of two, >= 2")

endmodule

`default_nettype wire
