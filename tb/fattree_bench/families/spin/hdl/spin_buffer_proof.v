// Copyright the fat-tree verification environment contributors
// SPDX-License-Identifier: Apache-2.0

`timescale 1ns/1ns
`include "prove.vh"
`default_nettype none

// A shared output buffer of RSPIN, after a reset, for all traffic.  Given is that it gets a packet
// only while it is empty, and an output only while it asks.
//
// Words are three bits wide; one of them, any, is watched.
//
//   B1  the word that enters when n others are inside is the n + 1st from then that leaves,
//       unmodified: none is lost, doubled or out of order
//   B2  words enter of the packet that it was given, up to its last, whenever there is one and
//       fewer than WORDS are inside
//   B3  it is empty exactly from the last word of a packet to the next packet
//   B4  it asks for the child of its packet from its grant on until it gets the output
//   B5  with the output there is a word exactly if one is inside, without it none; the last is told
module spin_buffer_proof #(
  parameter SOURCES  = 2,
  parameter CHILDREN = 2,
  parameter WORDS    = 3
) (
  input wire                 clk,
  input wire                 mark_i,   // watch the word that enters
  input wire [SOURCES-1:0]   grant_i,
  input wire [CHILDREN-1:0]  child_i,
  input wire [SOURCES-1:0]   valid_i,
  input wire [SOURCES*3-1:0] word_i,   // free, end mark, free
  input wire                 path_i,
  input wire                 take_i
);

  localparam COUNT_W = $clog2(WORDS + 1);

  reg                 first = 1'b1;
  wire [SOURCES-1:0]  take;
  wire [CHILDREN-1:0] ask;
  wire                empty, valid, last;
  wire [2:0]          word;
  reg  [SOURCES-1:0]  lasts;
  reg  [2:0]          coming;
  reg  [SOURCES-1:0]  owner_q;    // whose packet enters
  integer             s;

  always @* begin
    coming = 3'd0;
    for (s = 0; s < SOURCES; s = s + 1) begin
      lasts[s] = word_i[s*3 + 1];
      if (owner_q[s]) coming = word_i[s*3 +: 3];
    end
  end

  spin_buffer #(.SOURCES(SOURCES), .CHILDREN(CHILDREN), .WORDS(WORDS), .WORD_W(3)) u_buffer (
    .clk(clk), .rst(first), .grant_i(grant_i), .child_i(child_i), .valid_i(valid_i),
    .word_i(word_i), .last_i(lasts), .take_o(take), .empty_o(empty), .ask_o(ask),
    .path_i(path_i), .valid_o(valid), .word_o(word), .last_o(last), .take_i(take_i)
  );

  reg                 full_q;    // a packet has it
  reg                 path_q;    // that has its output
  reg  [CHILDREN-1:0] child_q;
  reg  [COUNT_W-1:0]  inside_q, ahead_q;
  reg                 marked_q;
  reg  [2:0]          marked_word_q;
  wire [SOURCES-1:0]  takes  = (inside_q < WORDS) ? owner_q & valid_i : {SOURCES{1'b0}};
  wire                enters = (takes != {SOURCES{1'b0}});
  wire                leaves = valid && take_i;

  always @(posedge clk) begin
    first <= 1'b0;
    if (first) begin
      owner_q  <= {SOURCES{1'b0}};
      full_q   <= 1'b0;
      path_q   <= 1'b0;
      inside_q <= {COUNT_W{1'b0}};
      marked_q <= 1'b0;
    end else begin
      if (grant_i != {SOURCES{1'b0}}) begin
        owner_q <= grant_i;
        child_q <= child_i;
        full_q  <= 1'b1;
      end else if (enters && coming[1]) owner_q <= {SOURCES{1'b0}};
      if (path_i) path_q <= 1'b1;
      if (leaves && word[1]) begin
        full_q <= 1'b0;
        path_q <= 1'b0;
      end
      inside_q <= inside_q + enters - leaves;
      if (!marked_q && enters && mark_i) begin
        marked_q      <= 1'b1;
        ahead_q       <= inside_q - leaves;
        marked_word_q <= coming;
      end else if (leaves) begin
        marked_q <= marked_q && ahead_q != {COUNT_W{1'b0}};
        ahead_q  <= ahead_q - 1'b1;
      end
    end
  end

  always @* begin
    `GIVEN((grant_i & (grant_i - 1'b1)) == {SOURCES{1'b0}})
    `GIVEN(first || empty || grant_i == {SOURCES{1'b0}})
    `GIVEN(child_i != {CHILDREN{1'b0}} && (child_i & (child_i - 1'b1)) == {CHILDREN{1'b0}})
    `GIVEN(first || !path_i || ask != {CHILDREN{1'b0}})
    if (!first) begin
      `PROVE(B1, !(leaves && marked_q && ahead_q == {COUNT_W{1'b0}}) || word == marked_word_q)
      `PROVE(B2, take == takes)
      `PROVE(B3, empty == !full_q)
      `PROVE(B4, ask == ((full_q && !path_q) ? child_q : {CHILDREN{1'b0}}))
      `PROVE(B5, valid == (path_q && inside_q != {COUNT_W{1'b0}}) && (!valid || last == word[1]))
    end
  end

endmodule

`default_nettype wire
