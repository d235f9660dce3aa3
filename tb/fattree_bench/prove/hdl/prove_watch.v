// Copyright the fat-tree verification environment contributors
// SPDX-License-Identifier: Apache-2.0

`timescale 1ns/1ns
`default_nettype none

// Watches one word, any, from the input and virtual channel (VC) that the first clock chose.
//
// Contract: bit 0 of all words is the same, of the watched one the other: a design that only moves
// words cannot show that bit but by moving this one.  Bit 1 marks all words of its packet, with
// MULTI; the next bit marks one, any, that its sender sent behind it to the same output, with
// ORDER.
// Timing: combinational, against what was there in the clocks before.
module prove_watch #(
  parameter INPUTS  = 2,
  parameter OUTPUTS = 2,
  parameter VCS     = 1,
  parameter GOAL_W  = 1,
  parameter DATA_W  = 2,
  parameter MULTI   = 0,  // packets have several words
  parameter ORDER   = 0,  // words of a pair stay in order; 2: in each VC
  parameter WITHIN  = 8   // clocks
) (
  input  wire                      clk,
  input  wire                      run_i,
  input  wire                      prompt_i,
  input  wire                      plain_i,   // bit 0 of all others
  input  wire [INPUTS*VCS-1:0]     source_i,  // one-hot
  input  wire                      pick_i,    // free: watch the packet that begins
  input  wire                      mark_i,    // watch this word of it
  input  wire                      after_i,   // mark this one behind it
  input  wire [INPUTS*DATA_W-1:0]  data_i,    // free
  // ---- senders
  input  wire [INPUTS*VCS-1:0]     new_i,
  input  wire [INPUTS*VCS-1:0]     taken_i,
  input  wire [INPUTS*GOAL_W-1:0]  goal_i,
  input  wire [INPUTS-1:0]         head_i,
  input  wire [INPUTS-1:0]         last_i,
  input  wire [INPUTS*VCS-1:0]     short_i,   // credits are not back
  input  wire [INPUTS*VCS-1:0]     back_i,    // one comes back
  output reg  [INPUTS*DATA_W-1:0]  data_o,
  // ---- receivers
  input  wire [OUTPUTS*VCS-1:0]    came_i,
  input  wire [OUTPUTS*DATA_W-1:0] came_data_i,
  input  wire [OUTPUTS-1:0]        came_last_i,
  // ---- rules
  output wire                      route_o,
  output wire                      once_o,
  output wire                      same_o,
  output wire                      whole_o,
  output wire                      order_o,
  output wire                      moves_o,
  output wire                      home_o,
  output wire                      seen_o     // the watched word leaves
);

  localparam SECOND = (MULTI != 0) ? 2 : 1;
  localparam IDLE_W = $clog2(WITHIN + 2);

  reg                   begun_q, within_q;  // the watched packet was chosen; it is under way
  reg                   made_q, waits_q, inside_q;
  reg                   after_q;            // the other word was chosen
  reg  [GOAL_W-1:0]     goal_q;
  reg  [DATA_W-1:0]     data_q;
  reg                   last_q;
  reg  [OUTPUTS*VCS-1:0] mid_q;             // the last word there was of the packet, no tail
  reg                   started_q;          // a word of the packet came
  reg  [IDLE_W-1:0]     idle_q;             // clocks in which nothing left
  reg  [IDLE_W-1:0]     lean_q;             // and no credit came back, with some away

  reg                   comes, other, comes_head, comes_last, packet, marked, after;
  reg  [GOAL_W-1:0]     comes_goal, goal;
  reg  [DATA_W-1:0]     made, kept;
  reg                   kept_last;
  integer               i;

  always @* begin
    comes      = (new_i & source_i) != {(INPUTS*VCS){1'b0}};
    other      = 1'b0;  // the source sends a word, in whatever VC
    comes_head = 1'b0;
    comes_last = 1'b0;
    comes_goal = {GOAL_W{1'b0}};
    for (i = 0; i < INPUTS; i = i + 1)
      if (source_i[i*VCS +: VCS] != {VCS{1'b0}}) begin
        other      = new_i[i*VCS +: VCS] != {VCS{1'b0}};
        comes_head = head_i[i];
        comes_last = last_i[i];
        comes_goal = goal_i[i*GOAL_W +: GOAL_W];
      end
    packet = comes & ((comes_head & pick_i & ~begun_q) | within_q);
    marked = packet & mark_i & ~made_q;
    after  = ((ORDER == 2) ? comes : other) & (ORDER != 0) & after_i & made_q & ~waits_q & ~after_q
             & (comes_goal == goal_q);
    made   = {DATA_W{1'b0}};
    for (i = 0; i < INPUTS; i = i + 1) begin
      data_o[i*DATA_W +: DATA_W] = data_i[i*DATA_W +: DATA_W];
      data_o[i*DATA_W]           = plain_i;
      if (MULTI != 0) data_o[i*DATA_W + 1] = 1'b0;
      if (ORDER != 0) data_o[i*DATA_W + SECOND] = 1'b0;
      if (source_i[i*VCS +: VCS] != {VCS{1'b0}}) begin
        if (marked) data_o[i*DATA_W] = ~plain_i;
        if (MULTI != 0) data_o[i*DATA_W + 1] = packet;
        if (ORDER != 0) data_o[i*DATA_W + SECOND] = after;
        made = data_o[i*DATA_W +: DATA_W];
      end
    end
    goal      = marked ? comes_goal : goal_q;
    kept      = marked ? made : data_q;
    kept_last = marked ? comes_last : last_q;
  end

  wire enters = (marked | waits_q) & ((taken_i & source_i) != {(INPUTS*VCS){1'b0}});
  wire holds = inside_q | enters;
  wire there  = holds | marked | waits_q;

  reg [OUTPUTS-1:0]     shows, packets, seconds;
  reg                   astray, changed, torn, starts;
  reg [OUTPUTS*VCS-1:0] mid;
  integer               o, v;

  always @* begin
    astray  = 1'b0;
    changed = 1'b0;
    torn    = 1'b0;
    starts  = 1'b0;
    mid     = mid_q;
    for (o = 0; o < OUTPUTS; o = o + 1) begin
      shows[o]   = came_i[o*VCS +: VCS] != {VCS{1'b0}} && came_data_i[o*DATA_W] != plain_i;
      packets[o] = MULTI != 0 && came_i[o*VCS +: VCS] != {VCS{1'b0}}
                   && came_data_i[o*DATA_W + ((MULTI != 0) ? 1 : 0)];
      seconds[o] = ORDER != 0 && came_i[o*VCS +: VCS] != {VCS{1'b0}}
                   && came_data_i[o*DATA_W + ((ORDER != 0) ? SECOND : 0)];
      if (shows[o] && holds && {{(32-GOAL_W){1'b0}}, goal} != o) astray = 1'b1;
      if (shows[o] && holds && {{(32-GOAL_W){1'b0}}, goal} == o
          && (came_data_i[o*DATA_W +: DATA_W] != kept || came_last_i[o] != kept_last))
        changed = 1'b1;
      for (v = 0; v < VCS; v = v + 1)
        if (came_i[o*VCS + v]) begin
          if (mid_q[o*VCS + v] ? !packets[o] : packets[o] && started_q) torn = 1'b1;
          if (packets[o]) starts = 1'b1;
          mid[o*VCS + v] = packets[o] & ~came_last_i[o];
        end
    end
  end

  wire moved = came_i != {(OUTPUTS*VCS){1'b0}};

  assign route_o = ~astray;
  assign once_o  = (shows == {OUTPUTS{1'b0}})
                   | (holds & ((shows & (shows - 1'b1)) == {OUTPUTS{1'b0}}));
  assign seen_o  = holds & (shows != {OUTPUTS{1'b0}});
  assign same_o  = ~changed;
  assign whole_o = ~torn;
  assign order_o = ~((seconds != {OUTPUTS{1'b0}}) & holds);
  wire leans = (short_i & source_i) != {(INPUTS*VCS){1'b0}};
  wire gives = (back_i & source_i) != {(INPUTS*VCS){1'b0}};
  assign home_o  = ({{(32-IDLE_W){1'b0}}, lean_q} < WITHIN) | moved | gives;
  assign moves_o = ({{(32-IDLE_W){1'b0}}, idle_q} < WITHIN) | moved;

  always @(posedge clk) begin
    if (packet) begin
      begun_q  <= 1'b1;
      within_q <= ~comes_last;
    end
    if (marked) begin
      made_q <= 1'b1;
      goal_q <= comes_goal;
      data_q <= made;
      last_q <= comes_last;
    end
    if (after) after_q <= 1'b1;
    waits_q   <= (marked | waits_q) & ~enters;
    inside_q  <= holds & (shows == {OUTPUTS{1'b0}});
    mid_q     <= mid;
    started_q <= started_q | starts;
    idle_q    <= (!prompt_i || !there || moved) ? {IDLE_W{1'b0}} : idle_q + 1'b1;
    lean_q    <= (!prompt_i || !leans || moved || gives) ? {IDLE_W{1'b0}} : lean_q + 1'b1;
    if (!run_i) begin
      lean_q    <= {IDLE_W{1'b0}};
      begun_q   <= 1'b0;
      within_q  <= 1'b0;
      made_q    <= 1'b0;
      waits_q   <= 1'b0;
      inside_q  <= 1'b0;
      after_q   <= 1'b0;
      started_q <= 1'b0;
      mid_q     <= {(OUTPUTS*VCS){1'b0}};
      idle_q    <= {IDLE_W{1'b0}};
    end
  end

endmodule

`default_nettype wire
