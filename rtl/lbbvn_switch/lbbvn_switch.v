// Copyright the fat-tree verification environment contributors
// SPDX-License-Identifier: Apache-2.0

`include "checks.vh"
`default_nettype none

// The whole load-balanced Birkhoff-von Neumann switch, folded: N line cards round one fabric that is
// used twice a slot (Chueh et al., HPSR 2013, Section I).
//
// Contract: a slot is two clocks.  In slot t = 0, 1, ... after reset each input may offer one cell;
// phase 1 leads at most one cell of each input to a middle, phase 2 at most one of each middle to
// an output, as SCHEDULE says; queues are at the line cards only.
//   SCHEME     input                      middle                output
//   "BASIC"    -                          FIFO an output        -
//   "UFS"      VOQs, full frames          FIFO an output        -
//   "FOFF"     VOQs, full frames first    FIFO an output        FIFO a middle: resequencer
//   "PADDED"   VOQs, padded frames        FIFO an output, gate  fakes are thrown away
//   "MAILBOX"  FIFO, head until accepted  mailbox an output     -
// (BASIC needs no queue at its inputs: a cell goes to a middle in the slot in which it arrives.)
// A cell that finds a queue full is dropped; the stage counts it, and the line card's flag stays up.
//
//      input --- phase 1 ---> middle --- phase 2 ---> output       x, m, y are the same N line cards
//        ^                                  |
//        +---- gate, answer: same word -----+
//
// PADDED: a VOQ is padded only while its output's gate is open: middle m tells the outputs it is
// connected to whether GATE cells wait for output m, and as output y is input y, input y hears of
// all outputs in N slots.
// MAILBOX: in one slot input x is connected to middle m and middle m to output x, so that the answer
// is back before the next slot: this needs a fabric without registers (PIPELINE = 0).
//
// Timing: cells are taken in at the end of a slot's second clock.  What leaves in slot t stands at
// the outputs in both clocks of slot t + LATENCY + 4 (MAILBOX: t + 3), LATENCY being the clocks of
// the fabric.  rst is synchronous; it empties all queues and clears counters and flags.
//
// Counters are COUNT_W bits and wrap around.  Slices: line card x owns the x-th slice.
module lbbvn_switch #(
  parameter N_LOG  = 4,           // n, 2 .. 6
  parameter W      = 32,          // payload bits, >= 1
  parameter [8*7-1:0] SCHEME   = "BASIC",   // see above
  parameter [8*7-1:0] SCHEDULE = "BITREV",  // see switch_schedule.vh
  parameter INGRESS     = 64,     // cells of an input's FIFO or VOQ, a power of two
  parameter MIDDLE      = 64,     // cells of a middle's FIFO, or places of a mailbox; a power of two
  parameter RESEQUENCER = 32,     // FOFF: cells of a FIFO of the resequencer, a power of two
  parameter THRESHOLD   = 8,      // PADDED: cells that are worth a frame, 1 .. N
  parameter GATE        = 4,      // PADDED: cells in a middle that close the gate, 1 .. MIDDLE
  parameter TRIES       = 4,      // MAILBOX: places that are looked at, 1 .. MIDDLE
  parameter [8*8-1:0]   FABRIC     = "TREE",         // see lbbvn_fabric.v, as all that follow
  parameter [8*9-1:0]   CONTROL    = "SELF",
  parameter [8*8-1:0]   UPPER_HALF = "SWITCHED",
  parameter PIPELINE    = 1,
  parameter [8*11-1:0]  CAPACITY   = "LOWER_BOUND",
  parameter [32*11-1:0] LANES      = 0,
  parameter COUNT_W     = 32,     // bits of a counter, > N_LOG; FOFF: 2 more than N * RESEQUENCER needs
  parameter ROW_W       = 1,      // SCHEDULED: bits of the widest row of settings
  parameter N           = 1 << N_LOG  // derived
) (
  input  wire               clk,
  input  wire               rst,
  // cells; an input holds its cell for both clocks of a slot
  input  wire [N-1:0]       valid_i,
  input  wire [N*N_LOG-1:0] dst_i,
  input  wire [N*W-1:0]     data_i,
  output wire [N-1:0]       valid_o,
  output wire [N*W-1:0]     data_o,
  // settings of the fabric (SCHEDULED)
  input  wire               row_write_i,
  input  wire [3:0]         row_level_i,
  input  wire [N_LOG:0]     row_slot_i,
  input  wire [ROW_W-1:0]   row_i,
  // counters since reset: cells dropped at inputs, middles, outputs; fakes sent, offers refused;
  // gaps skipped in resequencers, which only a loss leaves; most cells at once in a resequencer;
  // words that the fabric lost
  output reg  [COUNT_W-1:0] dropped_ingress_o,
  output reg  [COUNT_W-1:0] dropped_middle_o,
  output reg  [COUNT_W-1:0] dropped_resequencer_o,
  output reg  [COUNT_W-1:0] padded_o,
  output reg  [COUNT_W-1:0] refused_o,
  output reg  [COUNT_W-1:0] skipped_o,
  output wire [COUNT_W-1:0] most_resequenced_o,
  output wire [COUNT_W-1:0] conflicts_o,
  // line cards that have dropped a cell since reset, by stage
  output reg  [N-1:0]       overflow_ingress_o,
  output reg  [N-1:0]       overflow_middle_o,
  output reg  [N-1:0]       overflow_resequencer_o
);

  localparam FRAMES  = (SCHEME == "UFS" || SCHEME == "FOFF" || SCHEME == "PADDED");
  localparam MAILBOX = (SCHEME == "MAILBOX");
  localparam WAIT_W  = MAILBOX ? N_LOG + $clog2(MIDDLE) : 1;
  // A word of the fabric: payload, source, destination, fake, cell; then what the scheme tells on
  // the way: slots to wait (offer) or after which it leaves (answer), accepted, gate.
  localparam DATA    = 0;
  localparam SRC     = W;
  localparam DST     = SRC + N_LOG;
  localparam FAKE    = DST + N_LOG;
  localparam CELL    = FAKE + 1;
  localparam SLOTS   = CELL + 1;
  localparam TOLD    = SLOTS + WAIT_W;
  localparam WORD_W  = TOLD + 1;
  localparam KEPT_W  = W + N_LOG + 1;  // bits of a cell in a middle: fake, source, payload

  localparam HALF    = N_LOG / 2;
  localparam LATENCY = (PIPELINE == 0) ? 0
                     : (FABRIC != "TREE") ? 1
                     : (UPPER_HALF == "STATIC" && HALF > 0) ? 2 * (N_LOG - HALF) : 2 * N_LOG - 1;
  localparam LATE    = LATENCY % 2;    // phase-1 words reach the middles in a slot's first clock

  // ---- time: who is where, modulo N -------------------------------------------------------------

  localparam [31:0] TO_MIDDLE = MAILBOX ? 1 : 2 + LATENCY / 2;        // slots behind the inputs
  localparam [31:0] TO_FABRIC = MAILBOX ? 2 : 3 + LATENCY / 2;        // phase 2
  localparam [31:0] TO_OUTPUT = MAILBOX ? 2 : 3 + LATENCY;

  reg              second_q;  // the slot's second clock
  reg  [N_LOG-1:0] slot_q;    // the slot of the cells that are offered now
  wire             first = ~second_q;
  wire [N_LOG-1:0] input_slot  = slot_q - 1'b1;
  wire [N_LOG-1:0] middle_slot = slot_q - TO_MIDDLE[N_LOG-1:0];
  wire [N_LOG-1:0] phase2_slot = slot_q - TO_FABRIC[N_LOG-1:0];
  wire [N_LOG-1:0] output_slot = slot_q - TO_OUTPUT[N_LOG-1:0];

  always @(posedge clk)
    if (rst) begin
      second_q <= 1'b0;
      slot_q   <= {N_LOG{1'b0}};
    end else begin
      second_q <= ~second_q;
      if (second_q) slot_q <= slot_q + 1'b1;
    end

  // ---- fabric: phase 1 in second clocks, phase 2 in first clocks --------------------------------

  wire [N*WORD_W-1:0] to_middles, to_outputs;  // into the fabric
  wire [N*WORD_W-1:0] now, earlier;             // out of it, in this clock and the one before
  wire [N*WORD_W-1:0] at_middles = (LATE != 0 || MAILBOX) ? now : earlier;
  wire [N*WORD_W-1:0] at_outputs = (LATE != 0) ? earlier : now;

  lbbvn_fabric #(
    .N_LOG(N_LOG), .W(WORD_W), .FABRIC(FABRIC), .SCHEDULE(SCHEDULE), .CONTROL(CONTROL),
    .UPPER_HALF(UPPER_HALF), .PIPELINE(PIPELINE), .CAPACITY(CAPACITY), .LANES(LANES),
    .COUNT_W(COUNT_W), .ROW_W(ROW_W)
  ) u_fabric (
    .clk        (clk),
    .rst        (rst),
    .phase2_i   (first),
    .slot_i     (second_q ? input_slot : phase2_slot),
    .word_i     (second_q ? to_middles : to_outputs),
    .word_o     (now),
    .conflicts_o(conflicts_o),
    .row_write_i(row_write_i),
    .row_level_i(row_level_i),
    .row_slot_i (row_slot_i),
    .row_i      (row_i)
  );

  delay_line #(.DEPTH(1), .WIDTH(N*WORD_W)) u_earlier (
    .clk(clk), .rst(rst), .data_i(now), .data_o(earlier)
  );

  // ---- words apart ------------------------------------------------------------------------------

  wire [N-1:0]        in_cell, in_fake, in_dropped;     // inputs
  wire [N*N_LOG-1:0]  in_dst;
  wire [N*W-1:0]      in_data;
  wire [N*WAIT_W-1:0] in_wait;
  wire [N-1:0]        mid_cell;                         // at the middles
  wire [N*N_LOG-1:0]  mid_dst;
  wire [N*KEPT_W-1:0] mid_data;
  wire [N*WAIT_W-1:0] mid_wait;
  wire [N-1:0]        give_cell, give_told, mid_dropped, refused;  // from the middles
  wire [N*KEPT_W-1:0] give_data;
  wire [N*WAIT_W-1:0] give_after;
  wire [N-1:0]        out_cell, out_told;               // at the outputs
  wire [N*N_LOG-1:0]  out_src;
  wire [N*W-1:0]      out_data;
  wire [N*WAIT_W-1:0] out_after;
  wire [N-1:0]        out_dropped, out_skipped;

  genvar x;
  generate
    for (x = 0; x < N; x = x + 1) begin : gen_card
      localparam [31:0] CARD = x;
      wire [WORD_W-1:0] middle = at_middles[x*WORD_W +: WORD_W];
      wire [WORD_W-1:0] out    = at_outputs[x*WORD_W +: WORD_W];
      wire [KEPT_W-1:0] give   = give_data[x*KEPT_W +: KEPT_W];

      assign to_middles[x*WORD_W +: WORD_W] =
        {1'b0, in_wait[x*WAIT_W +: WAIT_W], in_cell[x], in_fake[x], in_dst[x*N_LOG +: N_LOG],
         CARD[N_LOG-1:0], in_data[x*W +: W]};
      assign mid_cell[x]                    = middle[CELL];
      assign mid_dst[x*N_LOG +: N_LOG]      = middle[DST +: N_LOG];
      assign mid_data[x*KEPT_W +: KEPT_W]   = {middle[FAKE], middle[SRC +: N_LOG], middle[DATA +: W]};
      assign mid_wait[x*WAIT_W +: WAIT_W]   = middle[SLOTS +: WAIT_W];
      assign to_outputs[x*WORD_W +: WORD_W] =
        {give_told[x], give_after[x*WAIT_W +: WAIT_W], give_cell[x], give[W+N_LOG], {N_LOG{1'b0}},
         give[W +: N_LOG], give[0 +: W]};
      assign out_cell[x]                    = out[CELL] & ~out[FAKE];
      assign out_src[x*N_LOG +: N_LOG]      = out[SRC +: N_LOG];
      assign out_data[x*W +: W]             = out[DATA +: W] & {W{out_cell[x]}};
      assign out_told[x]                    = out[TOLD];
      assign out_after[x*WAIT_W +: WAIT_W]  = out[SLOTS +: WAIT_W];

      wire unused = &{1'b0, middle[TOLD], out[DST +: N_LOG]};
    end
  endgenerate

  // ---- inputs -----------------------------------------------------------------------------------

  generate
    if (FRAMES) begin : gen_frames
      lbbvn_frame_ingress #(
        .N_LOG(N_LOG), .W(W), .SCHEME(SCHEME[8*6-1:0]), .SCHEDULE(SCHEDULE), .DEPTH(INGRESS),
        .THRESHOLD(THRESHOLD)
      ) u_ingress (
        .clk          (clk),
        .rst          (rst),
        .arrive_i     (second_q),
        .send_i       (first),
        .slot_i       (input_slot),
        .valid_i      (valid_i),
        .dst_i        (dst_i),
        .data_i       (data_i),
        .closed_i     (out_told),
        .closed_slot_i(output_slot),
        .cell_o       (in_cell),
        .fake_o       (in_fake),
        .dst_o        (in_dst),
        .data_o       (in_data),
        .dropped_o    (in_dropped)
      );

      assign in_wait = {(N*WAIT_W){1'b0}};
    end else if (MAILBOX) begin : gen_mailbox_ingress
      lbbvn_mailbox_ingress #(
        .N_LOG(N_LOG), .W(W), .DEPTH(INGRESS), .WAIT_W(WAIT_W)
      ) u_ingress (
        .clk       (clk),
        .rst       (rst),
        .arrive_i  (second_q),
        .send_i    (first),
        .slot_i    (input_slot),
        .valid_i   (valid_i),
        .dst_i     (dst_i),
        .data_i    (data_i),
        .accepted_i(out_told),
        .after_i   (out_after),
        .cell_o    (in_cell),
        .dst_o     (in_dst),
        .data_o    (in_data),
        .wait_o    (in_wait),
        .dropped_o (in_dropped)
      );
      assign in_fake = {N{1'b0}};
    end else begin : gen_register
      reg [N-1:0]       cell_q;
      reg [N*N_LOG-1:0] dst_q;
      reg [N*W-1:0]     data_q;
      always @(posedge clk) begin
        // Taken in at the end of the second clock, sent a slot later, in the second clock again.
        if (rst)
          cell_q <= {N{1'b0}};
        else if (second_q)
          cell_q <= valid_i;
        if (second_q) begin
          dst_q  <= dst_i;
          data_q <= data_i;
        end
      end
      assign in_cell    = cell_q;
      assign in_fake    = {N{1'b0}};
      assign in_dst     = dst_q;
      assign in_data    = data_q;
      assign in_wait    = {(N*WAIT_W){1'b0}};
      assign in_dropped = {N{1'b0}};
      wire unused = &{1'b0, input_slot, out_told};
    end
  endgenerate

  // ---- middles ----------------------------------------------------------------------------------

  generate
    if (MAILBOX) begin : gen_mailboxes
      lbbvn_mailbox #(
        .N_LOG(N_LOG), .W(KEPT_W), .SCHEDULE(SCHEDULE), .DEPTH(MIDDLE), .TRIES(TRIES)
      ) u_middle (
        .clk       (clk),
        .rst       (rst),
        .take_i    (second_q),
        .slot_i    (middle_slot),
        .cell_i    (mid_cell),
        .dst_i     (mid_dst),
        .data_i    (mid_data),
        .wait_i    (mid_wait),
        .cell_o    (give_cell),
        .data_o    (give_data),
        .accepted_o(give_told),
        .after_o   (give_after),
        .refused_o (refused)
      );
      assign mid_dropped = {N{1'b0}};
    end else begin : gen_fifos
      lbbvn_middle #(
        .N_LOG(N_LOG), .W(KEPT_W), .SCHEDULE(SCHEDULE), .DEPTH(MIDDLE), .GATE(GATE)
      ) u_middle (
        .clk      (clk),
        .rst      (rst),
        .take_i   (first),
        .give_i   (second_q),
        .slot_i   (middle_slot),
        .cell_i   (mid_cell),
        .dst_i    (mid_dst),
        .data_i   (mid_data),
        .cell_o   (give_cell),
        .data_o   (give_data),
        .closed_o (give_told),
        .dropped_o(mid_dropped)
      );
      assign give_after = {(N*WAIT_W){1'b0}};
      assign refused    = {N{1'b0}};
      wire unused = &{1'b0, mid_wait, out_after};
    end
  endgenerate

  // ---- outputs ----------------------------------------------------------------------------------

  generate
    if (SCHEME == "FOFF") begin : gen_resequencer
      localparam TOTAL_W = N_LOG + $clog2(RESEQUENCER) + 1;
      wire [TOTAL_W-1:0] most;
      lbbvn_resequencer #(
        .N_LOG(N_LOG), .W(W), .SCHEDULE(SCHEDULE), .DEPTH(RESEQUENCER)
      ) u_egress (
        .clk      (clk),
        .rst      (rst),
        .take_i   (first),
        .give_i   (second_q),
        .slot_i   (output_slot),
        .cell_i   (out_cell),
        .src_i    (out_src),
        .data_i   (out_data),
        .valid_o  (valid_o),
        .data_o   (data_o),
        .dropped_o(out_dropped),
        .skipped_o(out_skipped),
        .most_o   (most)
      );
      assign most_resequenced_o = {{(COUNT_W-TOTAL_W){1'b0}}, most};
    end else begin : gen_direct
      reg [N-1:0]   held_q, valid_q;
      reg [N*W-1:0] held_data_q, data_q;
      always @(posedge clk)
        if (rst) begin
          held_q      <= {N{1'b0}};
          valid_q     <= {N{1'b0}};
          held_data_q <= {(N*W){1'b0}};
          data_q      <= {(N*W){1'b0}};
        end else if (first) begin
          held_q      <= out_cell;
          held_data_q <= out_data;
        end else begin
          valid_q <= held_q;
          data_q  <= held_data_q;
        end
      assign valid_o            = valid_q;
      assign data_o             = data_q;
      assign out_dropped        = {N{1'b0}};
      assign out_skipped        = {N{1'b0}};
      assign most_resequenced_o = {COUNT_W{1'b0}};
      wire unused = &{1'b0, out_src, output_slot};
    end
  endgenerate

  // ---- counters and flags -----------------------------------------------------------------------

  function [COUNT_W-1:0] ones(input [N-1:0] bits);
    integer i;
    begin
      ones = {COUNT_W{1'b0}};
      for (i = 0; i < N; i = i + 1)
        ones = ones + {{(COUNT_W-1){1'b0}}, bits[i]};
    end
  endfunction

  always @(posedge clk)
    if (rst) begin
      dropped_ingress_o      <= {COUNT_W{1'b0}};
      dropped_middle_o       <= {COUNT_W{1'b0}};
      dropped_resequencer_o  <= {COUNT_W{1'b0}};
      padded_o               <= {COUNT_W{1'b0}};
      refused_o              <= {COUNT_W{1'b0}};
      skipped_o              <= {COUNT_W{1'b0}};
      overflow_ingress_o     <= {N{1'b0}};
      overflow_middle_o      <= {N{1'b0}};
      overflow_resequencer_o <= {N{1'b0}};
    end else begin
      dropped_ingress_o      <= dropped_ingress_o + ones(in_dropped);
      dropped_middle_o       <= dropped_middle_o + ones(mid_dropped);
      dropped_resequencer_o  <= dropped_resequencer_o + ones(out_dropped);
      padded_o               <= padded_o + ones(in_fake);
      refused_o              <= refused_o + ones(refused);
      skipped_o              <= skipped_o + ones(out_skipped);
      overflow_ingress_o     <= overflow_ingress_o | in_dropped;
      overflow_middle_o      <= overflow_middle_o | mid_dropped;
      overflow_resequencer_o <= overflow_resequencer_o | out_dropped;
    end

  `CHECK_PARAMETER(N_LOG >= 2 && N_LOG <= 6, "N_LOG", N_LOG, "2 to 6")
  `CHECK_PARAMETER(W >= 1, "W", W, ">= 1")
  `CHECK_PARAMETER(COUNT_W > N_LOG + ((SCHEME == "FOFF") ? $clog2(RESEQUENCER) + 1 : 0),
                   "COUNT_W", COUNT_W, "enough for one clock and the fullest resequencer")
  `CHECK_CHOICE(FRAMES || MAILBOX || SCHEME == "BASIC",
                "SCHEME", SCHEME, "BASIC, UFS, FOFF, PADDED, MAILBOX")
  `CHECK_CHOICE(!FRAMES || (SCHEDULE != "XOR" && SCHEDULE != "SAME"),
                "SCHEDULE", SCHEDULE, "neither XOR nor SAME with frames")
  `CHECK_PARAMETER(!MAILBOX || PIPELINE == 0, "PIPELINE", PIPELINE, "0 with MAILBOX")

endmodule

`default_nettype wire
