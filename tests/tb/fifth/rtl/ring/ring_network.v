// Copyright the fat-tree verification environment contributors
// SPDX-License-Identifier: Apache-2.0

`timescale 1ns/1ns
`include "checks.vh"
`default_nettype none

// Relays packets of one flit round a ring, one way, a leaf at each relay.
//
// Contract: a relay has two queues of two flits, for what comes from its leaf and from the relay
//   before.  A flit goes on until it is at the relay of its destination, the lowest bits of its
//   data.  From its leaf a relay takes one only into an empty queue: a place in the ring stays
//   free, so flits in it can always go on.  No flit is lost; a credit goes back for each.
// Timing: one clock from queue to queue, and one to a leaf.
module ring_network #(
  parameter N_LOG = 2,  // 2^N_LOG relays: 1 .. 4
  parameter W     = 32  // data bits of a flit, at least N_LOG
) (
  input  wire                      clk,
  input  wire                      rst,
  input  wire [(1<<N_LOG)-1:0]     valid_i,
  input  wire [(1<<N_LOG)*(W+2)-1:0] flit_i,   // by leaf {head, tail, data}
  output reg  [(1<<N_LOG)-1:0]     credit_o,   // of the leaf's two
  output reg  [(1<<N_LOG)-1:0]     valid_o,
  output reg  [(1<<N_LOG)*(W+2)-1:0] flit_o,
  input  wire [(1<<N_LOG)-1:0]     credit_i,   // of the relay's two
  output wire [2*(1<<N_LOG)-1:0]   waits_o,    // flits are in the queues: from leaves, of the ring
  output wire [(1<<N_LOG)-1:0]     link_valid_o, // a flit passes from a relay to the next
  output wire [(1<<N_LOG)*(W+2)-1:0] link_flit_o, // it; 0 without one
  output wire [(1<<N_LOG)-1:0]     home_o      // all credits of a relay are back
);

  localparam N = 1 << N_LOG;
  localparam F = W + 2;

  wire [N*2-1:0] ring_count;  // flits in the queue for what comes from the relay before

  genvar g;
  generate
    for (g = 0; g < N; g = g + 1) begin : gen_node
      localparam [31:0] MINE   = g;            // leaf of which it has the flits
      localparam        TO     = g;            // and to which it gives them
      localparam        NEXT   = (g + 1) % N;
      localparam        BEFORE = (g + N - 1) % N;
      reg  [F-1:0] leaf_q [0:1], pass_q [0:1];
      reg  [1:0]   leaf_count_q, pass_count_q, credits_q;
      wire [1:0]   next      = ring_count[NEXT*2 +: 2];
      wire         leaf_mine = leaf_q[0][N_LOG-1:0] == MINE[N_LOG-1:0];
      wire         pass_mine = pass_q[0][N_LOG-1:0] == MINE[N_LOG-1:0];
      wire         has_leaf  = leaf_count_q != 2'd0;
      wire         has_pass  = pass_count_q != 2'd0;
      wire         gives     = credits_q != 2'd0;
      wire         pass_out  = has_pass & pass_mine & gives;
      wire         leaf_out  = has_leaf & leaf_mine & gives & ~pass_out;
      wire         leaf_on   = has_leaf & ~leaf_mine & (next == 2'd0);
      wire         pass_on   = has_pass & ~pass_mine & (next < 2'd2) & ~leaf_on;
      wire         leaf_pop  = leaf_out | leaf_on;
      wire         pass_pop  = pass_out | pass_on;
      wire         comes     = link_valid_o[BEFORE];
      wire         link_valid = leaf_on | pass_on;
      wire [F-1:0] link_flit  = leaf_on ? leaf_q[0] : pass_q[0];

      assign link_valid_o[g]         = link_valid;
      assign link_flit_o[g*F +: F]   = link_flit;
      assign ring_count[g*2 +: 2]  = pass_count_q;
      assign waits_o[g]            = has_leaf;
      assign waits_o[N+g]          = has_pass;
      assign home_o[g]             = credits_q == 2'd2;

      always @(posedge clk)
        if (rst) begin
          leaf_count_q  <= 2'd0;
          pass_count_q  <= 2'd0;
          credits_q     <= 2'd2;
          credit_o[g]   <= 1'b0;
          valid_o[TO]   <= 1'b0;
          flit_o[TO*F +: F] <= {F{1'b0}};
        end else begin
          if (leaf_pop) leaf_q[0] <= leaf_q[1];
          if (pass_pop) pass_q[0] <= pass_q[1];
          if (valid_i[g]) leaf_q[leaf_count_q - {1'b0, leaf_pop} != 2'd0] <= flit_i[g*F +: F];
          if (comes) pass_q[pass_count_q - {1'b0, pass_pop} != 2'd0] <= link_flit_o[BEFORE*F +: F];
          leaf_count_q <= leaf_count_q + {1'b0, valid_i[g]} - {1'b0, leaf_pop};
          pass_count_q <= pass_count_q + {1'b0, comes} - {1'b0, pass_pop};
          credits_q    <= credits_q + {1'b0, credit_i[TO]} - {1'b0, pass_out | leaf_out};
          credit_o[g]  <= leaf_pop;
          valid_o[TO]  <= pass_out | leaf_out;
          flit_o[TO*F +: F] <= {F{pass_out | leaf_out}} & (pass_out ? pass_q[0] : leaf_q[0]);
        end
    end
  endgenerate

  `CHECK_PARAMETER(N_LOG >= 1 && N_LOG <= 4, "N_LOG", N_LOG, "1 to 4")

endmodule

`default_nettype wire
