// Copyright the fat-tree verification environment contributors
// SPDX-License-Identifier: Apache-2.0

`timescale 1ns/1ns
`include "checks.vh"
`default_nettype none

// A column of RSPIN's crossbar: one of its sources is joined to an output, for a packet.
//
// Contract: grant_i, one-hot or zero, only while free_o: that source has the output from the next
//   clock on, until its last word has left.
// Timing: combinational from the sources to the output.
module spin_lane #(
  parameter SOURCES = 9,  // crosspoints, >= 1
  parameter WORD_W  = 36  // bits of a word
) (
  input  wire                      clk,      // rising edge
  input  wire                      rst,      // synchronous: the output is free
  input  wire [SOURCES-1:0]        grant_i,  // who gets the output
  input  wire [SOURCES-1:0]        valid_i,  // by source: it has a word
  input  wire [SOURCES*WORD_W-1:0] word_i,   // by source: that word
  input  wire [SOURCES-1:0]        last_i,   // by source: it is a packet's last
  output wire [SOURCES-1:0]        take_o,   // by source: it leaves
  output wire                      free_o,   // no packet has the output
  input  wire                      ready_i,  // the output can take a word
  output wire                      valid_o,  // it gets one
  output reg  [WORD_W-1:0]         word_o    // that word, with valid_o
);

  reg [SOURCES-1:0] path_q;  // who has it, one-hot

  assign free_o  = (path_q == {SOURCES{1'b0}});
  assign take_o  = ready_i ? path_q & valid_i : {SOURCES{1'b0}};
  assign valid_o = (take_o != {SOURCES{1'b0}});

  integer s;
  always @* begin
    word_o = {WORD_W{1'b0}};
    if (valid_o)
      for (s = 0; s < SOURCES; s = s + 1)
        if (path_q[s]) word_o = word_o | word_i[s*WORD_W +: WORD_W];
  end

  always @(posedge clk)
    if (rst)                                        path_q <= {SOURCES{1'b0}};
    else if (free_o)                                path_q <= grant_i;
    else if ((take_o & last_i) != {SOURCES{1'b0}})  path_q <= {SOURCES{1'b0}};

  `CHECK_PARAMETER(SOURCES >= 1, "SOURCES", SOURCES, ">= 1")
  `CHECK_SHARED(clk, rst, free_o || grant_i == {SOURCES{1'b0}}, "an output is granted twice")
  `CHECK_SHARED(clk, rst, (grant_i & (grant_i - 1'b1)) == {SOURCES{1'b0}},
                "an output is granted to two sources")

endmodule

`default_nettype wire
