// Copyright the fat-tree verification environment contributors
// SPDX-License-Identifier: Apache-2.0

`include "checks.vh"
`default_nettype none

// One stage of a partial concentrator: a bipartite graph of R inputs and S outputs that sets paths
// along its edges.
//
// Contract: a requesting input takes the edge that the first three of its decision bits name, or,
// if they say 6 or 7, the first edge in order that leads to a free output.  If the named output is
// taken, or there is no such edge, the request is lost.  Requests of one clock are served one after
// the other, from input first_i up, wrapping around.  A path, and an output that was taken, stays
// until clear_i; what an output shows, and acknowledges, run along it from the clock after the
// request on.  The other decision bits go on with the request.
// Timing: combinational from request_i to opened_o; depth O(R) in the worst case.
// Cost a copy: at most 6 R edges.
//
// COPIES independent stages stand side by side; copy k owns the k-th slice of each vector.
module partial_stage #(
  parameter COPIES   = 1,
  parameter R        = 12,                      // inputs
  parameter S        = 8,                       // outputs, < R
  parameter CHOICE_W = 3,                       // decision bits of this and the later stages
  parameter LOST_W   = 8,                       // bits of the count of lost requests
  parameter SELECT_W = (R > 1) ? $clog2(R) : 1, // derived
  parameter REST_W   = (CHOICE_W > 3) ? CHOICE_W - 3 : 1  // derived
) (
  input  wire                       clk,
  input  wire                       clear_i,
  input  wire [SELECT_W-1:0]        first_i,
  input  wire [COPIES*R-1:0]        request_i,
  input  wire [COPIES*R*CHOICE_W-1:0] choice_i,
  input  wire [COPIES*R-1:0]        wire_i,
  output reg  [COPIES*S-1:0]        wire_o,     // of paths that stood before this clock
  output reg  [COPIES*S-1:0]        opened_o,   // paths of this clock
  output reg  [COPIES*S*REST_W-1:0] choice_o,   // their decision bits for the stages to come
  input  wire [COPIES*S-1:0]        ack_i,
  output reg  [COPIES*R-1:0]        ack_o,
  output reg  [LOST_W-1:0]          lost_o
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

  reg [COPIES*R-1:0]   open_q,  open;
  reg [COPIES*R*3-1:0] edge_q,  chosen;  // by input: which of its edges the path takes
  reg [COPIES*S-1:0]   taken_q, taken;

  // ---- requests ---------------------------------------------------------------------------------

  integer         k, p, e, i, x;
  reg             found;
  reg [2:0]       choice;
  reg [OUT_W-1:0] to;
  reg [S-1:0]     was, now;  // outputs of a copy that are taken
  always @* begin
    open     = open_q;
    chosen   = edge_q;
    taken    = taken_q;
    opened_o = {(COPIES*S){1'b0}};
    choice_o = {(COPIES*S*REST_W){1'b0}};
    lost_o   = {LOST_W{1'b0}};
    found    = 1'b0;
    choice   = 3'd0;
    to       = {OUT_W{1'b0}};
    was      = {S{1'b0}};
    now      = {S{1'b0}};
    i        = 0;
    x        = 0;
    // verilator unroll_disable
    for (k = 0; k < COPIES; k = k + 1)
      if (|request_i[k*R +: R]) begin
        was = taken_q[k*S +: S];
        now = was;
        // verilator unroll_disable
        for (p = 0; p < R; p = p + 1) begin
          i = p + {{(32-SELECT_W){1'b0}}, first_i};
          if (i >= R) i = i - R;
          x = k*R + i;
          if (request_i[x]) begin
            found  = 1'b0;
            choice = choice_i[x*CHOICE_W + CHOICE_W-3 +: 3];
            for (e = 0; e < DEGREE; e = e + 1)
              if (!found && (choice == e[2:0] || choice >= 3'd6)) begin
                to = EDGES[(i*DEGREE + e)*OUT_W +: OUT_W];
                if (!now[to]) begin
                  found            = 1'b1;
                  now[to]          = 1'b1;
                  open[x]          = 1'b1;
                  chosen[x*3 +: 3] = e[2:0];
                  if (CHOICE_W > 3)
                    choice_o[(k*S + {{(32-OUT_W){1'b0}}, to})*REST_W +: REST_W] =
                      choice_i[x*CHOICE_W +: REST_W];
                end
              end
            if (!found) lost_o = lost_o + 1'b1;
          end
        end
        taken[k*S +: S]    = now;
        opened_o[k*S +: S] = now & ~was;
      end
  end

  always @(posedge clk)
    if (clear_i) begin
      open_q  <= {(COPIES*R){1'b0}};
      taken_q <= {(COPIES*S){1'b0}};
    end else if (|request_i) begin
      open_q  <= open;
      taken_q <= taken;
      edge_q  <= chosen;
    end

  // ---- paths ------------------------------------------------------------------------------------

  // Forward and backward are apart: they must not seem to wait for each other.
  integer         fk, fi;
  reg [S-1:0]     f_out;
  reg [OUT_W-1:0] f_to;
  always @* begin
    wire_o = {(COPIES*S){1'b0}};
    f_out  = {S{1'b0}};
    f_to   = {OUT_W{1'b0}};
    // verilator unroll_disable
    for (fk = 0; fk < COPIES; fk = fk + 1)
      if (|(open_q[fk*R +: R] & wire_i[fk*R +: R])) begin
        f_out = {S{1'b0}};
        // verilator unroll_disable
        for (fi = 0; fi < R; fi = fi + 1)
          if (open_q[fk*R + fi] & wire_i[fk*R + fi]) begin
            f_to = EDGES[(fi*DEGREE + {29'd0, edge_q[(fk*R + fi)*3 +: 3]})*OUT_W +: OUT_W];
            f_out[f_to] = 1'b1;
          end
        wire_o[fk*S +: S] = f_out;
      end
  end

  integer         bk, bi;
  reg [S-1:0]     b_in;
  reg [OUT_W-1:0] b_to;
  always @* begin
    ack_o = {(COPIES*R){1'b0}};
    b_in  = {S{1'b0}};
    b_to  = {OUT_W{1'b0}};
    // verilator unroll_disable
    for (bk = 0; bk < COPIES; bk = bk + 1)
      if (|ack_i[bk*S +: S]) begin
        b_in = ack_i[bk*S +: S];
        // verilator unroll_disable
        for (bi = 0; bi < R; bi = bi + 1) begin
          b_to = EDGES[(bi*DEGREE + {29'd0, edge_q[(bk*R + bi)*3 +: 3]})*OUT_W +: OUT_W];
          ack_o[bk*R + bi] = open_q[bk*R + bi] & b_in[b_to];
        end
      end
  end

  // A graph that was never verified is no concentrator.
  `CHECK_PARAMETER((R <= 9 && S <= 6) || (ROW != 96'd0 && 3 * S >= 2 * R && S < R),
                   "R", R, "as partial_graph.vh has graphs")

endmodule

`default_nettype wire
