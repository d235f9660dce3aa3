// Copyright the fat-tree verification environment contributors
// SPDX-License-Identifier: Apache-2.0

`include "checks.vh"
`default_nettype none

// Middles of N line cards of a mailbox switch: a mailbox of DEPTH places for each output (Chang,
// Lee, Shih, INFOCOM 2004).
//
// Contract: what lies in place i of a mailbox leaves when the middle has been connected to that
// output i more times: whenever it is connected, place 0 leaves, if it is taken, and all places move
// up.  A cell is offered with the slots it has to wait; it is put in the first empty one of TRIES
// places from the first one that leaves late enough.  The input it comes from is told, over the
// connection of phase 2 (the same pair: phase 2 is the inverse of phase 1), whether it was, and in
// how many slots it leaves.
// Timing: in a clock with take_i cells are put, and what leaves in slot slot_i is worked out, be it
// a cell that was put just now; it is there in the next clock, as is the answer.
//
// Slices: middle m owns the m-th slice of each vector.
module lbbvn_mailbox #(
  parameter N_LOG  = 4,   // log2 of the line cards
  parameter W      = 32,  // bits that are kept of a cell
  parameter [8*7-1:0] SCHEDULE = "BITREV",  // see switch_schedule.vh; not "SAME"
  parameter DEPTH  = 16,  // places of a mailbox, a power of two >= 2
  parameter TRIES  = 4,   // places that are looked at, 1 .. DEPTH
  parameter WAIT_W = N_LOG + $clog2(DEPTH),  // derived
  parameter N      = 1 << N_LOG              // derived
) (
  input  wire                clk,
  input  wire                rst,
  input  wire                take_i,
  input  wire [N_LOG-1:0]    slot_i,
  // offers
  input  wire [N-1:0]        cell_i,
  input  wire [N*N_LOG-1:0]  dst_i,
  input  wire [N*W-1:0]      data_i,
  input  wire [N*WAIT_W-1:0] wait_i,
  // to the outputs
  output reg  [N-1:0]        cell_o,
  output reg  [N*W-1:0]      data_o,
  // answers
  output reg  [N-1:0]        accepted_o,
  output reg  [N*WAIT_W-1:0] after_o,
  // in the clock before: offers refused, by middle
  output reg  [N-1:0]        refused_o
);

  localparam A = $clog2(DEPTH);

  `include "switch_schedule.vh"

  reg [W-1:0]     ring    [0:N*N*DEPTH-1];  // mailbox v = m*N + o; place i: ring[v*DEPTH + base + i]
  (* mem2reg *) reg [A-1:0]     base_q  [0:N*N-1];
  (* mem2reg *) reg [DEPTH-1:0] taken_q [0:N*N-1];        // by place

  // Slot, modulo N, in which middle m is connected to output o.
  function [N_LOG-1:0] slot_of_pair(input [N_LOG-1:0] m, input [N_LOG-1:0] o);
    if (SCHEDULE == "ROTATOR")
      slot_of_pair = m - o;
    else if (SCHEDULE == "TDM")
      slot_of_pair = m + o;
    else if (SCHEDULE == "XOR")
      slot_of_pair = m ^ reversed(o);
    else
      slot_of_pair = m - reversed(o);
  endfunction

  always @(posedge clk) begin : mailboxes
    reg [N_LOG-1:0]   middle_number, y, o, soon;
    reg [2*N_LOG-1:0] v, u;
    reg [WAIT_W:0]    beyond;
    reg [A-1:0]       first, place;
    reg [DEPTH-1:0]   empty, taken;
    reg               found;
    integer           m, i;
    middle_number = {N_LOG{1'b0}};
    y      = {N_LOG{1'b0}};
    o      = {N_LOG{1'b0}};
    soon   = {N_LOG{1'b0}};
    v      = {(2*N_LOG){1'b0}};
    u      = {(2*N_LOG){1'b0}};
    beyond = {(WAIT_W+1){1'b0}};
    first  = {A{1'b0}};
    place  = {A{1'b0}};
    empty  = {DEPTH{1'b0}};
    taken  = {DEPTH{1'b0}};
    found  = 1'b0;
    cell_o     <= {N{1'b0}};
    data_o     <= {(N*W){1'b0}};
    accepted_o <= {N{1'b0}};
    after_o    <= {(N*WAIT_W){1'b0}};
    refused_o  <= {N{1'b0}};
    if (rst) begin
      for (m = 0; m < N * N; m = m + 1) begin
        base_q[m]  <= {A{1'b0}};
        taken_q[m] <= {DEPTH{1'b0}};
      end
    end else if (take_i) begin
      for (m = 0; m < N; m = m + 1) begin
        middle_number = m[N_LOG-1:0];
        y = output_of_middle(middle_number, slot_i);
        o = dst_i[m*N_LOG +: N_LOG];
        u = {middle_number, y};
        v = {middle_number, o};
        // Slots until the middle is next connected to the cell's output; more of them are waited in
        // whole rounds of N.
        soon   = slot_of_pair(middle_number, o) - slot_i;
        beyond = {1'b0, wait_i[m*WAIT_W +: WAIT_W]} - {{(WAIT_W+1-N_LOG){1'b0}}, soon};
        if (beyond[WAIT_W])
          beyond = {(WAIT_W+1){1'b0}};
        beyond = beyond + {{(WAIT_W+1-N_LOG){1'b0}}, {N_LOG{1'b1}}};
        first  = beyond[N_LOG +: A];
        empty  = ~taken_q[v] >> first;
        found  = 1'b0;
        place  = first;
        for (i = TRIES - 1; i >= 0; i = i - 1)
          if (empty[i]) begin
            found = 1'b1;
            place = first + i[A-1:0];
          end
        if (beyond[WAIT_W])
          found = 1'b0;  // it may not leave before the last place does
        found = found & cell_i[m];
        taken = taken_q[v] | ({{(DEPTH-1){1'b0}}, found} << place);
        if (found) begin
          ring[{v, base_q[v] + place}] <= data_i[m*W +: W];
          accepted_o[m]                <= 1'b1;
          after_o[m*WAIT_W +: WAIT_W]  <= {place, soon};
          if (v != u) taken_q[v] <= taken;
        end
        refused_o[m] <= cell_i[m] & ~found;
        // Place 0 of the mailbox for the connected output leaves.
        if (v == u && found && place == {A{1'b0}}) begin
          cell_o[m]        <= 1'b1;
          data_o[m*W +: W] <= data_i[m*W +: W];
        end else if (taken_q[u][0]) begin
          cell_o[m]        <= 1'b1;
          data_o[m*W +: W] <= ring[{u, base_q[u]}];
        end
        taken_q[u] <= ((v == u) ? taken : taken_q[u]) >> 1;
        base_q[u]  <= base_q[u] + 1'b1;
      end
    end
  end

  `CHECK_PARAMETER(DEPTH >= 2 && (DEPTH & (DEPTH - 1)) == 0, "DEPTH", DEPTH, "a power of two, >= 2")
  `CHECK_PARAMETER(TRIES >= 1 && TRIES <= DEPTH, "TRIES", TRIES, "1 to DEPTH")
  `CHECK_CHOICE(SCHEDULE != "SAME", "SCHEDULE", SCHEDULE, "any but SAME")

endmodule

`default_nettype wire
