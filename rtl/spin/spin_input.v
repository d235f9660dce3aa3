// Copyright the fat-tree verification environment contributors
// SPDX-License-Identifier: Apache-2.0

`timescale 1ns/1ns
`include "checks.vh"
`default_nettype none

// Input of a link of SPIN: a queue of four words, parity checked before it, framing repaired
// behind.
//
// Word, from bit 0: data (32), error mark, parity mark, end mark, begin mark.  Parity makes the
// number of ones even.  A packet begins with a header, whose data are, from bit 0: destination (8),
// words of the packet at bit 27 (5).
//
// Contract: a word whose parity is wrong gets the error mark.  Whatever comes, packets leave well
//   framed; a word is changed only together with the error mark:
//   * a packet ends with its end mark, or with as many words as its header says, or, if the next
//     begins before that, with a word that is added; if these disagree the last word has the mark;
//   * a word that should begin a packet, and does not, begins one; one that begins a packet where
//     the one before was not over has the mark.
//   astray_i marks the header as well.
//   With framed_i two rules hold what comes to this contract: no bit changes between routers.
// Timing: a word on the link in one clock is at the front in the next; a credit goes back in the
//   clock after a word left.  A packet is granted in a clock without a word.
module spin_input #(
  parameter WORD_W = 36  // derived
) (
  input  wire              clk,       // rising edge
  input  wire              rst,       // synchronous: what is inside is gone
  input  wire              framed_i,  // the sender is a router: what comes is as that promises
  input  wire              valid_i,   // a word comes
  input  wire [WORD_W-1:0] word_i,    // that word, as it stands on the link
  output reg               credit_o,  // room for one word more
  output wire              ask_o,     // the front begins a packet that has no path
  output wire [7:0]        to_o,      // terminal in the packet's header
  input  wire              grant_i,   // it has one, with ask_o
  input  wire              astray_i,  // with the grant: not to its destination
  output wire              valid_o,   // a word of the packet with a path
  output wire [WORD_W-1:0] word_o,    // that word, marks put right
  output wire              last_o,    // it is the last
  input  wire              take_i,    // it leaves, with valid_o
  output wire              holds_o    // for debuggers: there are words
);

  localparam BEGIN = 35, END = 34, PARITY = 33, ERROR = 32, LENGTH = 27;

  wire              odd = ^word_i;
  wire [WORD_W-1:0] came = {word_i[BEGIN:END], word_i[PARITY] ^ (odd & word_i[ERROR]),
                            word_i[ERROR] | odd, word_i[31:0]};
  wire [WORD_W-1:0] front;
  wire              present;

  // ---- packets ----------------------------------------------------------------------------------

  reg       path_q;    // the packet has a path
  reg       first_q;   // with path_q: its header has not left
  reg       astray_q;  // with first_q: and is to be marked
  reg       headed_q;  // it began with the begin mark
  reg       early_q;   // and the one before was not over
  reg [4:0] left_q;    // words that are to come; 0: as many as will

  wire       cut     = present & path_q & ~first_q & front[BEGIN];
  wire [4:0] left    = !first_q ? left_q : front[BEGIN] ? front[LENGTH +: 5] : 5'd0;
  wire       ends    = front[END] | (left == 5'd1);
  wire       wrong   = first_q ? astray_q | early_q | ~front[BEGIN] : 1'b0;
  wire       differ  = ends & ~(front[END] & (left == 5'd1));
  wire [3:0] marks   = {front[BEGIN] | first_q, ends, 1'b0, front[ERROR] | wrong | differ};
  wire       changed = ^{marks, front[WORD_W-1:32]};  // then also parity

  assign ask_o   = present & ~path_q;
  assign to_o    = front[7:0];
  assign valid_o = present & path_q;
  assign word_o  = cut ? {4'b0101, 32'd0} : {marks[3:2], changed, marks[0], front[31:0]};
  assign last_o  = cut | ends;
  assign holds_o = present;

  wire unused = &{1'b0, framed_i};

  wire leaves = take_i & ~cut;

  xgft_queue #(.DEPTH(4), .FLIT_W(WORD_W)) u_queue (
    .clk(clk), .rst(rst), .valid_i(valid_i), .flit_i(came), .take_i(leaves), .present_o(present),
    .front_o(front),
    /* verilator lint_off PINCONNECTEMPTY */
    .full_o(), .more_o(), .next_o()
    /* verilator lint_on PINCONNECTEMPTY */
  );

  always @(posedge clk)
    if (rst) begin
      credit_o <= 1'b0;
      path_q   <= 1'b0;
      early_q  <= 1'b0;
    end else begin
      credit_o <= leaves;
      if (grant_i) begin
        path_q   <= 1'b1;
        first_q  <= 1'b1;
        astray_q <= astray_i;
      end else if (take_i) begin
        path_q   <= ~last_o;
        first_q  <= 1'b0;
        left_q   <= left - {4'd0, left != 5'd0};
        early_q  <= cut & headed_q;
        if (first_q) headed_q <= front[BEGIN];
      end
    end

  `CHECK_SHARED(clk, rst, !(framed_i && valid_i && ^word_i), "a router sent a word of wrong parity")
  `CHECK_SHARED(clk, rst, !(framed_i && cut), "a router began a packet inside another")

endmodule

`default_nettype wire
