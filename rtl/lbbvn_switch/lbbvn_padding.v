// Copyright the fat-tree verification environment contributors
// SPDX-License-Identifier: Apache-2.0

`timescale 1ns/1ns
`include "checks.vh"
`default_nettype none

// Which virtual output queue (VOQ) of a line card gets a padded frame.
//
// Contract: of the VOQs whose output's gate is open the longest, the lowest of equal ones; found_o
// if it has THRESHOLD cells.  Gates are set one a slot, and stay as set.
// Timing: combinational from the state to voq_o; cells_i and closed_i are there in the next clock.
// Cost: counts of all VOQs in flip-flops, since all are compared at once by a chain of comparators.
module lbbvn_padding #(
  parameter N_LOG     = 4,  // log2 of the line cards
  parameter COUNT_W   = 7,  // bits of a number of cells
  parameter THRESHOLD = 8   // cells that are worth a frame, 1 .. N
) (
  input  wire               clk,  // rising edge
  input  wire               rst,  // synchronous; all VOQs empty, all gates open
  // VOQs
  input  wire               change_i,     // the number of cells of a VOQ changes
  input  wire [N_LOG-1:0]   change_at_i,  // number of that VOQ
  input  wire [COUNT_W-1:0] cells_i,      // its cells from now on
  // gates
  input  wire               tell_i,     // the gate of an output is set
  input  wire [N_LOG-1:0]   tell_at_i,  // number of that output
  input  wire               closed_i,   // 1: the gate is closed from now on
  // choice
  input  wire               choose_i,  // voq_o is needed in this clock
  output reg                found_o,   // a VOQ is worth a frame
  output reg  [N_LOG-1:0]   voq_o      // the longest VOQ whose gate is open
);

  localparam N = 1 << N_LOG;
  localparam [31:0]        THRESHOLD_INT = THRESHOLD;
  localparam [COUNT_W-1:0] ENOUGH = THRESHOLD_INT[COUNT_W-1:0];

  reg [N*COUNT_W-1:0] cells_q;   // by VOQ
  reg [N-1:0]         closed_q;  // by output

  always @(posedge clk)
    if (rst) begin
      cells_q  <= {(N*COUNT_W){1'b0}};
      closed_q <= {N{1'b0}};
    end else begin
      if (change_i) cells_q[change_at_i*COUNT_W +: COUNT_W] <= cells_i;
      if (tell_i) closed_q[tell_at_i] <= closed_i;
    end

  always @* begin : longest
    reg [COUNT_W-1:0] most;
    integer           i;
    most  = {COUNT_W{1'b0}};
    voq_o = {N_LOG{1'b0}};
    if (choose_i)
      for (i = 0; i < N; i = i + 1)
        if (cells_q[i*COUNT_W +: COUNT_W] > most && !closed_q[i]) begin
          most  = cells_q[i*COUNT_W +: COUNT_W];
          voq_o = i[N_LOG-1:0];
        end
    found_o = (most >= ENOUGH);
  end

  `CHECK_PARAMETER(THRESHOLD >= 1 && THRESHOLD <= N, "THRESHOLD", THRESHOLD, "1 to N")

endmodule

`default_nettype wire
