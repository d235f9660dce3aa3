// Copyright the fat-tree verification environment contributors
// SPDX-License-Identifier: Apache-2.0

`timescale 1ns/1ns
`include "prove.vh"
`default_nettype none

// A middle of a load-balanced switch, after a reset, for all cells in all slots, at any line card.
// Given is that cells are never taken in and given out in the same clock.
//
// One output and one cell for it, any, are watched.  Data are one bit wide: the middle only carries
// them.
//
//   M1  the cell that is taken in when n wait for the same output leaves as the n + 1st from then,
//       unmodified: none is lost, doubled or out of order
//   M2  a cell leaves exactly in the slots in which the middle is connected and a cell waits
//   M3  a cell is dropped, and told so, exactly if DEPTH wait already
//   M4  closed tells whether GATE cells wait for the output with the middle's own number
module lbbvn_middle_proof #(
  parameter N_LOG = 1,
  parameter DEPTH = 2,
  parameter GATE  = 1,
  parameter [8*7-1:0] SCHEDULE = "BITREV"
) (
  input wire             clk,
  input wire [N_LOG-1:0] middle_i,  // number of the line card
  input wire [N_LOG-1:0] output_i,  // the output that is watched
  input wire             mark_i,    // watch the cell that comes
  // of the middle
  input wire             take_i,
  input wire             give_i,
  input wire [N_LOG-1:0] slot_i,
  input wire             cell_i,
  input wire [N_LOG-1:0] dst_i,
  input wire             data_i
);

  localparam COUNT_W = $clog2(DEPTH) + 1;

  reg  first = 1'b1;
  wire leaving, data, closed, dropped;
  reg  [N_LOG-1:0] m_q, o_q;  // middle and output
  lbbvn_middle #(.N_LOG(N_LOG), .W(1), .SCHEDULE(SCHEDULE), .DEPTH(DEPTH), .GATE(GATE)) u_middle (
    .clk(clk), .rst(first), .card_i(m_q), .take_i(take_i), .give_i(give_i), .slot_i(slot_i),
    .cell_i(cell_i), .dst_i(dst_i), .data_i(data_i), .cell_o(leaving), .data_o(data),
    .closed_o(closed), .dropped_o(dropped)
  );

  reg [COUNT_W-1:0] count_q;  // cells that wait
  reg               marked_q, marked_bit_q;
  reg [COUNT_W-1:0] ahead_q;  // cells before the watched one
  // In the clock before: cells were given out, to the watched output; a cell left, the watched one;
  // one came for it, when all places were taken.
  reg               gave_q, met_q, left_q, marked_left_q, came_q, full_q;

  wire comes = take_i && cell_i;
  wire here  = comes && dst_i == o_q;
  wire full  = count_q == DEPTH;
  wire [N_LOG-1:0] met;
  lbbvn_meeting #(N_LOG, SCHEDULE, "OUTPUT_OF_MIDDLE") u_meeting (m_q, slot_i, met);
  wire meets = give_i && met == o_q;
  wire leaves = meets && count_q != {COUNT_W{1'b0}};
  wire enters = here && !full;

  always @(posedge clk) begin
    first         <= 1'b0;
    gave_q        <= !first && give_i;
    met_q         <= !first && meets;
    left_q        <= !first && leaves;
    marked_left_q <= !first && leaves && marked_q && ahead_q == {COUNT_W{1'b0}};
    came_q        <= !first && here;
    full_q        <= full;
    if (first) begin
      m_q      <= middle_i;
      o_q      <= output_i;
      count_q  <= {COUNT_W{1'b0}};
      marked_q <= 1'b0;
    end else begin
      count_q <= count_q + enters - leaves;
      if (!marked_q && enters && mark_i) begin
        marked_q     <= 1'b1;
        ahead_q      <= count_q;
        marked_bit_q <= data_i;
      end else if (leaves) begin
        marked_q <= marked_q && ahead_q != {COUNT_W{1'b0}};
        ahead_q  <= ahead_q - 1'b1;
      end
    end
  end

  always @* begin
    `GIVEN(!(take_i && give_i))
    if (!first) begin
      `PROVE(M1, !marked_left_q || data == marked_bit_q)
      `PROVE(M2, (!met_q && gave_q) || leaving == left_q)
      `PROVE(M3, came_q ? dropped == full_q : !(gave_q && dropped))
      `PROVE(M4, m_q != o_q || closed == (gave_q && count_q >= GATE))
    end
  end

endmodule

`default_nettype wire
