"""Writes the bench top of a network from its interface."""

import re
import textwrap
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from fattree_bench.bench.interface.interface import (
    COUNTER_BITS,
    Bits,
    Block,
    Interface,
    Packed,
    Port,
    factor,
)

HEAD = """// Made from the interface in {origin} by each build.

`timescale 1ns/1ns
`default_nettype none

// Top of a simulation of {module}.
module {top}
{ports}
"""
CLOCK = '`include "bench_clock.vh"\n'  # the ports of a simulation
TAIL = """
endmodule

`default_nettype wire
"""
COLUMNS = 100
WORD = re.compile(r"(?<![\w'.])[A-Za-z_]\w*(?!\w*')")
IN_THE_TOP = ("clk", "busy_o")  # its ports, or what stands for them: bench_clock.vh


def text(interface: Interface, ports: str = CLOCK) -> str:
    """The whole file; `ports`: its ports, and what drives its clock."""
    design, *others = interface.every_block
    if interface.named:
        design = replace(design, parameters={name: name for name in design.parameters})
    blocks = (design, *others)
    parts = [
        HEAD.format(
            origin=interface.origin, module=interface.design.module, top=interface.top, ports=ports
        ),
        *_constants(interface.local_parameters),
        "\n",
        *_wires(interface),
        "\n  genvar g;\n" if interface.packed or "(g = " in interface.text else "",
        *_packed(interface.packed),
        interface.text,
        *(part for block in blocks for part in _instance(block)),
        *_unused(interface),
        TAIL,
    ]
    return "".join(parts)


def _constants(values: Mapping[str, Bits]) -> Iterator[str]:
    longest = max(map(len, values), default=0)
    for name, value in values.items():
        shown = int(value) if isinstance(value, bool) else value
        yield f"  localparam {name:<{longest}} = {shown};\n"


def _range(width: Bits) -> str:
    """As in [N*W-1:0]; a number is worked out."""
    if width == "":
        return ""
    high = width - 1 if isinstance(width, int) else f"{width}-1"
    return f"[{high}:0]"


def wires(interface: Interface) -> dict[str, Bits]:
    """Widths of the wires between the blocks: as the first port says that has one."""
    found = dict(interface.wires)
    for block in interface.every_block:
        for port in block.ports:
            if port.wire.isidentifier() and port.wire not in IN_THE_TOP:
                found[port.wire] = found.get(port.wire) or port.width
    if interface.events:
        found["events"] = COUNTER_BITS * len(interface.events)
    return found


def _wires(interface: Interface) -> Iterator[str]:
    ranges = {name: _range(width) for name, width in wires(interface).items()}
    longest = max(map(len, ranges.values()), default=0)
    for name, one in ranges.items():
        yield f"  wire {one:<{longest}} {name};\n"


def _instance(block: Block) -> Iterator[str]:
    """Parameters side by side, ports below one another."""
    given = ", ".join(f".{name}({value})" for name, value in block.parameters.items())
    yield f"\n  {block.module}"
    if given:
        filled = textwrap.wrap(given, COLUMNS - 4, break_long_words=False, break_on_hyphens=False)
        yield " #(\n    " + "\n    ".join(filled) + "\n  )"
    longest = max(len(port.name) for port in block.ports)
    joined = ",\n".join(_joined(port, longest) for port in block.ports)
    yield f" {block.name} (\n{joined}\n  );\n"


def _joined(port: Port, longest: int) -> str:
    """A port with its wire; a long list of wires continues in further lines."""
    start = f"    .{port.name:<{longest}}("
    lines = textwrap.wrap(
        f"{port.wire})", COLUMNS - len(start) - 1, break_long_words=False, break_on_hyphens=False
    )
    return start + ("\n" + " " * (len(start) + 1)).join(lines)


def _packed(every: tuple[Packed, ...]) -> Iterator[str]:
    """Loops that take the fields of each leaf out of a wire, or make it of them."""
    if not every:
        return
    yield "  generate\n"
    for one in every:
        yield f"    for (g = 0; g < {one.leaves}; g = g + 1) begin : gen_{one.wire}\n"
        yield from (_split(one) if one.split else _joining(one))
        yield "    end\n"
    yield "  endgenerate\n"


def _split(one: Packed) -> Iterator[str]:
    whole = " + ".join(str(bits) for _, bits in one.fields)
    for at, (name, bits) in enumerate(one.fields):
        first = " + ".join([f"g*({whole})", *(str(below) for _, below in one.fields[at + 1 :])])
        if name:
            own = f"g*{factor(bits)} +: {bits}"
            yield f"      assign {name}[{own}] = {one.wire}[{first} +: {bits}];\n"


def _joining(one: Packed) -> Iterator[str]:
    whole = " + ".join(str(bits) for _, bits in one.fields)
    parts = ", ".join(
        f"{name}[g*{factor(bits)} +: {bits}]" if name else f"{{({bits}){{1'b0}}}}"
        for name, bits in one.fields
    )
    yield f"      assign {one.wire}[g*({whole}) +: {whole}] = {{\n        {parts}\n      }};\n"


def _read(interface: Interface) -> Iterator[str]:
    """Names in all that is read."""
    yield from WORD.findall(interface.text)
    for block in interface.every_block:
        for port in block.ports:
            if not port.out:
                yield from WORD.findall(port.wire)
    for one in interface.packed:
        if not one.split:
            yield from (name for name, _ in one.fields)
        elif all(name for name, _ in one.fields):
            yield one.wire


def _unused(interface: Interface) -> Iterable[str]:
    """What drives nothing, so that a linter has nothing to say."""
    read = {*_read(interface)}
    left = [name for name in wires(interface) if name not in read]
    if left:
        start = "  wire unused = &{1'b0, "
        lines = textwrap.wrap(", ".join(left) + "};", COLUMNS - len(start))
        yield "\n" + start + ("\n" + " " * len(start)).join(lines) + "\n"
