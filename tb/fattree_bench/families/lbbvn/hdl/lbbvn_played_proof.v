// Copyright the fat-tree verification environment contributors
// SPDX-License-Identifier: Apache-2.0

`timescale 1ns/1ns
`include "prove.vh"
`default_nettype none

// A whole tree under scheduled control, after a reset, for all settings, whenever they are written,
// and all packets.  Given is that the rows of a slot are not written while its packets are on
// their way.
//
// One slot, any, is watched; and all packets of one of its rounds, any.  The way to each leaf is
// followed backwards here, from the leaf's lane to the lane that its setting names, and so on, in
// the rows that were written last for the slot.
//
//   P1  the packet that the settings lead to a leaf is there after LATENCY clocks, unmodified; one
//       that is looped back is there if none comes from the tree
//   P2  where none was led nothing is there
module lbbvn_played_proof #(
  parameter N_LOG    = 2,
  parameter PIPELINE = 1,
  parameter DEPTH    = 2,
  parameter LAST     = 1,  // last slot
  parameter [8*8-1:0]   UPPER_HALF = "SWITCHED",  // of lbbvn_sizes.vh, as the next two
  parameter [8*11-1:0]  CAPACITY   = "LOWER_BOUND",
  parameter [32*11-1:0] LANES      = 0,
  // derived
  parameter N        = 1 << N_LOG,
  parameter SLOT_W   = $clog2(DEPTH),
  parameter ROW_W    = widest_row(0)
) (
  input wire              clk,
  input wire [SLOT_W-1:0] watched_i,  // the slot
  input wire              mark_i,     // watch the packets of this round
  input wire [N-1:0]      valid_i,
  input wire [N-1:0]      data_i,
  input wire              write_i,
  input wire [3:0]        level_i,
  input wire [SLOT_W-1:0] slot_i,
  input wire [ROW_W-1:0]  row_i
);

  `include "lbbvn_sizes.vh"

  localparam        LATENCY  = (PIPELINE == 0) ? 0 : 2 * N_LOG - 1;
  localparam        AGE_W    = $clog2(2 * N_LOG);
  localparam [31:0] LAST_INT = LAST;

  reg               first = 1'b1;
  reg  [SLOT_W-1:0] watched_q;
  wire [N-1:0]      valid, data;
  lbbvn_tree #(
    .N_LOG(N_LOG), .W(1), .CONTROL("SCHEDULED"), .UPPER_HALF(UPPER_HALF), .PIPELINE(PIPELINE),
    .CAPACITY(CAPACITY), .LANES(LANES), .DEPTH(DEPTH)
  ) u_tree (
    .clk(clk), .rst(first), .valid_i(valid_i), .dst_i({(N*N_LOG){1'b0}}), .data_i(data_i),
    .valid_o(valid), .data_o(data), .row_write_i(write_i), .row_level_i(level_i),
    .row_slot_i(slot_i), .row_i(row_i), .last_slot_i(LAST_INT[SLOT_W-1:0]),
    .conflicts_up_o(), .conflicts_down_o(), .injected_o(), .delivered_o()
  );

  // ---- the slot's rows, and the packets of a round ----------------------------------------------

  reg  [SLOT_W-1:0]          now_q;    // slot of the packets that are offered
  reg  [N_LOG:0]             known_q;  // by level: the watched slot has a row:
  reg  [(N_LOG+1)*ROW_W-1:0] rows_q;
  reg  [AGE_W-1:0]           age_q;    // clocks since the watched packets were offered
  reg  [N-1:0]               sent_q, word_q;  // those packets
  wire                       rests  = age_q == {AGE_W{1'b0}};
  wire                       starts = mark_i && now_q == watched_q && (&known_q) && rests;
  wire                       writes = write_i && slot_i == watched_q;
  integer                    w;
  always @(posedge clk) begin
    first <= 1'b0;
    now_q <= (first || now_q == LAST) ? {SLOT_W{1'b0}} : now_q + 1'b1;
    if (first) begin
      watched_q <= watched_i;
      known_q   <= {(N_LOG+1){1'b0}};
      age_q     <= {AGE_W{1'b0}};
    end else begin
      for (w = 0; w <= N_LOG; w = w + 1)
        if (writes && level_i == w) begin
          known_q[w]               <= 1'b1;
          rows_q[w*ROW_W +: ROW_W] <= row_i;
        end
      if (LATENCY > 0)
        age_q <= (rests && !starts) || age_q == LATENCY ? {AGE_W{1'b0}} : age_q + 1'b1;
      if (starts) begin
        sent_q <= valid_i;
        word_q <= data_i;
      end
    end
  end

  // ---- what is due at the leaves ----------------------------------------------------------------

  wire         arrive = (LATENCY == 0) ? starts : age_q == LATENCY;
  wire [N-1:0] sent   = (LATENCY == 0) ? valid_i : sent_q;
  wire [N-1:0] word   = (LATENCY == 0) ? data_i : word_q;

  // Bits of a setting that name one of up to 16 inputs.
  function integer name_bits(input integer inputs);
    name_bits = 1 + (inputs > 2) + (inputs > 4) + (inputs > 8);
  endfunction

  // Narrow words and constant sizes: the solver's own ones would be of 32 bits.
  localparam B = 6;

  reg [N-1:0]     due, due_word;
  reg [ROW_W-1:0] row;
  reg             led, turned;  // the settings lead on; the way has turned towards a leaf,
  reg [B-1:0]     turn;         // in a node of this level
  reg [B-1:0]     node, lane;   // the lane that was reached, above this node or leaf
  reg [B-1:0]     at, from;     // its number in the level, and its input
  reg             side;         // which child
  integer         y, j;
  always @* begin
    due      = {N{1'b0}};
    due_word = {N{1'b0}};
    for (y = 0; y < N; y = y + 1) begin
      led    = 1'b1;
      turned = 1'b0;
      turn   = {B{1'b0}};
      node   = y;
      lane   = {B{1'b0}};
      for (j = N_LOG - 1; j >= 0; j = j - 1)  // towards the root
        if (led && !turned) begin
          row  = rows_q[j*ROW_W +: ROW_W] >> ups(j);
          side = node[0];
          at   = node * lanes(j + 1) + lane;
          node = node >> 1;
          led  = row[at];
          row  = row >> ((2 << j) * lanes(j + 1));
          from = (row >> at * name_bits(lanes(j) + lanes(j + 1)))
                 & ((1 << name_bits(lanes(j) + lanes(j + 1))) - 1);
          if (from < lanes(j)) lane = from;
          else begin
            turned = 1'b1;
            turn   = j;
            if (from >= lanes(j) + lanes(j + 1)) led = 1'b0;
            node   = {node, ~side};
            lane   = from - lanes(j);
          end
        end
      if (!turned) led = 1'b0;
      for (j = 1; j < N_LOG; j = j + 1)  // and from there to a leaf
        if (led && j > turn) begin
          row  = rows_q[j*ROW_W +: ROW_W];
          at   = node * lanes(j) + lane;
          led  = row[at];
          row  = row >> ((1 << j) * lanes(j));
          from = (row >> at * name_bits(2 * lanes(j + 1)))
                 & ((1 << name_bits(2 * lanes(j + 1))) - 1);
          if (from >= 2 * lanes(j + 1)) led = 1'b0;
          side = from >= lanes(j + 1);
          node = {node, side};
          lane = side ? from - lanes(j + 1) : from;
        end
      row = rows_q[N_LOG*ROW_W +: ROW_W];  // whose packets are looped back
      if (led) led = sent[node] && !row[node];
      due[y]      = led || (sent[y] && row[y]);
      due_word[y] = led ? word[node] : word[y];
    end
  end

  // Bits of the settings of level j's up lanes; the root has one that leads nowhere.
  function integer ups(input integer j);
    ups = (1 << j) * ((j > 0) ? lanes(j) : 1) * (name_bits(2 * lanes(j + 1)) + 1);
  endfunction

  always @* begin
    `GIVEN(!(writes && (starts || !rests)))
    if (!first && arrive) begin
      `PROVE(P1, (due & ~(valid & ~(data ^ due_word))) == {N{1'b0}})
      `PROVE(P2, (valid & ~due) == {N{1'b0}})
    end
  end

endmodule

`default_nettype wire
