// Copyright the fat-tree verification environment contributors
// SPDX-License-Identifier: Apache-2.0

`timescale 1ns/1ns
`default_nettype none

// A ring of nodes with on/off links to its leaves: FIFOs at both sides, a slot for a word between
// two nodes.  A word that cannot leave goes round once more.
//
// Contract: busy_o stops a leaf, of which two words may follow; hold_i stops a node, which takes a
// clock to heed it.  A packet is a word: {dest, data}.  Words of a pair can overtake each other.
// Timing: a word passes a node a clock.
module ring #(
  parameter NODES = 6,
  parameter W     = 32,  // bits of a word's data
  parameter DEPTH = 8,   // words of a FIFO
  parameter D     = $clog2(NODES)  // derived
) (
  input  wire                       clk,
  input  wire                       rst_n,   // asynchronous
  input  wire [NODES*(W+D+1)-1:0]   in,      // by node {valid, dest, data}
  output wire [NODES-1:0]           busy_o,
  output wire [NODES*(W+D+1)-1:0]   out,
  input  wire [NODES-1:0]           hold_i
);

  localparam P = $clog2(DEPTH);
  localparam [31:0] FULL = DEPTH;

  wire [NODES*(W+D+1)-1:0] slots;  // by node what it sends on

  genvar g;
  generate
    for (g = 0; g < NODES; g = g + 1) begin : gen_node
      localparam [31:0] SELF = g;
      localparam        FROM = (g + NODES - 1) % NODES;
      reg  [W+D-1:0] queue [0:DEPTH-1];
      reg  [W+D-1:0] leave [0:DEPTH-1];
      reg  [P-1:0]   first_q, end_q, out_first_q, out_end_q;
      reg  [P:0]     count_q, out_count_q;
      reg  [W+D:0]   slot_q, out_q;
      reg            hold_q;
      wire [W+D:0]   word  = in[g*(W+D+1) +: W+D+1];
      wire [W+D:0]   comes = slots[FROM*(W+D+1) +: W+D+1];
      wire           mine  = comes[W+D] & (comes[W +: D] == SELF[D-1:0]);
      wire           ends  = mine & (out_count_q < FULL[P:0]);
      wire           puts  = (count_q != {(P+1){1'b0}}) & (~comes[W+D] | ends);
      wire           gets  = (out_count_q != {(P+1){1'b0}}) & ~hold_q;
      assign busy_o[g] = (count_q + 4 > FULL[P:0]);
      assign slots[g*(W+D+1) +: W+D+1] = slot_q;
      assign out[g*(W+D+1) +: W+D+1]   = out_q;
      always @(posedge clk) begin
        if (word[W+D]) queue[end_q]     <= word[W+D-1:0];
        if (ends)      leave[out_end_q] <= comes[W+D-1:0];
      end
      always @(posedge clk or negedge rst_n)
        if (!rst_n) begin
          first_q     <= {P{1'b0}};
          end_q       <= {P{1'b0}};
          out_first_q <= {P{1'b0}};
          out_end_q   <= {P{1'b0}};
          count_q     <= {(P+1){1'b0}};
          out_count_q <= {(P+1){1'b0}};
          slot_q      <= {(W+D+1){1'b0}};
          out_q       <= {(W+D+1){1'b0}};
          hold_q      <= 1'b0;
        end else begin
          hold_q      <= hold_i[g];
          end_q       <= end_q + {{(P-1){1'b0}}, word[W+D]};
          first_q     <= first_q + {{(P-1){1'b0}}, puts};
          count_q     <= count_q + {{P{1'b0}}, word[W+D]} - {{P{1'b0}}, puts};
          slot_q      <= puts ? {1'b1, queue[first_q]} : ends ? {(W+D+1){1'b0}} : comes;
          out_end_q   <= out_end_q + {{(P-1){1'b0}}, ends};
          out_first_q <= out_first_q + {{(P-1){1'b0}}, gets};
          out_count_q <= out_count_q + {{P{1'b0}}, ends} - {{P{1'b0}}, gets};
          out_q       <= gets ? {1'b1, leave[out_first_q]} : {(W+D+1){1'b0}};
        end
    end
  endgenerate

endmodule

`default_nettype wire
