"""AREA=1: what the networks of a sweep are made of, from the synthesis of their blocks."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

from fattree_bench.bench.network import Network
from fattree_bench.extras import missing
from fattree_bench.jobs.pool import Result, Task
from fattree_bench.sim.yosys import YOSYS
from fattree_bench.synthesis.block import blocks_of, costs_of, designed, payload


@dataclass(frozen=True)
class Hardware:
    """Gates in NAND2 equivalents, flip-flops, bits of queues and tables, wires of its links."""

    gates: int
    flip_flops: int
    memory: int
    wires: int

    def columns(self) -> dict[str, str]:
        """Of a table for people; wires are not counted in a network that is one block."""
        return {
            "gates": f"{self.gates:,}",
            "queue bits": f"{self.memory:,}",
            "wires": f"{self.wires:,}" if self.wires else "",
            "flip-flops": f"{self.flip_flops:,}",
        }


# What a survey compares; the other columns of a table follow.
FIRST = ("", "leaves", "no load", "saturates at", "overtaken", "gates", "queue bits", "wires")


def ordered(titles: Sequence[str]) -> list[str]:
    """Columns of a table with gates, the most important ones first; others as they are."""
    first = [title for title in FIRST if title in titles] if "gates" in titles else []
    return list(dict.fromkeys([*first, *titles]))


class Synthesis:
    """The blocks of some networks; UserError if there are any, and Yosys is not installed."""

    def __init__(self, networks: Sequence[Network], rtl: Path, folder: Path) -> None:
        if networks and find_spec(YOSYS.replace("-", "_")) is None:
            raise missing(YOSYS)
        self.designs = [designed(network, rtl) for network in networks]
        self.blocks = blocks_of(self.designs)
        self.rtl, self.folder = rtl, folder

    def tasks(self) -> list[Task]:
        """A job for each block."""
        return [
            Task(name, payload(block, self.rtl, self.folder), seconds=block.seconds)
            for name, block in self.blocks.items()
        ]

    def hardware(self, results: Mapping[str, Result]) -> dict[int, Hardware]:
        """By number of the network; not if one of its blocks has no result."""
        costs = costs_of(self.blocks, results)
        found = {}
        for number, design in enumerate(self.designs):
            if all(node.block in costs for node in design.nodes):
                total = design.total(costs)
                bits = total.memory_bits + total.delay_bits
                found[number] = Hardware(round(total.nand2), total.flip_flops, bits, design.wires)
        return found
