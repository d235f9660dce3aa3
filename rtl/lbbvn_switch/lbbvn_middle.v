// Copyright the fat-tree verification environment contributors
// SPDX-License-Identifier: Apache-2.0

`timescale 1ns/1ns
`include "checks.vh"
`default_nettype none

// Middle of a line card: a FIFO for each output.
//
// Contract: a cell that comes in is appended to the FIFO of its destination, or dropped if DEPTH
// cells are there.  In every slot the head of the FIFO for the output that the middle is connected
// to leaves, including one that arrived in this slot.  closed_o then says whether GATE cells wait
// for the output with the middle's own number: where all middles hold about as many cells for an
// output, one can speak for all.
// Timing: cells are taken in in a clock with take_i and given out in a clock with give_i, both for
// slot slot_i; never both in one clock.  Outputs are there in the next clock.
// Cost: the cells in a RAM, heads and counts in a register file, which is read and rewritten in the
// clock in which the FIFO becomes known.
module lbbvn_middle #(
  parameter N_LOG = 4,                      // log2 of the line cards
  parameter W     = 36,                     // bits that are kept of a cell
  parameter [8*7-1:0] SCHEDULE = "BITREV",  // "BITREV", "ROTATOR", "TDM", "XOR", "SAME"
  parameter DEPTH = 64,                     // cells of a FIFO, a power of two >= 2
  parameter GATE  = 4                       // cells, 1 .. DEPTH
) (
  input  wire             clk,       // rising edge
  input  wire             rst,       // synchronous; empties the FIFOs
  input  wire [N_LOG-1:0] card_i,    // number of the line card; it stays
  input  wire             take_i,    // a cell may come in
  input  wire             give_i,    // a cell may leave
  input  wire [N_LOG-1:0] slot_i,    // number of this slot, modulo N
  input  wire             cell_i,    // a cell comes, if take_i
  input  wire [N_LOG-1:0] dst_i,     // the output it is for, hence its FIFO
  input  wire [W-1:0]     data_i,    // what is kept of that cell
  output reg              cell_o,    // a cell leaves
  output wire [W-1:0]     data_o,    // what was kept of that cell
  output reg              closed_o,  // with the words that leave: the gate is closed
  output reg              dropped_o  // a cell was dropped in the clock before
);

  localparam N       = 1 << N_LOG;
  localparam A       = $clog2(DEPTH);  // bits of a place in a FIFO
  localparam COUNT_W = A + 1;
  localparam [31:0]        DEPTH_INT = DEPTH;
  localparam [COUNT_W-1:0] FULL   = DEPTH_INT[COUNT_W-1:0];
  localparam [31:0]        GATE_INT  = GATE;
  localparam [COUNT_W-1:0] ENOUGH = GATE_INT[COUNT_W-1:0];

  // The FIFO of this clock.
  wire [N_LOG-1:0]   met;  // the output of this slot
  wire [N_LOG-1:0]   fifo = take_i ? dst_i : met;
  wire [A-1:0]       head;
  wire [COUNT_W-1:0] count;

  wire               full   = (count == FULL);
  wire               comes  = take_i & cell_i;
  wire               enters = comes & ~full;
  wire               leaves = give_i & (count != {COUNT_W{1'b0}});
  wire [A-1:0]       next_head  = leaves ? head + 1'b1 : head;
  wire [COUNT_W-1:0] next_count = leaves ? count - 1'b1 : count + 1'b1;

  lbbvn_meeting #(.N_LOG(N_LOG), .SCHEDULE(SCHEDULE), .WHO("OUTPUT_OF_MIDDLE")) u_meeting (
    .card_i(card_i), .slot_i(slot_i), .card_o(met)
  );
  register_file #(.WORDS(N), .WIDTH(A + COUNT_W)) u_fifos (
    .clk(clk), .rst(rst), .write_i(enters | leaves), .write_at_i(fifo),
    .word_i({next_head, next_count}), .read_at_i(fifo), .word_o({head, count})
  );
  ram_1w1r #(.WORDS(N * DEPTH), .WIDTH(W)) u_cells (
    .clk(clk), .write_i(enters), .write_at_i({fifo, head + count[A-1:0]}), .word_i(data_i),
    .read_i(leaves), .read_at_i({fifo, head}), .word_o(data_o)
  );

  // Cells that wait for the output with the middle's own number.
  reg  [COUNT_W-1:0] own_q;
  wire [COUNT_W-1:0] own = ((enters | leaves) && fifo == card_i) ? next_count : own_q;

  always @(posedge clk)
    if (rst) begin
      own_q     <= {COUNT_W{1'b0}};
      cell_o    <= 1'b0;
      closed_o  <= 1'b0;
      dropped_o <= 1'b0;
    end else begin
      own_q     <= own;
      cell_o    <= leaves;
      closed_o  <= give_i & (own >= ENOUGH);
      dropped_o <= comes & full;
    end

  `CHECK_PARAMETER(DEPTH >= 2 && (DEPTH & (DEPTH - 1)) == 0, "DEPTH", DEPTH, "a power of two, >= 2")
  `CHECK_PARAMETER(GATE >= 1 && GATE <= DEPTH, "GATE", GATE, "1 to DEPTH")

endmodule

`default_nettype wire
