// Copyright the fat-tree verification environment contributors
// SPDX-License-Identifier: Apache-2.0

`timescale 1ns/1ns
`default_nettype none

// How many words a packet has that a leaf sends: a packet waits until it is whole in leaf_feed.
//
// Contract: flits go into leaf_feed, whose room of DEPTH flits in each virtual channel (VC) holds
// the longest packet; known_o: the packet in front of a VC is whole.  length_o is that of vc_i,
// from its first word to its last.
// Timing: a packet is known in the clock after its last flit came.
module leaf_length #(
  parameter VCS   = 1,
  parameter DEPTH = 8,  // a power of two
  parameter WORDS = 1   // words of a flit
) (
  input  wire           clk,
  input  wire           rst,
  input  wire [VCS-1:0] valid_i,  // a flit of the player, its VC one-hot
  input  wire           last_i,   // the last of its packet
  output wire [VCS-1:0] known_o,
  input  wire [VCS-1:0] vc_i,     // of the word that is offered
  input  wire           take_i,   // it is taken
  input  wire           tail_i,   // it is the last of its packet
  output reg  [15:0]    length_o
);

  localparam P = $clog2(DEPTH);
  localparam [31:0] STEP = WORDS;

  reg [VCS*DEPTH*16-1:0] lengths_q;  // of whole packets
  reg [VCS*P-1:0]        first_q;
  reg [VCS*(P+1)-1:0]    count_q;
  reg [VCS*16-1:0]       words_q;    // of the packet that is coming

  genvar g;
  generate
    for (g = 0; g < VCS; g = g + 1) begin : gen_vc
      assign known_o[g] = (count_q[g*(P+1) +: P+1] != {(P+1){1'b0}});
    end
  endgenerate

  always @* begin : front
    integer v;
    length_o = 16'd0;
    for (v = 0; v < VCS; v = v + 1)
      if (vc_i[v])
        length_o = lengths_q[(v*DEPTH + {{(32-P){1'b0}}, first_q[v*P +: P]})*16 +: 16];
  end

  always @(posedge clk) begin : keep
    reg [P-1:0]  place;
    reg [15:0]   words;
    reg          comes, leaves;
    integer      v;
    for (v = 0; v < VCS; v = v + 1) begin
      comes  = valid_i[v] & last_i;
      leaves = vc_i[v] & take_i & tail_i;
      place  = first_q[v*P +: P] + count_q[v*(P+1) +: P];
      words  = words_q[v*16 +: 16] + STEP[15:0];
      if (valid_i[v]) words_q[v*16 +: 16] <= last_i ? 16'd0 : words;
      if (comes) lengths_q[(v*DEPTH + {{(32-P){1'b0}}, place})*16 +: 16] <= words;
      if (leaves) first_q[v*P +: P] <= first_q[v*P +: P] + 1'b1;
      count_q[v*(P+1) +: P+1] <= count_q[v*(P+1) +: P+1] + {{P{1'b0}}, comes} - {{P{1'b0}}, leaves};
    end
    if (rst) begin
      first_q <= {(VCS*P){1'b0}};
      count_q <= {(VCS*(P+1)){1'b0}};
      words_q <= {(VCS*16){1'b0}};
    end
  end

endmodule

`default_nettype wire
