// Copyright the fat-tree verification environment contributors
// SPDX-License-Identifier: Apache-2.0

`timescale 1ns/1ns
`default_nettype none

// Records all links of what shares a clock, in that clock: rows of the first clock of a reset, and
// of all clocks without one.
//
// Contract: row r of seen_row has, from bit 0, the time (64 bits), the reset, then by lane (a VC of
// a link) whether there is a flit, and a credit.  Flits follow one another in seen_flit, row by
// row, of a row lane by lane.  Row r of seen_shown is shown_i in row 32 r.  Each edge of `rewind`,
// which Python writes, makes the next row number 0; seen_rows are the rows and flits since, and
// the level of `rewind` that they began with.  Beyond ROWS nothing is recorded but counted.
module domain_recorder #(
  parameter LINKS   = 4,
  parameter VCS     = 2,
  parameter FLIT_W  = 40,   // bits of a flit
  parameter SHOWN_W = 1,    // bits that the domain shows of itself
  parameter ROWS    = 64    // a multiple of 32, >= 64
) (
  input wire                    clk,
  input wire                    rst_i,
  input wire [LINKS*VCS-1:0]    valid_i,
  input wire [LINKS*FLIT_W-1:0] flit_i,
  input wire [LINKS*VCS-1:0]    credit_i,
  input wire [SHOWN_W-1:0]      shown_i
);

  localparam LANES = LINKS * VCS;
  localparam FLITS = ROWS * LINKS;

  reg [65+2*LANES-1:0] seen_row   [0:ROWS-1];
  reg [FLIT_W-1:0]     seen_flit  [0:FLITS-1];
  reg [SHOWN_W-1:0]    seen_shown [0:ROWS/32-1];
  reg [31:0]           seen_rows  [0:2];
  reg                  rewind;
  reg                  rewind_q;  // as its edges show it
  reg                  began_q;   // the last that was obeyed
  reg                  rst_q;
  integer              rows, flits;
  initial begin
    {rewind, rewind_q, began_q, rst_q} = 4'b0000;
    rows         = 0;
    flits        = 0;
    seen_rows[0] = 32'd0;
    seen_rows[1] = 32'd0;
    seen_rows[2] = 32'd0;
  end
  always @(posedge rewind or negedge rewind) rewind_q <= rewind;

  // At once: Python looks while registers change.
  // verilator lint_off BLKSEQ
  always @(posedge clk) begin : record
    reg [63:0] now;
    integer    lane;
    now = $time;
    if (rewind_q != began_q) begin
      rows    = 0;
      flits   = 0;
      began_q = rewind_q;
    end
    if (!(rst_i && rst_q)) begin
      if (rows < ROWS) begin
        seen_row[rows] = {credit_i, valid_i, rst_i, now};
        if (rows % 32 == 0) seen_shown[rows / 32] = shown_i;
        if (valid_i != {LANES{1'b0}})
          for (lane = 0; lane < LANES; lane = lane + 1)
            if (valid_i[lane] && flits < FLITS) begin
              seen_flit[flits] = flit_i[lane/VCS*FLIT_W +: FLIT_W];
              flits            = flits + 1;
            end
      end
      rows = rows + 1;
    end
    rst_q        = rst_i;
    seen_rows[0] = rows;
    seen_rows[1] = flits;
    seen_rows[2] = {31'd0, began_q};
  end
  // verilator lint_on BLKSEQ

endmodule

`default_nettype wire
