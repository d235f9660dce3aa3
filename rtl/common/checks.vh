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
//                                    ok == 0, naming instance, time and the rule that was broken.

`ifndef CHECKS_VH
`define CHECKS_VH

`ifdef SYNTHESIS
`define CHECK_PARAMETER(ok, name, value)
`define CHECK_CHOICE(ok, name, value)
`define CHECK_ALWAYS(clk, off, ok, rule)
`else
`define CHECK_PARAMETER(ok, name, value) \
  initial if (!(ok)) begin \
    $display("%m: parameter %0s = %0d is out of range", name, value); \
    $fatal(1); \
  end
`define CHECK_CHOICE(ok, name, value) \
  initial if (!(ok)) begin \
    $display("%m: parameter %0s =%0s is out of range", name, {8'd32, value}); \
    $fatal(1); \
  end
`define CHECK_ALWAYS(clk, off, ok, rule) \
  always @(posedge clk) if (!(off) && !(ok)) begin \
    $display("%m: at %0t: %0s", $time, rule); \
    $fatal(1); \
  end
`endif

`endif
