// Copyright the fat-tree verification environment contributors
// SPDX-License-Identifier: Apache-2.0

`include "checks.vh"
`default_nettype none

// Middles of N line cards: a FIFO for each output.
//
// Contract: a cell that comes in is appended to the FIFO of its destination, or dropped if DEPTH
// cells are there.  In every slot the head of the FIFO for the output that the middle is connected
// to leaves, including one that arrived in this slot.  closed_o then says whether GATE cells wait
// for the output with the middle's own number: where all middles hold about as many cells for an
// output, one can speak for all.
// Timing: cells are taken in in a clock with take_i and given out in a clock with give_i, both for
// slot slot_i; the two alternate, and outputs are there in the next clock.
//
// Slices: middle m owns the m-th slice of each vector.
module lbbvn_middle #(
  parameter N_LOG = 4,    // log2 of the line cards
  parameter W     = 36,   // bits that are kept of a cell
  parameter [8*7-1:0] SCHEDULE = "BITREV",  // see switch_schedule.vh
  parameter DEPTH = 64,   // cells of a FIFO, a power of two >= 2
  parameter GATE  = 4,    // cells, 1 .. DEPTH
  parameter N     = 1 << N_LOG  // derived
) (
  input  wire               clk,
  input  wire               rst,
  input  wire               take_i,
  input  wire               give_i,
  input  wire [N_LOG-1:0]   slot_i,
  input  wire [N-1:0]       cell_i,
  input  wire [N*N_LOG-1:0] dst_i,
  input  wire [N*W-1:0]     data_i,
  output reg  [N-1:0]       cell_o,
  output reg  [N*W-1:0]     data_o,
  output reg  [N-1:0]       closed_o,
  // in the clock before: cells dropped, by middle
  output reg  [N-1:0]       dropped_o
);

  localparam A       = $clog2(DEPTH);
  localparam COUNT_W = A + 1;
  localparam [31:0]        DEPTH_INT = DEPTH;
  localparam [COUNT_W-1:0] FULL   = DEPTH_INT[COUNT_W-1:0];
  localparam [31:0]        GATE_INT  = GATE;
  localparam [COUNT_W-1:0] ENOUGH = GATE_INT[COUNT_W-1:0];

  `include "switch_schedule.vh"

  reg [W-1:0]       ring    [0:N*N*DEPTH-1];  // FIFO v = m*N + o, place p: ring[v*DEPTH + p]
  (* mem2reg *) reg [A-1:0]       head_q  [0:N*N-1];
  (* mem2reg *) reg [COUNT_W-1:0] count_q [0:N*N-1];

  always @(posedge clk) begin : fifos
    reg [N_LOG-1:0]   middle_number, y;
    reg [2*N_LOG-1:0] v;
    reg [COUNT_W-1:0] count, own;
    integer           m;
    middle_number = {N_LOG{1'b0}};
    y     = {N_LOG{1'b0}};
    v     = {(2*N_LOG){1'b0}};
    count = {COUNT_W{1'b0}};
    own   = {COUNT_W{1'b0}};
    cell_o    <= {N{1'b0}};
    data_o    <= {(N*W){1'b0}};
    closed_o  <= {N{1'b0}};
    dropped_o <= {N{1'b0}};
    if (rst) begin
      for (m = 0; m < N * N; m = m + 1) begin
        head_q[m]  <= {A{1'b0}};
        count_q[m] <= {COUNT_W{1'b0}};
      end
    end else if (take_i) begin
      for (m = 0; m < N; m = m + 1)
        if (cell_i[m]) begin
          middle_number = m[N_LOG-1:0];
          v     = {middle_number, dst_i[m*N_LOG +: N_LOG]};
          count = count_q[v];
          if (count == FULL)
            dropped_o[m] <= 1'b1;
          else begin
            ring[{v, head_q[v] + count[A-1:0]}] <= data_i[m*W +: W];
            count_q[v] <= count + 1'b1;
          end
        end
    end else if (give_i) begin
      for (m = 0; m < N; m = m + 1) begin
        middle_number = m[N_LOG-1:0];
        y     = output_of_middle(middle_number, slot_i);
        v     = {middle_number, y};
        count = count_q[v];
        own   = count_q[{middle_number, middle_number}];
        if (count != {COUNT_W{1'b0}}) begin
          cell_o[m]       <= 1'b1;
          data_o[m*W +: W] <= ring[{v, head_q[v]}];
          head_q[v]       <= head_q[v] + 1'b1;
          count_q[v]      <= count - 1'b1;
          if (y == middle_number) own = own - 1'b1;
        end
        closed_o[m] <= (own >= ENOUGH);
      end
    end
  end

  `CHECK_PARAMETER(DEPTH >= 2 && (DEPTH & (DEPTH - 1)) == 0, "DEPTH", DEPTH, "a power of two, >= 2")
  `CHECK_PARAMETER(GATE >= 1 && GATE <= DEPTH, "GATE", GATE, "1 to DEPTH")

endmodule

`default_nettype wire
