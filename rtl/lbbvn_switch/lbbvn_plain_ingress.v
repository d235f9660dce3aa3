// Copyright the fat-tree verification environment contributors
// SPDX-License-Identifier: Apache-2.0

`timescale 1ns/1ns
`default_nettype none

// Input side of a line card without a queue: a register.
//
// Contract: what arrives in a slot is sent in the next.
// Timing: taken in at the edge of a clock with arrive_i; there up to the next such edge.
module lbbvn_plain_ingress #(
  parameter N_LOG = 4,  // log2 of the line cards
  parameter W     = 32  // payload bits
) (
  input  wire             clk,       // rising edge
  input  wire             rst,       // synchronous: no cell waits
  input  wire             arrive_i,  // a cell may come in
  input  wire             valid_i,   // a cell arrives, if arrive_i
  input  wire [N_LOG-1:0] dst_i,     // the output it is for
  input  wire [W-1:0]     data_i,    // payload of that cell
  output reg              cell_o,    // a cell to the middles
  output reg  [N_LOG-1:0] dst_o,     // the output it is for
  output reg  [W-1:0]     data_o     // payload of that cell
);

  always @(posedge clk) begin
    if (rst)
      cell_o <= 1'b0;
    else if (arrive_i)
      cell_o <= valid_i;
    if (arrive_i) begin
      dst_o  <= dst_i;
      data_o <= data_i;
    end
  end

endmodule

`default_nettype wire
