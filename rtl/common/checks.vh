// Copyright the fat-tree verification environment contributors
// SPDX-License-Identifier: Apache-2.0
//
// The one place that says how the RTL complains.  Nothing here is synthesized.
//
// `CHECK_PARAMETER(ok, name, value)  at the end of a module: ends the simulation before time moves
//                                    when a parameter is out of its range, naming instance and value.
// `CHECK_CHOICE(ok, name, value)     the same for a parameter that is a word.  (Icarus prints a word
//                                    that is padded with zeros only together with something else.)
// `CHECK_ALWAYS(clk, off, ok, rule)  ends the simulation at the first clock edge with off == 0 and
//                                    ok == 0, with the rule that was broken; instance and time
//                                    are named by the simulator.
// `CHECK_ZERO(clk, off, count, rule, place, number)  the same for a count that must be 0, which is
//                                    told with its place.

`ifndef CHECKS_VH
`define CHECKS_VH

`ifdef SYNTHESIS
`define CHECK_PARAMETER(ok, name, value)
`define CHECK_CHOICE(ok, name, value)
`define CHECK_ALWAYS(clk, off, ok, rule)
`define CHECK_ZERO(clk, off, count, rule, place, number)
`else
`define CHECK_PARAMETER(ok, name, value) \
  initial if (!(ok)) $fatal(1, "%m: parameter %0s = %0d is out of range", name, value);
`define CHECK_CHOICE(ok, name, value) \
  initial if (!(ok)) $fatal(1, "%m: parameter %0s =%0s is out of range", name, {8'd32, value});
`define CHECK_ALWAYS(clk, off, ok, rule) \
  always @(posedge clk) if (!(off) && !(ok)) $fatal(1, "%0s", rule);
`define CHECK_ZERO(clk, off, count, rule, place, number) \
  always @(posedge clk) if (!(off) && (count) != 0) \
    $fatal(1, "%0s: %0d %0s %0d", rule, count, place, number);
`endif

`endif
