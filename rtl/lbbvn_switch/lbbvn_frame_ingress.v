// Copyright the fat-tree verification environment contributors
// SPDX-License-Identifier: Apache-2.0

`timescale 1ns/1ns
`include "checks.vh"
`default_nettype none

// Input side of a line card that sends frames: N virtual output queues (VOQs).
//
// Contract: a cell that arrives is appended to the VOQ of its destination, or dropped if DEPTH
// cells are there.  A frame lasts the N slots from the one in which the input is connected to
// middle 0 to the one in which it is connected to middle N - 1; it takes cells of one VOQ:
//   "UFS"     N cells of a VOQ that has so many, round-robin; else no frame.
//   "FOFF"    like UFS; else whatever the next non-empty VOQ has, by a second round-robin pointer.
//             The first cell goes to the middle behind the one that got the VOQ's last cell.
//   "PADDED"  like UFS; else, of the VOQs whose gate is open, the longest (lowest of equal ones) if
//             it has THRESHOLD cells; fakes fill the frame up.
// The cells of a frame stay in the VOQ's count up to the frame's last slot.
// Timing: cells are taken in at the edge of a clock with arrive_i, words to be sent are worked out,
// for slot slot_i, in a clock with send_i, and leave in the next; the two alternate.
// Cost: the cells in a RAM, heads and counts in a register file: a VOQ is chosen and its cell
// looked up in one clock.
module lbbvn_frame_ingress #(
  parameter N_LOG     = 4,                  // log2 of the line cards
  parameter W         = 32,                 // payload bits
  parameter [8*6-1:0] SCHEME   = "UFS",     // "UFS", "FOFF", "PADDED"
  parameter [8*7-1:0] SCHEDULE = "BITREV",  // "BITREV", "ROTATOR", "TDM", "XOR", "SAME"
  parameter DEPTH     = 64,                 // cells of a VOQ, a power of two >= 2 N
  parameter THRESHOLD = 8                   // PADDED: cells that are worth a frame, 1 .. N
) (
  input  wire             clk,       // rising edge
  input  wire             rst,       // synchronous; empties the VOQs
  input  wire [N_LOG-1:0] card_i,    // number of the line card; it stays
  input  wire             arrive_i,  // a cell may come in
  input  wire             send_i,    // a word may leave
  input  wire [N_LOG-1:0] slot_i,    // number of this slot, modulo N
  // arrivals
  input  wire             valid_i,  // a cell arrives, if arrive_i
  input  wire [N_LOG-1:0] dst_i,    // the VOQ it joins
  input  wire [W-1:0]     data_i,
  // PADDED, in clocks with send_i
  input  wire             closed_i,       // the gate is closed of output m, m being the middle that
  input  wire [N_LOG-1:0] closed_slot_i,  // the line card was connected to in this slot, modulo N
  // to the middles
  output reg              cell_o,    // a cell, or a fake
  output reg              fake_o,    // it is padding
  output reg  [N_LOG-1:0] dst_o,     // the output it is for
  output wire [W-1:0]     data_o,    // payload of a cell
  output reg              dropped_o  // a cell was dropped
);

  localparam N       = 1 << N_LOG;
  localparam A       = $clog2(DEPTH);  // bits of a place in a VOQ
  localparam COUNT_W = A + 1;
  localparam [31:0]        DEPTH_INT = DEPTH;
  localparam [COUNT_W-1:0] FULL   = DEPTH_INT[COUNT_W-1:0];
  localparam [31:0]        N_INT     = N;
  localparam [COUNT_W-1:0] FRAME  = N_INT[COUNT_W-1:0];
  localparam [N_LOG-1:0]   LAST   = {N_LOG{1'b1}};


  // ---- the frame that is being sent, or begins --------------------------------------------------

  reg  [N-1:0]       frame_q;      // by VOQ: it has a frame,
  reg  [N-1:0]       some_q;       // a cell
  reg  [N_LOG-1:0]   full_turn_q;  // where the search for a full frame begins
  reg                busy_q;       // a frame is being sent
  reg  [N_LOG-1:0]   voq_q;        // from this VOQ,
  reg  [COUNT_W-1:0] cells_q;      // with so many cells

  wire [COUNT_W-1:0] count;        // cells of the VOQ of this clock
  // If no VOQ has a full frame:
  wire [N-1:0]       part;         // VOQs that may begin another (FOFF),
  wire [N_LOG-1:0]   part_turn;    // where the search for it begins
  wire               padded;       // a VOQ is worth a padded frame,
  wire [N_LOG-1:0]   padded_voq;   // which one

  wire [N_LOG-1:0]   m;  // the middle of this slot
  wire               begins = send_i && m == {N_LOG{1'b0}};
  wire               whole  = (frame_q != {N{1'b0}});
  wire               other  = padded | (part != {N{1'b0}});
  wire               busy   = begins ? whole | other : busy_q;
  wire [N-1:0]       pool   = whole ? frame_q : part;
  wire [N_LOG-1:0]   turn   = whole ? full_turn_q : part_turn;
  wire [COUNT_W-1:0] cells  = !begins ? cells_q : whole ? FRAME : count;
  wire               seek   = begins & (whole | ~padded);
  wire [N_LOG-1:0]   found;
  wire [N_LOG-1:0]   voq    = seek ? found : begins ? padded_voq : voq_q;

  lbbvn_meeting #(.N_LOG(N_LOG), .SCHEDULE(SCHEDULE), .WHO("MIDDLE_OF_INPUT")) u_meeting (
    .card_i(card_i), .slot_i(slot_i), .card_o(m)
  );
  lbbvn_first_from #(.N_LOG(N_LOG)) u_first (
    .seek_i(seek), .candidates_i(pool), .turn_i(turn), .first_o(found)
  );

  // ---- the VOQ of this clock: a cell comes, or one leaves ---------------------------------------

  wire [N_LOG-1:0]   at = arrive_i ? dst_i : voq;
  wire [A-1:0]       head;
  wire [N_LOG-1:0]   offset;  // of the cell within the frame
  wire               full   = (count == FULL);
  wire               comes  = arrive_i & valid_i;
  wire               enters = comes & ~full;
  wire               fake   = ({{(COUNT_W-N_LOG){1'b0}}, offset} >= cells);
  wire               sends  = send_i & busy & (~fake | SCHEME == "PADDED");
  wire               ends   = send_i & busy & (m == LAST);
  wire [A-1:0]       next_head  = ends ? head + cells[A-1:0] : head;
  wire [COUNT_W-1:0] next_count = ends ? count - cells : count + 1'b1;

  register_file #(.WORDS(N), .WIDTH(A + COUNT_W)) u_voqs (
    .clk(clk), .rst(rst), .write_i(enters | ends), .write_at_i(at),
    .word_i({next_head, next_count}), .read_at_i(at), .word_o({head, count})
  );
  ram_1w1r #(.WORDS(N * DEPTH), .WIDTH(W)) u_cells (
    .clk(clk), .write_i(enters), .write_at_i({at, head + count[A-1:0]}), .word_i(data_i),
    .read_i(sends & ~fake), .read_at_i({at, head + {{(A-N_LOG){1'b0}}, offset}}), .word_o(data_o)
  );

  always @(posedge clk)
    if (rst) begin
      frame_q     <= {N{1'b0}};
      some_q      <= {N{1'b0}};
      full_turn_q <= {N_LOG{1'b0}};
      busy_q      <= 1'b0;
      cell_o      <= 1'b0;
      fake_o      <= 1'b0;
      dropped_o   <= 1'b0;
    end else begin
      if (enters | ends) begin
        frame_q[at] <= (next_count >= FRAME);
        some_q[at]  <= (next_count != {COUNT_W{1'b0}});
      end
      if (begins) begin
        busy_q  <= busy;
        voq_q   <= voq;
        cells_q <= cells;
        if (whole) full_turn_q <= voq + 1'b1;
      end
      if (sends) dst_o <= voq;
      cell_o    <= sends;
      fake_o    <= sends & fake;
      dropped_o <= comes & full;
    end

  // ---- if no VOQ has a full frame ---------------------------------------------------------------

  generate
    if (SCHEME == "FOFF") begin : gen_foff
      reg  [N_LOG-1:0] part_turn_q;
      wire [N_LOG-1:0] next;  // middle for the VOQ's next cell

      register_file #(.WORDS(N), .WIDTH(N_LOG)) u_next (
        .clk(clk), .rst(rst), .write_i(ends), .write_at_i(voq), .word_i(next + cells[N_LOG-1:0]),
        .read_at_i(voq), .word_o(next)
      );
      always @(posedge clk)
        if (rst)
          part_turn_q <= {N_LOG{1'b0}};
        else if (begins && !whole && other)
          part_turn_q <= voq + 1'b1;

      assign part      = some_q;
      assign part_turn = part_turn_q;
      assign offset    = m - next;
    end else if (SCHEME == "PADDED") begin : gen_padded
      wire [N_LOG-1:0] told;  // the middle that said whether it is closed
      lbbvn_meeting #(.N_LOG(N_LOG), .SCHEDULE(SCHEDULE), .WHO("MIDDLE_OF_OUTPUT")) u_told (
        .card_i(card_i), .slot_i(closed_slot_i), .card_o(told)
      );
      lbbvn_padding #(.N_LOG(N_LOG), .COUNT_W(COUNT_W), .THRESHOLD(THRESHOLD)) u_padding (
        .clk(clk), .rst(rst), .change_i(enters | ends), .change_at_i(at), .cells_i(next_count),
        .tell_i(send_i), .tell_at_i(told), .closed_i(closed_i),
        .choose_i(begins), .found_o(padded), .voq_o(padded_voq)
      );
    end
    if (SCHEME != "PADDED") begin : gen_no_padding
      assign padded     = 1'b0;
      assign padded_voq = {N_LOG{1'b0}};
      wire unused = &{1'b0, closed_i, closed_slot_i};
    end
    if (SCHEME != "FOFF") begin : gen_in_step
      assign part      = {N{1'b0}};
      assign part_turn = {N_LOG{1'b0}};
      assign offset    = m;
      wire unused = &{1'b0, some_q};
    end
  endgenerate

  `CHECK_CHOICE(SCHEME == "UFS" || SCHEME == "FOFF" || SCHEME == "PADDED",
                "SCHEME", SCHEME, "UFS, FOFF, PADDED")
  `CHECK_PARAMETER(DEPTH >= 2 * N && (DEPTH & (DEPTH - 1)) == 0,
                   "DEPTH", DEPTH, "a power of two, >= 2 * N")

endmodule

`default_nettype wire
