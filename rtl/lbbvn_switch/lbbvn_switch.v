// Copyright the fat-tree verification environment contributors
// SPDX-License-Identifier: Apache-2.0

`timescale 1ns/1ns
`include "checks.vh"
`include "card_word.vh"
`default_nettype none

// The whole load-balanced Birkhoff-von Neumann switch (Chueh et al., HPSR 2013, Section I), folded:
// N line cards round one fabric that is used twice a slot.  FOLDED = 0: as in their Fig. 1 there
// are two, each used once a slot: one balances the load, the other switches.
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
// A cell that finds a queue full is dropped; its stage counts it, and its card's flag stays up.
//
//      input --- phase 1 ---> middle --- phase 2 ---> output      x, m, y are the same N line cards
//        ^                                  |
//        +---- gate, answer: same word -----+
//
// PADDED: a VOQ is padded only while its output's gate is open: middle m tells the outputs it is
// connected to whether GATE cells wait for output m, and as output y is input y, input y hears of
// all outputs in N slots.
// MAILBOX: in one slot input x is connected to middle m and middle m to output x, so that the
// answer is back before the next slot: this needs a fabric without registers (PIPELINE = 0).
//
// Timing: cells are taken in at the end of a slot's second clock.  What leaves in slot t stands at
// the outputs in both clocks of slot t + LATENCY + 4 (MAILBOX: t + 3), LATENCY being the clocks of
// the fabric.  rst is synchronous; it empties all queues and clears counters and flags.
//
// Counters are COUNT_W bits and wrap around.  Slices: line card x owns the x-th slice.
module lbbvn_switch #(
  parameter N_LOG  = 4,           // n, 2 .. 6
  parameter W      = 32,          // payload bits, >= 1
  parameter [8*7-1:0] SCHEME   = "BASIC",   // "BASIC", "UFS", "FOFF", "PADDED", "MAILBOX"
  parameter [8*7-1:0] SCHEDULE = "BITREV",  // "BITREV", "ROTATOR", "TDM", "XOR", "SAME"
  parameter INGRESS     = 64,     // cells of an input's FIFO or VOQ, a power of two
  parameter MIDDLE      = 64,     // cells of a middle's FIFO or places of a mailbox, a power of two
  parameter RESEQUENCER = 32,     // FOFF: cells of a FIFO of the resequencer, a power of two
  parameter THRESHOLD   = 8,      // PADDED: cells that are worth a frame, 1 .. N
  parameter GATE        = 4,      // PADDED: cells in a middle that close the gate, 1 .. MIDDLE
  parameter TRIES       = 4,      // MAILBOX: places that are looked at, 1 .. MIDDLE
  parameter FOLDED      = 1,      // 1: one fabric, used twice a slot; 0: two
  parameter [8*8-1:0]   FABRIC     = "TREE",         // "TREE", "CROSSBAR"
  parameter [8*9-1:0]   CONTROL    = "SELF",  // "SELF", "SCHEDULED"
  parameter [8*8-1:0]   UPPER_HALF = "SWITCHED",  // "SWITCHED", "STATIC": wires
  parameter PIPELINE    = 1,  // 0, 1: registers a level
  parameter [8*11-1:0]  CAPACITY   = "LOWER_BOUND",  // "LOWER_BOUND", "NONBLOCKING", "GIVEN"
  parameter [32*11-1:0] LANES      = 0,  // GIVEN: of a level-j channel at [32*j +: 32]
  parameter [8*8-1:0]   FORM       = "HARDWARE",     // "HARDWARE", "FAST": of the tree's blocks
  parameter COUNT_W     = 32,     // bits of a counter, > N_LOG; FOFF: N * RESEQUENCER needs 2 less
  parameter FROM_END    = 0,      // 0; 1: counters start at their end, see event_counter
  parameter ROW_W       = 1,      // SCHEDULED: bits of the widest row of settings
  parameter N           = 1 << N_LOG  // derived
) (
  input  wire               clk,  // rising edge
  input  wire               rst,  // synchronous: queues are emptied, counters and flags cleared
  // cells; an input holds its cell for both clocks of a slot
  input  wire [N-1:0]       valid_i,  // a cell is offered
  input  wire [N*N_LOG-1:0] dst_i,    // the output it must leave at
  input  wire [N*W-1:0]     data_i,   // payload of that cell, any word
  output wire [N-1:0]       valid_o,  // a cell leaves
  output wire [N*W-1:0]     data_o,   // 0 if none
  // settings of the fabric (SCHEDULED), see lbbvn_tree.v
  input  wire               row_write_i,  // a row of settings is written
  input  wire [3:0]         row_level_i,  // of this level; N_LOG: loop-backs of the leaves
  input  wire [N_LOG:0]     row_slot_i,   // for this slot of the fabric
  input  wire [ROW_W-1:0]   row_i,
  // counters since reset
  output wire [COUNT_W-1:0] dropped_ingress_o,      // cells dropped at inputs,
  output wire [COUNT_W-1:0] dropped_middle_o,       // in the middles' queues,
  output wire [COUNT_W-1:0] dropped_resequencer_o,  // in the FIFOs of resequencers
  output wire [COUNT_W-1:0] padded_o,               // PADDED: fakes sent to fill frames
  output wire [COUNT_W-1:0] refused_o,              // MAILBOX: offers that found no place
  output wire [COUNT_W-1:0] skipped_o,              // gaps skipped, which only a loss leaves
  output wire [COUNT_W-1:0] most_resequenced_o,     // most cells at once in a resequencer
  output wire [COUNT_W-1:0] conflicts_o,            // words that the fabric lost
  // line cards that have dropped a cell since reset, by stage
  output wire [N-1:0]       overflow_ingress_o,     // card x lost a cell to a full ingress
  output wire [N-1:0]       overflow_middle_o,      // to a full middle queue
  output wire [N-1:0]       overflow_resequencer_o  // to a full resequencer
);

  localparam MAILBOX = (SCHEME == "MAILBOX");
  localparam WORD_W  = `CARD_WORD_W;
  localparam TOTAL_W = N_LOG + $clog2(RESEQUENCER) + 1;
  localparam HALF    = N_LOG / 2;
  localparam LATENCY = (PIPELINE == 0) ? 0
                     : (FABRIC != "TREE") ? 1
                     : (UPPER_HALF == "STATIC" && HALF > 0) ? 2 * (N_LOG - HALF) : 2 * N_LOG - 1;

  // ---- time -------------------------------------------------------------------------------------

  localparam [31:0] TO_FABRIC = MAILBOX ? 2 : 3 + LATENCY / 2;  // slots from an input to phase 2

  reg              second_q;  // the slot's second clock
  reg  [N_LOG-1:0] slot_q;    // the slot of the cells that are offered now, modulo N
  wire [N_LOG-1:0] input_slot  = slot_q - 1'b1;
  wire [N_LOG-1:0] phase2_slot = slot_q - TO_FABRIC[N_LOG-1:0];

  always @(posedge clk)
    if (rst) begin
      second_q <= 1'b0;
      slot_q   <= {N_LOG{1'b0}};
    end else begin
      second_q <= ~second_q;
      if (second_q) slot_q <= slot_q + 1'b1;
    end

  // ---- fabrics: phase 1 in second clocks, phase 2 in first clocks -------------------------------

  wire [N*WORD_W-1:0] said, heard;

  lbbvn_fabrics #(
    .FOLDED(FOLDED), .LATENCY(LATENCY), .N_LOG(N_LOG), .W(WORD_W), .FABRIC(FABRIC),
    .SCHEDULE(SCHEDULE), .CONTROL(CONTROL), .UPPER_HALF(UPPER_HALF), .PIPELINE(PIPELINE),
    .CAPACITY(CAPACITY), .LANES(LANES), .FORM(FORM), .COUNT_W(COUNT_W), .ROW_W(ROW_W)
  ) u_fabrics (
    .clk(clk), .rst(rst), .second_i(second_q), .input_slot_i(input_slot),
    .phase2_slot_i(phase2_slot), .word_i(said), .word_o(heard), .conflicts_o(conflicts_o),
    .row_write_i(row_write_i), .row_level_i(row_level_i), .row_slot_i(row_slot_i), .row_i(row_i)
  );

  // ---- line cards -------------------------------------------------------------------------------

  wire [N-1:0]         dropped_ingress, dropped_middle, dropped_resequencer;
  wire [N-1:0]         padded, refused, skipped;

  genvar x;
  generate
    for (x = 0; x < N; x = x + 1) begin : gen_card
      localparam [31:0] CARD = x;
      wire [TOTAL_W-1:0] own, most;  // cells in its resequencer, and of the line cards so far

      lbbvn_card #(
        .N_LOG(N_LOG), .W(W), .SCHEME(SCHEME), .SCHEDULE(SCHEDULE), .INGRESS(INGRESS),
        .MIDDLE(MIDDLE), .RESEQUENCER(RESEQUENCER), .THRESHOLD(THRESHOLD), .GATE(GATE),
        .TRIES(TRIES), .LATENCY(LATENCY)
      ) u_card (
        .clk(clk), .rst(rst), .card_i(CARD[N_LOG-1:0]), .second_i(second_q), .slot_i(slot_q),
        .valid_i(valid_i[x]), .dst_i(dst_i[x*N_LOG +: N_LOG]), .data_i(data_i[x*W +: W]),
        .valid_o(valid_o[x]), .data_o(data_o[x*W +: W]), .word_o(said[x*WORD_W +: WORD_W]),
        .word_i(heard[x*WORD_W +: WORD_W]), .dropped_ingress_o(dropped_ingress[x]),
        .dropped_middle_o(dropped_middle[x]), .dropped_resequencer_o(dropped_resequencer[x]),
        .padded_o(padded[x]), .refused_o(refused[x]), .skipped_o(skipped[x]),
        .most_resequenced_o(own)
      );
      if (x == 0) begin : gen_first
        assign most = own;
      end else begin : gen_next
        assign most = (own > gen_card[x-1].most) ? own : gen_card[x-1].most;
      end
    end
  endgenerate

  // ---- counters and flags -----------------------------------------------------------------------

  event_counter #(.TERMS(N), .COUNT_W(COUNT_W), .FROM_END(FROM_END)) u_dropped_ingress (
    .clk(clk), .rst(rst), .terms_i(dropped_ingress), .count_o(dropped_ingress_o)
  );
  event_counter #(.TERMS(N), .COUNT_W(COUNT_W), .FROM_END(FROM_END)) u_dropped_middle (
    .clk(clk), .rst(rst), .terms_i(dropped_middle), .count_o(dropped_middle_o)
  );
  event_counter #(.TERMS(N), .COUNT_W(COUNT_W), .FROM_END(FROM_END)) u_dropped_resequencer (
    .clk(clk), .rst(rst), .terms_i(dropped_resequencer), .count_o(dropped_resequencer_o)
  );
  event_counter #(.TERMS(N), .COUNT_W(COUNT_W), .FROM_END(FROM_END)) u_padded (
    .clk(clk), .rst(rst), .terms_i(padded), .count_o(padded_o)
  );
  event_counter #(.TERMS(N), .COUNT_W(COUNT_W), .FROM_END(FROM_END)) u_refused (
    .clk(clk), .rst(rst), .terms_i(refused), .count_o(refused_o)
  );
  event_counter #(.TERMS(N), .COUNT_W(COUNT_W), .FROM_END(FROM_END)) u_skipped (
    .clk(clk), .rst(rst), .terms_i(skipped), .count_o(skipped_o)
  );

  reg [3*N-1:0] overflow_q;  // ingress lowest
  always @(posedge clk)
    overflow_q <= rst ? {(3*N){1'b0}}
                : overflow_q | {dropped_resequencer, dropped_middle, dropped_ingress};
  assign {overflow_resequencer_o, overflow_middle_o, overflow_ingress_o} = overflow_q;

  generate
    if (SCHEME == "FOFF") begin : gen_most
      assign most_resequenced_o = {{(COUNT_W-TOTAL_W){1'b0}}, gen_card[N-1].most};
    end else begin : gen_no_most
      assign most_resequenced_o = {COUNT_W{1'b0}};
      wire unused_most = &{1'b0, gen_card[N-1].most};
    end
  endgenerate

  `CHECK_PARAMETER(N_LOG >= 2 && N_LOG <= 6, "N_LOG", N_LOG, "2 to 6")
  `CHECK_PARAMETER(COUNT_W > N_LOG + ((SCHEME == "FOFF") ? $clog2(RESEQUENCER) + 1 : 0),
                   "COUNT_W", COUNT_W, "enough for one clock and the fullest resequencer")
  `CHECK_PARAMETER(!MAILBOX || PIPELINE == 0, "PIPELINE", PIPELINE, "0 with MAILBOX")

endmodule

`default_nettype wire
