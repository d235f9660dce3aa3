// Copyright the fat-tree verification environment contributors
// SPDX-License-Identifier: Apache-2.0

`timescale 1ns/1ns
`include "checks.vh"
`default_nettype none

// Which parents packets take on their way up: round robin over those that are free.
//
// Contract: children choose in the order of their numbers; each takes the first free parent from
//   the pointer on, and the pointer moves behind it.  It begins at parent 0.
// Timing: combinational from asks to grants.
module spin_climb #(
  parameter CHILDREN = 4,  // inputs that may ask, >= 1
  parameter PARENTS  = 4   // outputs, >= 1
) (
  input  wire                        clk,     // rising edge
  input  wire                        rst,     // synchronous: the pointer is at parent 0
  input  wire [CHILDREN-1:0]         ask_i,   // by child: its packet goes up
  input  wire [PARENTS-1:0]          free_i,  // by parent: it may be taken
  output reg  [PARENTS*CHILDREN-1:0] grant_o  // by parent: by child: it gets it, one-hot
);

  reg [PARENTS-1:0] from_q;  // ones from the pointer upwards; none: it is behind the last

  reg [PARENTS-1:0] from, left, first, got;
  integer           c, p;
  always @* begin
    grant_o = {(PARENTS*CHILDREN){1'b0}};
    from    = from_q;
    left    = free_i;
    first   = {PARENTS{1'b0}};
    got     = {PARENTS{1'b0}};
    if (ask_i != {CHILDREN{1'b0}})
      for (c = 0; c < CHILDREN; c = c + 1)
        if (ask_i[c] && left != {PARENTS{1'b0}}) begin
          first = ((left & from) != {PARENTS{1'b0}}) ? left & from : left;
          got   = first & (~first + 1'b1);  // the lowest one
          left  = left & ~got;
          from  = ~((got << 1) - 1'b1);
          for (p = 0; p < PARENTS; p = p + 1)
            if (got[p]) grant_o[p*CHILDREN + c] = 1'b1;
        end
  end

  always @(posedge clk)
    from_q <= rst ? {PARENTS{1'b1}} : from;

  `CHECK_PARAMETER(CHILDREN >= 1, "CHILDREN", CHILDREN, ">= 1")
  `CHECK_PARAMETER(PARENTS >= 1, "PARENTS", PARENTS, ">= 1")

endmodule

`default_nettype wire
