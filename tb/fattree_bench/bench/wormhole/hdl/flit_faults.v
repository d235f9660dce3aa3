// Copyright the fat-tree verification environment contributors
// SPDX-License-Identifier: Apache-2.0

`timescale 1ns/1ns
`default_nettype none

// Says which cables are dead, clock by clock of an item.
//
// Contract: Python fills stim_fault: 32 bits a port, in row 0 the first clock in which its cable is
// dead, in row 1 the first in which it is not any more; all ones: never.  on: an item is played,
// whose clock the first of the burst is `base`.  The ends know `detect` clocks later.
// Timing: combinational, from clock_i, the clock of the burst.
module flit_faults #(
  parameter PORTS = 8  // of all switches
) (
  input  wire [31:0]      clock_i,
  output reg  [PORTS-1:0] cut_o,   // the cable is dead
  output reg  [PORTS-1:0] dead_o   // that is known
);

  reg [PORTS*32-1:0] stim_fault [0:1];
  reg                on;
  reg [31:0]         base;
  reg [31:0]         detect;

  initial begin
    on     = 1'b0;
    base   = 32'd0;
    detect = 32'd0;
  end

  wire [31:0]         now   = base + clock_i;
  wire [31:0]         since = now - detect;
  wire                seen  = on && now >= detect;
  wire [PORTS*32-1:0] died  = stim_fault[0];
  wire [PORTS*32-1:0] back  = stim_fault[1];

  always @* begin : look
    integer p;
    cut_o  = {PORTS{1'b0}};
    dead_o = {PORTS{1'b0}};
    for (p = 0; p < PORTS; p = p + 1) begin
      cut_o[p]  = on && now >= died[p*32 +: 32] && now < back[p*32 +: 32];
      dead_o[p] = seen && since >= died[p*32 +: 32] && since < back[p*32 +: 32];
    end
  end

endmodule

`default_nettype wire
