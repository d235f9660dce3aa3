// Copyright the fat-tree verification environment contributors
// SPDX-License-Identifier: Apache-2.0

`timescale 1ns/1ns
`include "checks.vh"
`default_nettype none

// The two up links of a router of a modified fat-tree: which of them each climbing packet takes.
//
// Contract: two inputs and two links, so every packet finds one; a packet keeps its link from
//   head to tail.  Flits of a packet come one a clock, without a gap.
//   "IMFT": from port q by link q.
//   "MFT": by link 0 unless a packet holds it, else by link 1; of two heads in one clock the one
//   at port 0 chooses first.
// Timing: combinational.  Cost: MFT remembers a bit a port, IMFT nothing.
module mft_climb #(
  parameter FLIT_W = 34,            // bits of a flit; the highest is the head mark
  parameter [8*4-1:0] MODE = "IMFT" // "IMFT", "MFT"
) (
  input  wire                clk,      // rising edge
  input  wire [1:0]          valid_i,  // by port: a flit that climbs
  input  wire [2*FLIT_W-1:0] flit_i,   // by port: that flit
  output wire [1:0]          valid_o,  // by link: a flit goes up
  output wire [2*FLIT_W-1:0] flit_o    // by link: that flit
);

  generate
    if (MODE == "MFT") begin : gen_adaptive
      wire [1:0] head = {flit_i[2*FLIT_W-1], flit_i[FLIT_W-1]};
      reg  [1:0] link_q;  // of the packet that each port is in
      wire       first, second;  // links of port 0 and of port 1

      assign first  = head[0] ? valid_i[1] & ~head[1] & ~link_q[1] : link_q[0];
      assign second = head[1] ? valid_i[0] & ~first : link_q[1];

      always @(posedge clk) link_q <= {second, first};

      wire zero = valid_i[0] & ~first;  // port 0 takes link 0, and port 1 link 1
      wire one  = valid_i[1] & second;
      assign valid_o = {one | (valid_i[0] & first), zero | (valid_i[1] & ~second)};
      assign flit_o[0 +: FLIT_W]      = flit_i[(zero ? 0 : FLIT_W) +: FLIT_W];
      assign flit_o[FLIT_W +: FLIT_W] = flit_i[(one ? FLIT_W : 0) +: FLIT_W];

      `CHECK_SHARED(clk, 1'b0, valid_i != 2'b11 || first != second,
                    "two climbing packets took one link")
    end else begin : gen_straight
      wire unused = &{1'b0, clk};
      assign valid_o = valid_i;
      assign flit_o  = flit_i;
    end
  endgenerate

  `CHECK_CHOICE(MODE == "IMFT" || MODE == "MFT", "MODE", MODE, "IMFT, MFT")

endmodule

`default_nettype wire
