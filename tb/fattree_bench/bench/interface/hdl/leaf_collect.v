// Copyright the fat-tree verification environment contributors
// SPDX-License-Identifier: Apache-2.0

`timescale 1ns/1ns
`default_nettype none

// Words of a design's link become flits for the player again, a leaf's: the reverse of leaf_feed.
//
// Contract: a flit is passed on with its last word, or with that of its packet.  What behind a
// tail comes is a head.  space_o: flits of each virtual channel (VC) for which there is room: those
// of which no credit has come back are not counted.
// copies_o: a word's bits beyond the flit are not what its other bits say.
// long_o: a packet has more than MOST words.
// Timing: combinational from a word to its flit.
module leaf_collect #(
  parameter VCS    = 1,   // virtual channels
  parameter DEPTH  = 8,   // flits a VC, a power of two
  parameter WIDTH  = 32,  // data bits of a flit
  parameter FLIT_W = 35,  // data, tail mark, head mark, MARK_W bits of marks
  parameter MARK_W = 1,
  parameter WORDS  = 1,   // words of a flit
  parameter W      = 32,  // bits of a word
  parameter MOST   = 64,  // words of the longest packet
  parameter COUNT_W = $clog2(DEPTH) + 1  // derived
) (
  input  wire                   clk,
  input  wire                   rst,
  input  wire [VCS-1:0]         valid_i,   // a word came, its VC one-hot
  input  wire [W-1:0]           word_i,
  input  wire                   tail_i,    // the last of its packet
  input  wire [MARK_W-1:0]      marks_i,   // told of heads
  output wire                   head_o,    // the word is its packet's first
  output reg  [VCS-1:0]         valid_o,   // to the player
  output reg  [FLIT_W-1:0]      flit_o,
  input  wire [VCS-1:0]         credit_i,
  output wire [VCS*COUNT_W-1:0] space_o,
  output reg                    copies_o,
  output reg                    long_o
);

  localparam STEP_W = (WORDS > 1) ? $clog2(WORDS) : 1;
  localparam COPIES = (WORDS * W + WIDTH - 1) / WIDTH;
  localparam TOTAL  = WORDS * W;
  localparam LONG_W = $clog2(MOST + 2);
  localparam [31:0] LAST = WORDS - 1;
  localparam [31:0] ROOM = DEPTH;
  localparam [31:0] MORE = MOST + 1;

  reg [VCS*TOTAL-1:0]   words_q;   // of the flit that is coming
  reg [VCS*STEP_W-1:0]  step_q;
  reg [VCS-1:0]         inside_q;  // a packet has begun
  reg [VCS-1:0]         later_q;   // its first flit is through
  reg [VCS*MARK_W-1:0]  marks_q;
  reg [VCS*LONG_W-1:0]  long_q;    // words of the packet so far
  reg [VCS*COUNT_W-1:0] held_q;    // flits of which no credit came back

  assign head_o = (valid_i & ~inside_q) != {VCS{1'b0}};

  genvar g;
  generate
    for (g = 0; g < VCS; g = g + 1) begin : gen_space
      assign space_o[g*COUNT_W +: COUNT_W] =
        ROOM[COUNT_W-1:0] - held_q[g*COUNT_W +: COUNT_W];
    end
  endgenerate

  reg [TOTAL-1:0]  words;
  reg [MARK_W-1:0] marks;

  always @* begin : pass
    reg [COPIES*WIDTH-1:0] all;
    reg [31:0]             step;
    integer                v;
    valid_o  = {VCS{1'b0}};
    flit_o   = {FLIT_W{1'b0}};
    copies_o = 1'b0;
    long_o   = 1'b0;
    words    = {TOTAL{1'b0}};
    marks    = {MARK_W{1'b0}};
    all      = {(COPIES*WIDTH){1'b0}};
    step     = 32'd0;
    for (v = 0; v < VCS; v = v + 1)
      if (valid_i[v]) begin
        step  = {{(32-STEP_W){1'b0}}, step_q[v*STEP_W +: STEP_W]};
        words = words_q[v*TOTAL +: TOTAL];
        words[step*W +: W] = word_i;
        marks = inside_q[v] ? marks_q[v*MARK_W +: MARK_W] : marks_i;
        if (step == LAST || tail_i) begin
          all        = {COPIES{words[WIDTH-1:0]}};
          copies_o   = (step == LAST) & (words != all[TOTAL-1:0]);
          valid_o[v] = 1'b1;
          flit_o     = {{(FLIT_W-WIDTH-2-MARK_W){1'b0}}, marks, ~later_q[v], tail_i,
                        words[WIDTH-1:0]};
        end
        long_o = (long_q[v*LONG_W +: LONG_W] == MORE[LONG_W-1:0] - 1'b1);
      end
  end

  always @(posedge clk) begin : keep
    integer v;
    for (v = 0; v < VCS; v = v + 1) begin
      held_q[v*COUNT_W +: COUNT_W] <= held_q[v*COUNT_W +: COUNT_W]
        + {{(COUNT_W-1){1'b0}}, valid_o[v]} - {{(COUNT_W-1){1'b0}}, credit_i[v]};
      if (valid_i[v]) begin
        words_q[v*TOTAL +: TOTAL]  <= valid_o[v] ? {TOTAL{1'b0}} : words;
        step_q[v*STEP_W +: STEP_W] <=
          valid_o[v] ? {STEP_W{1'b0}} : step_q[v*STEP_W +: STEP_W] + 1'b1;
        inside_q[v]                <= ~tail_i;
        later_q[v]                 <= ~tail_i & (later_q[v] | valid_o[v]);
        marks_q[v*MARK_W +: MARK_W] <= marks;
        if (tail_i)
          long_q[v*LONG_W +: LONG_W] <= {LONG_W{1'b0}};
        else if (long_q[v*LONG_W +: LONG_W] != MORE[LONG_W-1:0])
          long_q[v*LONG_W +: LONG_W] <= long_q[v*LONG_W +: LONG_W] + 1'b1;
      end
    end
    if (rst) begin
      words_q  <= {(VCS*TOTAL){1'b0}};
      step_q   <= {(VCS*STEP_W){1'b0}};
      inside_q <= {VCS{1'b0}};
      later_q  <= {VCS{1'b0}};
      long_q   <= {(VCS*LONG_W){1'b0}};
      held_q   <= {(VCS*COUNT_W){1'b0}};
    end
  end

endmodule

`default_nettype wire
