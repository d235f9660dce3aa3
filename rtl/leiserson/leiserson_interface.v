// Copyright the fat-tree verification environment contributors
// SPDX-License-Identifier: Apache-2.0

`timescale 1ns/1ns
`include "checks.vh"
`default_nettype none

// Network interface of one wire: sends, keeps and repeats messages, receives and acknowledges.
//
// Contract, sending: in the load clock of a delivery cycle an interface whose message was
// acknowledged, or that has none, takes the message on offer (take_o).  Then it decides whether to
// send its message in this delivery cycle:
//   once_i                     always; the message is forgotten whatever becomes of it (off-line),
//                              also if the next delivery cycle is on-line
//   DISCIPLINE = "RETRY"       always, until it is acknowledged
//   DISCIPLINE = "RANDOMISED"  if a coin says so (leiserson_coin), for the message that it has and
//                              those that wait for it
// The first bit is on the wire in the clock after the load clock.
// Contract, receiving: the first 1 on a wire is the M bit, WIDTH data bits follow, most significant
// first; one clock after the last the acknowledge goes back, one clock long.  What comes later in
// the same delivery cycle should be zeros (trailing_o).
// Outputs show, in the last clock of a delivery cycle, what happened in it.
module leiserson_interface #(
  parameter WIDTH   = 32,                    // data bits of a message, >= 1
  parameter FRAME_W = 40,                    // M, address and data bits of the longest message
  parameter TICK_W  = 7,                     // bits of the number of a clock in a cycle, <= 16
  parameter [8*10-1:0] DISCIPLINE = "RETRY"  // "RETRY", "RANDOMISED"
) (
  input  wire               clk,         // rising edge
  input  wire               rst,         // synchronous: messages are forgotten
  input  wire               load_i,      // first clock of a delivery cycle
  input  wire               restart_i,   // with load_i: the first delivery cycle of all
  input  wire               once_i,      // every message is sent once
  input  wire [31:0]        seed_i,      // of this LFSR, read at restart
  input  wire [3:0]         exponent_i,  // guess of the load factor: 2^exponent_i
  input  wire [TICK_W-1:0]  tick_i,      // number of this clock in its delivery cycle
  // message on offer
  input  wire               offer_valid_i,  // there is one
  input  wire [FRAME_W-1:0] offer_i,        // M bit at the top, address and data, then zeros
  input  wire [15:0]        waiting_i,      // messages that wait, the one on offer included
  output wire               take_o,         // with load_i: the one on offer is taken
  // the network
  output wire               wire_o,  // bit of the message that is sent
  input  wire               ack_i,   // acknowledge of that message, one clock long
  input  wire               wire_i,  // bit of a message that arrives
  output wire               ack_o,   // acknowledge of that message, one clock long
  // seen in this delivery cycle
  output wire               sent_o,      // as a sender: it sent,
  output wire               acked_o,     // it got an acknowledge,
  output wire [15:0]        ack_tick_o,  // in this clock
  output wire               arrived_o,   // as a receiver: a message came,
  output wire [15:0]        tick_o,      // its M bit in this clock,
  output wire [WIDTH-1:0]   data_o,      // with these data,
  output wire               trailing_o   // and not zeros behind it
);

  // ---- sending ----------------------------------------------------------------------------------

  reg                pending_q;  // it has a message that it will repeat
  reg                sending_q;
  reg                acked_q;
  reg  [TICK_W-1:0]  ack_tick_q;
  reg  [FRAME_W-1:0] message_q;  // kept; the bit that is sent next stands in front
  wire               keep = pending_q & ~acked_q & ~once_i & ~restart_i;
  wire               have = keep | offer_valid_i;
  wire               lucky;

  assign take_o = ~keep;

  always @(posedge clk)
    if (rst) begin
      pending_q  <= 1'b0;
      sending_q  <= 1'b0;
      acked_q    <= 1'b0;
      ack_tick_q <= {TICK_W{1'b0}};
    end else if (load_i) begin
      pending_q  <= have & ~once_i;
      sending_q  <= have & (lucky | once_i);
      acked_q    <= 1'b0;
      ack_tick_q <= {TICK_W{1'b0}};
      if (!keep) message_q <= offer_i;
    end else if (ack_i) begin
      acked_q    <= 1'b1;
      ack_tick_q <= tick_i;
    end

  // Tick 1 sends the first bit: the kept message is read, not shifted, so that it can be repeated.
  localparam POINT_W = (FRAME_W > 1) ? $clog2(FRAME_W) : 1;
  localparam [31:0] FRAME_INT = FRAME_W;
  wire [31:0] tick  = {{(32-TICK_W){1'b0}}, tick_i};
  wire [31:0] place = FRAME_INT - tick;
  assign wire_o = sending_q & (tick <= FRAME_INT) & ~load_i & message_q[place[POINT_W-1:0]];
  wire unused = &{1'b0, place};

  assign sent_o     = sending_q;
  assign acked_o    = acked_q | ack_i;
  assign ack_tick_o = {{(16-TICK_W){1'b0}}, ack_i ? tick_i : ack_tick_q};

  generate
    if (DISCIPLINE == "RANDOMISED") begin : gen_randomised
      leiserson_coin u_coin (
        .clk(clk), .load_i(load_i), .restart_i(restart_i), .seed_i(seed_i),
        .exponent_i(exponent_i), .messages_i({1'b0, waiting_i} + {16'd0, keep}), .lucky_o(lucky)
      );
    end else begin : gen_retry
      wire unused_random = &{1'b0, seed_i, exponent_i, waiting_i};
      assign lucky = 1'b1;
    end
  endgenerate

  // ---- receiving --------------------------------------------------------------------------------

  localparam LEFT_W = $clog2(WIDTH + 1);
  localparam [31:0] WIDTH_INT = WIDTH;

  reg              arrived_q;
  reg              ended_q;     // the last data bit was in the clock before
  reg              trailing_q;
  reg [TICK_W-1:0] tick_q;
  reg [WIDTH-1:0]  data_q;
  reg [LEFT_W-1:0] left_q;      // data bits that are still to come

  always @(posedge clk)
    if (rst || load_i) begin
      arrived_q  <= 1'b0;
      ended_q    <= 1'b0;
      trailing_q <= 1'b0;
      tick_q     <= {TICK_W{1'b0}};
      data_q     <= {WIDTH{1'b0}};
      left_q     <= {LEFT_W{1'b0}};
    end else if (left_q != {LEFT_W{1'b0}}) begin
      ended_q    <= (left_q == {{(LEFT_W-1){1'b0}}, 1'b1});
      left_q     <= left_q - 1'b1;
      data_q     <= (data_q << 1) | {{(WIDTH-1){1'b0}}, wire_i};
    end else begin
      ended_q    <= 1'b0;
      if (wire_i && arrived_q)
        trailing_q <= 1'b1;
      if (wire_i && !arrived_q) begin
        arrived_q  <= 1'b1;
        tick_q     <= tick_i;
        left_q     <= WIDTH_INT[LEFT_W-1:0];
      end
    end

  assign ack_o      = ended_q;
  assign arrived_o  = arrived_q;
  assign tick_o     = {{(16-TICK_W){1'b0}}, tick_q};
  assign data_o     = data_q;
  assign trailing_o = trailing_q | (wire_i & arrived_q & (left_q == {LEFT_W{1'b0}}));

  `CHECK_SHARED(clk, rst, !(load_i && take_o && offer_valid_i) || offer_i[FRAME_W-1],
                "a message is offered without its M bit")
  `CHECK_SHARED(clk, rst, !(pending_q || sending_q) || message_q[FRAME_W-1],
                "a message is kept without its M bit")

  `CHECK_PARAMETER(WIDTH >= 1, "WIDTH", WIDTH, ">= 1")
  `CHECK_PARAMETER(FRAME_W > WIDTH, "FRAME_W", FRAME_W, "> WIDTH")
  `CHECK_PARAMETER(TICK_W <= 16, "TICK_W", TICK_W, "<= 16")
  `CHECK_CHOICE(DISCIPLINE == "RETRY" || DISCIPLINE == "RANDOMISED",
                "DISCIPLINE", DISCIPLINE, "RETRY, RANDOMISED")

endmodule

`default_nettype wire
