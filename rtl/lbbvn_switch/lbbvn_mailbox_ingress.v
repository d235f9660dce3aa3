// Copyright the fat-tree verification environment contributors
// SPDX-License-Identifier: Apache-2.0

`timescale 1ns/1ns
`include "checks.vh"
`default_nettype none

// Input side of a line card of a mailbox switch: a FIFO, whose head is offered until a middle has
// room for it.
//
// Contract: a cell that arrives is appended to the FIFO, or dropped if DEPTH cells are there.  In
// every slot the head is offered, with the number of slots that it has to wait so as not to
// overtake the cell before it of its flow.  accepted_i says, a slot's two clocks later, that the
// middle took it and will send it after_i slots after the slot of the offer; then it leaves the
// FIFO.
// Timing: an arrival, in a clock with arrive_i, is held back by one clock.  In a clock with send_i,
// first the answer to the last offer is taken in, then the arrival, then the next offer is worked
// out; it leaves in the next clock.  The two alternate.
// Cost: payloads in a RAM; destinations, and the last departure of each flow, in register files:
// the head's destination says whose departure is looked up in the same clock.
//
// Departures are kept modulo 2^STAMP_W; in every slot one flow is looked at, and a departure in the
// past moved to just now, so that none grows old enough to look like the future.
module lbbvn_mailbox_ingress #(
  parameter N_LOG  = 4,   // log2 of the line cards
  parameter W      = 32,  // payload bits
  parameter DEPTH  = 64,  // cells of the FIFO, a power of two >= 2
  parameter WAIT_W = 8    // bits of a number of slots in which a departure may lie ahead
) (
  input  wire              clk,       // rising edge
  input  wire              rst,       // synchronous; empties the FIFO
  input  wire              arrive_i,  // a cell may come in
  input  wire              send_i,    // an offer may leave
  input  wire [N_LOG-1:0]  slot_i,    // modulo N; the flow that is looked at
  // arrivals
  input  wire              valid_i,  // a cell arrives, if arrive_i
  input  wire [N_LOG-1:0]  dst_i,    // the output it is for
  input  wire [W-1:0]      data_i,
  // answers, in clocks with send_i
  input  wire              accepted_i,  // the last offer was accepted
  input  wire [WAIT_W-1:0] after_i,     // and leaves so many slots after the one of the offer
  // offers to the middles
  output reg               cell_o,    // a cell is offered; up to the answer, as dst_o and wait_o
  output reg  [N_LOG-1:0]  dst_o,     // the output it is for
  output wire [W-1:0]      data_o,    // in the clock after send_i
  output reg  [WAIT_W-1:0] wait_o,    // slots that it must wait at least
  output reg               dropped_o  // a cell was dropped in the clock before
);

  localparam N       = 1 << N_LOG;
  localparam A       = $clog2(DEPTH);  // bits of a place in the FIFO
  localparam COUNT_W = A + 1;
  localparam STAMP_W = WAIT_W + 2;
  localparam [31:0]        DEPTH_INT = DEPTH;
  localparam [COUNT_W-1:0] FULL = DEPTH_INT[COUNT_W-1:0];

  // ---- the FIFO ---------------------------------------------------------------------------------

  reg                new_q;    // the arrival of this slot
  reg  [N_LOG-1:0]   new_dst_q;
  reg  [W-1:0]       new_data_q;
  reg  [A-1:0]       head_q;
  reg  [COUNT_W-1:0] count_q;
  reg                direct_q;  // the cell that is offered has just arrived

  wire               took  = send_i & accepted_i;
  wire [A-1:0]       head  = head_q + {{(A-1){1'b0}}, took};
  wire [COUNT_W-1:0] count = count_q - {{(COUNT_W-1){1'b0}}, took};
  wire               kept  = send_i & new_q & (count != FULL);
  wire               alone = (count == {COUNT_W{1'b0}});  // what arrives is the head
  wire [N_LOG-1:0]   head_dst;
  wire [W-1:0]       head_data;
  wire [N_LOG-1:0]   dst   = alone ? new_dst_q : head_dst;

  register_file #(.WORDS(DEPTH), .WIDTH(N_LOG), .CLEARED(0)) u_destinations (
    .clk(clk), .rst(rst), .write_i(kept), .write_at_i(head + count[A-1:0]), .word_i(new_dst_q),
    .read_at_i(head), .word_o(head_dst)
  );
  ram_1w1r #(.WORDS(DEPTH), .WIDTH(W)) u_payloads (
    .clk(clk), .write_i(kept), .write_at_i(head + count[A-1:0]), .word_i(new_data_q),
    .read_i(send_i), .read_at_i(head), .word_o(head_data)
  );
  assign data_o = direct_q ? new_data_q : head_data;

  always @(posedge clk) begin
    if (rst) begin
      new_q     <= 1'b0;
      head_q    <= {A{1'b0}};
      count_q   <= {COUNT_W{1'b0}};
      cell_o    <= 1'b0;
      dropped_o <= 1'b0;
    end else begin
      if (arrive_i) new_q <= valid_i;
      if (send_i) begin
        head_q  <= head;
        count_q <= count + {{(COUNT_W-1){1'b0}}, kept};
        cell_o  <= kept | ~alone;
      end
      dropped_o <= send_i & new_q & ~kept;
    end
    if (arrive_i) begin
      new_dst_q  <= dst_i;
      new_data_q <= data_i;
    end
    if (send_i) begin
      dst_o    <= dst;
      direct_q <= alone;
    end
  end

  // ---- the last departure of each flow ----------------------------------------------------------

  reg  [STAMP_W-1:0] now_q;  // slot of the next offer
  wire [STAMP_W-1:0] last;   // of the head's flow, or of the one that is looked at
  // Of what was offered in the last slot.
  wire [STAMP_W-1:0] departure = {{(STAMP_W-WAIT_W){1'b0}}, after_i} + now_q - 1'b1;
  wire [STAMP_W-1:0] ahead     = ((took && dst == dst_o) ? departure : last) + 1'b1 - now_q;
  wire               past      = ahead[STAMP_W-1];  // the last departure was, or would be, before
  wire               forget    = arrive_i & past;

  register_file #(.WORDS(N), .WIDTH(STAMP_W), .INITIAL({STAMP_W{1'b1}})) u_departures (
    .clk(clk), .rst(rst), .write_i(took | forget), .write_at_i(took ? dst_o : slot_i),
    .word_i(took ? departure : now_q - 1'b1), .read_at_i(send_i ? dst : slot_i), .word_o(last)
  );

  always @(posedge clk) begin
    if (rst)
      now_q <= {STAMP_W{1'b0}};
    else if (send_i)
      now_q <= now_q + 1'b1;
    if (send_i) wait_o <= past ? {WAIT_W{1'b0}} : ahead[WAIT_W-1:0];
  end

  `CHECK_PARAMETER(DEPTH >= 2 && (DEPTH & (DEPTH - 1)) == 0, "DEPTH", DEPTH, "a power of two, >= 2")

endmodule

`default_nettype wire
