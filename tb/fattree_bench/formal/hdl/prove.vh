// Copyright the fat-tree verification environment contributors
// SPDX-License-Identifier: Apache-2.0
//
// How proofs state their rules, one way for solvers and simulators.
//
// `PROVE(rule, ok)    must hold whenever it is reached; a solver looks for a way to break it, a
//                     simulation (the replay of a counter-example) says when it is broken.
// `GIVEN(ok)          what the surroundings promise; holds in what a solver looks at.
// `TICKS(name, on, tick)  a clock `name` that has an edge with clk if `tick` is 1; `on` is a free
//                     name.  For a solver its registers step if `tick` is 1 (Proof.ticks).

`ifndef PROVE_VH
`define PROVE_VH

`ifdef FORMAL
`define PROVE(rule, ok) rule: assert (ok);
`define GIVEN(ok) assume (ok);
`define TICKS(name, on, tick) wire name = tick;
`else
`ifdef VERILATOR
`define SAY $display  // its $strobe would name the module, not the rule
`else
`define SAY $strobe  // when all has settled
`endif
`define PROVE(rule, ok) \
  begin : rule \
    reg prove_held; \
    prove_held = (ok); \
    if (prove_held !== 1'b1) `SAY("%m: holds=%b at %0t", prove_held, $time); \
  end
`define GIVEN(ok)
`define TICKS(name, on, tick) \
  reg on; \
  always @* if (!clk) on = tick; \
  wire name = clk & on;
`endif

`endif
