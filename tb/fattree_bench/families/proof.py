"""What is to be proved, and what came of it."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from fattree_bench.paths import PACKAGE

COMMON = PACKAGE / "formal" / "hdl"  # wrappers of blocks that several networks share

PROVED, FAILED = "proved", "failed"
BOUNDED = "bound reached"  # no counter-example within so many clocks, but no proof for all times
UNDECIDED = "undecided"  # the time limit came first

INCLUDE = re.compile(r'^`include "(.*)"', re.MULTILINE)
MODULE = re.compile(r"^module (\w+)", re.MULTILINE)
WORD = re.compile(r"[a-z]\w*")
COMMENT = re.compile(r"//.*")

Trace = list[dict[str, int]]  # a clock an entry: value of each input


@dataclass(frozen=True)
class Proof:
    """A wrapper with parameters: a block of one size, and its rules.

    Attributes
    ----------
    name : unique, without spaces; `network` is a family, or "common".
    size : as the table shows it.
    top : module of the wrapper; its file has the same name and lists the rules in its header.
    engine : "smt": bitwuzla, by k-induction with k = `clocks` (0: rules without memory);
        "bdd": CUDD, rules without memory; "pdr": ABC's property directed reachability.
    bound : clocks that are searched for a counter-example where "smt" finds no proof; never fewer
        than `clocks`.
    rules : that are proved here; empty: all of the wrapper.
    small : part of `make test`; `long`: only with TIER=full.
    limit : seconds a rule may take.
    defines, language : of the sources.
    ticks : several clocks: in each step those have an edge whose wire is 1 (prove.vh).
    """

    name: str
    network: str
    size: str
    top: str
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
    defines: tuple[str, ...] = ()
    language: str = "2005"

    @property
    def hdl(self) -> Path:
        """The folder of the wrapper."""
        own = PACKAGE / "families" / self.network / "hdl"
        return COMMON if self.network == "common" else own

    @property
    def wrapper(self) -> Path:
        return self.hdl / f"{self.top}.v"

    def files(self, rtl: Path) -> list[Path]:
        """The modules of folder `rtl` that the wrapper is made of, then the wrapper.

        A file has the name of its module, so the words of a text name what it instantiates.
        Modules that the wrapper or its headers define are not taken from `rtl`.
        """
        known = {path.stem: path for path in rtl.rglob("*.v")}
        text = self.wrapper.read_text()
        headers = [self.hdl / name for name in INCLUDE.findall(text)]
        text += "".join(path.read_text() for path in headers if path.exists())
        for name in MODULE.findall(text):
            known.pop(name, None)
        found: list[Path] = []
        texts = [text]
        while texts:
            words = set(WORD.findall(COMMENT.sub("", texts.pop())))
            new = [known.pop(name) for name in sorted(words & known.keys())]
            found += new
            texts += [path.read_text() for path in new]
        return [*sorted(found), self.wrapper]

    def includes(self, rtl: Path) -> list[Path]:
        """Folders of the files that its files include."""
        return sorted({rtl / "common", COMMON, *(path.parent for path in self.files(rtl))})

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


def proofs(
    network: str,
    top: str,
    name: str,
    size: str,
    columns: tuple[str, ...],
    rows: Iterable[tuple[int | str, ...]],
    **options: Any,
) -> Iterator[Proof]:
    """A proof for each row of parameters.

    Parameters
    ----------
    name, size : formats of the columns, and of N = 2^N_LOG; texts in a name are in small letters.
    columns : parameters; those in small letters are for formats alone.
    options : what else a proof has; a function makes it of the columns by name.

    """
    for row in rows:
        given = dict(zip(columns, row, strict=True))
        shown = {**given, "N": 1 << int(given.get("N_LOG", 0))}
        short = {k: str(x).lower().replace("_", "-") for k, x in shown.items()}
        yield Proof(
            name=name.format(**short),
            network=network,
            size=size.format(**shown),
            top=top,
            parameters={
                k: f'"{x}"' if isinstance(x, str) else x for k, x in given.items() if k.isupper()
            },
            **{k: x(given) if callable(x) else x for k, x in options.items()},
        )


@dataclass(frozen=True)
class Verdict:
    """What came of one rule: PROVED, FAILED (with a trace), BOUNDED or UNDECIDED."""

    rule: str
    result: str
    seconds: float
    note: str = ""
    trace: Trace | None = None


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
