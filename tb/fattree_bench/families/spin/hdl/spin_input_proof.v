// Copyright the fat-tree verification environment contributors
// SPDX-License-Identifier: Apache-2.0

`timescale 1ns/1ns
`include "prove.vh"
`default_nettype none

// The input of a link of SPIN, after a reset, for all words that can come, sound or not.  Given is
// that the sender respects credits, that a path is granted only to who asks, and words are taken
// only where they are.  One of the words that come, any, is watched.  Data bits 1 .. 26 are 0.
//
//   I1  the word that comes when n wait leaves as the n + 1st from then, its data unmodified; its
//       marks, too, but with the error mark
//   I2  one whose parity is wrong leaves with the error mark
//   I3  its parity stays right when marks are changed, and is made right if it was wrong
//   I4  packets leave well framed: the begin mark is on the first word and on no other, the end
//       mark on the last and on no other
//   I5  a packet without an error mark has as many words as its header says
//   I6  a word that is added ends a packet, with the error mark and right parity
//   I7  a packet has the error mark if it leads to another place, on the first word
//   I8  it asks exactly while words wait and no packet has a path, and with a path shows a word
//       exactly while words wait
//   I9  no more credits go back than words came
module spin_input_proof (
  input wire        clk,
  input wire        mark_i,    // watch the word that comes
  input wire        valid_i,
  input wire [35:0] word_i,
  input wire        grant_i,
  input wire        astray_i,
  input wire        take_i
);

  reg         first = 1'b1;
  wire        credit, ask, valid, last, holds;
  wire [7:0]  to;
  wire [35:0] word;

  spin_input u_input (
    .clk(clk), .rst(first), .framed_i(1'b0), .valid_i(valid_i), .word_i(word_i),
    .credit_o(credit), .ask_o(ask), .to_o(to), .grant_i(grant_i), .astray_i(astray_i),
    .valid_o(valid), .word_o(word), .last_o(last), .take_i(take_i), .holds_o(holds)
  );

  reg  [2:0]  credit_q, count_q, ahead_q;  // the sender's; words that wait, before the watched one
  reg         marked_q;
  reg  [35:0] marked_word_q;
  reg         odd_q;                       // its parity was wrong
  reg  [3:0]  marks_q;                     // that it should have, but for framing
  reg         path_q, begins_q, astray_q;  // a packet has a path; its first word is due
  reg         error_q;                     // it had an error mark
  reg  [4:0]  length_q, words_q;
  reg         took_q;                      // in the clock before a word was taken
  reg         ended_q;                     // the last one of a packet
  reg  [35:0] word_q;                      // that word
  wire        added = took_q && !credit;   // it did not come out of the queue
  wire [2:0]  waits = count_q - credit;    // words that wait now
  wire        front = marked_q && ahead_q == 3'd0;
  wire        odd   = ^word_i;

  always @(posedge clk) begin
    first  <= 1'b0;
    took_q <= !first && take_i;
    word_q <= word;
    ended_q <= last;
    if (first) begin
      credit_q <= 3'd4;
      count_q  <= 3'd0;
      marked_q <= 1'b0;
      path_q   <= 1'b0;
    end else begin
      credit_q <= credit_q + credit - valid_i;
      count_q  <= waits + valid_i;
      if (!marked_q && valid_i && mark_i) begin
        marked_q      <= 1'b1;
        ahead_q       <= waits;
        marked_word_q <= word_i;
        odd_q         <= odd;
        marks_q       <= odd ? {word_i[35:34], ^{word_i[35:34], 1'b1, word_i[31:0]}, 1'b1}
                             : word_i[35:32];
      end else if (credit) begin
        marked_q <= marked_q && ahead_q != 3'd0;
        ahead_q  <= ahead_q - 3'd1;
      end
      if (grant_i) begin
        path_q   <= 1'b1;
        begins_q <= 1'b1;
        astray_q <= astray_i;
      end else if (take_i) begin
        path_q   <= !last;
        begins_q <= 1'b0;
        if (begins_q) length_q <= word[31:27];
        words_q <= begins_q ? 5'd1 : words_q + (words_q != 5'd31);
        error_q <= word[32] || (!begins_q && error_q);
      end
    end
  end

  wire [4:0] words = begins_q ? 5'd1 : words_q + (words_q != 5'd31);

  always @* begin
    `GIVEN(word_i[26:1] == 26'd0)
    `GIVEN(first || !valid_i || credit_q != 3'd0)
    `GIVEN(first || !grant_i || ask)
    `GIVEN(first || !take_i || valid)
    if (!first) begin
      `PROVE(I1, !(credit && front) || (word_q[31:0] == marked_word_q[31:0]
                 && (word_q[35:32] == marked_word_q[35:32] || word_q[32])))
      `PROVE(I2, !(credit && front && odd_q) || word_q[32])
      `PROVE(I3, !(credit && front) || ^word_q[35:32] == ^marks_q)
      `PROVE(I4, !valid || (word[35] == begins_q && word[34] == last))
      `PROVE(I5, !valid || !last || word[32] || (!begins_q && error_q)
                 || words == (begins_q ? word[31:27] : length_q))
      `PROVE(I6, !added || (ended_q && word_q[34] && word_q[32] && !(^word_q)))
      `PROVE(I7, !valid || !begins_q || !astray_q || word[32])
      `PROVE(I8, ask == (waits != 3'd0 && !path_q) && valid == (waits != 3'd0 && path_q))
      `PROVE(I9, !credit || count_q != 3'd0)
    end
  end

endmodule

`default_nettype wire
