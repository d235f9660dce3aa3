"""What is joined to the pins of a design: a port of all leaves, or one a leaf; bits upside down."""

from __future__ import annotations

from collections.abc import Iterable

from fattree_bench.bench.interface.design import Design
from fattree_bench.bench.interface.interface import Port, gives, takes
from fattree_bench.bench.interface.kinds import BACK, PAD
from fattree_bench.bench.interface.names import PATH
from fattree_bench.bench.interface.ports import Field, Side


def sides(design: Design) -> Iterable[tuple[str, str, Side]]:
    """Each direction, how many leaves it has, its fields."""
    yield "send", "INPUTS", design.send
    yield "receive", "OUTPUTS", design.receive


def every_port(design: Design) -> tuple[Port, ...]:
    """Of the design: clock, reset, those of its link, constants, the counter of drops."""
    said = design.said
    ports = [takes(said.clock.name, "clk")]
    if said.reset.name:
        ports.append(takes(said.reset.name, "reset" if said.reset.active else "~reset"))
    for direction, leaves, side in sides(design):
        count = design.inputs if leaves == "INPUTS" else design.outputs
        every = [(one.port, pin(direction, one), one.bits) for one in side.fields.values()]
        if side.packet:
            every.append((side.packet, f"{direction}_packet", sum(x.bits for x in side.together)))
        for port, wire, bits in every:
            each = [f"{wire}[{i * bits} +: {bits}]" for i in range(count)]
            ports += _joined(design, port, wire, each) if port else []
    ports += [takes(name, value) for name, value in design.ties.items()]
    if design.counter[0]:
        ports.append(gives(design.counter[0], "counted", design.counter[1]))
    return tuple(ports)


def _joined(design: Design, port: str, wire: str, each: list[str]) -> list[Port]:
    """A port of all leaves, or one of each."""
    if "{i}" in port or PATH.search(port):
        named = zip(design.letters, each, strict=False)
        return [takes(port.format(i=x), bits) for x, bits in named if not PATH.search(port)]
    highest = design.said.link.leaf0 == "highest"
    return [takes(port, f"{{{', '.join(each)}}}" if highest else wire)]


def pin(direction: str, field: Field) -> str:
    """The wire at the design's pins, where those may be inverted; none for bits between fields."""
    return "" if field.role == PAD else f"{direction}_{field.role}{'_n' * field.low}"


def inverted(design: Design) -> Iterable[str]:
    """Fields whose pins are inverted, which way they go."""
    for direction, _, side in sides(design):
        for one in (x for x in side.fields.values() if x.low):
            ends = f"{direction}_{one.role}", pin(direction, one)
            given = (direction == "send") == (one.role in BACK)  # by the design
            yield "  assign {} = ~{};\n".format(*(ends if given else ends[::-1]))
