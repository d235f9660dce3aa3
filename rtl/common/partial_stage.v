// Copyright the fat-tree verification environment contributors
// SPDX-License-Identifier: Apache-2.0

`timescale 1ns/1ns
`include "checks.vh"
`default_nettype none

// One stage of a partial concentrator: a bipartite graph of R inputs and S outputs that sets paths
// along its edges.
//
// Contract: a requesting input takes the edge that the first three of its decision bits name, or,
// if they say 6 or 7, the first edge in order that leads to a free output.  If the named output is
// taken, or no edge is free, the request is lost.  Requests of one clock are served one after
// the other, from input first_i up, wrapping around.  A path, and an output that was taken, stays
// until clear_i; what an output shows, and acknowledges, run along it from the clock after the
// request on.  The other decision bits go on with the request.
// Timing: combinational from request_i to opened_o; depth O(R) in the worst case.
// Cost: at most 6 R edges.
module partial_stage #(
  parameter R        = 12,                      // inputs
  parameter S        = 8,                       // outputs, < R
  parameter CHOICE_W = 3,                       // decision bits of this and the later stages
  parameter LOST_W   = $clog2(R + 1),           // bits of the count of lost requests
  parameter SELECT_W = (R > 1) ? $clog2(R) : 1, // derived
  parameter REST_W   = (CHOICE_W > 3) ? CHOICE_W - 3 : 1  // derived
) (
  input  wire                  clk,        // rising edge
  input  wire                  clear_i,    // a delivery cycle begins: all outputs are free
  input  wire [SELECT_W-1:0]   first_i,    // the input that is served first
  input  wire [R-1:0]          request_i,  // input i asks for a path
  input  wire [R*CHOICE_W-1:0] choice_i,   // decision bits of the inputs, this stage's on top
  input  wire [R-1:0]          wire_i,     // bits of the messages
  output reg  [S-1:0]          wire_o,     // of paths that stood before this clock
  output wire [S-1:0]          opened_o,   // paths of this clock
  output reg  [S*REST_W-1:0]   choice_o,   // their decision bits for the stages to come
  input  wire [S-1:0]          ack_i,      // acknowledges from where wire_o leads
  output reg  [R-1:0]          ack_o,      // acknowledges to where wire_i comes from
  output reg  [LOST_W-1:0]     lost_o      // requests of this clock that found no output
);

  `include "partial_graph.vh"

  localparam DEGREE = graph_degree(R, S);
  localparam [95:0] ROW = graph_row(R);
  localparam OUT_W  = (S > 1) ? $clog2(S) : 1;

  // Output of edge e of input i at [(i*DEGREE + e)*OUT_W +: OUT_W].
  function [R*DEGREE*OUT_W-1:0] edges(input integer unused);
    integer i, e, b, o;
    begin
      edges = {(R*DEGREE*OUT_W){1'b0}};
      for (i = 0; i < R; i = i + 1)
        for (e = 0; e < DEGREE; e = e + 1) begin
          o = graph_output(ROW, R, S, i, e) + unused;
          for (b = 0; b < OUT_W; b = b + 1)
            edges[(i*DEGREE + e)*OUT_W + b] = ((o >> b) % 2 == 1);
        end
    end
  endfunction
  localparam [R*DEGREE*OUT_W-1:0] EDGES = edges(0);

  function [OUT_W-1:0] output_of(input integer i, input [2:0] e);
    output_of = EDGES[(i*DEGREE + {29'd0, e})*OUT_W +: OUT_W];
  endfunction

  reg [R-1:0]   open_q,  open;
  reg [R*3-1:0] edge_q,  chosen;  // by input: which of its edges the path takes
  reg [S-1:0]   taken_q, taken;

  // ---- requests ---------------------------------------------------------------------------------

  always @* begin : serve
    integer   p, e, i;
    reg       found;
    reg [2:0] choice;
    open     = open_q;
    chosen   = edge_q;
    taken    = taken_q;
    choice_o = {(S*REST_W){1'b0}};
    lost_o   = {LOST_W{1'b0}};
    found    = 1'b0;
    choice   = 3'd0;
    i        = {{(32-SELECT_W){1'b0}}, first_i};
    if (|request_i) begin
      // verilator unroll_disable
      for (p = 0; p < R; p = p + 1) begin
        if (request_i[i]) begin
          found  = 1'b0;
          choice = choice_i[i*CHOICE_W + CHOICE_W-3 +: 3];
          for (e = 0; e < DEGREE; e = e + 1)
            if (!found && (choice == e[2:0] || choice >= 3'd6)
                && !taken[output_of(i, e[2:0])]) begin
              found                        = 1'b1;
              taken[output_of(i, e[2:0])]  = 1'b1;
              open[i]                      = 1'b1;
              chosen[i*3 +: 3]             = e[2:0];
              if (CHOICE_W > 3)
                choice_o[output_of(i, e[2:0])*REST_W +: REST_W] = choice_i[i*CHOICE_W +: REST_W];
            end
          if (!found) lost_o = lost_o + 1'b1;
        end
        i = (i == R - 1) ? 0 : i + 1;
      end
    end
  end
  assign opened_o = taken & ~taken_q;

  always @(posedge clk)
    if (clear_i) begin
      open_q  <= {R{1'b0}};
      taken_q <= {S{1'b0}};
    end else if (|request_i) begin
      open_q  <= open;
      taken_q <= taken;
      edge_q  <= chosen;
    end

  // ---- paths ------------------------------------------------------------------------------------

  // Forward and backward are apart: they must not seem to wait for each other.
  always @* begin : forward
    integer i;
    wire_o = {S{1'b0}};
    if (|(open_q & wire_i)) begin
      // verilator unroll_disable
      for (i = 0; i < R; i = i + 1)
        if (open_q[i] & wire_i[i]) wire_o[output_of(i, edge_q[i*3 +: 3])] = 1'b1;
    end
  end

  always @* begin : backward
    integer i;
    ack_o = {R{1'b0}};
    if (|ack_i) begin
      // verilator unroll_disable
      for (i = 0; i < R; i = i + 1)
        ack_o[i] = open_q[i] & ack_i[output_of(i, edge_q[i*3 +: 3])];
    end
  end

  // Only verified graphs are concentrators.
  `CHECK_PARAMETER((R <= 9 && S <= 6) || (ROW != 96'd0 && 3 * S >= 2 * R && S < R),
                   "R", R, "as partial_graph.vh has graphs")

endmodule

`default_nettype wire
