// Copyright the fat-tree verification environment contributors
// SPDX-License-Identifier: Apache-2.0

`timescale 1ns/1ns
`include "checks.vh"
`default_nettype none

// packet_concentrator as a simulator likes it: one pass over the inputs with a counter.
//
// Contract: as packet_concentrator; packet_forms_proof shows that both are the same function.
// Timing: combinational.  As hardware it would be a chain of R steps: it is not meant for that.
module packet_concentrator_fast #(
  parameter R      = 4,             // inputs, >= 1
  parameter S      = 2,             // outputs, >= 1; from R on they stay idle
  parameter H      = 4,             // bits of a header, >= 1
  parameter W      = 8,             // bits of a payload, >= 1
  parameter LOST_W = $clog2(R + 1)  // bits of the count of lost packets, enough for R
) (
  input  wire [R-1:0]      valid_i,   // input i asks to pass
  input  wire [R*H-1:0]    header_i,  // header of input i
  input  wire [R*W-1:0]    data_i,    // payload of input i
  output reg  [S-1:0]      valid_o,   // output l has a packet
  output reg  [S*H-1:0]    header_o,  // its header; zero when idle
  output reg  [S*W-1:0]    data_o,    // its payload; zero when idle
  output reg  [LOST_W-1:0] lost_o     // inputs that asked and found no output
);

  integer i, passed;  // passed: outputs that are filled

  always @* begin
    valid_o  = {S{1'b0}};
    header_o = {(S*H){1'b0}};
    data_o   = {(S*W){1'b0}};
    lost_o   = {LOST_W{1'b0}};
    passed   = 0;
    if (valid_i != {R{1'b0}})
      for (i = 0; i < R; i = i + 1)
        if (valid_i[i]) begin
          if (passed < S) begin
            valid_o[passed]          = 1'b1;
            header_o[passed*H +: H]  = header_i[i*H +: H];
            data_o[passed*W +: W]    = data_i[i*W +: W];
            passed                   = passed + 1;
          end else
            lost_o = lost_o + 1'b1;
        end
  end

  `CHECK_PARAMETER(R >= 1, "R", R, ">= 1")
  `CHECK_PARAMETER(S >= 1, "S", S, ">= 1")

endmodule

`default_nettype wire
