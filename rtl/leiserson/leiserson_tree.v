// Copyright the fat-tree verification environment contributors
// SPDX-License-Identifier: Apache-2.0

`timescale 1ns/1ns
`include "checks.vh"
`default_nettype none

// Bit-serial fat-tree of n = 2^N_LOG processors with its network interfaces (C. E. Leiserson,
// "Fat-trees: universal networks for hardware-efficient supercomputing", 1985, section II).
//
// Contract: time runs in delivery cycles of CYCLE clocks, one after the other from reset on.  In
// the first clock of each, load_o, the interfaces take messages; in the last, last_o, and only
// then, everything that was seen in the cycle is on the outputs.  A message of one wire is one bit
// a clock: M bit, address, WIDTH data bits.  All senders start together.  A path is held to the end
// of the delivery cycle; a message that finds no wire is lost and counted at its channel; its
// sender learns it from the missing acknowledge.
//   Wires: processor p has wires p*P .. p*P+P-1, P = capacity of a leaf channel; behind them come
//   the wires of the channel above the root, the interface to the outside world.
//   Address, one bit a node: 1 up, 0 to the sibling, then 0 left and 1 right on the way down.
//   CONCENTRATOR = "PARTIAL": three decision bits a stage follow the address bit of a node.
//   DISCIPLINE: what a sender does, see leiserson_interface.
//   NODES = "OFFLINE": nodes decide nothing (leiserson_offline_node).  Messages have no address,
//   are sent once and are not acknowledged; setting_i, taken in the load clock, leads them in this
//   delivery cycle, and what it leads nowhere is not counted.
// Timing: see leiserson_fabric.
//
// Capacities: level k = 0 .. n, cap(k) wires each way in the channel above a node of level k.
// Counters are COUNT_W bits, wrap around, and are cleared by rst alone; those of level k stand at
// [COUNT_W*k +: COUNT_W]: messages lost at a port to a channel of that level.
module leiserson_tree #(
  parameter [8*8-1:0] FORM = "HARDWARE",        // "HARDWARE", "FAST": of its blocks
  parameter N_LOG      = 4,                     // lg n, 1 .. 10
  parameter [8*11-1:0] CAPACITY = "UNIVERSAL",  // "UNIVERSAL", "NONBLOCKING", "GIVEN"
  parameter [31:0] ROOT = 16,                   // UNIVERSAL: root capacity, n^(2/3) .. n
  parameter [32*11-1:0] CAPS = 0,               // GIVEN: cap(k) at [32*k +: 32]
  parameter [8*7-1:0]  CONCENTRATOR = "IDEAL",  // "IDEAL", "PARTIAL"
  parameter [8*8-1:0]  PRIORITY     = "FIXED",  // "FIXED", "ROTATING"
  parameter [8*10-1:0] DISCIPLINE   = "RETRY",  // "RETRY", "RANDOMISED"
  parameter PIPELINE   = 1,                     // 0, 1: registers a node and direction
  parameter [8*7-1:0]  NODES = "ONLINE",        // "ONLINE", "OFFLINE"
  parameter WIDTH      = 32,                    // data bits of a message, 1 .. 64
  parameter COUNT_W    = 32,                    // bits of a counter, enough for WIRES
  parameter FROM_END   = 0,  // 0; 1: counters start at their end, see event_counter
  // derived
  parameter WIRES      = (1 << N_LOG) * cap(N_LOG) + cap(0),  // of all leaves, and of the root
  parameter FRAME_W    = 1 + longest(1) + WIDTH,              // bits of the longest message
  parameter SETTING_W  = (NODES == "OFFLINE") ? settings_above(N_LOG) : 1,
  // Clocks of a delivery cycle.
  parameter CYCLE      = 3 + longest(1 + PIPELINE) + WIDTH
                       + ((NODES == "OFFLINE") ? 0 : PIPELINE * (2 * N_LOG - 1))
) (
  input  wire                     clk,        // rising edge
  input  wire                     rst,  // synchronous: messages are forgotten, counters cleared
  input  wire                     restart_i,  // with load_o: this delivery cycle has number 0
  input  wire                     once_i,     // off-line: every message is sent once
  input  wire [31:0]              seed_i,     // RANDOMISED: read at restart
  input  wire [SETTING_W-1:0]     setting_i,  // OFFLINE: settings of all nodes, with load_o
  output wire                     load_o,     // first clock of a delivery cycle
  output wire                     last_o,     // last clock of it
  // wire by wire: what leiserson_interface says
  input  wire [WIRES-1:0]         offer_valid_i,  // there is a message on offer
  input  wire [WIRES*FRAME_W-1:0] offer_i,        // bit FRAME_W-1 is the M bit; zeros at the end
  input  wire [WIRES*16-1:0]      waiting_i,      // messages that wait at a wire, offer included
  output wire [WIRES-1:0]         take_o,         // the message on offer is taken
  output wire [WIRES-1:0]         sent_o,         // a message was sent,
  output wire [WIRES-1:0]         acked_o,        // an acknowledge came back,
  output wire [WIRES*16-1:0]      ack_tick_o,     // in this clock of the delivery cycle
  output wire [WIRES-1:0]         arrived_o,      // a message came,
  output wire [WIRES*16-1:0]      tick_o,         // its M bit in this clock,
  output wire [WIRES*WIDTH-1:0]   data_o,         // with these data,
  output wire [WIRES-1:0]         trailing_o,     // and not zeros behind it
  // level by level
  output wire [(N_LOG+1)*COUNT_W-1:0] lost_up_o,   // messages lost on the way up
  output wire [(N_LOG+1)*COUNT_W-1:0] lost_down_o  // and on the way down
);

  `include "partial_stages.vh"

  `include "leiserson_sizes.vh"
  `include "leiserson_settings.vh"

  // ---- delivery cycles --------------------------------------------------------------------------

  localparam TICK_W = $clog2(CYCLE);

  wire [TICK_W-1:0] tick;
  wire              restart, clear;

  delivery_clock #(.CYCLE(CYCLE)) u_clock (
    .clk(clk), .rst(rst), .restart_i(restart_i), .tick_o(tick), .load_o(load_o), .last_o(last_o),
    .restart_o(restart), .clear_o(clear)
  );

  wire [3:0] exponent;
  generate
    if (DISCIPLINE == "RANDOMISED") begin : gen_guess
      localparam LG_LG = (N_LOG > 2) ? $clog2(N_LOG) : 1;
      load_guess #(.LIMIT(N_LOG * LG_LG)) u_guess (
        .clk(clk), .step_i(load_o), .restart_i(restart), .exponent_o(exponent)
      );
    end else begin : gen_no_guess
      assign exponent = 4'd0;
    end
  endgenerate

  // Settings stand from the first clock in which a message can be on a wire.
  reg [SETTING_W-1:0] setting_q;
  always @(posedge clk)
    if (load_o) setting_q <= setting_i;

  // ---- interfaces -------------------------------------------------------------------------------

  wire [WIRES-1:0] sent_bits, sent_acks, seen_bits, seen_acks;
  wire [WIRES-1:0] take, sent, acked, arrived, trailing;

  assign take_o     = load_o ? take     : {WIRES{1'b0}};
  assign sent_o     = last_o ? sent     : {WIRES{1'b0}};
  assign acked_o    = last_o ? acked    : {WIRES{1'b0}};
  assign arrived_o  = last_o ? arrived  : {WIRES{1'b0}};
  assign trailing_o = last_o ? trailing : {WIRES{1'b0}};

  // The LFSR of every wire starts from another number: the seed, spread by the golden ratio.
  genvar k;
  generate
    for (k = 0; k < WIRES; k = k + 1) begin : gen_wire
      localparam [31:0] SPREAD = (k + 1) * 32'h9E3779B9;
      wire [15:0]      ack_tick, m_tick;
      wire [WIDTH-1:0] data;
      assign ack_tick_o[k*16 +: 16]     = last_o ? ack_tick : 16'd0;
      assign tick_o[k*16 +: 16]         = last_o ? m_tick   : 16'd0;
      assign data_o[k*WIDTH +: WIDTH]   = last_o ? data     : {WIDTH{1'b0}};
      leiserson_interface #(
        .WIDTH(WIDTH), .FRAME_W(FRAME_W), .TICK_W(TICK_W), .DISCIPLINE(DISCIPLINE)
      ) u_interface (
        .clk(clk), .rst(rst), .load_i(load_o), .restart_i(restart),
        .once_i(once_i | (NODES == "OFFLINE")),
        .seed_i(seed_i ^ SPREAD), .exponent_i(exponent), .tick_i(tick),
        .offer_valid_i(offer_valid_i[k]), .offer_i(offer_i[k*FRAME_W +: FRAME_W]),
        .waiting_i(waiting_i[k*16 +: 16]), .take_o(take[k]), .wire_o(sent_bits[k]),
        .ack_i(sent_acks[k]), .wire_i(seen_bits[k]), .ack_o(seen_acks[k]), .sent_o(sent[k]),
        .acked_o(acked[k]), .ack_tick_o(ack_tick), .arrived_o(arrived[k]), .tick_o(m_tick),
        .data_o(data), .trailing_o(trailing[k])
      );
    end
  endgenerate

  // ---- nodes, and what is lost there ------------------------------------------------------------

  wire [N_LOG*COUNT_W-1:0] up_lost, down_lost;  // by level of the node

  leiserson_fabric #(
    .FORM(FORM), .N_LOG(N_LOG), .CAPS(capacities(0)), .CONCENTRATOR(CONCENTRATOR),
    .PRIORITY(PRIORITY), .PIPELINE(PIPELINE), .NODES(NODES), .SETTING_W(SETTING_W),
    .COUNT_W(COUNT_W)
  ) u_fabric (
    .clk(clk), .clear_i(clear), .restart_i(restart), .setting_i(setting_q), .wire_i(sent_bits),
    .ack_o(sent_acks), .wire_o(seen_bits), .ack_i(seen_acks), .up_lost_o(up_lost),
    .down_lost_o(down_lost)
  );

  generate
    for (k = 0; k <= N_LOG; k = k + 1) begin : gen_counter
      if (k < N_LOG) begin : gen_up
        event_counter #(
          .TERMS(1), .TERM_W(COUNT_W), .COUNT_W(COUNT_W), .FROM_END(FROM_END)
        ) u_lost (
          .clk(clk), .rst(rst), .terms_i(up_lost[k*COUNT_W +: COUNT_W]),
          .count_o(lost_up_o[k*COUNT_W +: COUNT_W])
        );
      end else begin : gen_no_up  // a processor's own wires: nothing to contend for
        assign lost_up_o[k*COUNT_W +: COUNT_W] = {COUNT_W{FROM_END == 1}};
      end
      if (k > 0) begin : gen_down
        event_counter #(
          .TERMS(1), .TERM_W(COUNT_W), .COUNT_W(COUNT_W), .FROM_END(FROM_END)
        ) u_lost (
          .clk(clk), .rst(rst), .terms_i(down_lost[(k-1)*COUNT_W +: COUNT_W]),
          .count_o(lost_down_o[k*COUNT_W +: COUNT_W])
        );
      end else begin : gen_no_down
        assign lost_down_o[k*COUNT_W +: COUNT_W] = {COUNT_W{FROM_END == 1}};
      end
    end
  endgenerate

  // ---- parameters -------------------------------------------------------------------------------

  `CHECK_PARAMETER(N_LOG >= 1 && N_LOG <= 10, "N_LOG", N_LOG, "1 to 10")
  `CHECK_PARAMETER(WIDTH >= 1 && WIDTH <= 64, "WIDTH", WIDTH, "1 to 64")
  `CHECK_PARAMETER(PIPELINE == 0 || PIPELINE == 1, "PIPELINE", PIPELINE, "0 or 1")
  `CHECK_PARAMETER(COUNT_W >= $clog2(WIRES + 1) && COUNT_W <= 32,
                   "COUNT_W", COUNT_W, "enough for all wires, <= 32")
  `CHECK_CHOICE(CAPACITY == "UNIVERSAL" || CAPACITY == "NONBLOCKING" || CAPACITY == "GIVEN",
                "CAPACITY", CAPACITY, "UNIVERSAL, NONBLOCKING, GIVEN")
  generate
    if (CAPACITY == "UNIVERSAL") begin : gen_check_root
      `CHECK_PARAMETER(ROOT <= (1 << N_LOG) && ROOT * ROOT * ROOT >= (1 << (2 * N_LOG)),
                       "ROOT", ROOT, "n^(2/3) to n, of n processors")
    end
    for (k = 0; k <= N_LOG; k = k + 1) begin : gen_check
      `CHECK_PARAMETER(cap(k) >= 1, "CAPS", cap(k), ">= 1")
    end
  endgenerate

endmodule

`default_nettype wire
