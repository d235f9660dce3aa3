// Copyright the fat-tree verification environment contributors
// SPDX-License-Identifier: Apache-2.0
//
// How the bits of a register travel to another clock, and how resets come, for wrappers of what
// stands between two clocks.
//
// A sampler gets what its wrapper gives it.  `FLIGHT(name, kept, bits, code, late, tick) makes
// `name`, what has arrived of `code`: after a step the bits of `late` are still on their way;
// `kept` is a free name.  All have arrived before the next edge of their own clock: `tick` is 1
// only then.

`ifndef FLIGHT_VH
`define FLIGHT_VH

`define FLIGHT(name, kept, bits, code, late, tick) \
  reg  bits kept = 0; \
  wire bits name = (code & ~late) | (kept & late); \
  always @(posedge clk) kept <= name; \
  always @* begin `GIVEN(!tick || name == code) end

`endif

// The first flip-flop of a synchroniser: what it samples is driven by the wrapper.
module sampler #(
  parameter WIDTH = 1
) (
  input  wire             clk,
  input  wire             rst,
  input  wire [WIDTH-1:0] value_i,
  output reg  [WIDTH-1:0] value_o
);
  wire [WIDTH-1:0] arrived;
  wire             unused = &{1'b0, value_i};

  initial value_o = {WIDTH{1'b0}};
  always @(posedge clk) value_o <= rst ? {WIDTH{1'b0}} : arrived;
endmodule
