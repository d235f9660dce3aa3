// Copyright the fat-tree verification environment contributors
// SPDX-License-Identifier: Apache-2.0

`timescale 1ns/1ns
`default_nettype none

// A one-way ring of FIFOs with valid and ready, as others write them: a packet is a word.
//
// Contract: a node takes a word of its leaf only if two places are free (bubble), so that the ring
//   never fills up.  FAULT: 1 packets to leaf 2 go round once more; 2 node 1 hands those to leaf 3
//   to node 3 past the ring; 3 only full FIFOs pass words on, leaves come first, no bubble.
// Timing: a clock a node.
module loop #(
  parameter LEAVES = 4,
  parameter WIDTH  = 32,
  parameter FAULT  = 0,
  parameter DEST_W = $clog2(LEAVES)  // derived
) (
  input  wire                     clk,
  input  wire                     rst,
  input  wire [LEAVES-1:0]        s_valid,
  output wire [LEAVES-1:0]        s_ready,
  input  wire [LEAVES*WIDTH-1:0]  s_data,
  input  wire [LEAVES*DEST_W-1:0] s_dest,
  output wire [LEAVES-1:0]        m_valid,
  input  wire [LEAVES-1:0]        m_ready,
  output wire [LEAVES*WIDTH-1:0]  m_data
);

  localparam W = WIDTH + DEST_W + 1;  // data, leaf, has gone round

  wire [LEAVES-1:0]   ring_valid, ring_ready, skips, lands;
  wire [LEAVES*W-1:0] ring_word;

  genvar g;
  generate
    for (g = 0; g < LEAVES; g = g + 1) begin : gen_node
      localparam BEFORE = (g + LEAVES - 1) % LEAVES;
      localparam FROM   = (g + LEAVES - 2) % LEAVES;
      reg  [1:0]   count_q;
      reg  [W-1:0] first_q, second_q;
      wire [DEST_W-1:0] goal = first_q[WIDTH +: DEST_W];
      wire         again = (FAULT == 1) && (g == 2) && !first_q[W-1];
      wire         here  = (goal == g) && !again;
      wire         there = (count_q != 2'd0);
      wire         skip  = (FAULT == 2) && (g == 1) && there && (goal == 3);
      wire         more  = (FAULT == 2) && (g == 3) && skips[FROM];
      wire         room  = (count_q != 2'd2) && !more && !((FAULT == 3) && s_valid[g]);
      wire         comes = ring_valid[BEFORE] & room;
      wire         leaf  = s_valid[g] & s_ready[g];
      wire         gone  = (m_valid[g] & m_ready[g]) | (ring_valid[g] & ring_ready[g])
                         | (skip & lands[(g + 2) % LEAVES]);
      wire         joins = more & (count_q != 2'd2);
      wire [W-1:0] word  = joins ? ring_word[FROM*W +: W] : comes ? ring_word[BEFORE*W +: W]
                         : {1'b0, s_dest[g*DEST_W +: DEST_W], s_data[g*WIDTH +: WIDTH]};
      assign ring_ready[BEFORE] = room;
      assign lands[g]           = joins;
      assign skips[g]           = skip;
      assign s_ready[g] = (FAULT == 3) ? (count_q != 2'd2)
                        : (!ring_valid[BEFORE] & !more & (count_q == 2'd0));
      assign m_valid[g] = there & here;
      assign m_data[g*WIDTH +: WIDTH] = first_q[WIDTH-1:0];
      assign ring_valid[g] = there & !here & !skip & ((FAULT != 3) || (count_q == 2'd2));
      assign ring_word[g*W +: W] = {first_q[W-1] | (goal == g), first_q[W-2:0]};
      always @(posedge clk) begin
        if (comes | leaf | joins) begin
          if (count_q == {1'b0, gone}) first_q <= word;
          else if (gone)  first_q <= second_q;
          if (count_q != 2'd0) second_q <= word;
        end else if (gone) first_q <= second_q;
        count_q <= count_q + {1'b0, comes | leaf | joins} - {1'b0, gone};
        if (rst) count_q <= 2'd0;
      end
    end
  endgenerate

endmodule

`default_nettype wire
