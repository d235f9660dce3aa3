// Copyright the fat-tree verification environment contributors
// SPDX-License-Identifier: Apache-2.0

`timescale 1ns/1ns
`default_nettype none

// In place of a player where something else drives the network: it lets `cycles` clocks pass.
//
// Contract: Python sets `cycles` and toggles `go`; `done` equals it again behind the last clock.
module bench_time (
  input  wire clk,
  output wire busy_o
);

  reg        go, go_q, done;
  reg [31:0] cycles, clocks;
  initial {go, go_q, done, cycles, clocks} = 67'd0;
  always @(posedge go or negedge go) go_q <= go;

  assign busy_o = (go_q != done);
  always @(posedge clk)
    if (busy_o) begin
      clocks <= (clocks + 32'd1 == cycles) ? 32'd0 : clocks + 32'd1;
      if (clocks + 32'd1 == cycles) done <= go_q;
    end

endmodule

`default_nettype wire
