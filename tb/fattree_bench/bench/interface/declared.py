"""Interfaces, unpacked arrays and structs: what a description declares in the bench top itself.

The port of a field is one of these where it is a path, as s[{i}].tvalid; the design gets them by
its ties.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from fattree_bench.bench.interface.buses import ASKS
from fattree_bench.bench.interface.design import Design
from fattree_bench.bench.interface.kinds import BACK
from fattree_bench.bench.interface.mapped import MappedDesign
from fattree_bench.bench.interface.names import PATH
from fattree_bench.bench.interface.pins import pin, sides


def declared(design: Design) -> Iterator[str]:
    """Declarations, and the wires of leaves that they are joined to."""
    yield from declarations(design)
    for direction, leaves, side in sides(design):
        count = design.inputs if leaves == "INPUTS" else design.outputs
        for one in side.fields.values():
            into = (direction == "send") != (one.role in BACK)
            yield from joined(design, one.port, pin(direction, one), one.bits, count, into)
        if side.packet:
            bits, wire = sum(one.bits for one in side.together), f"{direction}_packet"
            yield from joined(design, side.packet, wire, bits, count, direction == "send")


def declarations(design: Design) -> Iterator[str]:
    for one in design.said.design.declare:
        yield f"  {design._filled(one).rstrip('; ')};\n"


def alone(design: Design | None) -> tuple[str, Mapping[str, str]]:
    """Declarations for a module with nothing but the design, and what it gets of them."""
    if design is None or not design.said.design.declare:
        return "", {}
    return "".join(["  wire clk, reset, run;\n", *declarations(design)]), design.ties


def joined(
    design: Design, port: str, wire: str, bits: int, count: int, into: bool
) -> Iterator[str]:
    """The wire of all leaves, joined to a path; nothing for the port of a design."""
    if not PATH.search(port):
        return
    paths = [port.format(i=letter) for letter in design.letters][:count]
    each = [f"{wire}[{i * bits} +: {bits}]" for i in range(count)] if "{i}" in port else [wire]
    for path, own in zip(paths, each, strict=False):
        yield "  assign {} = {};\n".format(*((path, own) if into else (own, path)))


def asks(design: MappedDesign, side: str, signal: str) -> bool:
    """Whether a signal goes from managers to memories."""
    if design.pins(side):
        return signal in ASKS
    for one in design.channels(side):
        if signal in (*one.fields, f"{one.name}valid", f"{one.name}ready"):
            return one.asks != signal.endswith("ready")
    raise KeyError(signal)
