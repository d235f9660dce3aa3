// Copyright the fat-tree verification environment contributors
// SPDX-License-Identifier: Apache-2.0

`timescale 1ns/1ns
`include "checks.vh"
`default_nettype none

// One plane of SPIN (Guerrier and Greiner 2000; Adriahantenaina et al. 2003): a fat-tree of RSPIN
// routers with TERMINALS leaves.  16: a 4-ary 2-tree; 64: a 4-ary 3-tree; 32 (ours): two levels, in
// which the four routers of the top have eight children.
// Nodes, children and parents have the numbers of xgft_network.
//
// Contract: words, packets and credits as in spin_router, also at the links of the terminals: a
//   terminal sends at most 4 words more than credits came back, and takes 4 words.  None sends to
//   itself.
// Timing: from a word on the link of a terminal to its being on the link of another: 3 clocks a
//   router, if the way is free.
//
// Vectors by terminal: terminal p owns slice p.  Vectors by place: router by router, lower levels
// first; of a router its ports, children first, then parents, then its two shared buffers if
// SHARED is 1.  Vectors by port leave out the buffers.
module spin_network #(
  parameter TERMINALS = 16,                     // 16, 32, 64
  parameter SHARED    = 1,                      // 0, 1: routers have shared output buffers
  // derived
  parameter WORD_W    = 36,                     // bits of a word
  parameter H         = (TERMINALS == 64) ? 3 : 2,                      // levels of routers
  // children of a router of level i at [32*(i-1) +: 32]
  parameter [32*3-1:0] M = {32'd4, (TERMINALS == 32) ? 32'd8 : 32'd4, 32'd4},
  parameter [32*3-1:0] W = {32'd4, 32'd4, 32'd1},  // parents of a node of level i - 1 there
  parameter TO_W      = $clog2(TERMINALS),      // bits of a terminal's number
  // routers
  parameter ROUTERS   = (TERMINALS == 64) ? 48 : (TERMINALS == 32) ? 12 : 8,
  parameter PORTS     = (TERMINALS == 64) ? 320 : (TERMINALS == 32) ? 96 : 48,  // of all routers
  parameter PLACES    = PORTS + 2 * SHARED * ROUTERS  // inputs and shared buffers of all
) (
  input  wire                        clk,           // rising edge
  input  wire                        rst,           // synchronous: what is inside is gone
  input  wire [TERMINALS-1:0]        valid_i,       // by terminal: it sends a word
  input  wire [TERMINALS*WORD_W-1:0] word_i,        // by terminal: that word
  output wire [TERMINALS-1:0]        credit_o,      // by terminal: room for one word more
  output wire [TERMINALS-1:0]        valid_o,       // by terminal: a word comes to it
  output wire [TERMINALS*WORD_W-1:0] word_o,        // by terminal: that word
  input  wire [TERMINALS-1:0]        credit_i,      // by terminal: room for one word more
  output wire [ROUTERS-1:0]          stored_o,      // for debuggers: a packet goes into a buffer
  output wire [PLACES-1:0]           state_o,       // for debuggers: input or buffer holds words
  output wire [PLACES-1:0]           home_o,        // for debuggers: output, buffer as at first
  output wire [PORTS-1:0]            link_valid_o,  // for debuggers: by port: a word leaves
  output wire [PORTS*WORD_W-1:0]     link_word_o,   // for debuggers: by port: that word
  output wire [PORTS-1:0]            link_credit_o  // for debuggers: by port: room for one more
);

  localparam VCS = 1, TBCH = 0, ROOT_LINKS = 0;  // for the sizes of xgft_network
  `include "xgft_sizes.vh"

  genvar l, s, k;
  generate
    for (l = 1; l <= H; l = l + 1) begin : gen_level
      localparam DOWN  = m(l);
      localparam UP    = w(l + 1);
      localparam SIZE  = size(l);
      localparam OWN   = DOWN + UP;             // ports of a router
      localparam SPOTS = OWN + 2 * SHARED;      // and with its buffers
      localparam ABOVE = (UP > 0) ? SIZE * UP : 1;
      localparam LOW   = span_w(l);             // see xgft_network
      localparam FIRST = inputs(l);             // port of the level

      // Links between the children and this level, child by child, and links to the next one.
      wire [SIZE*DOWN-1:0]        up_valid, up_credit, down_valid, down_credit;
      wire [SIZE*DOWN*WORD_W-1:0] up_word, down_word;
      wire [ABOVE-1:0]            above_valid, above_credit, back_valid, back_credit;
      wire [ABOVE*WORD_W-1:0]     above_word, back_word;

      for (s = 0; s < SIZE; s = s + 1) begin : gen_router
        localparam R = switches(l) + s;                 // number in the network
        localparam G = FIRST + s * OWN;                 // first port
        localparam P = G + 2 * SHARED * R;              // first place
        localparam [31:0] POS = s;
        wire [OWN-1:0]        in_valid, in_credit, out_credit;
        wire [OWN*WORD_W-1:0] in_word;

        spin_router #(
          .CHILDREN(DOWN), .PARENTS(UP), .BELOW(span_m(l)), .SPREAD(LOW), .TO_W(TO_W),
          .SHARED(SHARED)
        ) u_router (
          .clk(clk), .rst(rst), .pos_i(POS[7:0]), .valid_i(in_valid), .word_i(in_word),
          .credit_o(in_credit), .valid_o(link_valid_o[G +: OWN]),
          .word_o(link_word_o[G*WORD_W +: OWN*WORD_W]), .credit_i(out_credit),
          .stored_o(stored_o[R]), .state_o(state_o[P +: SPOTS]), .home_o(home_o[P +: SPOTS])
        );

        assign in_valid[0 +: DOWN]             = up_valid[s*DOWN +: DOWN];
        assign in_word[0 +: DOWN*WORD_W]       = up_word[s*DOWN*WORD_W +: DOWN*WORD_W];
        assign up_credit[s*DOWN +: DOWN]       = in_credit[0 +: DOWN];
        assign link_credit_o[G +: OWN]         = out_credit;
        assign down_valid[s*DOWN +: DOWN]      = link_valid_o[G +: DOWN];
        assign down_word[s*DOWN*WORD_W +: DOWN*WORD_W] = link_word_o[G*WORD_W +: DOWN*WORD_W];
        assign out_credit[0 +: DOWN]           = down_credit[s*DOWN +: DOWN];

        if (UP > 0) begin : gen_up
          assign above_valid[s*UP +: UP]       = link_valid_o[G + DOWN +: UP];
          assign above_word[s*UP*WORD_W +: UP*WORD_W] =
            link_word_o[(G+DOWN)*WORD_W +: UP*WORD_W];
          assign out_credit[DOWN +: UP]        = above_credit[s*UP +: UP];
          assign in_valid[DOWN +: UP]          = back_valid[s*UP +: UP];
          assign in_word[DOWN*WORD_W +: UP*WORD_W] = back_word[s*UP*WORD_W +: UP*WORD_W];
          assign back_credit[s*UP +: UP]       = in_credit[DOWN +: UP];
        end
      end

      // As in xgft_network: link k up, of child k / UP, goes to parent k mod UP.
      if (l < H) begin : gen_links
        for (k = 0; k < ABOVE; k = k + 1) begin : gen_link
          localparam CHILD  = k / UP;
          localparam A      = CHILD / LOW % m(l + 1);
          localparam PARENT = CHILD % LOW + LOW * (k % UP + UP * (CHILD / (LOW * m(l + 1))));
          localparam J      = PARENT * m(l + 1) + A;
          assign gen_level[l+1].up_valid[J]    = above_valid[k];
          assign gen_level[l+1].down_credit[J] = back_credit[k];
          assign gen_level[l+1].up_word[J*WORD_W +: WORD_W] = above_word[k*WORD_W +: WORD_W];
          assign above_credit[k] = gen_level[l+1].up_credit[J];
          assign back_valid[k]   = gen_level[l+1].down_valid[J];
          assign back_word[k*WORD_W +: WORD_W] = gen_level[l+1].down_word[J*WORD_W +: WORD_W];
        end
      end else begin : gen_top
        assign above_valid  = {ABOVE{1'b0}};
        assign above_word   = {(ABOVE*WORD_W){1'b0}};
        assign above_credit = {ABOVE{1'b0}};
        assign back_valid   = {ABOVE{1'b0}};
        assign back_word    = {(ABOVE*WORD_W){1'b0}};
        assign back_credit  = {ABOVE{1'b0}};
        wire unused = &{1'b0, above_valid, above_word, above_credit, back_valid, back_word,
                        back_credit};
      end
    end
  endgenerate

  assign gen_level[1].up_valid    = valid_i;
  assign gen_level[1].up_word     = word_i;
  assign gen_level[1].down_credit = credit_i;
  assign credit_o = gen_level[1].up_credit;
  assign valid_o  = gen_level[1].down_valid;
  assign word_o   = gen_level[1].down_word;

  `CHECK_PARAMETER(TERMINALS == 16 || TERMINALS == 32 || TERMINALS == 64,
                   "TERMINALS", TERMINALS, "16, 32, 64")

endmodule

`default_nettype wire
