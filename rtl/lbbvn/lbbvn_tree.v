// Copyright the fat-tree verification environment contributors
// SPDX-License-Identifier: Apache-2.0

`timescale 1ns/1ns
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
  parameter [8*8-1:0]  FORM = "HARDWARE",  // "HARDWARE", "FAST" (to simulate): of its blocks
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
  parameter N          = 1 << N_LOG,                       // leaves
  parameter SLOT_W     = (DEPTH > 1) ? $clog2(DEPTH) : 1,  // bits of a slot's number
  // Bits of the widest row of settings.
  parameter ROW_W      = (CONTROL == "SELF") ? 1 : widest_row(0)
) (
  input  wire                       clk,  // rising edge
  input  wire                       rst,  // synchronous
  // one packet a leaf a slot
  input  wire [N-1:0]               valid_i,  // leaf x offers a packet
  input  wire [N*N_LOG-1:0]         dst_i,    // its destination (SELF)
  input  wire [N*W-1:0]             data_i,   // its payload
  output wire [N-1:0]               valid_o,  // leaf x gets a packet
  output wire [N*W-1:0]             data_o,
  // settings (SCHEDULED): a row is written for one level and slot at a time; level n's row holds
  // the leaves' loop-back bits
  input  wire                       row_write_i,  // SCHEDULED: a row is written
  input  wire [3:0]                 row_level_i,  // of this level; n: loop-backs of the leaves
  input  wire [SLOT_W-1:0]          row_slot_i,   // for this slot
  input  wire [ROW_W-1:0]           row_i,        // its settings
  input  wire [SLOT_W-1:0]          last_slot_i,
  // counters
  output wire [(N_LOG+2)*COUNT_W-1:0] conflicts_up_o,    // packets lost on the way up, by level
  output wire [(N_LOG+2)*COUNT_W-1:0] conflicts_down_o,  // on the way down, by level
  output wire [COUNT_W-1:0]           injected_o,        // packets taken in
  output wire [COUNT_W-1:0]           delivered_o        // packets given out
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

  // Bits of level j's row of settings, as gen_level lays it out.
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

  // ---- channels: gen_channel[j].gen_node[k] is the one above node k of level j, or above leaf k --

  genvar i, j, k, g;
  generate
    for (j = TOP; j <= N_LOG; j = j + 1) begin : gen_channel
      localparam C = (lanes(j) > 0) ? lanes(j) : 1;  // vectors are never empty
      for (k = 0; k < (1 << j); k = k + 1) begin : gen_node
        wire [C-1:0]   up_valid,  down_valid;
        wire [C*H-1:0] up_header, down_header;
        wire [C*W-1:0] up_data,   down_data;
        if (j > TOP) begin : gen_tree
          wire unused = &{1'b0, down_header};  // leaves do not look at it
        end else if (WIRED) begin : gen_static
          // Instead of the levels above, bundle g leads to node k XOR (g + 1).
          for (g = 0; g < (1 << TOP) - 1; g = g + 1) begin : gen_bundle
            localparam OTHER = k ^ (g + 1);
            assign down_valid[g*BUNDLE +: BUNDLE] =
              gen_channel[j].gen_node[OTHER].up_valid[g*BUNDLE +: BUNDLE];
            assign down_header[g*BUNDLE*H +: BUNDLE*H] =
              gen_channel[j].gen_node[OTHER].up_header[g*BUNDLE*H +: BUNDLE*H];
            assign down_data[g*BUNDLE*W +: BUNDLE*W] =
              gen_channel[j].gen_node[OTHER].up_data[g*BUNDLE*W +: BUNDLE*W];
          end
        end else begin : gen_root  // nothing is above
          wire unused = &{1'b0, up_valid, up_header, up_data};
          assign down_valid  = {C{1'b0}};
          assign down_header = {(C*H){1'b0}};
          assign down_data   = {(C*W){1'b0}};
        end
      end
    end
  endgenerate

  // ---- nodes ------------------------------------------------------------------------------------

  wire [2*N_LOG*SLOT_W-1:0] slot;  // SCHEDULED: slot of the packets that entered i clocks ago

  lbbvn_slots #(
    .CONTROL(CONTROL), .PIPELINE(PIPELINE), .STAGES(2 * N_LOG), .SLOT_W(SLOT_W)
  ) u_slots (
    .clk(clk), .rst(rst), .last_slot_i(last_slot_i), .slot_o(slot)
  );

  generate
    for (j = TOP; j < N_LOG; j = j + 1) begin : gen_level
      localparam NODES    = 1 << j;
      localparam UP       = (lanes(j) > 0) ? lanes(j) : 1;
      localparam BELOW    = 2 * lanes(j + 1);
      localparam UP_SEL   = setting_bits(BELOW) - 1;
      localparam DOWN_SEL = setting_bits(lanes(j) + lanes(j + 1)) - 1;
      localparam STEPS    = WIRED ? N_LOG - TOP + j - TOP : N_LOG - 1 + j;  // clocks to here and back
      localparam [31:0] THIS = j;

      wire [NODES*(N_LOG+1)-1:0] up_lost, down_lost;  // node by node, in this clock

      for (k = 0; k < NODES; k = k + 1) begin : gen_node
        localparam [31:0] INDEX = k;
        wire [UP*(UP_SEL+1)-1:0]      up_settings;  // {select, enable}
        wire [BELOW*(DOWN_SEL+1)-1:0] down_settings;

        if (CONTROL != "SELF") begin : gen_settings
          // A row of the level: up enables of all nodes, up selects, down enables, down selects.
          localparam SELECTS = NODES * UP;
          localparam DOWNS   = SELECTS * (UP_SEL + 1);
          wire write = row_write_i && row_level_i == THIS[3:0];
          lbbvn_settings #(.WIDTH(UP*(UP_SEL+1)), .DEPTH(DEPTH), .SLOT_W(SLOT_W)) u_up (
            .clk(clk), .write_i(write), .write_slot_i(row_slot_i),
            .row_i({row_i[SELECTS + k*UP*UP_SEL +: UP*UP_SEL], row_i[k*UP +: UP]}),
            .slot_i(slot[(N_LOG-1-j)*SLOT_W +: SLOT_W]), .row_o(up_settings)
          );
          lbbvn_settings #(.WIDTH(BELOW*(DOWN_SEL+1)), .DEPTH(DEPTH), .SLOT_W(SLOT_W)) u_down (
            .clk(clk), .write_i(write), .write_slot_i(row_slot_i),
            .row_i({row_i[DOWNS + NODES*BELOW + k*BELOW*DOWN_SEL +: BELOW*DOWN_SEL],
                    row_i[DOWNS + k*BELOW +: BELOW]}),
            .slot_i(slot[STEPS*SLOT_W +: SLOT_W]), .row_o(down_settings)
          );
        end else begin : gen_no_settings
          assign up_settings   = {(UP*(UP_SEL+1)){1'b0}};
          assign down_settings = {(BELOW*(DOWN_SEL+1)){1'b0}};
        end

        lbbvn_node #(
          .FORM(FORM), .CONTROL(CONTROL), .PIPELINE(PIPELINE), .N_LOG(N_LOG), .LEVEL(j),
          .C_UP(lanes(j)), .C_DOWN(lanes(j + 1)), .GROUPS((WIRED && j == TOP) ? NODES - 1 : 1),
          .TURN_DELAY((PIPELINE == 0) ? 0 : STEPS - (N_LOG - 1 - j)), .H(H), .W(W)
        ) u_node (
          .clk          (clk),
          .rst          (rst),
          .pos_i        (INDEX[N_LOG-1:0]),
          .up_valid_i   ({gen_channel[j+1].gen_node[2*k+1].up_valid,
                           gen_channel[j+1].gen_node[2*k].up_valid}),
          .up_header_i  ({gen_channel[j+1].gen_node[2*k+1].up_header,
                           gen_channel[j+1].gen_node[2*k].up_header}),
          .up_data_i    ({gen_channel[j+1].gen_node[2*k+1].up_data,
                           gen_channel[j+1].gen_node[2*k].up_data}),
          .down_valid_o ({gen_channel[j+1].gen_node[2*k+1].down_valid,
                           gen_channel[j+1].gen_node[2*k].down_valid}),
          .down_header_o({gen_channel[j+1].gen_node[2*k+1].down_header,
                           gen_channel[j+1].gen_node[2*k].down_header}),
          .down_data_o  ({gen_channel[j+1].gen_node[2*k+1].down_data,
                           gen_channel[j+1].gen_node[2*k].down_data}),
          .up_valid_o   (gen_channel[j].gen_node[k].up_valid),
          .up_header_o  (gen_channel[j].gen_node[k].up_header),
          .up_data_o    (gen_channel[j].gen_node[k].up_data),
          .down_valid_i (gen_channel[j].gen_node[k].down_valid),
          .down_header_i(gen_channel[j].gen_node[k].down_header),
          .down_data_i  (gen_channel[j].gen_node[k].down_data),
          .up_enable_i  (up_settings[UP-1:0]),
          .up_select_i  (up_settings[UP*(UP_SEL+1)-1:UP]),
          .down_enable_i(down_settings[BELOW-1:0]),
          .down_select_i(down_settings[BELOW*(DOWN_SEL+1)-1:BELOW]),
          .up_lost_o    (up_lost[k*(N_LOG+1) +: N_LOG+1]),
          .down_lost_o  (down_lost[k*(N_LOG+1) +: N_LOG+1])
        );
      end

      if (j > TOP || WIRED) begin : gen_up_count
        lbbvn_counter #(.TERMS(NODES), .TERM_W(N_LOG + 1), .COUNT_W(COUNT_W)) u_count (
          .clk(clk), .rst(rst), .terms_i(up_lost), .count_o(conflicts_up_o[j*COUNT_W +: COUNT_W])
        );
      end else begin : gen_no_up_count
        wire unused = &{1'b0, up_lost};
      end
      lbbvn_counter #(.TERMS(NODES), .TERM_W(N_LOG + 1), .COUNT_W(COUNT_W)) u_down_count (
        .clk(clk), .rst(rst), .terms_i(down_lost),
        .count_o(conflicts_down_o[(j+1)*COUNT_W +: COUNT_W])
      );
    end
  endgenerate

  // Nothing is lost at levels without channels in that direction.
  generate
    for (j = 0; j <= N_LOG + 1; j = j + 1) begin : gen_no_count
      if (j < TOP || j >= N_LOG || j == 0) begin : gen_up
        assign conflicts_up_o[j*COUNT_W +: COUNT_W] = {COUNT_W{1'b0}};
      end
      if (j <= TOP) begin : gen_down
        assign conflicts_down_o[j*COUNT_W +: COUNT_W] = {COUNT_W{1'b0}};
      end
    end
  endgenerate

  // ---- leaves -----------------------------------------------------------------------------------

  wire [N-1:0] entered, lost;

  generate
    for (i = 0; i < N; i = i + 1) begin : gen_leaf
      localparam [31:0] INDEX = i, LEAVES = N_LOG;
      wire loop;
      if (CONTROL != "SELF") begin : gen_loop
        lbbvn_settings #(.WIDTH(1), .DEPTH(DEPTH), .SLOT_W(SLOT_W)) u_loop (
          .clk(clk), .write_i(row_write_i && row_level_i == LEAVES[3:0]),
          .write_slot_i(row_slot_i), .row_i(row_i[i]),
          .slot_i(slot[SLOT_W-1:0]), .row_o(loop)
        );
      end else begin : gen_no_loop
        assign loop = 1'b0;
      end
      lbbvn_leaf #(.CONTROL(CONTROL), .N_LOG(N_LOG), .LATENCY(LATENCY), .H(H), .W(W)) u_leaf (
        .clk         (clk),
        .rst         (rst),
        .number_i    (INDEX[N_LOG-1:0]),
        .valid_i     (valid_i[i]),
        .dst_i       (dst_i[i*N_LOG +: N_LOG]),
        .data_i      (data_i[i*W +: W]),
        .valid_o     (valid_o[i]),
        .data_o      (data_o[i*W +: W]),
        .up_valid_o  (gen_channel[N_LOG].gen_node[i].up_valid),
        .up_header_o (gen_channel[N_LOG].gen_node[i].up_header),
        .up_data_o   (gen_channel[N_LOG].gen_node[i].up_data),
        .down_valid_i(gen_channel[N_LOG].gen_node[i].down_valid),
        .down_data_i (gen_channel[N_LOG].gen_node[i].down_data),
        .loop_i      (loop),
        .entered_o   (entered[i]),
        .lost_o      (lost[i])
      );
    end
  endgenerate

  lbbvn_counter #(.TERMS(N), .TERM_W(1), .COUNT_W(COUNT_W)) u_lost (
    .clk(clk), .rst(rst), .terms_i(lost),
    .count_o(conflicts_down_o[(N_LOG+1)*COUNT_W +: COUNT_W])
  );
  lbbvn_counter #(.TERMS(N), .TERM_W(1), .COUNT_W(COUNT_W)) u_injected (
    .clk(clk), .rst(rst), .terms_i(entered), .count_o(injected_o)
  );
  lbbvn_counter #(.TERMS(N), .TERM_W(1), .COUNT_W(COUNT_W)) u_delivered (
    .clk(clk), .rst(rst), .terms_i(valid_o), .count_o(delivered_o)
  );

  wire unused = &{1'b0, slot, row_write_i, row_level_i, row_slot_i, row_i};

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
