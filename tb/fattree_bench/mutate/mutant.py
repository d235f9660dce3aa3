"""A fault in one bit of a netlist, as Yosys's `mutate -list` names it."""

import itertools
import re
from dataclasses import dataclass

from fattree_bench.sim.yosys import ELSEWHERE

PORT = "mutsel"  # the selector, an input of the netlist

# What the modes of Yosys's `mutate` do to one bit.
MODES = {
    "inv": "inverted",
    "const0": "stuck at 0",
    "const1": "stuck at 1",
    "cnot0": "inverted while another bit of the port is 0",
    "cnot1": "inverted while another bit of the port is 1",
    "none": "none",
}


@dataclass(frozen=True)
class Mutant:
    """A fault in one bit of a port of a cell.

    Attributes
    ----------
    number : value of the selector, from 1.
    mode : one of MODES.
    control : the other bit that cnot0 and cnot1 read, else -1.
    source : file:line of the cell, relative to the RTL folder.
    command : Yosys command that inserts only this fault, without a selector.
    """

    number: int
    mode: str
    cell: str
    port: str
    bit: int
    control: int
    source: str
    command: str

    @property
    def kind(self) -> str:
        return MODES[self.mode]

    @property
    def clocked(self) -> bool:
        """Whether the fault is in a clock, which the prover does not model."""
        return "CLK" in self.port

    @property
    def place(self) -> str:
        """Instance, operator, port and bit in terms of the RTL."""
        path = re.sub(r"^\$flatten\\?", "", self.cell)
        instance, _, operator = path.partition("$")
        names = [*instance.replace("\\", "").strip(".").split("."), operator.split("$")[0]]
        index = f"[{self.bit}" + (f", {self.control}]" if self.control >= 0 else "]")
        return ".".join(filter(None, names)) + f" {self.port}{index}"


def parse_mutant(line: str) -> Mutant:
    """A line of `mutate -list`."""
    words = line.split()
    value = dict(itertools.pairwise(words))
    # The last -src is the cell's; earlier ones belong to the wire.
    source = re.sub(r"^(\S+:\d+)\.\S*$", r"\1", value.get("-src", ""))
    return Mutant(
        number=int(words[words.index("-ctrl") + 3]),
        mode=value["-mode"],
        cell=value.get("-cell", ""),
        port=value.get("-port", "").removeprefix("\\"),
        bit=int(value.get("-portbit", 0)),
        control=int(value.get("-ctrlbit", -1)),
        source=source.removeprefix(ELSEWHERE) if source.startswith(f"{ELSEWHERE}/") else source,
        command=re.sub(r" -ctrl \S+ \d+ \d+", "", line),
    )
