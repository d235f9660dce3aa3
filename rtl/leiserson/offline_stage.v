// Copyright the fat-tree verification environment contributors
// SPDX-License-Identifier: Apache-2.0

`timescale 1ns/1ns
`include "checks.vh"
`default_nettype none

// One stage of an off-line partial concentrator: Pippenger's graph of R inputs and S outputs, with
// settings that somebody has worked out before.
//
// Contract: input i shows at the end of its edge setting_i[3*i +: 3], and nowhere if it has no such
// edge (7 is never one).  An output shows all that is led to it; good settings lead one there.
// Timing: combinational; an output has at most 9 edges, so the depth is the same for all R and S.
// Cost: at most 6 R edges.
module offline_stage #(
  parameter R = 12,  // inputs
  parameter S = 8    // outputs, < R
) (
  input  wire [R-1:0]   wire_i,     // bits of the messages
  input  wire [3*R-1:0] setting_i,  // by input: which edge it takes
  output reg  [S-1:0]   wire_o      // bits at the ends of the edges
);

  `include "partial_graph.vh"

  localparam DEGREE = graph_degree(R, S);
  localparam [95:0] ROW = graph_row(R);

  integer i, e;
  always @* begin
    wire_o = {S{1'b0}};
    for (i = 0; i < R; i = i + 1)
      for (e = 0; e < DEGREE; e = e + 1)
        if (setting_i[3*i +: 3] == e[2:0])
          wire_o[graph_output(ROW, R, S, i, e)] = wire_o[graph_output(ROW, R, S, i, e)] | wire_i[i];
  end

  // Only verified graphs are concentrators.
  `CHECK_PARAMETER((R <= 9 && S <= 6) || (ROW != 96'd0 && 3 * S >= 2 * R && S < R),
                   "R", R, "as partial_graph.vh has graphs")

endmodule

`default_nettype wire
