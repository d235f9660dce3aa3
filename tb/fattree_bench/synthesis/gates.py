"""Gates: the cost table, and the content of a netlist mapped by ABC."""

from collections import Counter
from dataclasses import dataclass
from functools import cache
from pathlib import Path

LIBRARY = Path(__file__).with_name("gates.genlib")
"""The gates that Yosys' ABC maps to, with their area in NAND2 equivalents."""


@dataclass(frozen=True)
class Mapped:
    """A combinational netlist: counts of gates by name, and gates on the longest path."""

    gates: dict[str, int]
    levels: int

    @property
    def nand2(self) -> float:
        """Area in NAND2 equivalents."""
        return sum(costs()[name] * count for name, count in self.gates.items())


@cache
def costs() -> dict[str, float]:
    """Area of each gate of the library, in NAND2 equivalents."""
    words = [line.split() for line in LIBRARY.read_text().splitlines()]
    return {word[1]: float(word[2]) for word in words if word[:1] == ["GATE"]}


def read_blif(text: str) -> Mapped:
    """Read a mapped network written by ABC's `write_blif`, with gates in topological order.

    Raises
    ------
    ValueError : it is truncated or contains something else than gates of the library.

    """
    known = costs()
    gates: Counter[str] = Counter()
    depth: dict[str, int] = {}
    lines = text.replace("\\\n", " ").splitlines()
    for line in lines:
        kind, *words = line.split() or [""]
        if kind == ".gate":
            name, *pins = words
            if name not in known:
                raise ValueError(f"no such gate: {name}")
            ends = dict(pin.split("=") for pin in pins)
            output = ends.pop("Y")
            gates[name] += 1
            below = [depth.get(net, 0) for net in ends.values()]
            depth[output] = 1 + max(below) if below else 0  # constants add no level
        elif kind == ".barbuf":  # two names of one net
            depth[words[1]] = depth.get(words[0], 0)
        elif kind.startswith(".") and kind not in (".model", ".inputs", ".outputs", ".end"):
            raise ValueError(f"no gate: {line}")
    if not lines or lines[-1].strip() != ".end":
        raise ValueError("cut off")
    return Mapped(dict(gates), max(depth.values(), default=0))
