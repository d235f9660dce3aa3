"""Recorders at a network's own ports, and a network that is a part of somebody else's design."""

from collections.abc import Iterable
from dataclasses import replace
from typing import NamedTuple

from fattree_bench.bench.interface.interface import Bits, Block, Interface, factor, gives, takes
from fattree_bench.paths import HDL

PASSIVE = "PASSIVE"  # the agent that drives nothing
ROWS, SEEN = "u_rows", "u_seen_"
TOP = "u_top"  # what holds the network that is watched


class Pins(NamedTuple):
    """Wires that are recorded: fields of so many bits, `stride` from one to the next in a row.

    `wires`: the expression, if it is not the name; `last`: only the last row is kept.
    """

    name: str
    elements: Bits
    bits: Bits = 1
    stride: int = 0
    wires: str = ""
    last: bool = False


def recorders(
    ports: Iterable[Pins], rows: int, step: str = "1'b1", clocks: int = 1, name: str = ""
) -> tuple[Block, ...]:
    """Blocks that record ports of a network, `rows` rows of `clocks` clocks with `step`.

    `name`: of these rows, if others are taken at other times.
    """
    take, row = f"{name}take_row", f"{name}row_number"
    counter = Block(
        "recorder_rows",
        f"{ROWS}{name}",
        {"CLOCKS": clocks},
        (
            *(takes("clk", "clk"), takes("rst_i", "rst"), takes("step_i", step)),
            *(gives("take_o", take), gives("row_o", row, 32)),
        ),
        (HDL / "recorder_rows.v",),
        ("seen",),
        ("rewind",),
    )
    made, file = [counter], (HDL / "port_recorder.v",)
    for one in ports:
        size = {"ELEMENTS": one.elements, "BITS": one.bits, "STRIDE": one.stride or one.bits}
        size["ROWS"] = 2 if one.last else rows
        width = f"{factor(one.elements)}*{factor(one.bits)}"
        wires = (
            *(takes("clk", "clk"), takes("take_i", take)),
            takes("row_i", "32'd0" if one.last else row, 32),
            takes("pins_i", one.wires or one.name, width),
        )
        made.append(Block("port_recorder", f"{SEEN}{one.name}", size, wires, file, ("seen",)))
    return tuple(made)


def watching(interface: Interface, module: str, instance: str) -> Interface:
    """A bench top in which `module`, a design of a user's, drives the network.

    The network is `instance` in it.  Its ports are looked at, and nothing is driven: in place of
    the player time passes.
    """
    player = next(block for block in interface.blocks if "go" in block.registers)
    ports = [p for p in interface.design.ports if p.wire.isidentifier() and p.wire != "clk"]
    known = {port.wire for port in ports} | {"clk", "busy_o"}
    silent = {port.wire: port.width for port in player.ports if port.out and port.wire not in known}
    lines = [f"  assign {p.wire} = {TOP}.{instance}.{p.name};\n" for p in ports]
    lines += [f"  assign {wire} = 0;\n" for wire in silent]
    pins, file = (takes("clk", "clk"), gives("busy_o", "busy_o")), (HDL / "bench_time.v",)
    time = Block("bench_time", player.name, {}, pins, file, registers=("go", "cycles"))
    return replace(
        interface,
        design=Block(module, TOP, {}, (takes("clk", "clk"),)),
        constants={**interface.design.parameters, **interface.constants, "FROM_END": 0},
        wires={**interface.wires, **{port.wire: port.width for port in ports}, **silent},
        text=interface.text + "\n" + "".join(lines),
        blocks=tuple(time if block is player else block for block in interface.blocks),
        meters=None,  # their wires are elsewhere
    )
