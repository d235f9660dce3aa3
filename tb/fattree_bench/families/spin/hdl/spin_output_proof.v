// Copyright the fat-tree verification environment contributors
// SPDX-License-Identifier: Apache-2.0

`timescale 1ns/1ns
`include "prove.vh"
`default_nettype none

// The output of a link of RSPIN, after a reset, for all traffic.  Given is that it is granted to
// one source at a time, while it is free, and that each word's credit comes back once.  Words are
// two bits wide: they are only carried.
//
//   L1  it is free exactly if no packet holds it, and fewer than four words are away whose credits
//       did not come back
//   L2  a packet holds it from the grant to its last word; words are taken of no other, and of it
//       whenever there is one and fewer than four are away
//   L3  what is taken is on the link in the next clock, unmodified, and nothing else is
//   L4  all is at home exactly if no packet holds it and no word is away
module spin_output_proof #(
  parameter SOURCES = 3
) (
  input wire                 clk,
  input wire [SOURCES-1:0]   grant_i,
  input wire [SOURCES-1:0]   valid_i,
  input wire [SOURCES*2-1:0] word_i,
  input wire [SOURCES-1:0]   last_i,
  input wire                 credit_i
);

  reg                first = 1'b1;
  wire [SOURCES-1:0] take;
  wire               free, valid, home;
  wire [1:0]         word;

  spin_output #(.SOURCES(SOURCES), .WORD_W(2)) u_output (
    .clk(clk), .rst(first), .grant_i(grant_i), .valid_i(valid_i), .source_i(word_i),
    .last_i(last_i), .take_o(take), .free_o(free), .valid_o(valid), .word_o(word),
    .credit_i(credit_i), .home_o(home)
  );

  reg [SOURCES-1:0] holder_q;
  reg [2:0]         away_q;
  reg               sent_q;
  reg [1:0]         word_q, expected;
  integer           s;

  always @* begin
    expected = 2'b00;
    for (s = 0; s < SOURCES; s = s + 1)
      if (holder_q[s]) expected = word_i[s*2 +: 2];
  end

  wire [SOURCES-1:0] takes = (away_q < 3'd4) ? holder_q & valid_i : {SOURCES{1'b0}};
  wire               sends = (takes != {SOURCES{1'b0}});

  always @(posedge clk) begin
    first    <= 1'b0;
    word_q   <= expected;
    sent_q   <= !first && sends;
    holder_q <= first ? {SOURCES{1'b0}}
              : (holder_q == {SOURCES{1'b0}}) ? grant_i
              : ((takes & last_i) != {SOURCES{1'b0}}) ? {SOURCES{1'b0}} : holder_q;
    away_q   <= first ? 3'd0 : away_q + sends - credit_i;
  end

  always @* begin
    `GIVEN(first || free || grant_i == {SOURCES{1'b0}})
    `GIVEN((grant_i & (grant_i - 1'b1)) == {SOURCES{1'b0}})
    `GIVEN(first || !credit_i || away_q != 3'd0)
    if (!first) begin
      `PROVE(L1, free == (holder_q == {SOURCES{1'b0}} && away_q < 3'd4))
      `PROVE(L2, take == takes)
      `PROVE(L3, valid == sent_q && (!sent_q || word == word_q))
      `PROVE(L4, home == (holder_q == {SOURCES{1'b0}} && away_q == 3'd0))
    end
  end

endmodule

`default_nettype wire
