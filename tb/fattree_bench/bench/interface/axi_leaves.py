"""The leaves of a design in the bench top, where agents of cocotbext-axi send and receive.

Python finds their signals by name: axis_sendI_*, axis_receiveI_*, and axis_flitI_*, the flits that
the words of a leaf make.  The player next to them keeps the time.
"""

from __future__ import annotations

from collections.abc import Iterable

from fattree_bench.bench.interface.adapters import HOME, granted, joined, receiver, stream_rules
from fattree_bench.bench.interface.design import Design
from fattree_bench.bench.interface.leaves import OUTPUTS, WIRES

OWN = ("data", "last", "dest", "id", "keep", "user")  # fields that the library knows as t…
SCALARS = ("last",)
ALWAYS = "    .clk(clk), .quiet_i(1'b0), .run_i(1'b1),\n"
INPUTS = """
    for (g = 0; g < INPUTS; g = g + 1) begin : gen_input
{send}
        wire unused = &{{1'b0, heard}};
    end
"""
JOINED = """
  assign seen_valid  = {(LEAVES*VCS){1'b0}};
  assign seen_flit   = {(LEAVES*FLIT_W){1'b0}};
  assign out_credit  = out_valid;
  assign in_credit   = {(LEAVES*VCS){1'b0}};
  assign busy_o      = 1'b0;
  wire   unused_axis = &{1'b0, in_valid, in_flit, out_flit, seen_credit};

  reg axis_reset;  // half a clock late: the library acts at once, and run has glitches
  initial axis_reset = 1'b1;
  always @(negedge clk) axis_reset <= ~run;
"""


def single(design: Design) -> Iterable[str]:
    """Signals for the agents of each leaf, and what is checked there."""
    yield WIRES
    yield INPUTS.format(send=_rules_of_inputs(design))
    yield OUTPUTS.format(receive=_outputs(design))
    for leaf in range(design.inputs):
        yield from _send(design, leaf)
    for leaf in range(design.outputs):
        yield from _receive(design, leaf)
    yield JOINED


def _rules_of_inputs(design: Design) -> str:
    return joined([*granted(design, "ready"), HOME])


def _outputs(design: Design) -> str:
    return joined(
        [
            *receiver(design),
            "assign came[0] = heard & receive_ready[g];",
            "wire crowded = 1'b0;",
            *stream_rules(design),
            "wire unused_seed = &{1'b0, SEED};",
        ]
    )


def _send(design: Design, leaf: int) -> Iterable[str]:
    """Registers that a source writes."""
    name, side = f"axis_send{leaf}", design.send
    yield f"\n  reg  {name}_tvalid = 1'b0;\n  assign send_valid[{leaf}] = {name}_tvalid;\n"
    yield f"  wire {name}_tready = (send_ready[{leaf}] === 1'b1);\n"
    for role in (role for role in OWN if role in side):
        bits = side.bits(role)
        width = "" if role in SCALARS else f"[{bits - 1}:0] "
        yield f"  reg  {width}{name}_t{role} = {bits}'d0;\n"
        yield f"  assign send_{role}[{leaf * bits} +: {bits}] = {name}_t{role};\n"


def _receive(design: Design, leaf: int) -> Iterable[str]:
    """What a sink reads, what it writes, and what a monitor of flits reads."""
    name, side = f"axis_receive{leaf}", design.receive
    yield f"\n  wire {name}_tvalid = (receive_valid[{leaf}] === 1'b1);\n"
    yield f"  reg  {name}_tready = 1'b0;\n  assign receive_ready[{leaf}] = {name}_tready;\n"
    roles = [role for role in OWN if role in side]
    for role in roles:
        width = "" if role in SCALARS else f"[{side.bits(role) - 1}:0] "
        yield f"  wire {width}{name}_t{role};\n"
    shown = ", ".join(
        f"receive_{role}[{leaf * side.bits(role)} +: {side.bits(role)}]" for role in roles
    )
    known = ", ".join(f"{name}_t{role}" for role in roles)
    bits = sum(side.bits(role) for role in roles)
    yield f"  wire {name}_unknown;\n  wire unused_{name} = {name}_unknown;\n"
    yield f"  leaf_heard #(.W({bits})) u_{name} (\n{ALWAYS}"
    yield f"    .value_i({{{shown}}}),\n    .value_o({{{known}}}),\n"
    yield f"    .unknown_o({name}_unknown)\n  );\n"
    flit = f"axis_flit{leaf}"
    yield f"  wire [FLIT_W-1:0] {flit};\n  wire {flit}_unknown;\n"
    yield f"  leaf_heard #(.W(FLIT_W)) u_{flit} (\n{ALWAYS}"
    yield f"    .value_i(out_flit[{leaf}*FLIT_W +: FLIT_W]), .value_o({flit}),\n"
    yield f"    .unknown_o({flit}_unknown)\n  );\n"
    yield f"  wire {flit}_tvalid = (out_valid[{leaf}] === 1'b1);\n"
    yield f"  wire [WIDTH-1:0] {flit}_tdata = {flit}[WIDTH-1:0];\n"
    yield f"  wire [MARK_W+2:0] {flit}_tuser = {{{flit}_unknown, {flit}[FLIT_W-1:WIDTH]}};\n"
