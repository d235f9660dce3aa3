// Copyright the fat-tree verification environment contributors
// SPDX-License-Identifier: Apache-2.0

`timescale 1ns/1ns
`default_nettype none

// Output side of a line card without a queue: two registers.
//
// Contract: what comes in a slot leaves in that slot; data_o is 0 where nothing leaves.
// Timing: a cell is taken in in a clock with take_i and shown from the clock after the one with
// give_i on, up to the next; the two alternate.
module lbbvn_plain_egress #(
  parameter W = 32  // payload bits
) (
  input  wire         clk,      // rising edge
  input  wire         rst,      // synchronous: nothing waits or leaves
  input  wire         take_i,   // a cell may come in
  input  wire         give_i,   // the cell that was taken in is shown from the next clock
  input  wire         cell_i,   // a cell comes, if take_i
  input  wire [W-1:0] data_i,   // 0 if none
  output reg          valid_o,  // a cell leaves
  output reg  [W-1:0] data_o    // payload of that cell; 0 if none leaves
);

  reg         held_q;
  reg [W-1:0] held_data_q;

  always @(posedge clk)
    if (rst) begin
      held_q      <= 1'b0;
      held_data_q <= {W{1'b0}};
      valid_o     <= 1'b0;
      data_o      <= {W{1'b0}};
    end else begin
      if (take_i) begin
        held_q      <= cell_i;
        held_data_q <= data_i;
      end
      if (give_i) begin
        valid_o <= held_q;
        data_o  <= held_data_q;
      end
    end

endmodule

`default_nettype wire
