// Copyright the fat-tree verification environment contributors
// SPDX-License-Identifier: Apache-2.0

`include "checks.vh"
`default_nettype none

// Input sides of N line cards of a mailbox switch: a FIFO each, whose head is offered until a middle
// has room for it.
//
// Contract: a cell that arrives is appended to its input's FIFO, or dropped if DEPTH cells are there.
// In every slot the head is offered, with the number of slots that it has to wait so as not to
// overtake the cell before it of its flow.  accepted_i says, a slot's two clocks later, that the
// middle took it and will send it after_i slots after the slot of the offer; then it leaves the FIFO.
// Timing: an arrival is held back by one clock.  In a clock with send_i, first the answer to the last
// offer is taken in, then the arrival, then the next offer is worked out, for slot slot_i; it leaves
// in the next clock.
//
// Departures are kept modulo 2^STAMP_W; one flow of each input is looked at in every slot, and a
// departure in the past moved to just now, so that none grows old enough to look like the future.
//
// Slices: input x owns the x-th slice of each vector.
module lbbvn_mailbox_ingress #(
  parameter N_LOG  = 4,   // log2 of the line cards
  parameter W      = 32,  // payload bits
  parameter DEPTH  = 64,  // cells of a FIFO, a power of two >= 2
  parameter WAIT_W = 8,   // bits of a number of slots in which a departure may lie ahead
  parameter N      = 1 << N_LOG  // derived
) (
  input  wire                clk,
  input  wire                rst,
  input  wire                arrive_i,
  input  wire                send_i,
  input  wire [N_LOG-1:0]    slot_i,
  // arrivals
  input  wire [N-1:0]        valid_i,
  input  wire [N*N_LOG-1:0]  dst_i,
  input  wire [N*W-1:0]      data_i,
  // answers
  input  wire [N-1:0]        accepted_i,
  input  wire [N*WAIT_W-1:0] after_i,
  // offers to the middles
  output reg  [N-1:0]        cell_o,
  output reg  [N*N_LOG-1:0]  dst_o,
  output reg  [N*W-1:0]      data_o,
  output reg  [N*WAIT_W-1:0] wait_o,
  // in the clock before: cells dropped, by input
  output reg  [N-1:0]        dropped_o
);

  localparam A       = $clog2(DEPTH);
  localparam COUNT_W = A + 1;
  localparam WORD_W  = N_LOG + W;
  localparam STAMP_W = WAIT_W + 2;
  localparam [31:0]        DEPTH_INT = DEPTH;
  localparam [COUNT_W-1:0] FULL = DEPTH_INT[COUNT_W-1:0];
  localparam [STAMP_W-1:0] ONE        = 1;
  localparam [STAMP_W-1:0] STAMP_HALF = 1 << (STAMP_W - 1);

  reg [WORD_W-1:0]    ring    [0:N*DEPTH-1];  // FIFO x, place p: ring[x*DEPTH + p]
  (* mem2reg *) reg [STAMP_W-1:0]   last_q  [0:N*N-1];      // last departure of flow x*N + o
  reg [N*A-1:0]       head_q;
  reg [N*COUNT_W-1:0] count_q;
  reg [STAMP_W-1:0]   now_q;                  // slot of the next offer
  reg [N-1:0]         new_q;                  // arrivals of this slot
  reg [N*WORD_W-1:0]  word_q;

  always @(posedge clk) begin : fifos
    reg [N_LOG-1:0]   input_number, o;
    reg [A-1:0]       head;
    reg [COUNT_W-1:0] count;
    reg [WORD_W-1:0]  word;
    reg [STAMP_W-1:0] ahead;
    reg [N_LOG-1:0]   same;
    reg               took, kept;
    integer           x, i;
    input_number = {N_LOG{1'b0}};
    o     = {N_LOG{1'b0}};
    same  = {N_LOG{1'b0}};
    head  = {A{1'b0}};
    count = {COUNT_W{1'b0}};
    word  = {WORD_W{1'b0}};
    ahead = {STAMP_W{1'b0}};
    took  = 1'b0;
    kept  = 1'b0;
    dropped_o <= {N{1'b0}};
    if (rst || send_i) begin
      // An offer stands for two clocks, so that its answer finds it.
      cell_o <= {N{1'b0}};
      dst_o  <= {(N*N_LOG){1'b0}};
      data_o <= {(N*W){1'b0}};
      wait_o <= {(N*WAIT_W){1'b0}};
    end
    if (rst) begin
      head_q  <= {(N*A){1'b0}};
      count_q <= {(N*COUNT_W){1'b0}};
      now_q   <= {STAMP_W{1'b0}};
      new_q   <= {N{1'b0}};
      for (i = 0; i < N * N; i = i + 1)
        last_q[i] <= {STAMP_W{1'b1}};  // the slot before the first
    end else if (arrive_i) begin
      new_q <= valid_i;
      for (x = 0; x < N; x = x + 1)
        word_q[x*WORD_W +: WORD_W] <= {dst_i[x*N_LOG +: N_LOG], data_i[x*W +: W]};
    end else if (send_i) begin
      now_q <= now_q + 1'b1;
      for (x = 0; x < N; x = x + 1) begin
        input_number = x[N_LOG-1:0];
        head  = head_q[x*A +: A];
        count = count_q[x*COUNT_W +: COUNT_W];
        took  = accepted_i[x];
        same  = dst_o[x*N_LOG +: N_LOG];
        // Departure of what was offered in the last slot.
        ahead = {{(STAMP_W-WAIT_W){1'b0}}, after_i[x*WAIT_W +: WAIT_W]} + now_q - 1'b1;
        if (took) begin
          last_q[{input_number, same}] <= ahead;
          head  = head + 1'b1;
          count = count - 1'b1;
        end
        // One flow that has not sent for long.
        o = slot_i;
        if (!(took && o == same) && now_q - ONE - last_q[{input_number, o}] < STAMP_HALF)
          last_q[{input_number, o}] <= now_q - 1'b1;
        kept = new_q[x] && (count != FULL);
        dropped_o[x] <= new_q[x] && !kept;
        if (kept)
          ring[{input_number, head + count[A-1:0]}] <= word_q[x*WORD_W +: WORD_W];
        word = (count == {COUNT_W{1'b0}}) ? word_q[x*WORD_W +: WORD_W] : ring[{input_number, head}];
        if (kept) count = count + 1'b1;
        head_q[x*A +: A]              <= head;
        count_q[x*COUNT_W +: COUNT_W] <= count;
        if (count != {COUNT_W{1'b0}}) begin
          o     = word[W +: N_LOG];
          ahead = ((took && o == same) ? ahead : last_q[{input_number, o}]) + 1'b1 - now_q;
          cell_o[x]               <= 1'b1;
          dst_o[x*N_LOG +: N_LOG] <= o;
          data_o[x*W +: W]        <= word[W-1:0];
          if (!ahead[STAMP_W-1])
            wait_o[x*WAIT_W +: WAIT_W] <= ahead[WAIT_W-1:0];
        end
      end
    end
  end

  `CHECK_PARAMETER(DEPTH >= 2 && (DEPTH & (DEPTH - 1)) == 0, "DEPTH", DEPTH, "a power of two, >= 2")

endmodule

`default_nettype wire
