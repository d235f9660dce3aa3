// Copyright the fat-tree verification environment contributors
// SPDX-License-Identifier: Apache-2.0
//
// Ports and clock of a bench top, to be included behind its parameters.  On Verilator the C++ main
// drives the clock; elsewhere the process below does, while busy_o is high: the player is busy.
`ifdef VERILATOR
(
  input  wire clk,
  output wire busy_o
);
`else
;
  reg  clk = 1'b0;
  wire busy_o;
  always begin
    wait (busy_o === 1'b1);
    #1 clk = 1'b1;
    #1 clk = 1'b0;
  end
`endif
