// Copyright the fat-tree verification environment contributors
// SPDX-License-Identifier: Apache-2.0

`timescale 1ns/1ns
`default_nettype none

// Counts the words of packets from a design, a leaf's, where no word says that it is the last.
//
// Contract: length_i, with a packet's first word in each virtual channel (VC), is how many it has.
// Timing: combinational from a word that came to tail_o.
module leaf_tail #(
  parameter VCS = 1
) (
  input  wire           clk,
  input  wire           rst,
  input  wire [VCS-1:0] came_i,  // a word came, its VC one-hot
  input  wire [15:0]    length_i,
  output wire           tail_o
);

  reg [VCS*16-1:0] left_q;  // words of the packet that are to come; 0: the next is a first
  reg [15:0]       left;    // behind the word that came

  always @* begin : count
    integer v;
    left = 16'd0;
    for (v = 0; v < VCS; v = v + 1)
      if (came_i[v])
        left = ((left_q[v*16 +: 16] == 16'd0) ? length_i : left_q[v*16 +: 16]) - 16'd1;
  end

  assign tail_o = (left == 16'd0);

  always @(posedge clk) begin : keep
    integer v;
    for (v = 0; v < VCS; v = v + 1) if (came_i[v]) left_q[v*16 +: 16] <= left;
    if (rst) left_q <= {(VCS*16){1'b0}};
  end

endmodule

`default_nettype wire
