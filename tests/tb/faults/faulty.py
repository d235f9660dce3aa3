"""Faulty designs as data: `faults.toml` of each folder of tests/tb/families.

[["NETWORK=… TEST=…"]]               # `make sim` with these variables finds
"what is broken" = ["lost stuck",    # and calls it so, the most frequent first; or
                                     # the words of a check in the Verilog that stops the simulation
  {module = ["text", "another"]},    # by the name of its file in rtl/: what is edited
  {others = [["text", "another", 2], …]},    # several edits; of a text that stands twice
  {where = "on the way up",          # it says so of the place, where two checks have these words
   shared = "name",                  # also edits of the table [shared] of the same file
   verilator = true,                 # also caught on Verilator (at night)
   daily = true}]                    # by `make test`, not only at night

[miscounted] and [no_counter] are for test_monitors.py: a text for "module.register".
"""

import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from fattree_bench.bench import faults as kind
from fattree_bench.paths import ROOT

KINDS = {text for name, text in vars(kind).items() if name.isupper() and isinstance(text, str)}
STOPPED = "a check in the design stopped the simulation"
RTL = ROOT / "rtl"
FAMILIES = ROOT / "tests" / "tb" / "families"
FILES = {
    path.stem: str(path.relative_to(RTL)) for end in ("*.v", "*.vh") for path in RTL.rglob(end)
}


@dataclass(frozen=True)
class Edit:
    """Replaces a text that stands exactly `times` times in a file of rtl/."""

    file: str
    old: str
    new: str
    times: int = 1

    def apply(self, rtl: Path) -> None:
        path = rtl / self.file
        text = path.read_text()
        assert text.count(self.old) == self.times, (
            f"{self.old!r} in {self.file}: edit is out of date"
        )
        path.write_text(text.replace(self.old, self.new))


@dataclass(frozen=True)
class Faulty:
    """A faulty design, the run that must find it, what it is called, the most frequent first.

    `rule` are the words of the check that stops a design which one of its own stops, `place` what
    it says of the place.
    """

    name: str
    variables: str
    names: tuple[str, ...]
    edits: tuple[Edit, ...]
    rule: str = ""
    on_verilator: bool = False
    place: str = ""
    daily: bool = False

    def apply(self, rtl: Path) -> None:
        for edit in self.edits:
            edit.apply(rtl)


def noted(name: str) -> dict[tuple[str, str], str]:
    """The table of this name of all families, by file and register."""
    found = {}
    for path in FAMILIES.glob("*/faults*.toml"):
        for place, text in tomllib.loads(path.read_text(encoding="utf-8")).get(name, {}).items():
            module, register = place.split(".")
            found[FILES[module], register] = text
    return found


def edits(table: dict[str, Any]) -> tuple[Edit, ...]:
    """Of each file in turn; a file has one edit, or a list of them."""
    listed = {module: [x] if isinstance(x[0], str) else x for module, x in table.items()}
    return tuple(Edit(FILES[module], *edit) for module, x in listed.items() for edit in x)


def rows(path: Path) -> Iterator[tuple[str, str, list[Any]]]:
    """Name, heading and row of each fault of a file."""
    for key, found in tomllib.loads(path.read_text(encoding="utf-8")).items():
        if isinstance(found, list):
            yield from ((name, key, row) for group in found for name, row in group.items())


def faulty(name: str, run: str, row: list[Any], shared: dict[str, Any]) -> Faulty:
    """One row of a file, and the edits that it shares with others."""
    said, *tables = row
    rest = {key: value for table in tables for key, value in table.items()}
    verilator, place = rest.pop("verilator", False), rest.pop("where", "")
    daily = rest.pop("daily", False)
    common = shared[rest.pop("shared")] if "shared" in rest else {}
    rule = "" if set(said.split()) <= KINDS else said
    names = (STOPPED,) if rule else tuple(said.split())
    return Faulty(name, run, names, edits(common) + edits(rest), rule, verilator, place, daily)


@cache
def families() -> dict[str, list[Faulty]]:
    """The faulty designs of every family."""
    found: dict[str, list[Faulty]] = {}
    for path in sorted(FAMILIES.glob("*/faults*.toml")):
        shared = tomllib.loads(path.read_text(encoding="utf-8")).get("shared", {})
        own = [faulty(*row, shared) for row in rows(path)]
        found[path.parent.name] = found.get(path.parent.name, []) + own
    return found


DESIGNS = [design for designs in families().values() for design in designs]


def named(name: str) -> Faulty:
    """The faulty design of this name."""
    return next(design for design in DESIGNS if design.name == name)


SWAPPED_CHILDREN = named("a packet from above goes to the other child")
ONE_LANE_TOO_FEW = named("one lane too few where the frame is free of conflicts")
