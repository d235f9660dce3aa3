// Copyright the fat-tree verification environment contributors
// SPDX-License-Identifier: Apache-2.0

`timescale 1ns/1ns
`include "checks.vh"
`default_nettype none

// Middle of a line card of a mailbox switch: a mailbox of DEPTH places for each output (Chang, Lee,
// Shih, INFOCOM 2004).
//
// Contract: what lies in place i of a mailbox leaves when the middle has been connected to that
// output i more times: whenever it is connected, place 0 leaves, if it is taken, and all places
// move up.  A cell is offered with the slots it has to wait; it is put in the first empty one of
// TRIES places from the first one that leaves late enough.  The input it comes from learns, over
// the connection of phase 2 (the same pair: phase 2 is the inverse of phase 1), whether it was, and
// in how many slots it leaves.
// Timing: in a clock with take_i a cell is put, and what leaves in slot slot_i is worked out, be it
// the cell that was put just now; it is there in the next clock, as is the answer.  In that clock
// all places of the mailbox move up; take_i must be down.
// Cost: the cells in a RAM; which places are taken, and where place 0 is, in a register file: the
// mailboxes of the cell that comes and of the one that leaves are looked up in one clock.
module lbbvn_mailbox #(
  parameter N_LOG  = 4,                     // log2 of the line cards
  parameter W      = 32,                    // bits that are kept of a cell
  parameter [8*7-1:0] SCHEDULE = "BITREV",  // "BITREV", "ROTATOR", "TDM", "XOR"
  parameter DEPTH  = 16,                    // places of a mailbox, a power of two >= 2
  parameter TRIES  = 4,                     // places that are looked at, 1 .. DEPTH
  parameter WAIT_W = N_LOG + $clog2(DEPTH)  // derived
) (
  input  wire              clk,     // rising edge
  input  wire              rst,     // synchronous; empties the mailboxes
  input  wire [N_LOG-1:0]  card_i,  // number of the line card; it stays
  input  wire              take_i,  // a cell may come and one leave; not in two clocks in a row
  input  wire [N_LOG-1:0]  slot_i,  // number of this slot, modulo N
  // offers
  input  wire              cell_i,  // a cell is offered, if take_i
  input  wire [N_LOG-1:0]  dst_i,   // the output it is for, hence its mailbox
  input  wire [W-1:0]      data_i,  // what is kept of that cell
  input  wire [WAIT_W-1:0] wait_i,  // slots that it must wait at least
  // to the outputs, and answers: in the clock after take_i
  output reg               cell_o,      // a cell leaves
  output wire [W-1:0]      data_o,      // what was kept of that cell
  output reg               accepted_o,  // the cell that was offered is in its mailbox
  output reg  [WAIT_W-1:0] after_o,     // and leaves so many slots after the one of the offer
  output reg               refused_o    // an offer was refused in the clock before
);

  localparam N = 1 << N_LOG;
  localparam A = $clog2(DEPTH);  // bits of a place in a mailbox

  // ---- the mailboxes: of the cell that comes, and of the connected output -----------------------

  reg              move_q;   // all places move up,
  reg  [N_LOG-1:0] moved_q;  // in the mailbox for this output
  wire [N_LOG-1:0] met;  // the output of this slot
  wire [N_LOG-1:0] out = move_q ? moved_q : met;
  wire [A-1:0]     base, base_out;  // where place 0 is
  wire [DEPTH-1:0] taken, taken_out;  // by place

  lbbvn_meeting #(.N_LOG(N_LOG), .SCHEDULE(SCHEDULE), .WHO("OUTPUT_OF_MIDDLE")) u_meeting (
    .card_i(card_i), .slot_i(slot_i), .card_o(met)
  );

  // ---- a place for the cell that comes ----------------------------------------------------------

  // Slots until the middle is next connected to its output; more of them are waited in whole rounds
  // of N.
  wire [N_LOG-1:0] origin;  // the middle that is connected to its output in slot 0
  wire [N_LOG-1:0] when    = (SCHEDULE == "XOR") ? card_i ^ origin : card_i - origin;
  wire [N_LOG-1:0] soon    = when - slot_i;
  wire [WAIT_W:0]  longer  = {1'b0, wait_i} - {{(WAIT_W+1-N_LOG){1'b0}}, soon};
  wire [WAIT_W:0]  beyond  = (longer[WAIT_W] ? {(WAIT_W+1){1'b0}} : longer)
                             + {{(WAIT_W+1-N_LOG){1'b0}}, {N_LOG{1'b1}}};
  wire             never   = beyond[WAIT_W];  // the last place leaves too early: XOR, N >= 4
  wire [A-1:0]     first   = beyond[N_LOG +: A];
  wire [DEPTH-1:0] empty   = ~taken >> first;
  reg              found;
  reg  [A-1:0]     place;

  lbbvn_meeting #(.N_LOG(N_LOG), .SCHEDULE(SCHEDULE), .WHO("MIDDLE_OF_OUTPUT")) u_origin (
    .card_i(dst_i), .slot_i({N_LOG{1'b0}}), .card_o(origin)
  );

  always @* begin : tries
    integer i;
    found = 1'b0;
    place = first;
    for (i = TRIES - 1; i >= 0; i = i - 1)
      if (empty[i]) begin
        found = 1'b1;
        place = first + i[A-1:0];
      end
  end

  wire             put     = take_i & cell_i & found & ~never;
  wire [DEPTH-1:0] filled  = taken | ({{(DEPTH-1){1'b0}}, 1'b1} << place);
  wire             at_once = put && dst_i == out && place == {A{1'b0}};  // it leaves in this slot

  register_file #(.WORDS(N), .WIDTH(A + DEPTH), .READS(2)) u_mailboxes (
    .clk(clk), .rst(rst), .write_i(put | move_q), .write_at_i(move_q ? moved_q : dst_i),
    .word_i(move_q ? {base_out + 1'b1, taken_out >> 1} : {base, filled}),
    .read_at_i({out, dst_i}), .word_o({base_out, taken_out, base, taken})
  );

  // ---- what leaves ------------------------------------------------------------------------------

  reg          direct_q;  // what leaves came in the same slot
  reg  [W-1:0] data_q;
  wire [W-1:0] kept;

  ram_1w1r #(.WORDS(N * DEPTH), .WIDTH(W)) u_cells (
    .clk(clk), .write_i(put), .write_at_i({dst_i, base + place}), .word_i(data_i),
    .read_i(take_i), .read_at_i({out, base_out}), .word_o(kept)
  );
  assign data_o = direct_q ? data_q : kept;

  always @(posedge clk) begin
    if (rst) begin
      move_q     <= 1'b0;
      cell_o     <= 1'b0;
      accepted_o <= 1'b0;
      refused_o  <= 1'b0;
    end else begin
      move_q     <= take_i;
      cell_o     <= take_i & (at_once | taken_out[0]);
      accepted_o <= put;
      refused_o  <= take_i & cell_i & ~put;
    end
    if (take_i) begin
      moved_q  <= out;
      after_o  <= {place, soon};
      direct_q <= at_once;
      data_q   <= data_i;
    end
  end

  `CHECK_SHARED(clk, rst, !(take_i && move_q), "a mailbox has no clock to move up in")
  `CHECK_PARAMETER(DEPTH >= 2 && (DEPTH & (DEPTH - 1)) == 0, "DEPTH", DEPTH, "a power of two, >= 2")
  `CHECK_PARAMETER(TRIES >= 1 && TRIES <= DEPTH, "TRIES", TRIES, "1 to DEPTH")
  `CHECK_CHOICE(SCHEDULE != "SAME", "SCHEDULE", SCHEDULE, "any but SAME")

endmodule

`default_nettype wire
