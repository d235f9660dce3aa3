// Copyright the fat-tree verification environment contributors
// SPDX-License-Identifier: Apache-2.0

`include "checks.vh"
`default_nettype none

// Input sides of N line cards that send frames: N virtual output queues (VOQs) each.
//
// Contract: a cell that arrives is appended to the VOQ of its destination, or dropped if DEPTH cells
// are there.  A frame of an input lasts the N slots from the one in which the input is connected to
// middle 0 to the one in which it is connected to middle N - 1; it takes cells of one VOQ:
//   "UFS"     N cells of a VOQ that has so many, round-robin; else no frame.
//   "FOFF"    like UFS; else whatever the next non-empty VOQ has, by a second round-robin pointer.
//             The first cell goes to the middle behind the one that got the VOQ's last cell.
//   "PADDED"  like UFS; else, of the VOQs whose gate is open, the longest (lowest of equal ones) if
//             it has THRESHOLD cells; fakes fill the frame up.
// The cells of a frame stay in the VOQ's count up to the frame's last slot.
// Timing: cells are taken in at the edge of a clock with arrive_i, words to be sent are worked out,
// for slot slot_i, in a clock with send_i, and leave in the next; the two alternate.
//
// Slices: input x owns the x-th slice of each vector.
module lbbvn_frame_ingress #(
  parameter N_LOG     = 4,         // log2 of the line cards
  parameter W         = 32,        // payload bits
  parameter [8*6-1:0] SCHEME   = "UFS",     // "UFS", "FOFF", "PADDED"
  parameter [8*7-1:0] SCHEDULE = "BITREV",  // see switch_schedule.vh
  parameter DEPTH     = 64,        // cells of a VOQ, a power of two >= 2 N
  parameter THRESHOLD = 8,         // PADDED: cells that are worth a frame, 1 .. N
  parameter N         = 1 << N_LOG  // derived
) (
  input  wire               clk,
  input  wire               rst,
  input  wire               arrive_i,
  input  wire               send_i,
  input  wire [N_LOG-1:0]   slot_i,
  // arrivals
  input  wire [N-1:0]       valid_i,
  input  wire [N*N_LOG-1:0] dst_i,
  input  wire [N*W-1:0]     data_i,
  // PADDED: whether the gate of output m is closed, m being the middle that output x was connected
  // to in slot closed_slot_i; in clocks with send_i
  input  wire [N-1:0]       closed_i,
  input  wire [N_LOG-1:0]   closed_slot_i,
  // to the middles
  output reg  [N-1:0]       cell_o,   // a cell, or a fake
  output reg  [N-1:0]       fake_o,
  output reg  [N*N_LOG-1:0] dst_o,
  output reg  [N*W-1:0]     data_o,
  // in the clock before: cells dropped, by input
  output reg  [N-1:0]       dropped_o
);

  localparam A       = $clog2(DEPTH);  // bits of a place in a VOQ
  localparam COUNT_W = A + 1;
  localparam [31:0]        DEPTH_INT     = DEPTH;
  localparam [31:0]        N_INT         = N;
  localparam [31:0]        THRESHOLD_INT = THRESHOLD;
  localparam [COUNT_W-1:0] FULL   = DEPTH_INT[COUNT_W-1:0];
  localparam [COUNT_W-1:0] FRAME  = N_INT[COUNT_W-1:0];
  localparam [COUNT_W-1:0] ENOUGH = THRESHOLD_INT[COUNT_W-1:0];
  localparam [N_LOG-1:0]   LAST   = {N_LOG{1'b1}};

  `include "switch_schedule.vh"

  reg [W-1:0]       ring    [0:N*N*DEPTH-1];  // VOQ v = x*N + o, place p: ring[v*DEPTH + p]
  (* mem2reg *) reg [A-1:0]       head_q  [0:N*N-1];
  (* mem2reg *) reg [COUNT_W-1:0] count_q [0:N*N-1];
  (* mem2reg *) reg [N_LOG-1:0]   next_q  [0:N*N-1];  // FOFF: middle for the VOQ's next cell
  reg [N*N-1:0]     frame_q;            // the VOQ has a frame
  reg [N*N-1:0]     some_q;             // the VOQ has a cell

  // The frame that an input is sending.
  reg [N-1:0]         busy_q;
  reg [N*N_LOG-1:0]   voq_q;
  reg [N*COUNT_W-1:0] cells_q;
  // Where the searches for a full frame, and for another, begin.
  reg [N*N_LOG-1:0]   full_turn_q;
  reg [N*N_LOG-1:0]   part_turn_q;


  // What each input knows of the gates: x*N + o.
  wire [N*N-1:0] closed;
  generate
    if (SCHEME == "PADDED") begin : gen_gates
      reg [N*N-1:0] closed_q;
      assign closed = closed_q;
      always @(posedge clk) begin : gates
        reg [N_LOG-1:0] card, m;
        integer         i;
        card = {N_LOG{1'b0}};
        m    = {N_LOG{1'b0}};
        if (rst)
          closed_q <= {(N*N){1'b0}};
        else if (send_i)
          for (i = 0; i < N; i = i + 1) begin
            card = i[N_LOG-1:0];
            m    = middle_of_output(card, closed_slot_i);
            closed_q[{card, m}] <= closed_i[i];
          end
      end
    end else begin : gen_no_gates
      assign closed = {(N*N){1'b0}};
      wire unused = &{1'b0, closed, closed_i, closed_slot_i};
    end
  endgenerate

  // First of the candidates at or behind `turn`, going round.
  function [N_LOG-1:0] first_from(input [N-1:0] candidates, input [N_LOG-1:0] turn);
    reg [2*N-1:0] turned;
    integer       i;
    begin
      turned     = {candidates, candidates} >> turn;
      first_from = {N_LOG{1'b0}};
      for (i = N - 1; i >= 0; i = i - 1)
        if (turned[i]) first_from = i[N_LOG-1:0];
      first_from = first_from + turn;
    end
  endfunction

  always @(posedge clk) begin : queues
    reg [N_LOG-1:0]   input_number, m, o, offset;
    reg [2*N_LOG-1:0] v;
    reg [COUNT_W-1:0] count, cells, most;
    reg               busy, fake;
    integer           x, i;
    input_number = {N_LOG{1'b0}};
    m      = {N_LOG{1'b0}};
    o      = {N_LOG{1'b0}};
    offset = {N_LOG{1'b0}};
    v      = {(2*N_LOG){1'b0}};
    count  = {COUNT_W{1'b0}};
    cells  = {COUNT_W{1'b0}};
    most   = {COUNT_W{1'b0}};
    busy   = 1'b0;
    fake   = 1'b0;
    cell_o    <= {N{1'b0}};
    fake_o    <= {N{1'b0}};
    dst_o     <= {(N*N_LOG){1'b0}};
    data_o    <= {(N*W){1'b0}};
    dropped_o <= {N{1'b0}};
    if (rst) begin
      frame_q     <= {(N*N){1'b0}};
      some_q      <= {(N*N){1'b0}};
      busy_q      <= {N{1'b0}};
      full_turn_q <= {(N*N_LOG){1'b0}};
      part_turn_q <= {(N*N_LOG){1'b0}};
      for (i = 0; i < N * N; i = i + 1) begin
        head_q[i]  <= {A{1'b0}};
        count_q[i] <= {COUNT_W{1'b0}};
        next_q[i]  <= {N_LOG{1'b0}};
      end
    end else if (arrive_i) begin
      for (x = 0; x < N; x = x + 1)
        if (valid_i[x]) begin
          input_number = x[N_LOG-1:0];
          v     = {input_number, dst_i[x*N_LOG +: N_LOG]};
          count = count_q[v];
          if (count == FULL)
            dropped_o[x] <= 1'b1;
          else begin
            ring[{v, head_q[v] + count[A-1:0]}] <= data_i[x*W +: W];
            count_q[v] <= count + 1'b1;
            some_q[v]  <= 1'b1;
            if (count + 1'b1 >= FRAME) frame_q[v] <= 1'b1;
          end
        end
    end else if (send_i) begin
      for (x = 0; x < N; x = x + 1) begin
        input_number = x[N_LOG-1:0];
        m     = middle_of_input(input_number, slot_i);
        busy  = busy_q[x];
        o     = voq_q[x*N_LOG +: N_LOG];
        cells = cells_q[x*COUNT_W +: COUNT_W];
        if (m == {N_LOG{1'b0}}) begin
          // A frame may begin.
          busy = 1'b1;
          if (frame_q[x*N +: N] != {N{1'b0}}) begin
            o     = first_from(frame_q[x*N +: N], full_turn_q[x*N_LOG +: N_LOG]);
            cells = FRAME;
            full_turn_q[x*N_LOG +: N_LOG] <= o + 1'b1;
          end else if (SCHEME == "FOFF" && some_q[x*N +: N] != {N{1'b0}}) begin
            o     = first_from(some_q[x*N +: N], part_turn_q[x*N_LOG +: N_LOG]);
            cells = count_q[{input_number, o}];
            part_turn_q[x*N_LOG +: N_LOG] <= o + 1'b1;
          end else if (SCHEME == "PADDED") begin
            most = {COUNT_W{1'b0}};
            for (i = 0; i < N; i = i + 1)
              if (count_q[{input_number, i[N_LOG-1:0]}] > most && !closed[x*N + i]) begin
                o    = i[N_LOG-1:0];
                most = count_q[{input_number, o}];
              end
            cells = most;
            busy  = (most >= ENOUGH);
          end else begin
            busy = 1'b0;
          end
          busy_q[x]                     <= busy;
          voq_q[x*N_LOG +: N_LOG]       <= o;
          cells_q[x*COUNT_W +: COUNT_W] <= cells;
        end
        v      = {input_number, o};
        offset = (SCHEME == "FOFF") ? m - next_q[v] : m;
        fake   = ({{(COUNT_W-N_LOG){1'b0}}, offset} >= cells);
        if (busy && (!fake || SCHEME == "PADDED")) begin
          cell_o[x]               <= 1'b1;
          fake_o[x]               <= fake;
          dst_o[x*N_LOG +: N_LOG] <= o;
          if (!fake)
            data_o[x*W +: W] <= ring[{v, head_q[v] + {{(A-N_LOG){1'b0}}, offset}}];
        end
        if (busy && m == LAST) begin
          count      = count_q[v] - cells;
          count_q[v] <= count;
          head_q[v]  <= head_q[v] + cells[A-1:0];
          next_q[v]  <= next_q[v] + cells[N_LOG-1:0];
          frame_q[v] <= (count >= FRAME);
          some_q[v]  <= (count != {COUNT_W{1'b0}});
        end
      end
    end
  end

  `CHECK_CHOICE(SCHEME == "UFS" || SCHEME == "FOFF" || SCHEME == "PADDED",
                "SCHEME", SCHEME, "UFS, FOFF, PADDED")
  `CHECK_PARAMETER(DEPTH >= 2 * N && (DEPTH & (DEPTH - 1)) == 0,
                   "DEPTH", DEPTH, "a power of two, >= 2 * N")
  `CHECK_PARAMETER(THRESHOLD >= 1 && THRESHOLD <= N, "THRESHOLD", THRESHOLD, "1 to N")

endmodule

`default_nettype wire
