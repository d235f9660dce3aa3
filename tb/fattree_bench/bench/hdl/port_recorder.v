// Copyright the fat-tree verification environment contributors
// SPDX-License-Identifier: Apache-2.0

`timescale 1ns/1ns
`default_nettype none

// Records a port of a network, an input or an output: row row_i of seen_pins is what stands there
// in a clock with take_i.  Beyond ROWS rows nothing is recorded.
//
// Elements are padded to STRIDE bits, so that a row is an array of machine words.
module port_recorder #(
  parameter ELEMENTS = 4,
  parameter BITS     = 32,  // of an element
  parameter STRIDE   = 32,  // BITS or more
  parameter ROWS     = 64   // >= 2
) (
  input wire                     clk,
  input wire                     take_i,
  input wire [31:0]              row_i,
  input wire [ELEMENTS*BITS-1:0] pins_i
);

  reg  [ELEMENTS*STRIDE-1:0] seen_pins [0:ROWS-1];
  wire [ELEMENTS*STRIDE-1:0] row;
  genvar x;
  generate
    if (STRIDE == BITS) begin : gen_dense
      assign row = pins_i;
    end else begin : gen_padded
      for (x = 0; x < ELEMENTS; x = x + 1) begin : gen_element
        assign row[x*STRIDE +: STRIDE] = {{(STRIDE-BITS){1'b0}}, pins_i[x*BITS +: BITS]};
      end
    end
  endgenerate

  // At once: Python looks while registers change.
  // verilator lint_off BLKSEQ
  always @(posedge clk)
    if (take_i && row_i < ROWS) seen_pins[row_i[$clog2(ROWS)-1:0]] = row;
  // verilator lint_on BLKSEQ

endmodule

`default_nettype wire
