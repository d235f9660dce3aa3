// Copyright the fat-tree verification environment contributors
// SPDX-License-Identifier: Apache-2.0

`timescale 1ns/1ns
`include "prove.vh"
`default_nettype none

// A middle with mailboxes, after a reset, for all offers, at any line card.  Given is that slots
// follow one another, with a clock between them at least.
//
// One output and one cell for it, any, are watched; the watched cell's payload says so, beside a
// bit that is free.
//
//   B1  an offer is accepted, and told so, exactly if one of the first TRIES places that leave late
//       enough is empty; else it is refused, and told so
//   B2  the first empty one it gets: it is told the slots until the middle has been connected to
//       its output as often as the place's number says, and those are no fewer than it must wait
//   B3  in a slot in which the middle is connected to an output a cell leaves exactly if one was
//       accepted for that slot
//   B4  a cell leaves so many slots after the one of its offer as was told, unmodified, and never
//       else: none is lost or doubled
module lbbvn_mailbox_proof #(
  parameter N_LOG = 1,
  parameter DEPTH = 2,
  parameter TRIES = 2,
  parameter [8*7-1:0] SCHEDULE = "BITREV",
  // derived
  parameter N      = 1 << N_LOG,
  parameter WAIT_W = N_LOG + $clog2(DEPTH)
) (
  input wire              clk,
  input wire [N_LOG-1:0]  card_i,    // number of the line card
  input wire [N_LOG-1:0]  output_i,  // the output that is watched
  input wire [N_LOG-1:0]  slot_i,    // the first one
  input wire              mark_i,    // watch the cell that is offered
  // of the middle
  input wire              take_i,
  input wire              cell_i,
  input wire [N_LOG-1:0]  dst_i,
  input wire              data_i,
  input wire [WAIT_W-1:0] wait_i
);

  reg               first = 1'b1;
  reg  [N_LOG-1:0]  m_q, o_q, slot_q;  // middle, output, slot
  reg               marked_q;          // the watched cell is in its mailbox, or was offered
  wire              marks = take_i && cell_i && dst_i == o_q && mark_i && !marked_q;
  wire              leaving, marked_out, data, accepted, refused;
  wire [WAIT_W-1:0] after;
  lbbvn_mailbox #(
    .N_LOG(N_LOG), .W(2), .SCHEDULE(SCHEDULE), .DEPTH(DEPTH), .TRIES(TRIES)
  ) u_mailbox (
    .clk(clk), .rst(first), .card_i(m_q), .take_i(take_i), .slot_i(slot_q), .cell_i(cell_i),
    .dst_i(dst_i), .data_i({marks, data_i}), .wait_i(wait_i), .cell_o(leaving),
    .data_o({marked_out, data}), .accepted_o(accepted), .after_o(after), .refused_o(refused)
  );

  // Outputs that the middle is connected to in this slot and in those after it.
  wire [N*N_LOG-1:0] met;
  genvar g;
  generate
    for (g = 0; g < N; g = g + 1) begin : gen_met
      localparam [31:0] LATER = g;
      lbbvn_meeting #(N_LOG, SCHEDULE, "OUTPUT_OF_MIDDLE") u_meeting (
        m_q, slot_q + LATER[N_LOG-1:0], met[g*N_LOG +: N_LOG]
      );
    end
  endgenerate

  // ---- the mailbox of the watched output --------------------------------------------------------

  reg [DEPTH-1:0] taken_q;  // by place
  reg [DEPTH-1:0] filled;
  reg [WAIT_W:0]  soon;     // slots until the middle is connected to it
  reg [WAIT_W:0]  due;      // until the first place leaves that is late enough and empty
  reg             room;
  integer         k, tried;
  always @* begin
    filled = taken_q;
    soon   = {(WAIT_W+1){1'b0}};
    due    = {(WAIT_W+1){1'b0}};
    room   = 1'b0;
    tried  = 0;
    for (k = N - 1; k >= 0; k = k - 1)
      if (met[k*N_LOG +: N_LOG] == o_q) soon = k;
    for (k = 0; k < DEPTH; k = k + 1)
      if (N * k + soon >= wait_i && tried < TRIES) begin
        tried = tried + 1;
        if (!room && !taken_q[k]) begin
          room = 1'b1;
          due  = N * k + soon;
          if (take_i && cell_i && dst_i == o_q) filled[k] = 1'b1;
        end
      end
  end
  wire meets = met[N_LOG-1:0] == o_q;
  wire here  = cell_i && dst_i == o_q;

  // Of the clock before, if it was one with take_i.
  reg              took_q, here_q, room_q, meets_q, leaves_q, offered_q;
  reg [WAIT_W:0]   due_q;
  reg [WAIT_W-1:0] wait_q;
  reg [WAIT_W:0]   left_q;  // slots until the watched cell leaves
  reg              bit_q, leaves_marked_q;
  wire             keeps = marks && room;
  always @(posedge clk) begin
    first     <= 1'b0;
    took_q    <= !first && take_i;
    offered_q <= !first && take_i && cell_i;
    if (first) begin
      m_q             <= card_i;
      o_q             <= output_i;
      slot_q          <= slot_i;
      marked_q        <= 1'b0;
      taken_q         <= {DEPTH{1'b0}};
      leaves_marked_q <= 1'b0;
    end else if (take_i) begin
      slot_q          <= slot_q + 1'b1;
      taken_q         <= meets ? filled >> 1 : filled;
      here_q          <= here;
      room_q          <= room;
      meets_q         <= meets;
      leaves_q        <= filled[0];
      due_q           <= due;
      wait_q          <= wait_i;
      leaves_marked_q <= keeps ? due == {(WAIT_W+1){1'b0}}
                               : marked_q && left_q == {(WAIT_W+1){1'b0}};
      if (keeps) begin
        marked_q <= due != {(WAIT_W+1){1'b0}};
        left_q   <= due - 1'b1;
        bit_q    <= data_i;
      end else if (marked_q) begin
        marked_q <= left_q != {(WAIT_W+1){1'b0}};
        left_q   <= left_q - 1'b1;
      end
    end
  end

  always @* begin
    `GIVEN(!(take_i && took_q))
    if (!first) begin
      `PROVE(B1, !(took_q && here_q) ? (accepted || refused) == offered_q && !(accepted && refused)
                                     : accepted == room_q && refused == !room_q)
      `PROVE(B2, !(took_q && here_q && room_q) || (after == due_q && after >= wait_q))
      `PROVE(B3, !took_q ? !leaving : !meets_q || leaving == leaves_q)
      `PROVE(B4, !leaving || (marked_out == leaves_marked_q && !(marked_out && data != bit_q)))
    end
  end

endmodule

`default_nettype wire
