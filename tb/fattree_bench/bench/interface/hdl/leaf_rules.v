// Copyright the fat-tree verification environment contributors
// SPDX-License-Identifier: Apache-2.0

`timescale 1ns/1ns
`default_nettype none

// Notes which rules of a link were broken, where and when.
//
// Contract: bit k of broken_i is a rule at a leaf; an entry of the log is {before the item (1), k
// (15), clock of the item (32)}.  The first PLACES are kept, all are counted, until clear_i.
// Timing: count_o and log_o show what came in clocks before.
module leaf_rules #(
  parameter BITS   = 8,
  parameter PLACES = 64
) (
  input  wire                 clk,
  input  wire                 clear_i,
  input  wire                 before_i,
  input  wire [31:0]          clock_i,
  input  wire [BITS-1:0]      broken_i,
  output reg  [31:0]          count_o,
  output reg  [PLACES*48-1:0] log_o
);

  localparam [31:0] KEPT = PLACES;

  initial begin
    count_o = 32'd0;
    log_o   = {(PLACES*48){1'b0}};
  end

  always @(posedge clk) begin : note
    reg [31:0]          count;
    reg [PLACES*48-1:0] entries;
    integer             k;
    count = clear_i ? 32'd0 : count_o;
    if (broken_i != {BITS{1'b0}}) begin
      entries = log_o;
      for (k = 0; k < BITS; k = k + 1)
        if (broken_i[k] === 1'b1) begin
          if (count < KEPT) entries[count*48 +: 48] = {before_i, k[14:0], clock_i};
          count = count + 32'd1;
        end
      log_o <= entries;
    end
    count_o <= count;
  end

endmodule

`default_nettype wire
