// Copyright the fat-tree verification environment contributors
// SPDX-License-Identifier: Apache-2.0

`timescale 1ns/1ns
`include "checks.vh"
`include "card_word.vh"
`default_nettype none

// One line card of a load-balanced Birkhoff-von Neumann switch: an input, a middle and an output,
// with all their queues.
//
// Contract: word_o is what the line card says over the fabric, in a slot's first clock as a middle
// (phase 2), in its second as an input (phase 1).  word_i is what it hears, LATENCY clocks after it
// was said, by whom SCHEDULE connects it to.  See lbbvn_switch.v for the schemes.
//
//   valid_i --> ingress --+              +--> egress --> valid_o
//                         |    fabric    |
//      word_i --> middle -+-> word_o     +--- word_i
//
// Timing: a cell is taken in at the end of a slot's second clock (second_i); what leaves
// stands at the outputs in both clocks of a slot.
module lbbvn_card #(
  parameter N_LOG  = 4,           // n: there are 2^n line cards
  parameter W      = 32,          // payload bits, >= 1
  parameter [8*7-1:0] SCHEME   = "BASIC",   // "BASIC", "UFS", "FOFF", "PADDED", "MAILBOX"
  parameter [8*7-1:0] SCHEDULE = "BITREV",  // "BITREV", "ROTATOR", "TDM", "XOR", "SAME"
  parameter INGRESS     = 64,     // cells of an input's FIFO or VOQ, a power of two
  parameter MIDDLE      = 64,     // cells of a middle's FIFO or places of a mailbox, a power of two
  parameter RESEQUENCER = 32,     // FOFF: cells of a FIFO of the resequencer, a power of two
  parameter THRESHOLD   = 8,      // PADDED: cells that are worth a frame, 1 .. N
  parameter GATE        = 4,      // PADDED: cells in a middle that close the gate, 1 .. MIDDLE
  parameter TRIES       = 4,      // MAILBOX: places that are looked at, 1 .. MIDDLE
  parameter LATENCY     = 1,      // clocks through the fabric; MAILBOX: 0
  parameter WORD_W      = `CARD_WORD_W,                     // derived
  parameter TOTAL_W     = N_LOG + $clog2(RESEQUENCER) + 1   // derived
) (
  input  wire               clk,       // rising edge
  input  wire               rst,       // synchronous; empties all queues
  input  wire [N_LOG-1:0]   card_i,    // number of the line card; it stays
  input  wire               second_i,  // the slot's second clock
  input  wire [N_LOG-1:0]   slot_i,    // slot of the cell that is offered, modulo N
  // cells
  input  wire               valid_i,  // a cell is offered, in both clocks of a slot
  input  wire [N_LOG-1:0]   dst_i,    // the line card it must leave at
  input  wire [W-1:0]       data_i,   // payload of that cell, any word
  output wire               valid_o,  // a cell leaves
  output wire [W-1:0]       data_o,   // 0 if none
  // fabric
  output wire [WORD_W-1:0]  word_o,  // to the fabric
  input  wire [WORD_W-1:0]  word_i,
  // events
  output wire               dropped_ingress_o,      // a cell found its queue full: at the input,
  output wire               dropped_middle_o,       // in the middle,
  output wire               dropped_resequencer_o,  // in the resequencer
  output wire               padded_o,               // a fake is sent
  output wire               refused_o,              // an offer was refused
  output wire               skipped_o,              // a gap was skipped in the resequencer
  output wire [TOTAL_W-1:0] most_resequenced_o      // since reset: most cells in the resequencer
);

  localparam FRAMES  = (SCHEME == "UFS" || SCHEME == "FOFF" || SCHEME == "PADDED");
  localparam MAILBOX = (SCHEME == "MAILBOX");
  localparam WAIT_W  = `CARD_WAIT_W;
  localparam KEPT_W  = W + N_LOG + 1;  // bits of a cell in a middle: fake, source, payload

  // ---- time: who is where, modulo N -------------------------------------------------------------

  localparam [31:0] TO_MIDDLE = MAILBOX ? 1 : 2 + LATENCY / 2;  // slots behind the inputs
  localparam [31:0] TO_OUTPUT = MAILBOX ? 2 : 3 + LATENCY;

  wire             first       = ~second_i;
  wire [N_LOG-1:0] input_slot  = slot_i - 1'b1;
  wire [N_LOG-1:0] middle_slot = slot_i - TO_MIDDLE[N_LOG-1:0];
  wire [N_LOG-1:0] output_slot = slot_i - TO_OUTPUT[N_LOG-1:0];

  // ---- words ------------------------------------------------------------------------------------

  wire              in_cell, in_fake;                  // from the input
  wire [N_LOG-1:0]  in_dst;
  wire [W-1:0]      in_data;
  wire [WAIT_W-1:0] in_wait;
  wire              mid_cell, mid_fake, mid_told;      // at the middle
  wire [N_LOG-1:0]  mid_dst, mid_src;
  wire [W-1:0]      mid_data;
  wire [WAIT_W-1:0] mid_wait;
  wire              give_cell, give_fake, give_told;   // from the middle
  wire [N_LOG-1:0]  give_src;
  wire [W-1:0]      give_data;
  wire [WAIT_W-1:0] give_after;
  wire              out_any, out_fake, out_told;       // at the output
  wire [N_LOG-1:0]  out_dst, out_src;
  wire [W-1:0]      out_payload;
  wire [WAIT_W-1:0] out_after;

  assign word_o = second_i
    ? {1'b0, in_wait, in_cell, in_fake, in_dst, card_i, in_data}
    : {give_told, give_after, give_cell, give_fake, {N_LOG{1'b0}}, give_src, give_data};

  // The queues take words in in first clocks: what comes in a second clock waits.  An offer does
  // not.
  wire [WORD_W-1:0] earlier, at_middle, at_output;
  delay_line #(.DEPTH(1), .WIDTH(WORD_W)) u_earlier (
    .clk(clk), .rst(rst), .data_i(word_i), .data_o(earlier)
  );
  assign at_middle = (LATENCY % 2 != 0 || MAILBOX) ? word_i : earlier;
  assign at_output = (LATENCY % 2 != 0) ? earlier : word_i;
  assign {mid_told, mid_wait, mid_cell, mid_fake, mid_dst, mid_src, mid_data} = at_middle;
  assign {out_told, out_after, out_any, out_fake, out_dst, out_src, out_payload} = at_output;

  wire         out_cell = out_any & ~out_fake;
  wire [W-1:0] out_data = out_payload & {W{out_cell}};
  wire         unused   = &{1'b0, mid_told, mid_wait, out_told, out_dst, out_src, out_after,
                            output_slot};

  // ---- input ------------------------------------------------------------------------------------

  generate
    if (FRAMES) begin : gen_frames
      lbbvn_frame_ingress #(
        .N_LOG(N_LOG), .W(W), .SCHEME(SCHEME[8*6-1:0]), .SCHEDULE(SCHEDULE), .DEPTH(INGRESS),
        .THRESHOLD(THRESHOLD)
      ) u_ingress (
        .clk(clk), .rst(rst), .card_i(card_i), .arrive_i(second_i), .send_i(first),
        .slot_i(input_slot), .valid_i(valid_i), .dst_i(dst_i), .data_i(data_i), .closed_i(out_told),
        .closed_slot_i(output_slot), .cell_o(in_cell), .fake_o(in_fake), .dst_o(in_dst),
        .data_o(in_data), .dropped_o(dropped_ingress_o)
      );
      assign in_wait = {WAIT_W{1'b0}};
    end else if (MAILBOX) begin : gen_mailbox_ingress
      lbbvn_mailbox_ingress #(.N_LOG(N_LOG), .W(W), .DEPTH(INGRESS), .WAIT_W(WAIT_W)) u_ingress (
        .clk(clk), .rst(rst), .arrive_i(second_i), .send_i(first), .slot_i(input_slot),
        .valid_i(valid_i), .dst_i(dst_i), .data_i(data_i), .accepted_i(out_told),
        .after_i(out_after), .cell_o(in_cell), .dst_o(in_dst), .data_o(in_data), .wait_o(in_wait),
        .dropped_o(dropped_ingress_o)
      );
      assign in_fake = 1'b0;
    end else begin : gen_plain_ingress
      // Taken in at the end of the second clock, sent a slot later, in the second clock again.
      lbbvn_plain_ingress #(.N_LOG(N_LOG), .W(W)) u_ingress (
        .clk(clk), .rst(rst), .arrive_i(second_i), .valid_i(valid_i), .dst_i(dst_i),
        .data_i(data_i), .cell_o(in_cell), .dst_o(in_dst), .data_o(in_data)
      );
      assign in_fake           = 1'b0;
      assign in_wait           = {WAIT_W{1'b0}};
      assign dropped_ingress_o = 1'b0;
      wire unused_slot = &{1'b0, input_slot};
    end
  endgenerate
  assign padded_o = in_fake;

  // ---- middle -----------------------------------------------------------------------------------

  generate
    if (MAILBOX) begin : gen_mailboxes
      lbbvn_mailbox #(
        .N_LOG(N_LOG), .W(KEPT_W), .SCHEDULE(SCHEDULE), .DEPTH(MIDDLE), .TRIES(TRIES)
      ) u_middle (
        .clk(clk), .rst(rst), .card_i(card_i), .take_i(second_i), .slot_i(middle_slot),
        .cell_i(mid_cell), .dst_i(mid_dst), .data_i({mid_fake, mid_src, mid_data}),
        .wait_i(mid_wait), .cell_o(give_cell), .data_o({give_fake, give_src, give_data}),
        .accepted_o(give_told), .after_o(give_after), .refused_o(refused_o)
      );
      assign dropped_middle_o = 1'b0;
    end else begin : gen_fifos
      lbbvn_middle #(
        .N_LOG(N_LOG), .W(KEPT_W), .SCHEDULE(SCHEDULE), .DEPTH(MIDDLE), .GATE(GATE)
      ) u_middle (
        .clk(clk), .rst(rst), .card_i(card_i), .take_i(first), .give_i(second_i),
        .slot_i(middle_slot),
        .cell_i(mid_cell), .dst_i(mid_dst), .data_i({mid_fake, mid_src, mid_data}),
        .cell_o(give_cell), .data_o({give_fake, give_src, give_data}), .closed_o(give_told),
        .dropped_o(dropped_middle_o)
      );
      assign give_after = {WAIT_W{1'b0}};
      assign refused_o  = 1'b0;
    end
  endgenerate

  // ---- output -----------------------------------------------------------------------------------

  generate
    if (SCHEME == "FOFF") begin : gen_resequencer
      lbbvn_resequencer #(.N_LOG(N_LOG), .W(W), .SCHEDULE(SCHEDULE), .DEPTH(RESEQUENCER)) u_egress (
        .clk(clk), .rst(rst), .card_i(card_i), .take_i(first), .give_i(second_i),
        .slot_i(output_slot), .cell_i(out_cell), .src_i(out_src), .data_i(out_data),
        .valid_o(valid_o), .data_o(data_o), .dropped_o(dropped_resequencer_o),
        .skipped_o(skipped_o), .most_o(most_resequenced_o)
      );
    end else begin : gen_plain_egress
      lbbvn_plain_egress #(.W(W)) u_egress (
        .clk(clk), .rst(rst), .take_i(first), .give_i(second_i), .cell_i(out_cell),
        .data_i(out_data), .valid_o(valid_o), .data_o(data_o)
      );
      assign dropped_resequencer_o = 1'b0;
      assign skipped_o             = 1'b0;
      assign most_resequenced_o    = {TOTAL_W{1'b0}};
    end
  endgenerate

  `CHECK_PARAMETER(W >= 1, "W", W, ">= 1")
  `CHECK_CHOICE(FRAMES || MAILBOX || SCHEME == "BASIC",
                "SCHEME", SCHEME, "BASIC, UFS, FOFF, PADDED, MAILBOX")
  `CHECK_CHOICE(!FRAMES || (SCHEDULE != "XOR" && SCHEDULE != "SAME"),
                "SCHEDULE", SCHEDULE, "neither XOR nor SAME with frames")
  `CHECK_PARAMETER(!MAILBOX || LATENCY == 0, "LATENCY", LATENCY, "0 with MAILBOX")

endmodule

`default_nettype wire
