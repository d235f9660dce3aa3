// Copyright the fat-tree verification environment contributors
// SPDX-License-Identifier: Apache-2.0

`timescale 1ns/1ns
`default_nettype none

// Tells slots of SLOT clocks, all leaves' alike: the first begins when words may be on the links.
//
// Timing: first_o and last_o are high in a slot's first and last clock.
module leaf_slots #(
  parameter SLOT = 1
) (
  input  wire clk,
  input  wire run_i,
  output wire first_o,
  output wire last_o
);

  localparam [31:0] LAST = SLOT - 1;

  reg [31:0] phase_q;
  initial phase_q = 32'd0;
  assign first_o = run_i & (phase_q == 32'd0);
  assign last_o  = run_i & (phase_q == LAST);
  always @(posedge clk) phase_q <= (!run_i || last_o) ? 32'd0 : phase_q + 32'd1;

endmodule

`default_nettype wire
