// Copyright the fat-tree verification environment contributors
// SPDX-License-Identifier: Apache-2.0

`include "checks.vh"
`default_nettype none

// Output sides of N line cards that put cells back in order: a FIFO for each middle (FOFF: Keslassy
// et al., SIGCOMM 2003).
//
// Contract: the cells of a flow go to the middles in turn, from middle 0 on, and each middle keeps
// their order.  So the next cell of source x is the head of the FIFO of middle m if the one before
// came from middle m - 1: no sequence numbers.  In every slot one such head leaves: the first one
// from the FIFO behind that of the middle which is connected in this slot, going round.  A cell that
// finds DEPTH cells in its FIFO is dropped.
// If a cell was lost on the way, those behind it would wait for ever.  So where no head may leave
// although a FIFO holds N + 2 cells, or although nothing was kept or given for 2 N slots, a cell must
// have been lost: then the first such FIFO's head leaves nevertheless (or the first of all), and the
// next cell of its source is expected from the next middle.
// Timing: cells are taken in in a clock with take_i and given out in a clock with give_i, both for
// slot slot_i; the two alternate, and outputs are there from the next clock up to the next but one.
//
// Slices: output y owns the y-th slice of each vector.
module lbbvn_resequencer #(
  parameter N_LOG   = 4,   // log2 of the line cards
  parameter W       = 32,  // payload bits
  parameter [8*7-1:0] SCHEDULE = "BITREV",  // see switch_schedule.vh
  parameter DEPTH   = 32,  // cells of a FIFO, a power of two >= 2
  parameter TOTAL_W = N_LOG + $clog2(DEPTH) + 1,  // derived
  parameter N       = 1 << N_LOG                  // derived
) (
  input  wire               clk,
  input  wire               rst,
  input  wire               take_i,
  input  wire               give_i,
  input  wire [N_LOG-1:0]   slot_i,
  input  wire [N-1:0]       cell_i,
  input  wire [N*N_LOG-1:0] src_i,
  input  wire [N*W-1:0]     data_i,
  output reg  [N-1:0]       valid_o,
  output reg  [N*W-1:0]     data_o,
  // in the clock before: cells dropped, by output
  output reg  [N-1:0]       dropped_o,
  // in the clock before: a gap was skipped, by output
  output reg  [N-1:0]       skipped_o,
  // since reset: most cells that waited at an output at the end of a slot
  output reg  [TOTAL_W-1:0] most_o
);

  localparam A       = $clog2(DEPTH);
  localparam COUNT_W = A + 1;
  localparam WORD_W  = N_LOG + W;
  localparam IDLE_W  = N_LOG + 2;
  localparam [31:0]        DEPTH_INT = DEPTH;
  localparam [COUNT_W-1:0] FULL = DEPTH_INT[COUNT_W-1:0];

  localparam [31:0]        LONG_INT  = N + 2;
  localparam [COUNT_W-1:0] LONG   = LONG_INT[COUNT_W-1:0];
  localparam               CAN_BE_LONG = (DEPTH >= N + 2);
  localparam [31:0]        IDLE_INT  = 2 * N;
  localparam [IDLE_W-1:0]  IDLE   = IDLE_INT[IDLE_W-1:0];

  `include "switch_schedule.vh"

  reg [WORD_W-1:0]    ring       [0:N*N*DEPTH-1];  // FIFO v = y*N + m, place p: ring[v*DEPTH + p]
  (* mem2reg *) reg [A-1:0]         head_q     [0:N*N-1];
  (* mem2reg *) reg [COUNT_W-1:0]   count_q    [0:N*N-1];
  reg [N_LOG-1:0]     source_q   [0:N*N-1];        // source of the FIFO's head
  (* mem2reg *) reg [N_LOG-1:0]     expected_q [0:N*N-1];        // y*N + x: middle of the next cell from source x
  reg [N*N-1:0]       some_q;                      // the FIFO has a cell
  reg [N*N-1:0]       ready_q;                     // the FIFO's head may leave
  reg [N*N-1:0]       long_q;                      // the FIFO holds more than without a loss
  reg [N*TOTAL_W-1:0] total_q;                     // cells that wait at the output
  reg [N*IDLE_W-1:0]  idle_q;                      // slots without a cell kept or given

  always @(posedge clk) begin : fifos
    reg [N_LOG-1:0]   output_number, m, x, after;
    reg [2*N_LOG-1:0] v, u;
    reg [COUNT_W-1:0] count;
    reg [A-1:0]       head;
    reg [N-1:0]       heads;
    reg [2*N-1:0]     turned;
    reg [IDLE_W-1:0]  idle;
    reg [TOTAL_W-1:0] total, most;
    integer           y, i;
    output_number = {N_LOG{1'b0}};
    m      = {N_LOG{1'b0}};
    x      = {N_LOG{1'b0}};
    after  = {N_LOG{1'b0}};
    v      = {(2*N_LOG){1'b0}};
    u      = {(2*N_LOG){1'b0}};
    count  = {COUNT_W{1'b0}};
    head   = {A{1'b0}};
    heads  = {N{1'b0}};
    turned = {(2*N){1'b0}};
    idle   = {IDLE_W{1'b0}};
    total  = {TOTAL_W{1'b0}};
    most   = most_o;
    dropped_o <= {N{1'b0}};
    skipped_o <= {N{1'b0}};
    if (rst) begin
      valid_o <= {N{1'b0}};
      data_o  <= {(N*W){1'b0}};
      some_q  <= {(N*N){1'b0}};
      ready_q <= {(N*N){1'b0}};
      long_q  <= {(N*N){1'b0}};
      idle_q  <= {(N*IDLE_W){1'b0}};
      total_q <= {(N*TOTAL_W){1'b0}};
      most_o  <= {TOTAL_W{1'b0}};
      for (i = 0; i < N * N; i = i + 1) begin
        head_q[i]     <= {A{1'b0}};
        count_q[i]    <= {COUNT_W{1'b0}};
        expected_q[i] <= {N_LOG{1'b0}};
      end
    end else if (take_i) begin
      for (y = 0; y < N; y = y + 1)
        if (cell_i[y]) begin
          output_number = y[N_LOG-1:0];
          m     = middle_of_output(output_number, slot_i);
          x     = src_i[y*N_LOG +: N_LOG];
          v     = {output_number, m};
          count = count_q[v];
          if (count == FULL)
            dropped_o[y] <= 1'b1;
          else begin
            ring[{v, head_q[v] + count[A-1:0]}] <= {x, data_i[y*W +: W]};
            count_q[v] <= count + 1'b1;
            some_q[v]  <= 1'b1;
            long_q[v]  <= CAN_BE_LONG && (count + 1'b1 >= LONG);
            idle_q[y*IDLE_W +: IDLE_W] <= {IDLE_W{1'b0}};
            total_q[y*TOTAL_W +: TOTAL_W] <= total_q[y*TOTAL_W +: TOTAL_W] + 1'b1;
            if (!some_q[v]) begin
              source_q[v] <= x;
              ready_q[v]  <= (expected_q[{output_number, x}] == m);
            end
          end
        end
    end else if (give_i) begin
      valid_o <= {N{1'b0}};
      data_o  <= {(N*W){1'b0}};
      for (y = 0; y < N; y = y + 1) begin
        output_number = y[N_LOG-1:0];
        total = total_q[y*TOTAL_W +: TOTAL_W];
        idle  = idle_q[y*IDLE_W +: IDLE_W];
        heads = ready_q[y*N +: N];
        if (heads == {N{1'b0}}) begin
          // Is a cell missing?
          heads = long_q[y*N +: N];
          if (heads == {N{1'b0}} && idle == IDLE)
            heads = some_q[y*N +: N];
          skipped_o[y] <= (heads != {N{1'b0}});
        end
        if (idle != IDLE)
          idle = idle + 1'b1;
        if (heads != {N{1'b0}}) begin
          idle   = {IDLE_W{1'b0}};
          after  = middle_of_output(output_number, slot_i) + 1'b1;
          turned = {heads, heads} >> after;
          m      = {N_LOG{1'b0}};
          for (i = N - 1; i >= 0; i = i - 1)
            if (turned[i]) m = i[N_LOG-1:0];
          m     = m + after;
          v     = {output_number, m};
          x     = source_q[v];
          head  = head_q[v] + 1'b1;
          count = count_q[v] - 1'b1;
          total = total - 1'b1;
          valid_o[y]       <= 1'b1;
          data_o[y*W +: W] <= ring[{v, head_q[v]}][W-1:0];
          head_q[v]        <= head;
          count_q[v]       <= count;
          some_q[v]        <= (count != {COUNT_W{1'b0}});
          long_q[v]        <= CAN_BE_LONG && (count >= LONG);
          total_q[y*TOTAL_W +: TOTAL_W] <= total;
          expected_q[{output_number, x}] <= m + 1'b1;
          // A cell behind it from the same source is not next; from another it may be.
          source_q[v] <= ring[{v, head}][W +: N_LOG];
          ready_q[v]  <= (count != {COUNT_W{1'b0}}) && ring[{v, head}][W +: N_LOG] != x
                         && expected_q[{output_number, ring[{v, head}][W +: N_LOG]}] == m;
          // The next cell of the source may wait at the next middle's head.
          m = m + 1'b1;
          u = {output_number, m};
          if (some_q[u] && source_q[u] == x) ready_q[u] <= 1'b1;
        end
        idle_q[y*IDLE_W +: IDLE_W] <= idle;
        if (total > most) most = total;
      end
      most_o <= most;
    end
  end

  `CHECK_PARAMETER(DEPTH >= 2 && (DEPTH & (DEPTH - 1)) == 0, "DEPTH", DEPTH, "a power of two, >= 2")

endmodule

`default_nettype wire
