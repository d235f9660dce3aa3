// Copyright the fat-tree verification environment contributors
// SPDX-License-Identifier: Apache-2.0

`timescale 1ns/1ns
`include "checks.vh"
`default_nettype none

// A route among live parents.
//
// Contract: route_i, or the next live parent, around the end, if that is a parent whose port is
// dead and AROUND = 1.  dead_o: the port is dead; no other will do.
// Timing: combinational.
module faulty_choice #(
  parameter DOWN   = 4,  // children, >= 1
  parameter UP     = 4,  // parents; 0 at the top
  parameter PORT_W = 3,  // bits of a port's number
  parameter AROUND = 1   // 0, 1
) (
  input  wire [PORT_W-1:0]  route_i,  // the output port, if no port is dead
  input  wire [DOWN+UP-1:0] known_i,  // by port: it is dead
  output reg  [PORT_W-1:0]  route_o,  // the output port that is taken
  output wire               dead_o    // that is dead all the same
);

  localparam [31:0] LAST = DOWN + UP - 1, FIRST = DOWN;

  wire [31:0] unused_first = FIRST;
  wire        unused = &{1'b0, unused_first};

  always @* begin : search
    integer step;
    route_o = route_i;
    if (AROUND == 1 && {{(32-PORT_W){1'b0}}, route_i} >= DOWN)
      for (step = 0; step < UP; step = step + 1)
        if (known_i[route_o])
          route_o = (route_o == LAST[PORT_W-1:0]) ? FIRST[PORT_W-1:0] : route_o + 1'b1;
  end

  assign dead_o = known_i[route_o];

  `CHECK_PARAMETER(AROUND == 0 || AROUND == 1, "AROUND", AROUND, "0, 1")

endmodule

`default_nettype wire
