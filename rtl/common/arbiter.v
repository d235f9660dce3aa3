// Copyright the fat-tree verification environment contributors
// SPDX-License-Identifier: Apache-2.0

`timescale 1ns/1ns
`include "checks.vh"
`default_nettype none

// One of R requests is granted, fairly: none waits for more than R - 1 grants of others.
//
// Contract: grant_o is one-hot among the requests, or zero if there are none.  The order of
// precedence changes only in a clock with taken_i, when the grant was used.
//   "ROUND_ROBIN": the request behind the one that was granted last is first.  Cost O(R).
//   "MATRIX": least recently granted first.  Cost R (R - 1) bits.
// Timing: combinational from request_i to grant_o.
module arbiter #(
  parameter R = 4,                           // requests, >= 1
  parameter [8*11-1:0] KIND = "ROUND_ROBIN"  // "ROUND_ROBIN", "MATRIX"
) (
  input  wire         clk,        // rising edge
  input  wire         rst,        // back to the order after power-up: request 0 first
  input  wire [R-1:0] request_i,  // who asks for the grant; any number of them
  input  wire         taken_i,    // the grant is used
  output reg  [R-1:0] grant_o     // who may, one-hot
);

  generate
    if (KIND == "MATRIX") begin : gen_matrix
      reg [R*R-1:0] ahead_q;  // bit i*R + j: j goes before i
      integer       i, k;

      always @* begin
        grant_o = {R{1'b0}};
        if (request_i != {R{1'b0}})
          for (i = 0; i < R; i = i + 1)
            grant_o[i] = request_i[i] && (request_i & ahead_q[i*R +: R]) == {R{1'b0}};
      end

      always @(posedge clk)
        for (k = 0; k < R; k = k + 1)
          if (rst)
            ahead_q[k*R +: R] <= ~({R{1'b1}} << k);
          else if (taken_i)
            ahead_q[k*R +: R] <= grant_o[k] ? ~grant_o : ahead_q[k*R +: R] & ~grant_o;
    end else begin : gen_round_robin
      reg  [R-1:0] first_q;  // ones from the request that is first, upwards
      wire [R-1:0] asked = ((request_i & first_q) != {R{1'b0}}) ? request_i & first_q : request_i;

      always @* grant_o = asked & (~asked + 1'b1);  // the lowest one

      always @(posedge clk)
        if (rst)
          first_q <= {R{1'b1}};
        else if (taken_i)
          first_q <= ~((grant_o << 1) - 1'b1);
    end
  endgenerate

  `CHECK_PARAMETER(R >= 1, "R", R, ">= 1")
  `CHECK_CHOICE(KIND == "ROUND_ROBIN" || KIND == "MATRIX", "KIND", KIND, "ROUND_ROBIN, MATRIX")

endmodule

`default_nettype wire
