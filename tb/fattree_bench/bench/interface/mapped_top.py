"""The bench top of a design with managers and memories: signals of agents in Python, and rules.

Python finds them by name: axi_mI_awvalid … of manager I, axi_sI_awvalid … of memory I.  The player
next to them keeps the time.
"""

from __future__ import annotations

from collections.abc import Iterator

from fattree_bench.bench.interface import buses, declared, described, pins, rules
from fattree_bench.bench.interface.buses import Channel
from fattree_bench.bench.interface.design import Design
from fattree_bench.bench.interface.interface import Bits, Block, Interface, Shown, takes
from fattree_bench.bench.interface.mapped import CHANNEL_RULES, MappedDesign
from fattree_bench.bench.links.flit.player import LINKS

SIDES = {"send": ("INPUTS", "m"), "receive": ("OUTPUTS", "s")}
JOINED = """
  assign in_credit  = {LEAVES{1'b0}};
  assign seen_valid = {LEAVES{1'b0}};
  assign seen_flit  = {(LEAVES*FLIT_W){1'b0}};
  assign home       = {INPUTS{1'b1}};
  assign dropped    = 32'd0;
  assign busy_o     = 1'b0;
  wire   unused_axi = &{1'b0, in_valid, in_flit, seen_credit};

  reg axi_reset;  // half a clock late: the library acts at once, and run has glitches
  initial axi_reset = 1'b1;
  always @(negedge clk) axi_reset <= ~run;
"""


def interface(name: str, design: Design, agent: str) -> Interface:
    """All but the player, of a design of any kind."""
    if not isinstance(design, MappedDesign):
        return described.interface(name, design, agent)
    wires: dict[str, Bits] = {"dropped": 32, "home": "INPUTS", "in_credit": "LEAVES"}
    wires |= {"seen_valid": "LEAVES", "seen_flit": "LEAVES*FLIT_W"}
    said = design.said
    own = [takes(said.clock.name, "clk")]
    if said.reset.name:
        own.append(takes(said.reset.name, "reset" if said.reset.active else "~reset"))
    text = [*declared.declarations(design)]
    for side, (count, _) in SIDES.items():
        known = design.wires(side) | design.pins(side)
        wires |= {f"{side}_{signal}": f"{count}*{bits}" for signal, bits in known.items()}
        for signal, port, bits in design.signals(side):
            wire, leaves = f"{side}_{signal}", getattr(design, count.lower())
            each = [f"{wire}[{i * bits} +: {bits}]" for i in range(leaves)]
            own += pins._joined(design, port, wire, each)
            into = declared.asks(design, side, signal) == (side == "send")
            text += declared.joined(design, port, wire, bits, leaves, into)
    own += [takes(port, value) for port, value in design.ties.items()]
    every = len(design.rules("send")) * design.inputs
    return Interface(
        name=name,
        origin=design.path.name,
        design=Block(said.design.top, "u_design", design.parameters, tuple(own)),
        constants={
            **{"LEAVES": design.leaves, "INPUTS": design.inputs, "OUTPUTS": design.outputs},
            "FLIT_W": design.width + 2 + design.mark_bits,
            "RULES": every + len(design.rules("receive")) * design.outputs,
        },
        wires=wires,
        text="".join([*text, *agents(design, every), JOINED]),
        state=(
            *(Shown("broken_count", 32), Shown("broken_log", described.LOG_BITS)),
            Shown("dropped", 32),
        ),
        blocks=described._blocks(design),
        named=False,
        hints={"links": LINKS},
        registers=("clk", "axi_*"),
    )


def agents(design: MappedDesign, behind: int) -> Iterator[str]:
    """Signals of every leaf; `behind`: the number of the first rule of a memory."""
    for side, (count, letter) in SIDES.items():
        known, own = design.rules(side), design.pins(side)
        if own:
            rules = (0 if side == "send" else behind, len(known))
            leaves, address = getattr(design, count.lower()), design.said.link.address_bits
            yield from buses.wishbone_adapters(side, leaves, own, address, rules)
        for leaf in range(design.inputs if side == "send" else design.outputs):
            at = leaf * len(known) + (0 if side == "send" else behind)
            name = f"axi_{letter}{leaf}"
            backs = sum(one.asks == (side == "send") for one in design.channels(side))
            outs = at + backs
            for one in design.channels(side):
                if one.asks == (side == "send"):
                    yield from into(one, name, side, leaf, at)
                    at += 1
                else:
                    yield from out_of(one, name, side, leaf, outs)
                    outs += len(CHANNEL_RULES)


def into(one: Channel, name: str, side: str, leaf: int, rule: int) -> Iterator[str]:
    """A channel that Python drives."""
    own, port = f"{name}_{one.name}", f"{side}_{one.name}"
    yield f"\n  reg  {own}valid = 1'b0;\n  assign {port}valid[{leaf}] = {own}valid;\n"
    yield f"  wire {own}ready = ({port}ready[{leaf}] === 1'b1);\n"
    for field, bits in one.fields.items():
        width = f"[{bits - 1}:0] " if bits > 1 else ""
        yield f"  reg  {width}{name}_{field} = {bits}'d0;\n"
        yield f"  assign {side}_{field}[{leaf * bits} +: {bits}] = {name}_{field};\n"
    ready = f"{port}ready[{leaf}]"
    yield f"  assign broken[{rule}] = ~quiet & (({ready} ^ {ready}) !== 1'b0);\n"


def out_of(one: Channel, name: str, side: str, leaf: int, rule: int) -> Iterator[str]:
    """A channel that the design drives."""
    own, port = f"{name}_{one.name}", f"{side}_{one.name}"
    yield f"\n  wire {own}valid;\n  reg  {own}ready = 1'b0;\n"
    yield f"  assign {port}ready[{leaf}] = {own}ready;\n"
    for field, bits in one.fields.items():
        width = f"[{bits - 1}:0] " if bits > 1 else ""
        yield f"  wire {width}{name}_{field};\n"
    shown = ", ".join(
        f"{side}_{field}[{leaf * bits} +: {bits}]" for field, bits in one.fields.items()
    )
    seen = ", ".join(f"{name}_{field}" for field in one.fields)
    yield f"  leaf_channel #(.SIDE_W({one.bits})) u_{own} (\n"
    yield "    .clk(clk), .silent_i(silent), .quiet_i(quiet),\n"
    yield f"    .valid_i({port}valid[{leaf}]), .ready_i({own}ready),\n"
    yield f"    .side_i({{{shown}}}),\n"
    yield f"    .valid_o({own}valid),\n    .side_o({{{seen}}}),\n"
    yield f"    .broken_o(broken[{rule} +: {len(CHANNEL_RULES)}])\n  );\n"


def told(design: Design, number: int) -> tuple[str, str, int]:
    """Rule, side and leaf of a bit of all leaves' broken_o, of a design of any kind."""
    if isinstance(design, MappedDesign):
        return design.told(number)
    return rules.told(design.said.link.kind, design.inputs, number)
