// Copyright the fat-tree verification environment contributors
// SPDX-License-Identifier: Apache-2.0

`timescale 1ns/1ns
`default_nettype none

// Notes the head flits on all links of a network, clock by clock.
//
// Contract: row c of seen_link and seen_word is what is on the links in clock c of a burst: the
// virtual channel of a head flit, one-hot, and its data; zeros where there is none.
module flit_tracer #(
  parameter LINKS  = 4,
  parameter VCS    = 2,
  parameter WIDTH  = 32,
  parameter FLIT_W = 34,       // data, tail mark, head mark, more
  parameter ROWS   = 64,
  parameter DATA_STRIDE = 32
) (
  input  wire                    clk,
  input  wire                    run_i,
  input  wire                    start_i,
  input  wire [LINKS*VCS-1:0]    valid_i,
  input  wire [LINKS*FLIT_W-1:0] flit_i
);

  localparam INDEX_W = $clog2(ROWS);

  reg [LINKS*8-1:0]           seen_link [0:ROWS-1];
  reg [LINKS*DATA_STRIDE-1:0] seen_word [0:ROWS-1];

  reg [LINKS*8-1:0]           link_row;
  reg [LINKS*DATA_STRIDE-1:0] word_row;
  integer                     k;
  always @*
    for (k = 0; k < LINKS; k = k + 1) begin
      link_row[k*8 +: 8]                     = 8'd0;
      word_row[k*DATA_STRIDE +: DATA_STRIDE] = {DATA_STRIDE{1'b0}};
      if (valid_i[k*VCS +: VCS] != {VCS{1'b0}} && flit_i[k*FLIT_W + WIDTH + 1]) begin
        link_row[k*8 +: VCS]             = valid_i[k*VCS +: VCS];
        word_row[k*DATA_STRIDE +: WIDTH] = flit_i[k*FLIT_W +: WIDTH];
      end
    end

  reg  [INDEX_W-1:0] row_q;
  wire [INDEX_W-1:0] row = start_i ? {INDEX_W{1'b0}} : row_q;
  always @(posedge clk)
    if (run_i) begin
      row_q          <= row + 1'b1;
      seen_link[row] <= link_row;
      seen_word[row] <= word_row;
    end

endmodule

`default_nettype wire
