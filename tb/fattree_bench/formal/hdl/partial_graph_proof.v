// Copyright the fat-tree verification environment contributors
// SPDX-License-Identifier: Apache-2.0

`timescale 1ns/1ns
`include "prove.vh"
`default_nettype none

// The bipartite graph of one stage of a partial concentrator, as the RTL has it, for every set of
// inputs.  By Hall's theorem a set of inputs can be matched with outputs, an edge each, if every
// part of it has at least as many neighbours as inputs.  So G1 says that any K inputs can be
// matched: for every set of K messages there are decision bits with which none is lost.
//
//   G1  every set of at most K inputs has at least as many neighbours
//   G2  an input has at most 6 edges, an output at most 9
module partial_graph_proof #(
  parameter R   = 12,
  parameter S   = 8,
  parameter K   = 8,                        // what the model (leiserson/partial.py) guarantees
  parameter S_W = (S > 1) ? $clog2(S) : 1   // derived
) (
  input wire [R-1:0]   set_i,
  input wire [S_W-1:0] output_i
);

  `include "partial_graph.vh"

  localparam DEGREE = graph_degree(R, S);
  localparam [95:0] ROW = graph_row(R);
  localparam N_W = $clog2(6 * R + 1);

  reg [S-1:0]   near;
  reg [N_W-1:0] inputs, neighbours, edges;
  integer       i, e, o;

  always @* begin
    near       = {S{1'b0}};
    inputs     = {N_W{1'b0}};
    neighbours = {N_W{1'b0}};
    edges      = {N_W{1'b0}};
    for (i = 0; i < R; i = i + 1) begin
      inputs = inputs + set_i[i];
      for (e = 0; e < DEGREE; e = e + 1) begin
        near[graph_output(ROW, R, S, i, e)] = near[graph_output(ROW, R, S, i, e)] | set_i[i];
        edges = edges + (graph_output(ROW, R, S, i, e) == output_i);
      end
    end
    for (o = 0; o < S; o = o + 1)
      neighbours = neighbours + near[o];
    `PROVE(G1, inputs > K || neighbours >= inputs)
    `PROVE(G2, DEGREE <= 6 && edges <= 9)
  end

endmodule

`default_nettype wire
