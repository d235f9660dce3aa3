// Copyright the fat-tree verification environment contributors
// SPDX-License-Identifier: Apache-2.0

`timescale 1ns/1ns
`include "prove.vh"
`default_nettype none

// The resequencer of a line card, after a reset, for all cells in all slots, at any line card.
// Given is that cells are never taken in and given out in the same clock.  Nothing is given of
// losses on the way: whatever may come, comes.
//
// Every cell's payload says here which middle it came by.  One source, any, and one of its cells,
// any, are watched; their payloads say so, beside a bit that is free.
//
// The sender sends the cells of a source by middles 0, 1, ..; so R1 and R2 together are the order
// of the source, in which none is lost or doubled.
//
//   R1  the cell that comes by a middle when n others wait that came by it leaves as the n + 1st
//       of them from then, unmodified
//   R2  cells of a source leave by middles in turn, from middle 0 on, but for those that skip a gap
//   R3  a cell is dropped, and told so, exactly if DEPTH wait that came by the same middle
//   R4  of cells that are next of their sources and oldest of their middles the one leaves whose
//       middle is first from the one behind that of the slot, going round: so it waits for at most
//       N slots of a schedule
//   R5  a gap is skipped exactly if no such cell waits although N + 2 cells came by one middle, of
//       which one leaves then, or although nothing was kept or given for 2 N slots; the cell
//       behind the gap is next from then on
//   R6  most_o is the most cells that waited at the end of a slot
module lbbvn_resequencer_proof #(
  parameter N_LOG = 1,
  parameter DEPTH = 2,
  parameter [8*7-1:0] SCHEDULE = "BITREV",
  // derived
  parameter N       = 1 << N_LOG,
  parameter COUNT_W = $clog2(DEPTH) + 1,
  parameter TOTAL_W = N_LOG + COUNT_W
) (
  input wire             clk,
  input wire [N_LOG-1:0] card_i,     // number of the line card
  input wire [N_LOG-1:0] watched_i,  // the source that is watched
  input wire             mark_i,     // watch the cell that comes
  // of the resequencer
  input wire             take_i,
  input wire             give_i,
  input wire [N_LOG-1:0] slot_i,
  input wire             cell_i,
  input wire [N_LOG-1:0] src_i,
  input wire             data_i
);

  localparam IDLE_W = N_LOG + 2;

  reg  first = 1'b1;
  reg  [N_LOG-1:0] card_q, watched_q;
  wire [N_LOG-1:0] met;
  lbbvn_meeting #(N_LOG, SCHEDULE, "MIDDLE_OF_OUTPUT") u_meeting (card_q, slot_i, met);

  wire                comes = take_i && cell_i;
  wire                own   = comes && src_i == watched_q;
  wire                marks;  // the watched cell comes
  wire                valid, dropped, skipped, marked_out, own_out, bit_out;
  wire [N_LOG-1:0]    by;     // middle of the cell that leaves
  wire [TOTAL_W-1:0]  most;
  lbbvn_resequencer #(.N_LOG(N_LOG), .W(N_LOG + 3), .SCHEDULE(SCHEDULE), .DEPTH(DEPTH)) u_cells (
    .clk(clk), .rst(first), .card_i(card_q), .take_i(take_i), .give_i(give_i), .slot_i(slot_i),
    .cell_i(cell_i), .src_i(src_i), .data_i({met, marks, own, data_i}), .valid_o(valid),
    .data_o({by, marked_out, own_out, bit_out}), .dropped_o(dropped), .skipped_o(skipped),
    .most_o(most)
  );

  // ---- what waits, after what left in the clock before ------------------------------------------

  reg [N*COUNT_W-1:0] count_q;   // by middle: cells that wait, and the one that leaves now
  reg [N_LOG-1:0]     next_q;    // the middle by which the watched source's next cell comes
  reg                 marked_q;  // the watched cell waits
  reg [N_LOG-1:0]     via_q;     // by this middle it came
  reg [COUNT_W-1:0]   ahead_q;   // cells before it that came by the same
  reg                 bit_q;
  reg [IDLE_W-1:0]    idle_q;    // slots without a cell kept or given, up to 2 N
  reg [TOTAL_W-1:0]   most_q;
  // Of the clock before: it was one with give_i; cells came; there was no room.
  reg                 gave_q, came_q, full_q;
  reg [N_LOG-1:0]     turn_q;    // the middle that was first
  reg                 ready_q;   // the watched cell was one that may leave
  reg [IDLE_W-1:0]    was_idle_q;

  wire leaves = gave_q && valid;
  reg  [N*COUNT_W-1:0] count;
  reg  [TOTAL_W-1:0]   total;
  reg                  long, long_by;  // N + 2 came by one middle, by that of the cell that leaves
  integer              m;
  always @* begin
    count   = count_q;
    total   = {TOTAL_W{1'b0}};
    long    = 1'b0;
    long_by = 1'b0;
    for (m = 0; m < N; m = m + 1) begin
      if (count_q[m*COUNT_W +: COUNT_W] >= N + 2) begin
        long = 1'b1;
        if (by == m) long_by = 1'b1;
      end
      if (leaves && by == m) count[m*COUNT_W +: COUNT_W] = count_q[m*COUNT_W +: COUNT_W] - 1'b1;
      total = total + count[m*COUNT_W +: COUNT_W];
    end
  end
  wire             full   = count[met*COUNT_W +: COUNT_W] == DEPTH;
  wire             enters = comes && !full;
  assign           marks  = own && mark_i && !marked_q && !full;
  wire             first_of_all = marked_q && ahead_q == {COUNT_W{1'b0}};
  wire             gone   = leaves && marked_q && by == via_q && first_of_all;
  wire             moves  = leaves && marked_q && by == via_q;
  wire [N_LOG-1:0] next   = (leaves && own_out) ? by + 1'b1 : next_q;
  // The watched cell may leave in this clock.
  wire             ready  = marked_q && !gone && via_q == next
                            && ahead_q == {{(COUNT_W-1){1'b0}}, moves};

  always @(posedge clk) begin
    first <= 1'b0;
    if (first) begin
      card_q    <= card_i;
      watched_q <= watched_i;
      count_q   <= {(N*COUNT_W){1'b0}};
      next_q    <= {N_LOG{1'b0}};
      marked_q  <= 1'b0;
      idle_q    <= {IDLE_W{1'b0}};
      most_q    <= {TOTAL_W{1'b0}};
      gave_q    <= 1'b0;
      came_q    <= 1'b0;
    end else begin
      count_q <= count;
      if (enters) count_q[met*COUNT_W +: COUNT_W] <= count[met*COUNT_W +: COUNT_W] + 1'b1;
      next_q  <= next;
      if (marks) begin
        marked_q <= 1'b1;
        via_q    <= met;
        ahead_q  <= count[met*COUNT_W +: COUNT_W];
        bit_q    <= data_i;
      end else if (moves) begin
        marked_q <= !gone;
        ahead_q  <= ahead_q - 1'b1;
      end
      gave_q     <= give_i;
      came_q     <= comes;
      full_q     <= full;
      turn_q     <= met + 1'b1;
      ready_q    <= ready;
      was_idle_q <= idle;
      idle_q     <= enters ? {IDLE_W{1'b0}} : idle;
      if (gave_q && total > most_q) most_q <= total;
    end
  end

  // What the clock before did to the count of idle slots is known now.
  wire [IDLE_W-1:0] idle = leaves ? {IDLE_W{1'b0}}
                         : (gave_q && idle_q != 2 * N) ? idle_q + 1'b1 : idle_q;
  wire              cells = count_q != {(N*COUNT_W){1'b0}};
  wire              late  = was_idle_q == 2 * N;
  wire [N_LOG-1:0]  far   = by - turn_q, farthest = via_q - turn_q;  // from the first, going round

  always @* begin
    `GIVEN(!(take_i && give_i))
    if (!first) begin
      `PROVE(R1, !leaves || (marked_out == gone && !(gone && bit_out != bit_q)
                             && count_q[by*COUNT_W +: COUNT_W] != {COUNT_W{1'b0}}))
      `PROVE(R2, !(leaves && own_out) || skipped || by == next_q)
      `PROVE(R3, dropped == (came_q && full_q))
      `PROVE(R4, !(gave_q && ready_q) || (leaves && !skipped && far <= farthest))
      `PROVE(R5, (!skipped || (leaves && (long ? long_by : late)))
                 && !(gave_q && cells && (long || late) && !leaves))
      `PROVE(R6, gave_q || most == most_q)
    end
  end

endmodule

`default_nettype wire
