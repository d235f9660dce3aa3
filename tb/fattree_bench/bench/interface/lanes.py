"""Meters at the channels of a binary tree: what the RTL has of lanes, and how many are in use.

They look at the wires of the design from the bench top.  A design of another inside has no such
wires; then there are no meters, and nothing is known of its lanes.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import product
from pathlib import Path

from fattree_bench.bench.interface.interface import CLOCKED, Bits, Block, Interface, takes
from fattree_bench.paths import HDL

WAYS = ("up", "down")
METER = HDL / "lane_meter.v"


def metered(interface: Interface) -> Interface:
    """With its meters as blocks like any other."""
    meters = interface.meters
    if meters is None:
        return interface
    wires, text = {**interface.wires, **meters.wires()}, interface.text + meters.text()
    return replace(interface, wires=wires, text=text).with_blocks(*meters.blocks())


@dataclass(frozen=True)
class Channels:
    """Where a design has its channels; level j has 2^j.

    Attributes
    ----------
    signal : a bit a lane, from the bench top on, with {level}, {number} of the channel and {way};
        of several trees also with {tree}.
    lanes : of a channel, by level, as the bench expects them.
    trees : alike, which are measured together.
    end : a wire of the bench top that is high in the last clock of a step; "": each clock is one.
    """

    signal: str
    lanes: Mapping[int, int]
    end: str = ""
    trees: int = 1

    def meters(self) -> Iterator[tuple[str, int, str]]:
        """(way, level, instance) of each meter."""
        for way, level in product(WAYS, self.lanes):
            yield way, level, f"u_lanes_{way}_{level}"

    def stand_in(self, files: Iterable[Path]) -> bool:
        """Whether Verilog in these files has the blocks and wires of the signal."""
        blocks = set(re.findall(r"\.(gen_\w+)", self.signal))
        text = "".join(path.read_text(errors="replace") for path in files)
        wires = {self.signal.rpartition(".")[2].format(way=way) for way in WAYS}
        named = all(re.search(rf"begin *: *{block}\b", text) for block in blocks)
        return named and all(re.search(rf"\b{wire}\b", text) for wire in wires)

    def blocks(self) -> Iterator[Block]:
        for way, level, name in self.meters():
            vector = f"{way}_lanes_{level}"
            yield Block(
                "lane_meter",
                name,
                {
                    "CHANNELS": self.trees << level,
                    "ROOM": self._room(level),
                    "HOLD": int(self.end != ""),
                },
                (
                    *CLOCKED,
                    takes("end_i", self.end or "1'b1"),
                    takes("there_i", f"{vector}_there"),
                    takes("used_i", f"{vector}_used"),
                ),
                (METER,),
                ("seen",),
            )

    def wires(self) -> dict[str, Bits]:
        return {
            f"{way}_lanes_{level}_{what}": self._room(level) * (self.trees << level)
            for way, level, _ in self.meters()
            for what in ("there", "used")
        }

    def text(self) -> str:
        """The wires, of the design's own width in slices of `_room` lanes."""
        parts = ["\n  /* verilator lint_off WIDTH */\n  generate\n"]
        for level in self.lanes:
            room = self._room(level)
            count, all_of = 1 << level, self.trees << level
            at = {"tree": f"g / {count}", "number": "g" if self.trees == 1 else f"g % {count}"}
            parts.append(f"    for (g = 0; g < {all_of}; g = g + 1) begin : gen_lanes_{level}\n")
            for way in WAYS:
                own = self.signal.format(level=level, way=way, **at)
                used, there = (
                    f"      assign {way}_lanes_{level}_{what}[g*{room} +: {room}] ="
                    for what in ("used", "there")
                )
                parts.append(f"{used}\n        {own};\n")
                # A concatenation is as wide as what is in it: ones where there are lanes.
                parts.append(f"{there} {{~(\n        {own} ^\n        {own})}};\n")
            parts.append("    end\n")
        parts.append("  endgenerate\n  /* verilator lint_on WIDTH */\n")
        return "".join(parts)

    def _room(self, level: int) -> int:
        """A power of two, of more lanes than are expected: what is too wide shows."""
        return 1 << self.lanes[level].bit_length()
