// Copyright the fat-tree verification environment contributors
// SPDX-License-Identifier: Apache-2.0

`include "checks.vh"
`default_nettype none

// One of R requests is granted, fairly: nobody waits for more than R - 1 grants of others.
//
// Contract: grant_o is one-hot among the requests, or zero if there are none.  The order of
// precedence changes only in a clock with taken_i, when the grant was used.
//   "ROUND_ROBIN": the request behind the one that was granted last is first.  Cost O(R).
//   "MATRIX": least recently granted first.  Cost R (R - 1) bits.
// Timing: combinational from request_i to grant_o.
//
// COPIES arbiters stand side by side; copy k owns the k-th slice of each vector.
module arbiter #(
  parameter COPIES = 1,                        // arbiters side by side
  parameter R = 4,                             // requests of each, >= 1
  parameter [8*11-1:0] KIND = "ROUND_ROBIN"    // "ROUND_ROBIN", "MATRIX"
) (
  input  wire                clk,
  input  wire                rst,
  input  wire [COPIES*R-1:0] request_i,
  input  wire [COPIES-1:0]   taken_i,
  output reg  [COPIES*R-1:0] grant_o
);

  integer       c;
  reg   [R-1:0] asked;

  generate
    if (KIND == "MATRIX") begin : gen_matrix
      integer              i;
      reg [COPIES*R*R-1:0] ahead_q;  // bit (c*R + i)*R + j: j goes before i

      always @* begin
        grant_o = {(COPIES*R){1'b0}};
        asked   = {R{1'b0}};
        i       = 0;
        for (c = 0; c < COPIES; c = c + 1) begin
          asked = request_i[c*R +: R];
          if (asked != {R{1'b0}})
            for (i = 0; i < R; i = i + 1)
              grant_o[c*R + i] = asked[i] & ~(|(asked & ahead_q[(c*R + i)*R +: R]));
        end
      end

      always @(posedge clk) begin : update
        reg [COPIES*R*R-1:0] ahead;
        reg [R-1:0]          granted;
        integer              k, j;
        ahead  = ahead_q;
        granted = {R{1'b0}};
        for (k = 0; k < COPIES; k = k + 1)
          if (rst) begin
            for (j = 0; j < R; j = j + 1)
              ahead[(k*R + j)*R +: R] = ~({R{1'b1}} << j);
          end else if (taken_i[k]) begin
            granted = grant_o[k*R +: R];
            for (j = 0; j < R; j = j + 1)
              ahead[(k*R + j)*R +: R] = granted[j] ? ~granted : ahead[(k*R + j)*R +: R] & ~granted;
          end
        ahead_q <= ahead;
      end
    end else begin : gen_round_robin
      reg [COPIES*R-1:0] first_q;  // ones from the request that is first, upwards

      always @* begin
        grant_o = {(COPIES*R){1'b0}};
        asked   = {R{1'b0}};
        for (c = 0; c < COPIES; c = c + 1) begin
          asked = request_i[c*R +: R];
          if (asked != {R{1'b0}}) begin
            if ((asked & first_q[c*R +: R]) != {R{1'b0}})
              asked = asked & first_q[c*R +: R];
            grant_o[c*R +: R] = asked & (~asked + 1'b1);  // the lowest one
          end
        end
      end

      always @(posedge clk) begin : update
        reg [COPIES*R-1:0] first;
        integer            k;
        first = rst ? {(COPIES*R){1'b1}} : first_q;
        if (!rst)
          for (k = 0; k < COPIES; k = k + 1)
            if (taken_i[k]) first[k*R +: R] = ~((grant_o[k*R +: R] << 1) - 1'b1);
        first_q <= first;
      end
    end
  endgenerate

  `CHECK_ALWAYS(clk, rst, (grant_o & ~request_i) == {(COPIES*R){1'b0}}, "a grant that nobody asked for")

  `CHECK_PARAMETER(COPIES >= 1, "COPIES", COPIES, ">= 1")
  `CHECK_PARAMETER(R >= 1, "R", R, ">= 1")
  `CHECK_CHOICE(KIND == "ROUND_ROBIN" || KIND == "MATRIX", "KIND", KIND, "ROUND_ROBIN, MATRIX")

endmodule

`default_nettype wire
