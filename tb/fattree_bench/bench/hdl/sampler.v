// Copyright the fat-tree verification environment contributors
// SPDX-License-Identifier: Apache-2.0

`timescale 1ns/1ns
`default_nettype none

// In place of rtl/common/sampler.v where there are several clocks: of the bits that moved last,
// all at one instant, and since the last sample, each is seen before or after, at random.  A sound
// design takes either: one bit moves at an instant.
module sampler #(
  parameter WIDTH = 1
) (
  input  wire             clk,
  input  wire             rst,
  input  wire [WIDTH-1:0] value_i,
  output reg  [WIDTH-1:0] value_o
);

  wire [WIDTH*64-1:0] moved;   // when each bit did
  time                looked;  // when the last sample was taken

  genvar b;
  generate
    for (b = 0; b < WIDTH; b = b + 1) begin : gen_bit
      time moved_q;
      initial moved_q = 0;
      always @(posedge value_i[b] or negedge value_i[b]) moved_q <= $time;
      assign moved[64*b +: 64] = moved_q;
    end
  endgenerate

  initial begin
    value_o = {WIDTH{1'b0}};
    looked  = 0;
  end

  always @(posedge clk) begin : sample
    reg [WIDTH-1:0] seen;
    reg [31:0]      random;
    integer         k;
    time            last;  // the latest move
    last = 0;
    for (k = 0; k < WIDTH; k = k + 1) if (moved[64*k +: 64] > last) last = moved[64*k +: 64];
    seen   = value_i;
    random = $random;
    for (k = 0; k < WIDTH; k = k + 1)
      if (moved[64*k +: 64] == last && last > looked && random[k % 32]) seen[k] = ~seen[k];
    looked <= $time;
    value_o <= rst ? {WIDTH{1'b0}} : seen;
  end

endmodule

`default_nettype wire
