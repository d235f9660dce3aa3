"""Which registers of a netlist look at registers of other clocks, and whether they may.

`python -m fattree_bench.crossings FOLDER NETWORK VARIABLE=value …` says what may not, for Verilog
in FOLDER, a line for each module.  Of each register's data, enable and reset all registers that
they depend on are found.  One of another clock is allowed in two cases:

* A sampler samples it, without logic between, and it is a Gray pointer or stands alone, for else
  bits of several edges mix.  What the sampler shows goes to the next flip-flop of its synchroniser
  and nowhere else, for it may not have settled; a synchroniser has SYNC of them.
* It is a word of a FIFO's memory: pointers that have crossed guard it.

What comes from outside has no clock here: links of the leaves are checked from their FIFO on.
"""

import json
import re
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from fattree_bench.bench.network import Network
from fattree_bench.errors import UserError
from fattree_bench.families import find
from fattree_bench.sim.synchronisers import SAMPLER, Troubles, modules, one_line_each
from fattree_bench.sim.yosys import YosysError, copied, hierarchy, run_yosys

POINTER = re.compile(r"\.code_q$")  # of a gray_pointer
MEMORY = re.compile(r"\.words$")  # of an async_fifo
SCRIPT = ("proc", "flatten", "opt -full -fine", "opt_dff", "memory_collect", "opt_clean")


@dataclass(frozen=True)
class Source:
    """A register's bit, or a memory, and its clock."""

    name: str
    bit: int
    clock: int
    width: int

    @property
    def gray(self) -> bool:
        return bool(POINTER.search(self.name))


@dataclass
class Netlist:
    """A flat netlist of Yosys, as write_json has it."""

    cells: dict[str, Any]
    names: dict[int, tuple[str, int]]  # of each net
    widths: dict[str, int]
    modules: dict[str, str]

    @classmethod
    def read(cls, text: str) -> "Netlist":
        (module,) = [m for m in json.loads(text)["modules"].values() if "top" in m["attributes"]]
        names: dict[int, tuple[str, int]] = {}
        widths = {}
        shown = module["netnames"].items()
        for name, net in sorted(shown, key=lambda item: ("_q" in item[0], item[0])):
            widths[name] = len(net["bits"])
            for i, bit in enumerate(net["bits"]):
                preferred = SAMPLER.search(name) or name.endswith("_q") or bit not in names
                if isinstance(bit, int) and preferred:
                    names[bit] = name, i
        return cls(module["cells"], names, widths, modules(module["netnames"]))

    @cached_property
    def drivers(self) -> dict[int, dict[str, Any]]:
        """The cell that drives each net."""
        return {
            bit: cell
            for cell in self.cells.values()
            for port, bits in cell["connections"].items()
            if cell["port_directions"][port] == "output"
            for bit in bits
        }

    @property
    def registers(self) -> Iterator[dict[str, Any]]:
        for cell in self.cells.values():
            if is_register(cell):
                yield cell

    def sources(self, bits: list[Any]) -> set[Source]:
        """Registers and memories on which nets depend."""
        found: set[Source] = set()
        seen: set[int] = set()
        left = [bit for bit in bits if isinstance(bit, int)]
        while left:
            bit = left.pop()
            if bit in seen or bit not in self.drivers:
                continue
            seen.add(bit)
            cell = self.drivers[bit]
            if is_register(cell):
                found.add(self.source(cell, bit))
                continue
            if cell["type"] == "$mem_v2":
                clocks = {c for c in cell["connections"]["WR_CLK"] if isinstance(c, int)}
                name = cell["parameters"]["MEMID"].lstrip("\\")
                found |= {Source(name, 0, clock, 0) for clock in clocks}
                left += [b for b in cell["connections"]["RD_ADDR"] if isinstance(b, int)]
                continue
            for port, ends in cell["connections"].items():
                if cell["port_directions"][port] == "input":
                    left += [b for b in ends if isinstance(b, int)]
        return found

    def source(self, cell: dict[str, Any], bit: int) -> Source:
        name, at = self.names.get(bit, (f"net {bit}", 0))
        return Source(name, at, cell["connections"]["CLK"][0], self.widths.get(name, 1))

    def clock(self, net: int) -> str:
        return self.names[net][0]

    def troubles(self) -> Troubles:
        """What crosses without leave: into which register or memory, and how."""
        samples = {
            bit
            for cell in self.registers
            for bit in cell["connections"]["Q"]
            if SAMPLER.search(self.source(cell, bit).name)
        }
        for cell in self.registers:
            clock = cell["connections"]["CLK"][0]
            control = [
                bit for port in ("EN", "SRST", "ARST") for bit in cell["connections"].get(port, [])
            ]
            for d, q in zip(cell["connections"]["D"], cell["connections"]["Q"], strict=True):
                yield from self._register(self.source(cell, q), clock, d, control)
        for cell in self.cells.values():
            if cell["type"] == "$mem_v2":
                yield from self._memory(cell)
        yield from self._unsettled(samples)

    def _register(self, into: Source, clock: int, d: Any, control: list[Any]) -> Troubles:
        for one in sorted(self.sources([d, *control]), key=lambda s: (s.name, s.bit)):
            if one.clock == clock or MEMORY.search(one.name):
                continue
            straight = d in self.drivers and is_register(self.drivers[d])
            told = f"{one.name}[{one.bit}] of {self.clock(one.clock)} reaches {into.name} of " + (
                self.clock(clock)
            )
            if not SAMPLER.search(into.name):
                yield into.name, f"{told} without a synchroniser"
            elif not straight or one in self.sources(control):
                yield into.name, f"{told} through logic"
            elif one.width > 1 and into.width > 1 and not one.gray:
                yield into.name, f"{told} in a code that is not Gray's"

    def _memory(self, cell: dict[str, Any]) -> Troubles:
        """A memory is written by one clock, and what is written comes from it."""
        ends = cell["connections"]
        clocks = {c for c in ends["WR_CLK"] if isinstance(c, int)}
        name = cell["parameters"]["MEMID"].lstrip("\\")
        for one in self.sources([*ends["WR_DATA"], *ends["WR_ADDR"], *ends["WR_EN"]]):
            if one.clock not in clocks and not MEMORY.search(one.name):
                told = f"{one.name} of {self.clock(one.clock)} is written into {name} of another"
                yield name, told

    def _unsettled(self, samples: set[int]) -> Troubles:
        """What a sampler shows goes to data of one register each, of its clock."""
        users: dict[int, list[str]] = {}
        for name, cell in self.cells.items():
            for port, bits in cell["connections"].items():
                if cell["port_directions"][port] == "input":
                    for bit in samples.intersection(b for b in bits if isinstance(b, int)):
                        kind = "D" if is_register(cell) and port == "D" else f"{name}.{port}"
                        users.setdefault(bit, []).append(kind)
        for bit in sorted(samples):
            if users.get(bit, []) != ["D"]:
                name = self.names[bit][0]
                yield name, f"{name} is looked at before it has settled"


def is_register(cell: dict[str, Any]) -> bool:
    return "CLK" in cell["connections"] and "Q" in cell["connections"]


def read(network: Network, rtl: Path) -> Netlist:
    """The netlist of a network; YosysError if it cannot be read."""
    rtl = rtl.resolve()
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        top, parameters = network.synthesis()
        files = copied(folder, rtl, *network.rtl.synthesized(rtl), ("SYNTHESIS",)).read()
        script = [files, hierarchy(top, parameters), *SCRIPT, "write_json netlist.json"]
        run_yosys(script, folder, "crossings")
        return Netlist.read((folder / "netlist.json").read_text())


def check(network: Network, rtl: Path) -> list[str]:
    """What crosses without leave in a network, a line for each module."""
    return one_line_each(read(network, rtl), int(network.synthesis()[1]["SYNC"]))


def main(rtl: str, name: str, *given: str) -> int:
    try:
        network = find(name).from_variables(dict(word.split("=", 1) for word in given))
        troubles = check(network, Path(rtl))
    except (UserError, YosysError) as error:
        print(error)
        return 2
    print("\n".join(troubles), end="\n" * bool(troubles))
    return 1 if troubles else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
