// Copyright the fat-tree verification environment contributors
// SPDX-License-Identifier: Apache-2.0

`include "checks.vh"
`default_nettype none

// R x S crossbars of words: every output shows the input that its setting names.
//
// Contract: an enabled output shows the input it selects; any other, and one that selects an input
// >= R, shows zero.
// Timing: combinational, depth O(log R).  Cost a copy: R S crosspoints of W bits.
//
// COPIES crossbars stand side by side; SHARE consecutive ones read the same R inputs.  Copy k owns
// the k-th slice of each vector.
module crossbar #(
  parameter COPIES = 1,  // crossbars side by side, a multiple of SHARE
  parameter SHARE  = 1,  // consecutive copies with common inputs, >= 1
  parameter R = 4,       // inputs, >= 1
  parameter S = 2,       // outputs of each, >= 1
  parameter W = 8,       // bits a word, >= 1
  parameter SELECT_W = (R > 1) ? $clog2(R) : 1  // derived
) (
  input  wire [COPIES/SHARE*R*W-1:0]  data_i,
  input  wire [COPIES*S-1:0]          enable_i,
  input  wire [COPIES*S*SELECT_W-1:0] select_i,
  output reg  [COPIES*S*W-1:0]        data_o
);

  integer k, l, i;

  always @* begin
    data_o = {(COPIES*S*W){1'b0}};
    i      = 0;
    for (k = 0; k < COPIES; k = k + 1)
      for (l = 0; l < S; l = l + 1) begin
        i = {{(32-SELECT_W){1'b0}}, select_i[(k*S + l)*SELECT_W +: SELECT_W]};
        if (enable_i[k*S + l] && i < R)
          data_o[(k*S + l)*W +: W] = data_i[((k/SHARE)*R + i)*W +: W];
      end
  end

  `CHECK_PARAMETER(SHARE >= 1, "SHARE", SHARE, ">= 1")
  `CHECK_PARAMETER(COPIES >= 1 && COPIES % SHARE == 0, "COPIES", COPIES, "a multiple of SHARE")
  `CHECK_PARAMETER(R >= 1, "R", R, ">= 1")
  `CHECK_PARAMETER(S >= 1, "S", S, ">= 1")
  `CHECK_PARAMETER(W >= 1, "W", W, ">= 1")

endmodule

`default_nettype wire
