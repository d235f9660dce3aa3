"""What is to be proved, and what came of it."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from fattree_bench.paths import PACKAGE

COMMON = PACKAGE / "formal" / "hdl"  # wrappers of blocks that several networks share

PROVED, FAILED = "proved", "failed"
BOUNDED = "bound reached"  # no counter-example within so many clocks, but no proof for all times
UNDECIDED = "undecided"  # the time limit came first
ENGINES = ("smt", "bdd", "pdr")

Trace = list[dict[str, int]]  # a clock an entry: value of each input


@dataclass(frozen=True)
class Proof:
    """A wrapper with parameters: a block of one size, and its rules.

    Attributes
    ----------
    name : unique, without spaces; `network` is a folder of rtl/.
    size : as the table shows it.
    top : module of the wrapper; its file has the same name and lists the rules in its header.
    sources : files and folders of rtl/ that it needs.
    engine : "smt": bitwuzla, by k-induction with k = `clocks` (0: rules without memory);
        "bdd": CUDD, rules without memory; "pdr": ABC's property directed reachability.
    bound : clocks that are searched for a counter-example where "smt" finds no proof; never fewer
        than `clocks`.
    rules : that are proved here; empty: all of the wrapper.
    small : part of `make test`; `long`: only with TIER=full.
    limit : seconds a rule may take.
    ticks : several clocks: in each step those have an edge whose wire is 1 (prove.vh).
    """

    name: str
    network: str
    size: str
    top: str
    sources: tuple[str, ...]
    parameters: dict[str, Any] = field(default_factory=dict)
    engine: str = "smt"
    clocks: int = 0
    bound: int = 0
    rules: tuple[str, ...] = ()
    small: bool = False
    long: bool = False
    limit: float = 600.0
    ticks: bool = False
    seconds: float = 10.0  # that it is expected to take

    @property
    def hdl(self) -> Path:
        """The folder of the wrapper."""
        own = PACKAGE / "families" / self.network / "hdl"
        return COMMON if self.network == "common" else own

    @property
    def wrapper(self) -> Path:
        return self.hdl / f"{self.top}.v"

    def files(self, rtl: Path) -> list[Path]:
        """Everything to be read: sources in folder `rtl`, then the wrapper."""
        found = []
        for name in self.sources:
            path = rtl / name
            found += sorted(path.glob("*.v")) if path.is_dir() else [path]
        return [*found, self.wrapper]

    def texts(self) -> dict[str, str]:
        """What each rule says, by its number, from the header of the wrapper."""
        told: dict[str, str] = {}
        number = ""
        for line in self.wrapper.read_text().splitlines():
            if not line.startswith("//"):
                number = ""
            elif found := re.match(r"//   ([A-Z]+\d+)  (\S.*)", line):
                number = found[1]
                told[number] = found[2]
            elif number and re.match(r"//       \S", line):
                told[number] += " " + line[2:].strip()
            else:
                number = ""
        return {k: v for k, v in told.items() if not self.rules or k in self.rules}


@dataclass(frozen=True)
class Verdict:
    """What came of one rule: PROVED, FAILED (with a trace), BOUNDED or UNDECIDED."""

    rule: str
    result: str
    seconds: float
    note: str = ""
    trace: Trace | None = None


SERIAL_SWITCH = tuple(
    f"common/{block}.v" for block in ("concentrator_switch", "rotating_first", "delay_line")
)
PRIORITIES = ("FIXED", "ROTATING")


def serial_variants(r: int, s: int) -> Iterator[tuple[str, str, dict[str, object]]]:
    """(name, size, parameters) of each priority, with registers and without."""
    for priority in PRIORITIES:
        for pipeline in (0, 1):
            yield (
                f"{r}-{s}-{priority.lower()}-{pipeline}",
                f"{priority.lower()}, PIPELINE={pipeline}",
                {"PRIORITY": f'"{priority}"', "PIPELINE": pipeline},
            )
