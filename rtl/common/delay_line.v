// Copyright the fat-tree verification environment contributors
// SPDX-License-Identifier: Apache-2.0

`timescale 1ns/1ns
`include "checks.vh"
`default_nettype none

// Delay line: a word that enters with its valid flag leaves DEPTH clocks later.
//
// Contract: every word is delayed by exactly DEPTH clocks; words inside at a reset are discarded;
// data_o is zero where valid_o is zero if the same holds at the entry.
// Timing: DEPTH = 0 is a wire.  From DEPTH = 2 on a memory is read and rewritten at a pointer that
// goes round, so the cost of a clock does not grow with the depth.
module delay_line #(
  parameter DEPTH = 2,  // clocks, >= 0
  parameter WIDTH = 8   // bits a word, >= 1; the whole word reads zero while the line is filling
) (
  input  wire             clk,     // rising edge
  input  wire             rst,     // synchronous: words inside are lost, data_o is 0
  input  wire [WIDTH-1:0] data_i,  // word that enters
  output wire [WIDTH-1:0] data_o   // word that entered DEPTH clocks ago
);

  generate
    if (DEPTH == 0) begin : gen_wire
      wire unused = &{1'b0, clk, rst};
      assign data_o = data_i;
    end else if (DEPTH == 1) begin : gen_register
      reg [WIDTH-1:0] data_q;
      always @(posedge clk) data_q <= rst ? {WIDTH{1'b0}} : data_i;
      assign data_o = data_q;
    end else begin : gen_ring
      localparam               PTR_W    = $clog2(DEPTH);
      localparam [31:0]        LAST_INT = DEPTH - 1;
      localparam [PTR_W-1:0]   LAST     = LAST_INT[PTR_W-1:0];

      reg [WIDTH-1:0] ring [0:DEPTH-1];
      reg [PTR_W-1:0] ptr_q;
      reg             full_q;  // the pointer has been round since reset

      always @(posedge clk) begin
        ring[ptr_q] <= data_i;
        if (rst) begin
          ptr_q  <= {PTR_W{1'b0}};
          full_q <= 1'b0;
        end else begin
          ptr_q  <= (ptr_q == LAST) ? {PTR_W{1'b0}} : ptr_q + 1'b1;
          full_q <= full_q | (ptr_q == LAST);
        end
      end

      assign data_o = full_q ? ring[ptr_q] : {WIDTH{1'b0}};
    end
  endgenerate

  `CHECK_PARAMETER(DEPTH >= 0, "DEPTH", DEPTH, ">= 0")
  `CHECK_PARAMETER(WIDTH >= 1, "WIDTH", WIDTH, ">= 1")

endmodule

`default_nettype wire
