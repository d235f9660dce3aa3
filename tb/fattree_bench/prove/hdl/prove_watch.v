// Copyright the fat-tree verification environment contributors
// SPDX-License-Identifier: Apache-2.0

`timescale 1ns/1ns
`default_nettype none

// Watches one word, any, from the input and virtual channel (VC) that the first clock chose.
//
// Contract: bit 0 of all words is the same, of the watched one the other: a design that only moves
// words cannot show that bit but by moving this one.  Bit 1 marks all words of its packet; in front
// mode, in which receivers are prompt, all that its channel sent before it, which tells when it is
// at the front.  Bit 2 marks one, any, that its sender sent behind it to the same output, with
// ORDER.
// Timing: combinational, against what was there in the clocks before.
module prove_watch #(
  parameter INPUTS  = 2,
  parameter OUTPUTS = 2,
  parameter VCS     = 1,
  parameter GOAL_W  = 1,
  parameter DATA_W  = 2,
  parameter CREDITS = 0,  // of a VC; 0: the link has a ready
  parameter ORDER   = 0,  // words of a pair stay in order; 2: in each VC
  parameter WITHIN  = 8,  // clocks
  parameter PASSING = 8   // packets
) (
  input  wire                      clk,
  input  wire                      run_i,
  input  wire                      front_i,   // mode
  input  wire                      plain_i,   // bit 0 of all others
  input  wire [INPUTS*VCS-1:0]     source_i,  // one-hot
  input  wire [OUTPUTS-1:0]        only_i,    // one-hot: what is watched goes there; 0: anywhere
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
  input  wire [INPUTS*VCS*8-1:0]   spent_i,   // credits that are not back
  input  wire [INPUTS*VCS-1:0]     back_i,    // some come back
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
  output wire                      fair_o,
  output wire                      home_o,
  output wire                      seen_o     // the watched word leaves
);

  localparam IDLE_W  = $clog2(WITHIN + 1);
  localparam PASS_W  = $clog2(PASSING + 2);
  localparam AHEAD_W = (CREDITS != 0) ? $clog2(CREDITS + 1) : 8;
  localparam SUM_W   = AHEAD_W + $clog2(OUTPUTS + 1) + 1;

  reg                    begun_q, within_q;  // the watched packet was chosen; it is under way
  reg                    made_q, waits_q, inside_q;
  reg                    after_q;            // the other word was chosen
  reg  [GOAL_W-1:0]      goal_q;
  reg  [DATA_W-1:0]      data_q;
  reg                    last_q;
  reg  [OUTPUTS*VCS-1:0] mid_q;              // in the watched packet; front: in others' packets
  reg                    started_q;          // a word of the packet came
  reg  [AHEAD_W-1:0]     ahead_q;            // words inside that the channel sent before
  reg                    full_q;             // more than can be counted
  reg  [IDLE_W-1:0]      idle_q;             // clocks in which nothing left before it
  reg  [PASS_W-1:0]      passed_q;           // packets that began before it
  reg  [IDLE_W-1:0]      due_q;              // clocks in which no credit came back, with some due

  reg                    comes, other, comes_head, comes_last, packet, marked, after;
  reg  [GOAL_W-1:0]      comes_goal, goal;
  reg  [DATA_W-1:0]      made, kept;
  reg                    kept_last;
  reg  [7:0]             spent;
  integer                i, k;

  always @* begin
    comes      = (new_i & source_i) != {(INPUTS*VCS){1'b0}};
    other      = 1'b0;  // the source sends a word, in whatever VC
    comes_head = 1'b0;
    comes_last = 1'b0;
    comes_goal = {GOAL_W{1'b0}};
    spent      = 8'd0;
    for (i = 0; i < INPUTS; i = i + 1)
      if (source_i[i*VCS +: VCS] != {VCS{1'b0}}) begin
        other      = new_i[i*VCS +: VCS] != {VCS{1'b0}};
        comes_head = head_i[i];
        comes_last = last_i[i];
        comes_goal = goal_i[i*GOAL_W +: GOAL_W];
        for (k = 0; k < VCS; k = k + 1)
          if (source_i[i*VCS + k]) spent = spent_i[(i*VCS + k)*8 +: 8];
      end
    packet = comes & ((comes_head & pick_i & ~begun_q
                       & (only_i == {OUTPUTS{1'b0}} | only_i[comes_goal])) | within_q);
    marked = packet & mark_i & ~made_q;
    after  = ((ORDER == 2) ? comes : other) & (ORDER != 0) & after_i & made_q & ~waits_q & ~after_q
             & (comes_goal == goal_q);
    made   = {DATA_W{1'b0}};
    for (i = 0; i < INPUTS; i = i + 1) begin
      data_o[i*DATA_W +: DATA_W] = data_i[i*DATA_W +: DATA_W];
      data_o[i*DATA_W]           = plain_i;
      data_o[i*DATA_W + 1]       = 1'b0;
      if (ORDER != 0) data_o[i*DATA_W + 2] = 1'b0;
      if (source_i[i*VCS +: VCS] != {VCS{1'b0}}) begin
        if (marked) data_o[i*DATA_W] = ~plain_i;
        data_o[i*DATA_W + 1] = front_i ? comes & ~made_q & ~marked : packet;
        if (ORDER != 0) data_o[i*DATA_W + 2] = after;
        made = data_o[i*DATA_W +: DATA_W];
      end
    end
    goal      = marked ? comes_goal : goal_q;
    for (i = 0; i < OUTPUTS; i = i + 1) if (only_i[i]) goal = i[GOAL_W-1:0];
    kept      = marked ? made : data_q;
    kept_last = marked ? comes_last : last_q;
  end

  wire moves  = (taken_i & source_i) != {(INPUTS*VCS){1'b0}};
  wire enters = (marked | waits_q) & moves;
  wire holds  = inside_q | enters;

  reg [OUTPUTS-1:0]     shows, packets, seconds;
  reg                   astray, changed, torn, starts, leaves, begins, held;
  reg [OUTPUTS*VCS-1:0] mid;
  reg [SUM_W-1:0]       ahead;
  integer               o, v;

  always @* begin
    astray  = 1'b0;
    changed = 1'b0;
    torn    = 1'b0;
    starts  = 1'b0;
    leaves  = 1'b0;  // a word, by the channel of the output that the watched one waits for
    begins  = 1'b0;
    held    = 1'b0;  // another's packet has it
    mid     = mid_q;
    ahead   = {{(SUM_W-AHEAD_W){1'b0}}, ahead_q}
              + {{(SUM_W-1){1'b0}}, moves & ~enters & ~made_q};
    for (o = 0; o < OUTPUTS; o = o + 1) begin
      shows[o]   = came_i[o*VCS +: VCS] != {VCS{1'b0}} && came_data_i[o*DATA_W] != plain_i;
      packets[o] = came_i[o*VCS +: VCS] != {VCS{1'b0}} && came_data_i[o*DATA_W + 1];
      seconds[o] = ORDER != 0 && came_i[o*VCS +: VCS] != {VCS{1'b0}}
                   && came_data_i[o*DATA_W + ((ORDER != 0) ? 2 : 0)];
      ahead      = ahead - {{(SUM_W-1){1'b0}}, packets[o]};
      if (shows[o] && holds && {{(32-GOAL_W){1'b0}}, goal} != o) astray = 1'b1;
      if (shows[o] && holds && {{(32-GOAL_W){1'b0}}, goal} == o
          && (came_data_i[o*DATA_W +: DATA_W] != kept || came_last_i[o] != kept_last))
        changed = 1'b1;
      for (v = 0; v < VCS; v = v + 1) begin
        if (came_i[o*VCS + v]) begin
          if (mid_q[o*VCS + v] ? !packets[o] : packets[o] && started_q) torn = 1'b1;
          if (packets[o]) starts = 1'b1;
          mid[o*VCS + v] = (packets[o] ^ front_i) & ~came_last_i[o];
        end
        for (i = 0; i < INPUTS; i = i + 1)
          if (source_i[i*VCS + v] && {{(32-GOAL_W){1'b0}}, goal} == o) begin
            leaves = came_i[o*VCS + v];
            held   = mid_q[o*VCS + v];
            begins = leaves & ~held & ~packets[o] & ~shows[o];
          end
      end
    end
  end

  wire front = front_i & (holds | marked | waits_q) & (ahead_q == {AHEAD_W{1'b0}}) & ~full_q;
  wire back  = (back_i & source_i) != {(INPUTS*VCS){1'b0}};
  wire due   = front_i & ~made_q & ~marked & ({24'd0, spent} > {{(32-AHEAD_W){1'b0}}, ahead_q});

  assign route_o = ~astray;
  assign once_o  = (shows == {OUTPUTS{1'b0}})
                   | (holds & ((shows & (shows - 1'b1)) == {OUTPUTS{1'b0}}));
  assign seen_o  = holds & (shows != {OUTPUTS{1'b0}});
  assign same_o  = ~changed;
  assign whole_o = ~torn | front_i;
  assign order_o = ~((seconds != {OUTPUTS{1'b0}}) & holds);
  assign moves_o = ({{(32-IDLE_W){1'b0}}, idle_q} < WITHIN) & ~full_q;
  assign fair_o  = ({{(32-PASS_W){1'b0}}, passed_q} <= PASSING);
  assign home_o  = ({{(32-IDLE_W){1'b0}}, due_q} < WITHIN);

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
    ahead_q   <= front_i ? ahead[AHEAD_W-1:0] : {AHEAD_W{1'b0}};
    full_q    <= full_q | (front_i & ahead[SUM_W-1:AHEAD_W] != {(SUM_W-AHEAD_W){1'b0}});
    idle_q    <= (front & ~held & ~leaves) ? idle_q + 1'b1 : {IDLE_W{1'b0}};
    passed_q  <= front ? passed_q + {{(PASS_W-1){1'b0}}, begins} : {PASS_W{1'b0}};
    due_q     <= (due & ~back) ? due_q + 1'b1 : {IDLE_W{1'b0}};
    if (!run_i) begin
      begun_q   <= 1'b0;
      within_q  <= 1'b0;
      made_q    <= 1'b0;
      waits_q   <= 1'b0;
      inside_q  <= 1'b0;
      after_q   <= 1'b0;
      started_q <= 1'b0;
      mid_q     <= {(OUTPUTS*VCS){1'b0}};
      ahead_q   <= {AHEAD_W{1'b0}};
      full_q    <= 1'b0;
      idle_q    <= {IDLE_W{1'b0}};
      passed_q  <= {PASS_W{1'b0}};
      due_q     <= {IDLE_W{1'b0}};
    end
  end

endmodule

`default_nettype wire
