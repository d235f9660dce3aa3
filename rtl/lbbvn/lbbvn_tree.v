// Copyright the fat-tree verification environment contributors
// SPDX-License-Identifier: Apache-2.0

`include "checks.vh"
`default_nettype none

// Bufferless slot-synchronous fat-tree of N = 2^N_LOG leaves: the fabric of a load-balanced
// Birkhoff-von Neumann switch (Chueh et al., HPSR 2013).
//
// Contract: in every clock each leaf may offer one packet; that clock is the packet's slot.  Every
// packet turns at the lowest common ancestor of source and destination and leaves LATENCY clocks
// later at its destination, unless it is lost.  A packet is lost only where a channel has fewer
// lanes than requests, and every loss is counted, by level and direction.  Idle leaves give zeros.
//   CONTROL = "SELF"       dst_i is the header; lowest input first where lanes are short.
//   CONTROL = "SCHEDULED"  no header: the nodes step through their rows of settings, row 0 in the
//                          first slot after reset, row last_slot_i before row 0 again.
//   UPPER_HALF = "STATIC"  fixed wires instead of the nodes above level h = floor(n/2): 2^(n-2h)
//                          from every level-h subtree to every other.
// Timing: LATENCY = 0 without PIPELINE; with it one register a node and direction on the path:
// 2n - 1 clocks, or 2(n - h) with the static upper half.  rst is synchronous, discards what is
// inside and clears the counters; the settings stay.
//
// Counters are COUNT_W bits, wrap around, and count the clocks up to the last edge.  Level j's
// conflicts stand at [j*COUNT_W +: COUNT_W], j = 1 .. n; level n + 1, down, is the leaves' output
// ports, contested by a loop-back.
module lbbvn_tree #(
  parameter N_LOG      = 4,              // n, 1 .. 10
  parameter W          = 32,             // payload bits, >= 1
  parameter [8*9-1:0]  CONTROL    = "SELF",      // "SELF", "SCHEDULED"
  parameter [8*8-1:0]  UPPER_HALF = "SWITCHED",  // "SWITCHED", "STATIC"
  parameter PIPELINE   = 1,              // 0, 1: registers a level
  parameter [8*11-1:0] CAPACITY = "LOWER_BOUND",  // "LOWER_BOUND" (Lemma 1), "NONBLOCKING", "GIVEN"
  parameter [32*11-1:0] LANES = 0,       // GIVEN: lanes of a level-j channel at [32*j +: 32]
  parameter DEPTH      = 1 << N_LOG,     // SCHEDULED: rows of settings, >= 1
  parameter COUNT_W    = 32,             // bits of a counter, > N_LOG
  // derived
  parameter N          = 1 << N_LOG,
  parameter SLOT_W     = (DEPTH > 1) ? $clog2(DEPTH) : 1,
  parameter ROW_W      = (CONTROL == "SELF") ? 1 : widest_row(0)
) (
  input  wire                       clk,
  input  wire                       rst,
  // one packet a leaf a slot
  input  wire [N-1:0]               valid_i,
  input  wire [N*N_LOG-1:0]         dst_i,
  input  wire [N*W-1:0]             data_i,
  output wire [N-1:0]               valid_o,
  output wire [N*W-1:0]             data_o,
  // settings (SCHEDULED): a row is written for one level and slot at a time; level n's row holds
  // the leaves' loop-back bits
  input  wire                       row_write_i,
  input  wire [3:0]                 row_level_i,
  input  wire [SLOT_W-1:0]          row_slot_i,
  input  wire [ROW_W-1:0]           row_i,
  input  wire [SLOT_W-1:0]          last_slot_i,
  // counters
  output wire [(N_LOG+2)*COUNT_W-1:0] conflicts_up_o,
  output wire [(N_LOG+2)*COUNT_W-1:0] conflicts_down_o,
  output wire [COUNT_W-1:0]           injected_o,
  output wire [COUNT_W-1:0]           delivered_o
);

  localparam HALF    = N_LOG / 2;
  localparam TOP     = (UPPER_HALF == "STATIC") ? HALF : 0;  // highest level with nodes
  localparam WIRED   = (TOP > 0);                            // the upper half is fixed wires
  localparam BUNDLE  = 1 << (N_LOG - 2 * HALF);              // wires between two level-h nodes
  localparam LATENCY = (PIPELINE == 0) ? 0 : WIRED ? 2 * (N_LOG - TOP) : 2 * N_LOG - 1;
  localparam H       = (CONTROL == "SELF") ? N_LOG : 1;     // header bits a lane

  // Lanes of a level-j channel, each way; none above the root.
  function integer lanes(input integer j);
    begin
      if (j < 1)
        lanes = 0;
      else if (CAPACITY == "GIVEN")
        lanes = LANES[32*j +: 32];
      else if (CAPACITY == "LOWER_BOUND" && 2 * j <= N_LOG)
        lanes = (1 << (N_LOG - j)) - (1 << (N_LOG - 2 * j));
      else
        lanes = 1 << (N_LOG - j);
    end
  endfunction

  // Bits of a lane's setting: which of so many inputs, and enable.
  function integer setting_bits(input integer inputs);
    setting_bits = ((inputs > 1) ? $clog2(inputs) : 1) + 1;
  endfunction

  // Bits of level j's row of settings, as lbbvn_level counts them.
  function integer row_bits(input integer j);
    integer up;
    begin
      up = (lanes(j) > 0) ? lanes(j) : 1;
      row_bits = (1 << j) * (up * setting_bits(2 * lanes(j + 1))
               + 2 * lanes(j + 1) * setting_bits(lanes(j) + lanes(j + 1)));
    end
  endfunction

  function integer widest_row(input integer unused);
    integer j;
    begin
      widest_row = N + unused;
      for (j = (UPPER_HALF == "STATIC") ? N_LOG / 2 : 0; j < N_LOG; j = j + 1)
        if (row_bits(j) > widest_row) widest_row = row_bits(j);
    end
  endfunction

  // ---- the slot number travels through the tree with its packets (SCHEDULED) --------------------

  wire [SLOT_W*(2*N_LOG)-1:0] slot;  // slot of the packets that entered i clocks ago

  genvar i;
  generate
    if (CONTROL != "SELF") begin : gen_slot
      reg [SLOT_W-1:0] slot_q;
      always @(posedge clk)
        slot_q <= (rst || slot_q == last_slot_i) ? {SLOT_W{1'b0}} : slot_q + 1'b1;
      assign slot[SLOT_W-1:0] = slot_q;
      for (i = 1; i < 2 * N_LOG; i = i + 1) begin : gen_delay
        delay_line #(.DEPTH(PIPELINE), .WIDTH(SLOT_W)) u_slot (
          .clk(clk), .rst(rst),
          .data_i(slot[(i-1)*SLOT_W +: SLOT_W]), .data_o(slot[i*SLOT_W +: SLOT_W])
        );
      end
    end else begin : gen_no_slot
      assign slot = {(SLOT_W*2*N_LOG){1'b0}};
      wire unused = &{1'b0, last_slot_i, row_level_i};
    end
  endgenerate
  wire unused_slot = &{1'b0, slot};

  // ---- levels -----------------------------------------------------------------------------------

  wire [N-1:0]                leaf_up_valid;
  wire [N*H-1:0]              leaf_up_header;
  wire [N*W-1:0]              leaf_up_data;
  wire [N-1:0]                leaf_down_valid;
  wire [N*W-1:0]              leaf_down_data;
  wire [(N_LOG+1)*(N_LOG+2)-1:0] up_lost;    // this clock's losses at [level*(n+1)]
  wire [(N_LOG+1)*(N_LOG+2)-1:0] down_lost;

  genvar j, k, g;
  generate
    for (j = TOP; j < N_LOG; j = j + 1) begin : gen_level
      localparam NODES  = 1 << j;
      localparam C_UP   = lanes(j);
      localparam UP     = (C_UP > 0) ? C_UP : 1;
      localparam C_DOWN = lanes(j + 1);
      localparam BELOW  = NODES * 2 * C_DOWN;
      localparam ABOVE  = NODES * UP;
      localparam STEPS  = WIRED ? N_LOG - TOP + j - TOP : N_LOG - 1 + j;  // clocks to here and back
      localparam LEVEL_ROW_W = (CONTROL == "SELF") ? 1 : row_bits(j);
      localparam [31:0] THIS = j;

      wire [BELOW-1:0]   from_below_valid, to_below_valid;
      wire [BELOW*H-1:0] from_below_header, to_below_header;
      wire [BELOW*W-1:0] from_below_data, to_below_data;
      wire [ABOVE-1:0]   from_above_valid, to_above_valid;
      wire [ABOVE*H-1:0] from_above_header, to_above_header;
      wire [ABOVE*W-1:0] from_above_data, to_above_data;

      lbbvn_level #(
        .CONTROL(CONTROL), .PIPELINE(PIPELINE), .N_LOG(N_LOG), .LEVEL(j),
        .C_UP(C_UP), .C_DOWN(C_DOWN), .GROUPS((WIRED && j == TOP) ? NODES - 1 : 1),
        .TURN_DELAY((PIPELINE == 0) ? 0 : STEPS - (N_LOG - 1 - j)), .H(H), .W(W),
        .DEPTH(DEPTH), .SLOT_W(SLOT_W), .ROW_W(LEVEL_ROW_W)
      ) u_level (
        .clk           (clk),
        .rst           (rst),
        .up_valid_i    (from_below_valid),
        .up_header_i   (from_below_header),
        .up_data_i     (from_below_data),
        .down_valid_o  (to_below_valid),
        .down_header_o (to_below_header),
        .down_data_o   (to_below_data),
        .up_valid_o    (to_above_valid),
        .up_header_o   (to_above_header),
        .up_data_o     (to_above_data),
        .down_valid_i  (from_above_valid),
        .down_header_i (from_above_header),
        .down_data_i   (from_above_data),
        .up_slot_i     (slot[(N_LOG-1-j)*SLOT_W +: SLOT_W]),
        .down_slot_i   (slot[STEPS*SLOT_W +: SLOT_W]),
        .row_write_i   (row_write_i && row_level_i == THIS[3:0]),
        .row_slot_i    (row_slot_i),
        .row_i         (row_i[LEVEL_ROW_W-1:0]),
        .up_lost_o     (up_lost[j*(N_LOG+1) +: N_LOG+1]),
        .down_lost_o   (down_lost[(j+1)*(N_LOG+1) +: N_LOG+1])
      );

      // Below: the next level, whose node pairs are this level's children; at the end the leaves.
      if (j == N_LOG - 1) begin : gen_leaves_below
        wire unused = &{1'b0, to_below_header};
        assign from_below_valid  = leaf_up_valid;
        assign from_below_header = leaf_up_header;
        assign from_below_data   = leaf_up_data;
        assign leaf_down_valid   = to_below_valid;
        assign leaf_down_data    = to_below_data;
      end else begin : gen_level_below
        assign from_below_valid  = gen_level[j+1].to_above_valid;
        assign from_below_header = gen_level[j+1].to_above_header;
        assign from_below_data   = gen_level[j+1].to_above_data;
      end

      // Above: the previous level, the fixed wires, or nothing.
      if (j > TOP) begin : gen_level_above
        assign from_above_valid  = gen_level[j-1].to_below_valid;
        assign from_above_header = gen_level[j-1].to_below_header;
        assign from_above_data   = gen_level[j-1].to_below_data;
      end else if (WIRED) begin : gen_wires
        for (k = 0; k < NODES; k = k + 1) begin : gen_node
          for (g = 0; g < NODES - 1; g = g + 1) begin : gen_bundle
            localparam TO   = k * UP + g * BUNDLE;
            localparam FROM = (k ^ (g + 1)) * UP + g * BUNDLE;
            assign from_above_valid [TO +: BUNDLE]     = to_above_valid [FROM +: BUNDLE];
            assign from_above_header[TO*H +: BUNDLE*H] = to_above_header[FROM*H +: BUNDLE*H];
            assign from_above_data  [TO*W +: BUNDLE*W] = to_above_data  [FROM*W +: BUNDLE*W];
          end
        end
      end else begin : gen_root
        wire unused = &{1'b0, to_above_valid, to_above_header, to_above_data};
        assign from_above_valid  = {ABOVE{1'b0}};
        assign from_above_header = {(ABOVE*H){1'b0}};
        assign from_above_data   = {(ABOVE*W){1'b0}};
      end
    end
  endgenerate

  // ---- leaves -----------------------------------------------------------------------------------

  wire [N-1:0]   loop;
  wire [N_LOG:0] injected;
  wire [N_LOG:0] delivered;

  generate
    if (CONTROL != "SELF") begin : gen_loop
      localparam [31:0] LEAVES = N_LOG;
      reg [N-1:0] loop_rows [0:DEPTH-1];
      always @(posedge clk)
        if (row_write_i && row_level_i == LEAVES[3:0]) loop_rows[row_slot_i] <= row_i[N-1:0];
      assign loop = loop_rows[slot[SLOT_W-1:0]];
    end else begin : gen_no_loop
      assign loop = {N{1'b0}};
    end
  endgenerate

  lbbvn_leaves #(.CONTROL(CONTROL), .N_LOG(N_LOG), .LATENCY(LATENCY), .H(H), .W(W)) u_leaves (
    .clk         (clk),
    .rst         (rst),
    .valid_i     (valid_i),
    .dst_i       (dst_i),
    .data_i      (data_i),
    .valid_o     (valid_o),
    .data_o      (data_o),
    .up_valid_o  (leaf_up_valid),
    .up_header_o (leaf_up_header),
    .up_data_o   (leaf_up_data),
    .down_valid_i(leaf_down_valid),
    .down_data_i (leaf_down_data),
    .loop_i      (loop),
    .injected_o  (injected),
    .delivered_o (delivered),
    .lost_o      (down_lost[(N_LOG+1)*(N_LOG+1) +: N_LOG+1])
  );

  // ---- counters ---------------------------------------------------------------------------------

  function [COUNT_W-1:0] widen(input [N_LOG:0] count);
    begin
      widen = {COUNT_W{1'b0}};
      widen[N_LOG:0] = count;
    end
  endfunction

  generate
    for (i = 0; i <= N_LOG + 1; i = i + 1) begin : gen_counter
      reg [COUNT_W-1:0] up_q;
      reg [COUNT_W-1:0] down_q;
      always @(posedge clk) begin
        up_q   <= rst ? {COUNT_W{1'b0}} : up_q   + widen(up_lost  [i*(N_LOG+1) +: N_LOG+1]);
        down_q <= rst ? {COUNT_W{1'b0}} : down_q + widen(down_lost[i*(N_LOG+1) +: N_LOG+1]);
      end
      assign conflicts_up_o  [i*COUNT_W +: COUNT_W] = up_q;
      assign conflicts_down_o[i*COUNT_W +: COUNT_W] = down_q;
      // Levels without channels in that direction.
      if (i < TOP || i >= N_LOG) begin : gen_no_up
        assign up_lost[i*(N_LOG+1) +: N_LOG+1] = {(N_LOG+1){1'b0}};
      end
      if (i <= TOP) begin : gen_no_down
        assign down_lost[i*(N_LOG+1) +: N_LOG+1] = {(N_LOG+1){1'b0}};
      end
    end
  endgenerate

  reg [COUNT_W-1:0] injected_q;
  reg [COUNT_W-1:0] delivered_q;
  always @(posedge clk) begin
    injected_q  <= rst ? {COUNT_W{1'b0}} : injected_q  + widen(injected);
    delivered_q <= rst ? {COUNT_W{1'b0}} : delivered_q + widen(delivered);
  end
  assign injected_o  = injected_q;
  assign delivered_o = delivered_q;

  // ---- parameters -------------------------------------------------------------------------------

  `CHECK_PARAMETER(N_LOG >= 1 && N_LOG <= 10, "N_LOG", N_LOG, "1 to 10")
  `CHECK_PARAMETER(W >= 1, "W", W, ">= 1")
  `CHECK_PARAMETER(PIPELINE == 0 || PIPELINE == 1, "PIPELINE", PIPELINE, "0 or 1")
  `CHECK_PARAMETER(DEPTH >= 1, "DEPTH", DEPTH, ">= 1")
  `CHECK_PARAMETER(COUNT_W > N_LOG, "COUNT_W", COUNT_W, "> N_LOG")
  `CHECK_CHOICE(CONTROL == "SELF" || CONTROL == "SCHEDULED", "CONTROL", CONTROL, "SELF, SCHEDULED")
  `CHECK_CHOICE(UPPER_HALF == "SWITCHED" || UPPER_HALF == "STATIC",
                "UPPER_HALF", UPPER_HALF, "SWITCHED, STATIC")
  `CHECK_CHOICE(CAPACITY == "LOWER_BOUND" || CAPACITY == "NONBLOCKING" || CAPACITY == "GIVEN",
                "CAPACITY", CAPACITY, "LOWER_BOUND, NONBLOCKING, GIVEN")
  generate
    for (j = 1; j <= N_LOG; j = j + 1) begin : gen_check
      `CHECK_PARAMETER(lanes(j) >= 1 && lanes(j) <= (1 << (N_LOG - j)),
                       "LANES", lanes(j), "1 to 2^(n-j)")
      if (WIRED && j <= TOP) begin : gen_static
        `CHECK_PARAMETER(lanes(j) == (1 << (N_LOG - j)) - (1 << (N_LOG - 2 * j)),
                         "LANES", lanes(j), "2^(n-j) - 2^(n-2j), for the wires are fixed")
      end
    end
  endgenerate

endmodule

`default_nettype wire
