// Copyright the fat-tree verification environment contributors
// SPDX-License-Identifier: Apache-2.0

`timescale 1ns/1ns
`include "prove.vh"
`default_nettype none

// A whole header-routed tree without registers, for all message sets: who sends, where to, what.
//
// The load of a channel is the number of messages that must use it (Leiserson's definition),
// counted here flat from sources and destinations.  A set fits if no channel and no leaf's output
// port is loaded beyond its lanes.
//
// One source, any, is watched: its message alone carries a tag beside its payload.
//
//   T1  a set that fits: the message of any source arrives where it was sent, unmodified
//   T2  any set: it arrives nowhere else, so that none is there twice
//   T3  any set: what arrives somewhere was sent there
//   T4  conflicts are counted if and only if the set does not fit
//   T5  any set: sent = delivered + counted as lost
//   T6  where all channels that come before one fit, its level counts load - lanes, summed over the
//       channels that are loaded beyond their lanes: what the definition of load says
//
// T4 .. T6 look at the counters one clock later.
module lbbvn_tree_proof #(
  parameter N_LOG = 2,
  parameter [8*8-1:0]   UPPER_HALF = "SWITCHED",
  parameter [8*11-1:0]  CAPACITY   = "LOWER_BOUND",
  parameter [32*11-1:0] LANES      = {256'd0, 32'd1, 32'd2, 32'd0},  // of a channel, by level
  parameter N     = 1 << N_LOG  // derived
) (
  input wire                clk,
  input wire [N-1:0]        valid_i,
  input wire [N*N_LOG-1:0]  dst_i,
  input wire [N-1:0]        data_i,
  input wire [N_LOG-1:0]    watched_i  // any source
);

  localparam W       = 2;          // payload and tag
  localparam COUNT_W = N_LOG + 2;  // bits of a count of messages, and of the tree's counters
  localparam LEVELS  = N_LOG + 2;
  localparam WIRED   = (UPPER_HALF == "STATIC") && N_LOG > 1;
  localparam HALF    = WIRED ? N_LOG / 2 : 0;   // channels of levels 1 .. HALF are wires
  localparam BUNDLE  = 1 << (N_LOG - 2 * HALF);  // of them lead from a node to another

  reg                       started_q = 1'b0;  // the first clock resets the counters
  wire [N-1:0]              valid;
  wire [N*W-1:0]            tagged, data;
  wire [LEVELS*COUNT_W-1:0] conflicts_up, conflicts_down;
  wire [COUNT_W-1:0]        injected, delivered;

  genvar t;
  generate
    for (t = 0; t < N; t = t + 1) begin : gen_tag
      assign tagged[t*W +: W] = {watched_i == t, data_i[t]};
    end
  endgenerate

  lbbvn_tree #(
    .N_LOG(N_LOG), .W(W), .CONTROL("SELF"), .UPPER_HALF(UPPER_HALF), .PIPELINE(0),
    .CAPACITY(CAPACITY), .LANES(LANES), .COUNT_W(COUNT_W)
  ) u_tree (
    .clk(clk), .rst(~started_q),
    .valid_i(valid_i), .dst_i(dst_i), .data_i(tagged), .valid_o(valid), .data_o(data),
    .row_write_i(1'b0), .row_level_i(4'd0), .row_slot_i({N_LOG{1'b0}}), .row_i(1'b0),
    .last_slot_i({N_LOG{1'b0}}),
    .conflicts_up_o(conflicts_up), .conflicts_down_o(conflicts_down),
    .injected_o(injected), .delivered_o(delivered)
  );

  // ---- loads, flat ------------------------------------------------------------------------------

  reg [LEVELS*COUNT_W-1:0] over_up, over_down;  // load - lanes, summed over a level's channels
  reg [COUNT_W-1:0]        up, down, sent;
  reg                      from_here, to_here;
  reg                      fits, fits_up;
  integer                  j, k, m, x;

  always @* begin
    over_up   = {(LEVELS*COUNT_W){1'b0}};
    over_down = {(LEVELS*COUNT_W){1'b0}};
    sent      = {COUNT_W{1'b0}};
    up        = {COUNT_W{1'b0}};
    down      = {COUNT_W{1'b0}};
    from_here = 1'b0;
    to_here   = 1'b0;
    for (x = 0; x < N; x = x + 1)
      sent = sent + valid_i[x];

    for (j = HALF + 1; j <= N_LOG; j = j + 1)
      for (k = 0; k < (1 << j); k = k + 1) begin
        up   = {COUNT_W{1'b0}};
        down = {COUNT_W{1'b0}};
        for (x = 0; x < N; x = x + 1) begin
          from_here = (x >> (N_LOG - j)) == k;
          to_here   = (dst_i[x*N_LOG +: N_LOG] >> (N_LOG - j)) == k;
          up   = up   + (valid_i[x] & from_here & ~to_here);
          down = down + (valid_i[x] & to_here & ~from_here);
        end
        if (up > LANES[32*j +: 32])
          over_up[j*COUNT_W +: COUNT_W] =
            over_up[j*COUNT_W +: COUNT_W] + up - LANES[32*j +: 32];
        if (down > LANES[32*j +: 32])
          over_down[j*COUNT_W +: COUNT_W] =
            over_down[j*COUNT_W +: COUNT_W] + down - LANES[32*j +: 32];
      end

    if (WIRED)  // a bundle from node k to node m of level HALF, where each goes up
      for (k = 0; k < (1 << HALF); k = k + 1)
        for (m = 0; m < (1 << HALF); m = m + 1) begin
          up = {COUNT_W{1'b0}};
          for (x = 0; x < N; x = x + 1)
            up = up + (valid_i[x] && (x >> (N_LOG - HALF)) == k
                       && (dst_i[x*N_LOG +: N_LOG] >> (N_LOG - HALF)) == m);
          if (k != m && up > BUNDLE)
            over_up[HALF*COUNT_W +: COUNT_W] = over_up[HALF*COUNT_W +: COUNT_W] + up - BUNDLE;
        end

    for (k = 0; k < N; k = k + 1) begin  // a leaf's output port takes one
      down = {COUNT_W{1'b0}};
      for (x = 0; x < N; x = x + 1)
        down = down + (valid_i[x] && dst_i[x*N_LOG +: N_LOG] == k);
      if (down > 1)
        over_down[(N_LOG+1)*COUNT_W +: COUNT_W] =
          over_down[(N_LOG+1)*COUNT_W +: COUNT_W] + down - 1'b1;
    end
    fits_up = (over_up == {(LEVELS*COUNT_W){1'b0}});
    fits    = fits_up && (over_down == {(LEVELS*COUNT_W){1'b0}});
  end

  // ---- in the same clock ------------------------------------------------------------------------

  reg               sent_here, addressed, alone;
  integer           y, s;
  wire [N_LOG-1:0]  target = dst_i[watched_i*N_LOG +: N_LOG];

  always @* begin
    addressed = 1'b1;
    alone     = 1'b1;
    sent_here = 1'b0;
    for (y = 0; y < N; y = y + 1) begin
      sent_here = 1'b0;
      for (s = 0; s < N; s = s + 1)
        if (valid_i[s] && dst_i[s*N_LOG +: N_LOG] == y) sent_here = 1'b1;
      if (valid[y] && !sent_here) addressed = 1'b0;
      if (data[y*W + 1] && !(valid_i[watched_i] && y == target)) alone = 1'b0;
    end
    `PROVE(T1, !started_q || !fits || !valid_i[watched_i]
               || (valid[target] && data[target*W +: W] == {1'b1, data_i[watched_i]}))
    `PROVE(T2, alone)
    `PROVE(T3, addressed)
  end

  // ---- a clock later ----------------------------------------------------------------------------

  reg                      looking_q = 1'b0;  // the clock before was not the first
  reg                      fits_q, fits_up_q;
  reg [LEVELS*COUNT_W-1:0] up_q, down_q, over_up_q, over_down_q;
  reg [COUNT_W-1:0]        injected_q, delivered_q, sent_q;

  always @(posedge clk) begin
    started_q   <= 1'b1;
    looking_q   <= started_q;
    fits_q      <= fits;
    fits_up_q   <= fits_up;
    sent_q      <= sent;
    up_q        <= conflicts_up;
    down_q      <= conflicts_down;
    over_up_q   <= over_up;
    over_down_q <= over_down;
    injected_q  <= injected;
    delivered_q <= delivered;
  end

  reg [LEVELS*COUNT_W-1:0] lost_up, lost_down;
  reg [COUNT_W-1:0]        lost, arrived;
  reg                      counted, before;
  integer                  i;

  always @* begin
    lost    = {COUNT_W{1'b0}};
    counted = 1'b1;
    before  = 1'b1;
    arrived = delivered - delivered_q;
    for (i = 0; i < LEVELS; i = i + 1) begin
      lost_up[i*COUNT_W +: COUNT_W] =
        conflicts_up[i*COUNT_W +: COUNT_W] - up_q[i*COUNT_W +: COUNT_W];
      lost_down[i*COUNT_W +: COUNT_W] =
        conflicts_down[i*COUNT_W +: COUNT_W] - down_q[i*COUNT_W +: COUNT_W];
      lost = lost + lost_up[i*COUNT_W +: COUNT_W] + lost_down[i*COUNT_W +: COUNT_W];
    end
    for (i = LEVELS - 1; i >= 0; i = i - 1) begin  // up: from the leaves to the root
      if (before && lost_up[i*COUNT_W +: COUNT_W] != over_up_q[i*COUNT_W +: COUNT_W])
        counted = 1'b0;
      if (over_up_q[i*COUNT_W +: COUNT_W] != 0) before = 1'b0;
    end
    before = fits_up_q;
    for (i = 0; i < LEVELS; i = i + 1) begin  // down: from the root to the leaves' ports
      if (before && lost_down[i*COUNT_W +: COUNT_W] != over_down_q[i*COUNT_W +: COUNT_W])
        counted = 1'b0;
      if (over_down_q[i*COUNT_W +: COUNT_W] != 0) before = 1'b0;
    end
    if (looking_q) begin
      `PROVE(T4, fits_q == (lost == {COUNT_W{1'b0}}))
      `PROVE(T5, injected - injected_q == sent_q && sent_q == arrived + lost)
      `PROVE(T6, counted)
    end
  end

endmodule

`default_nettype wire
