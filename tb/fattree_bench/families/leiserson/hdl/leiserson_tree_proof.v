// Copyright the fat-tree verification environment contributors
// SPDX-License-Identifier: Apache-2.0

`timescale 1ns/1ns
`include "prove.vh"
`default_nettype none

// A whole bit-serial fat-tree of N processors, one wire each, for one delivery cycle: for all sets
// of messages, none to its own processor, and off-line, so that every message is sent once.
//
// ANY_STATE = 1: the delivery cycle begins in any state at all that the registers may be in; what
// is proved holds for every delivery cycle.  ANY_STATE = 0: it is the first one after reset.
//
// The load of a channel is the number of messages that must use it, counted flat from sources and
// destinations; a set fits if no channel is loaded beyond its wires.  One source, any, is watched:
// its message alone carries a tag beside its payload.
//
//   D1  a set that fits: the message of any source arrives where it was sent, unmodified
//   D2  any set: it arrives nowhere else, so that none is there twice
//   D3  any set: what arrives somewhere was sent there, and nothing trails behind it
//   D4  a source is acknowledged if and only if its message has arrived
//   D5  sent = arrived + counted as lost
//   D6  a delivery cycle takes CYCLE clocks; all of it is told in the last
module leiserson_tree_proof #(
  parameter N_LOG     = 2,
  parameter [32*11-1:0] CAPS = 0,   // wires each way of a channel above a node of level k
  parameter [8*8-1:0] PRIORITY = "FIXED",
  parameter PIPELINE  = 0,
  parameter ANY_STATE = 1,
  parameter N         = 1 << N_LOG  // derived
) (
  input wire               clk,
  input wire [N-1:0]       valid_i,
  input wire [N*N_LOG-1:0] dst_i,
  input wire [N-1:0]       data_i,
  input wire [N_LOG-1:0]   watched_i  // any source
);

  localparam WIDTH   = 2;                     // payload and tag
  localparam LONGEST = 2 * N_LOG - 1;         // address bits
  localparam FRAME_W = 1 + LONGEST + WIDTH;
  localparam CYCLE   = 3 + LONGEST * (1 + PIPELINE) + WIDTH + PIPELINE * (2 * N_LOG - 1);
  localparam WIRES   = N + CAPS[31:0];
  localparam A_W     = $clog2(CYCLE + 2);
  localparam LOST_W  = 8;

  // ---- clocks: 0 is the one before the delivery cycle, CYCLE is its last ------------------------

  reg [A_W-1:0] age = {A_W{1'b0}};
  always @(posedge clk)
    if (age <= CYCLE) age <= age + 1'b1;
  wire before = (age == 0);
  wire ended  = (age == CYCLE);

  reg [N-1:0]       valid;
  reg [N*N_LOG-1:0] dst;
  reg [N-1:0]       data;
  reg [N_LOG-1:0]   watched;
  always @(posedge clk)
    if (before) begin
      valid   <= valid_i;
      dst     <= dst_i;
      data    <= data_i;
      watched <= watched_i;
    end

  // ---- messages ---------------------------------------------------------------------------------

  reg [WIRES*FRAME_W-1:0] frames;
  reg [FRAME_W-1:0]       frame;
  reg [N_LOG-1:0]         here, there;
  reg                     own;
  integer                 x, d, b, place;
  always @* begin
    frames = {(WIRES*FRAME_W){1'b0}};
    frame  = {FRAME_W{1'b0}};
    here   = {N_LOG{1'b0}};
    there  = {N_LOG{1'b0}};
    own    = 1'b0;
    for (x = 0; x < N; x = x + 1) begin
      here  = x;
      there = dst[x*N_LOG +: N_LOG];
      for (d = 1; d <= N_LOG; d = d + 1)
        if (((here ^ there) >> (d - 1)) == 1) begin  // the paths meet d levels up
          frame = {FRAME_W{1'b0}};
          frame[FRAME_W-1] = 1'b1;
          for (b = 0; b < d - 1; b = b + 1) begin
            frame[FRAME_W-2-b]       = 1'b1;
            frame[FRAME_W-1-d-1-b]   = there[d-2-b];
          end
          frame[FRAME_W-2*d-WIDTH +: WIDTH] = {watched == x, data[x]};
          frames[x*FRAME_W +: FRAME_W] = frame;
        end
      if (valid_i[x] && dst_i[x*N_LOG +: N_LOG] == here) own = 1'b1;
    end
  end

  // ---- the tree ---------------------------------------------------------------------------------

  wire                    load, last;
  wire [WIRES-1:0]        taken, sent, acked, arrived, trailing;
  wire [WIRES*16-1:0]     ack_tick, tick;
  wire [WIRES*WIDTH-1:0]  words;
  wire [(N_LOG+1)*32-1:0] lost_up, lost_down;

  leiserson_tree #(
    .N_LOG(N_LOG), .CAPACITY("GIVEN"), .CAPS(CAPS), .PRIORITY(PRIORITY), .PIPELINE(PIPELINE),
    .WIDTH(WIDTH)
  ) u_tree (
    .clk(clk), .rst(before && !ANY_STATE), .restart_i(1'b0), .once_i(1'b1), .seed_i(32'd0),
    .setting_i(1'b0), .load_o(load), .last_o(last),
    .offer_valid_i({{(WIRES-N){1'b0}}, valid}), .offer_i(frames),
    .waiting_i({(WIRES*16){1'b0}}), .take_o(taken),
    .sent_o(sent), .acked_o(acked), .ack_tick_o(ack_tick), .arrived_o(arrived), .tick_o(tick),
    .data_o(words), .trailing_o(trailing), .lost_up_o(lost_up), .lost_down_o(lost_down)
  );

  // ---- loads, flat ------------------------------------------------------------------------------

  reg               fits;
  reg [N_LOG:0]     up, down;
  reg               from_here, to_here;
  integer           k, m, y;
  always @* begin
    fits      = 1'b1;
    up        = {(N_LOG+1){1'b0}};
    down      = {(N_LOG+1){1'b0}};
    from_here = 1'b0;
    to_here   = 1'b0;
    for (k = 1; k <= N_LOG; k = k + 1)
      for (m = 0; m < (1 << k); m = m + 1) begin
        up   = {(N_LOG+1){1'b0}};
        down = {(N_LOG+1){1'b0}};
        for (y = 0; y < N; y = y + 1) begin
          from_here = (y >> (N_LOG - k)) == m;
          to_here   = (dst[y*N_LOG +: N_LOG] >> (N_LOG - k)) == m;
          up   = up   + (valid[y] && from_here && !to_here);
          down = down + (valid[y] && to_here && !from_here);
        end
        if (up > CAPS[32*k +: 32] || down > CAPS[32*k +: 32]) fits = 1'b0;
      end
  end

  // ---- judgements -------------------------------------------------------------------------------

  reg [LOST_W-1:0] lost, lost_q, left, came;
  reg              alone, addressed;
  reg              wanted;
  integer          c, s, t;
  wire [N_LOG-1:0] target = dst[watched*N_LOG +: N_LOG];
  wire             landed = arrived[target] && words[target*WIDTH + 1];
  always @(posedge clk)
    if (age == 2) lost_q <= lost;  // nothing of this delivery cycle can be lost yet

  always @* begin
    lost = {LOST_W{1'b0}};
    left = {LOST_W{1'b0}};
    came = {LOST_W{1'b0}};
    for (c = 0; c <= N_LOG; c = c + 1)
      lost = lost + lost_up[32*c +: LOST_W] + lost_down[32*c +: LOST_W];
    alone     = 1'b1;
    addressed = (trailing == {WIRES{1'b0}});
    for (t = 0; t < WIRES; t = t + 1) begin
      wanted = 1'b0;
      left   = left + sent[t];
      came   = came + arrived[t];
      for (s = 0; s < N; s = s + 1)
        if (valid[s] && dst[s*N_LOG +: N_LOG] == t) wanted = 1'b1;
      if (arrived[t] && (t >= N || !wanted)) addressed = 1'b0;
      if (arrived[t] && words[t*WIDTH + 1] && !(valid[watched] && t == target)) alone = 1'b0;
    end

    `GIVEN(!before || (!own && (!ANY_STATE || last)))
    `PROVE(D1, !ended || !fits || !valid[watched]
               || (arrived[target] && words[target*WIDTH +: WIDTH] == {1'b1, data[watched]}))
    `PROVE(D2, !ended || alone)
    `PROVE(D3, !ended || addressed)
    `PROVE(D4, !ended || acked[watched] == (valid[watched] && landed))
    `PROVE(D5, !ended || left == came + (lost - lost_q))
    `PROVE(D6, before || age > CYCLE
               || (load == (age == 1) && last == ended
                   && (last || {sent, acked, arrived, trailing} == {(4*WIRES){1'b0}})))
  end

endmodule

`default_nettype wire
