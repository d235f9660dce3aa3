// Copyright the fat-tree verification environment contributors
// SPDX-License-Identifier: Apache-2.0

`timescale 1ns/1ns
`include "checks.vh"
`default_nettype none

// RSPIN, the router of SPIN: links to CHILDREN below and PARENTS above, queues of four words at the
// inputs, two shared output buffers of 18 words, a crossbar with the turns that SPIN needs.
//
//   links in --> inputs ------------> outputs --> links out
//                   |                    |        buffers before inputs
//                   +--> shared buffers -+        for packets that go down to a busy output
//
// Contract: words and packets as in spin_input, credits as in spin_output.  A packet from a child
//   whose destination is not below goes up, by any free parent (spin_climb); every other goes down
//   to the child of its destination, which in the tree is never the one it came from.  If it is
//   (for a damaged header), the packet goes to the next child, with the error mark.  A packet
//   holds its output to its last word.
//   Absent in the crossbar are: back to a child, from parents up, from a buffer up or to a buffer.
// Timing: a header that comes on a link in clock t is on the next one in t + 3, if the way is
//   free, and its packet follows, a word a clock.
//
// Vectors by port: children first, then parents.  Vectors by place: ports, then the buffers if
// SHARED is 1.
module spin_router #(
  parameter CHILDREN = 4,   // links below, 4 or 8
  parameter PARENTS  = 4,   // links above; 0 at the top
  parameter BELOW    = 4,   // terminals below, a power of 2
  parameter SPREAD   = 1,   // routers that top one subtree, a power of 2
  parameter TO_W     = 4,   // bits of a terminal's number, 1 .. 8
  parameter SHARED   = 1,   // 0, 1: there are two shared buffers
  // derived
  parameter WORD_W   = 36,                  // bits of a word
  parameter PORTS    = CHILDREN + PARENTS,  // each way
  parameter PLACES   = PORTS + 2 * SHARED   // inputs and shared buffers
) (
  input  wire                    clk,       // rising edge
  input  wire                    rst,       // synchronous: what is inside is gone
  input  wire [7:0]              pos_i,     // the router's number in its level, a constant
  input  wire [PORTS-1:0]        valid_i,   // links in: a word
  input  wire [PORTS*WORD_W-1:0] word_i,    // links in: that word
  output wire [PORTS-1:0]        credit_o,  // links in: room for one word more
  output wire [PORTS-1:0]        valid_o,   // links out: a word
  output wire [PORTS*WORD_W-1:0] word_o,    // links out: that word
  input  wire [PORTS-1:0]        credit_i,  // links out: room for one word more
  output wire                    stored_o,  // for debuggers: a packet gets a shared buffer
  output wire [PLACES-1:0]       state_o,   // for debuggers: input or buffer holds words
  output wire [PLACES-1:0]       home_o     // for debuggers: output or buffer is as at first
);
  /* verilator no_inline_module */  // the instances of a level share one body

  localparam SPAN = $clog2(BELOW / CHILDREN);  // bits of a terminal's number below a child
  localparam NEAR = $clog2(BELOW);             // below the router
  localparam TOPS = $clog2(SPREAD);
  localparam SIDE = $clog2(CHILDREN);
  localparam FROM = PORTS - 1 + 2 * SHARED;    // sources of a child's output

  wire [PORTS-1:0]          ask, astray, granted, has, last, take, in_holds;
  wire [PORTS*8-1:0]        to;
  wire [PORTS*WORD_W-1:0]   word;     // at the front of the inputs
  wire [PORTS*CHILDREN-1:0] down;     // by input: the child that its packet goes to
  wire [CHILDREN-1:0]       up;       // by child: its packet goes up
  wire [PORTS-1:0]          free;     // by output
  wire [PORTS*PORTS-1:0]    grant;    // by output: by input
  wire [2*PORTS-1:0]        store;    // by buffer: by input
  wire [CHILDREN*2-1:0]     leave;    // by child: by buffer
  wire [1:0]                empty, stored_has, stored_last;
  wire [2*CHILDREN-1:0]     stored_ask;
  wire [2*WORD_W-1:0]       stored_word;
  wire [(PORTS+2)*PORTS-1:0] taken;        // by output or buffer: by input
  wire [CHILDREN*2-1:0]      stored_taken; // by child: by buffer

  wire unused_pos = &{1'b0, pos_i};

  genvar i, o, b, k;

  // ---- inputs, and where their packets go -------------------------------------------------------

  generate
    for (i = 0; i < PORTS; i = i + 1) begin : gen_in
      localparam [31:0]     OWN   = i;
      wire [7:0]            aim   = to[i*8 +: 8];
      wire [SIDE-1:0]       digit = aim[SPAN +: SIDE];
      wire                  back  = (i < CHILDREN) && digit == OWN[SIDE-1:0];
      wire [SIDE-1:0]       child = {digit[SIDE-1:1], digit[0] ^ back};
      wire                  climbs;
      wire [PORTS+1:0]      column, took;  // by output or buffer: this input
      wire                  unused = &{1'b0, aim};

      if (i < CHILDREN && PARENTS > 0) begin : gen_below
        assign climbs = aim[TO_W-1:NEAR] != pos_i[TOPS +: TO_W-NEAR];
        assign up[i]  = ask[i] & climbs;
      end else begin : gen_above
        assign climbs = 1'b0;
        if (i < CHILDREN) begin : gen_top
          assign up[i] = 1'b0;
        end
      end

      assign down[i*CHILDREN +: CHILDREN] =
        (ask[i] && !climbs) ? {{(CHILDREN-1){1'b0}}, 1'b1} << child : {CHILDREN{1'b0}};
      assign astray[i] = back & ~climbs;

      for (o = 0; o < PORTS; o = o + 1) begin : gen_output
        assign column[o] = grant[o*PORTS + i];
      end
      for (b = 0; b < 2; b = b + 1) begin : gen_buffer
        assign column[PORTS + b] = store[b*PORTS + i];
      end
      for (o = 0; o < PORTS + 2; o = o + 1) begin : gen_taken
        assign took[o] = taken[o*PORTS + i];
      end
      assign granted[i] = (column != {(PORTS+2){1'b0}});
      assign take[i]    = (took != {(PORTS+2){1'b0}});

      spin_input u_input (
        .clk(clk), .rst(rst), .framed_i(i >= CHILDREN || BELOW > CHILDREN), .valid_i(valid_i[i]),
        .word_i(word_i[i*WORD_W +: WORD_W]), .credit_o(credit_o[i]), .ask_o(ask[i]),
        .to_o(to[i*8 +: 8]), .grant_i(granted[i]), .astray_i(astray[i]), .valid_o(has[i]),
        .word_o(word[i*WORD_W +: WORD_W]), .last_o(last[i]), .take_i(take[i]), .holds_o(in_holds[i])
      );
    end
  endgenerate

  // ---- who gets what ----------------------------------------------------------------------------

  spin_descend #(.INPUTS(PORTS), .CHILDREN(CHILDREN), .SHARED(SHARED)) u_descend (
    .clk(clk), .rst(rst), .ask_i(down), .free_i(free[CHILDREN-1:0]), .buffer_i(stored_ask),
    .empty_i(empty), .grant_o(grant[0 +: CHILDREN*PORTS]), .leave_o(leave), .store_o(store)
  );

  generate
    if (PARENTS > 0) begin : gen_up
      wire [PARENTS*CHILDREN-1:0] climb;
      spin_climb #(.CHILDREN(CHILDREN), .PARENTS(PARENTS)) u_climb (
        .clk(clk), .rst(rst), .ask_i(up), .free_i(free[CHILDREN +: PARENTS]), .grant_o(climb)
      );
      for (k = 0; k < PARENTS; k = k + 1) begin : gen_parent
        assign grant[(CHILDREN+k)*PORTS +: PORTS] =
          {{PARENTS{1'b0}}, climb[k*CHILDREN +: CHILDREN]};
      end
    end else begin : gen_no_up
      wire unused = &{1'b0, up};
    end
  endgenerate

  // ---- outputs: the columns of the crossbar -----------------------------------------------------

  generate
    for (o = 0; o < CHILDREN; o = o + 1) begin : gen_down
      // Sources: inputs except the child's own, then the buffers.
      wire [FROM-1:0]        path, valid, lasts, takes;
      wire [FROM*WORD_W-1:0] words;

      for (k = 0; k < PORTS - 1; k = k + 1) begin : gen_source
        localparam I = (k < o) ? k : k + 1;  // the input
        assign path [k] = grant[o*PORTS + I];
        assign valid[k] = has[I];
        assign lasts[k] = last[I];
        assign words[k*WORD_W +: WORD_W] = word[I*WORD_W +: WORD_W];
        assign taken[o*PORTS + I] = takes[k];
      end
      assign taken[o*PORTS + o] = 1'b0;
      wire unused = grant[o*PORTS + o];
      if (SHARED == 1) begin : gen_shared
        assign path [PORTS-1 +: 2] = leave[o*2 +: 2];
        assign valid[PORTS-1 +: 2] = stored_has;
        assign lasts[PORTS-1 +: 2] = stored_last;
        assign words[(PORTS-1)*WORD_W +: 2*WORD_W] = stored_word;
        assign stored_taken[o*2 +: 2] = takes[PORTS-1 +: 2];
      end

      spin_output #(.SOURCES(FROM)) u_output (
        .clk(clk), .rst(rst), .grant_i(path), .valid_i(valid), .source_i(words), .last_i(lasts),
        .take_o(takes), .free_o(free[o]), .valid_o(valid_o[o]),
        .word_o(word_o[o*WORD_W +: WORD_W]), .credit_i(credit_i[o]), .home_o(home_o[o])
      );
    end

    for (o = CHILDREN; o < PORTS; o = o + 1) begin : gen_parent_out
      spin_output #(.SOURCES(CHILDREN)) u_output (
        .clk(clk), .rst(rst), .grant_i(grant[o*PORTS +: CHILDREN]), .valid_i(has[0 +: CHILDREN]),
        .source_i(word[0 +: CHILDREN*WORD_W]), .last_i(last[0 +: CHILDREN]),
        .take_o(taken[o*PORTS +: CHILDREN]), .free_o(free[o]), .valid_o(valid_o[o]),
        .word_o(word_o[o*WORD_W +: WORD_W]), .credit_i(credit_i[o]), .home_o(home_o[o])
      );
      assign taken[o*PORTS + CHILDREN +: PARENTS] = {PARENTS{1'b0}};
      wire unused = &{1'b0, grant[o*PORTS + CHILDREN +: PARENTS]};
    end
  endgenerate

  // ---- shared buffers ---------------------------------------------------------------------------

  assign state_o[0 +: PORTS] = in_holds;
  assign stored_o            = (store != {(2*PORTS){1'b0}});

  generate
    if (SHARED == 1) begin : gen_shared
      spin_buffers #(.INPUTS(PORTS), .CHILDREN(CHILDREN)) u_buffers (
        .clk(clk), .rst(rst), .store_i(store), .down_i(down), .valid_i(has), .word_i(word),
        .last_i(last), .take_o(taken[PORTS*PORTS +: 2*PORTS]), .empty_o(empty),
        .ask_o(stored_ask), .leave_i(leave), .valid_o(stored_has), .word_o(stored_word),
        .last_o(stored_last), .take_i(stored_taken)
      );
      assign state_o[PORTS +: 2] = stored_has | ~empty;
      assign home_o[PORTS +: 2]  = empty;
    end else begin : gen_no_shared
      assign empty        = 2'b00;
      assign stored_ask   = {(2*CHILDREN){1'b0}};
      assign stored_has   = 2'b00;
      assign stored_last  = 2'b00;
      assign stored_word  = {(2*WORD_W){1'b0}};
      assign stored_taken = {(CHILDREN*2){1'b0}};
      assign taken[PORTS*PORTS +: 2*PORTS] = {(2*PORTS){1'b0}};
      wire unused = &{1'b0, leave, stored_has, stored_last, stored_word, stored_taken};
    end
  endgenerate

  `CHECK_PARAMETER(CHILDREN == 4 || CHILDREN == 8, "CHILDREN", CHILDREN, "4 or 8")
  `CHECK_PARAMETER(PARENTS == 0 || (1 << TO_W) > BELOW, "TO_W", TO_W, "more than log2(BELOW)")
  `CHECK_PARAMETER(SHARED == 0 || SHARED == 1, "SHARED", SHARED, "0 or 1")

endmodule

`default_nettype wire
