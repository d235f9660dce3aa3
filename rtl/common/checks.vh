// Copyright the fat-tree verification environment contributors
// SPDX-License-Identifier: Apache-2.0
//
// The one place that says how the RTL complains.
//
// `CHECK_PARAMETER(ok, name, value, allowed)
//                                    at the end of a module: a parameter that is out of its range
//                                    ends the simulation before time moves, with instance, value
//                                    and what is allowed.  Synthesis also ends, for then the module
//                                    parameter_out_of_range, which does not exist, is instantiated.
// `CHECK_CHOICE(ok, name, value, allowed)
//                                    the same for a parameter that is a word.  (Icarus prints a
//                                    word that is padded with zeros only together with something
//                                    else.)
// `CHECK_ALWAYS(clk, off, ok, rule)  ends the simulation at the first clock edge with off == 0 and
//                                    ok == 0, with the rule that was broken; instance and time
//                                    are named by the simulator.
// `CHECK_SHARED(clk, off, ok, rule)  the same in a module with many instances.  Verilator writes
//                                    the body of a module that is not inlined once for
//                                    all of them, if no constant tells them apart; so the name is
//                                    looked up when the rule is broken, by the module that is not
//                                    inlined.
//                                    What says it is a cold function: so it stands elsewhere, and
//                                    what runs in every clock fits the cache.
// `CHECK_ZERO(clk, off, count, rule, place, number)  the same for a count that must be 0, which is
//                                    reported with its place.
//
// With SYNTHESIS these rules are left out; with GIVEN as well, a solver assumes them.

`ifndef CHECKS_VH
`define CHECKS_VH

`ifdef SYNTHESIS
`define CHECK_PARAMETER(ok, name, value, allowed) if (!(ok)) parameter_out_of_range u_check ();
`define CHECK_CHOICE(ok, name, value, allowed) `CHECK_PARAMETER(ok, name, value, allowed)
`ifdef GIVEN
`define CHECK_ALWAYS(clk, off, ok, rule) always @* if (!(off)) assume (ok);
`else
`define CHECK_ALWAYS(clk, off, ok, rule)
`endif
`define CHECK_SHARED(clk, off, ok, rule) `CHECK_ALWAYS(clk, off, ok, rule)
`define CHECK_ZERO(clk, off, count, rule, place, number) `CHECK_ALWAYS(clk, off, (count) == 0, rule)
`else
// $fatal stands in the first line: Icarus counts the lines in a macro, and names the one reached.
`define CHECK_FIRST(ok) initial if (!(ok)) $fatal
`define CHECK_EDGE(clk, off, ok) always @(posedge clk) if (!(off) && !(ok)) $fatal
`define CHECK_PARAMETER(ok, name, value, allowed) `CHECK_FIRST(ok)( \
  1, "%m: parameter %0s = %0d is out of range: %0s", name, value, allowed);
`define CHECK_CHOICE(ok, name, value, allowed) `CHECK_FIRST(ok)( \
  1, "%m: parameter %0s =%0s is out of range: %0s", name, {8'd32, value}, allowed);
`define CHECK_ALWAYS(clk, off, ok, rule) `CHECK_EDGE(clk, off, ok)(1, "%0s", rule);
`define CHECK_ZERO(clk, off, count, rule, place, number) `CHECK_EDGE(clk, off, (count) == 0)( \
  1, "%0s: %0d %0s %0d", rule, count, place, number);
`ifdef VERILATOR
`define CHECK_SHARED(clk, off, ok, rule) \
  always @(posedge clk) if (!(off) && !(ok)) \
    $c("[&]() __attribute__((cold, noinline)) { ", \
       "VL_PRINTF(\"[%llu] %%Fatal: %s:%d: Assertion failed in %s: %s\\n\", ", \
       "(unsigned long long)VL_TIME_UNITED_Q(1), \"", `__FILE__, "\", ", `__LINE__, \
       ", vlSelf->vlNamep, \"", rule, "\"); ", \
       "VL_STOP_MT(\"", `__FILE__, "\", ", `__LINE__, ", \"\"); }();");
`else
`define CHECK_SHARED(clk, off, ok, rule) `CHECK_ALWAYS(clk, off, ok, rule)
`endif
`endif

`endif
