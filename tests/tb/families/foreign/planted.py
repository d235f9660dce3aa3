"""Faults planted into designs as others write them: planted*.toml.

[[design]]
"what is broken" = ["each_pair",   # finds it
  "stuck lost",                    # by these names; or as this rule of the link; or as this line
                                   # of the log, ERROR: …
  {v = ["text", "another text"]},  # what is edited, by the ending of the design's file:
  {toml = [["text", "another text"], …]},    # one edit or several; in .toml too much is promised
  {daily = true}]                  # not at night alone: of each link one
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from fattree_bench.bench import faults as kind
from tests.tb.faults.faulty import KINDS, rows


@dataclass(frozen=True)
class Planted:
    """A fault.

    Attributes
    ----------
    design : its file, without the ending; edits : (ending, old, new).
    test : what finds it.
    says : names of faults, all reported; `rule`: of the link that it breaks.
    line : of the log, that is reported as a fault.
    agent : at the leaves.
    """

    name: str
    design: str
    test: str
    says: tuple[str, ...]
    edits: tuple[tuple[str, str, str], ...]
    rule: str = ""
    line: str = ""
    daily: bool = False
    agent: str = "FRAME"


def planted(name: str, design: str, row: list[Any]) -> Planted:
    """One row of a file."""
    test, said, *tables = row
    rest = {key: value for table in tables for key, value in table.items()}
    daily, line = rest.pop("daily", False), said if said.startswith("ERROR: ") else ""
    named = set(said.split()) <= KINDS
    says = () if line else tuple(said.split()) if named else (kind.PROTOCOL,)
    rule = "" if line or named else said
    listed = {ending: [x] if isinstance(x[0], str) else x for ending, x in rest.items()}
    edits = tuple((f".{ending}", old, new) for ending, x in listed.items() for old, new in x)
    return Planted(f"{design}: {name}", design, test, says, edits, rule, line, daily)


def read(*paths: Path) -> list[Planted]:
    """All faults of these files."""
    return [planted(*row) for path in paths for row in rows(path)]


def by_axi(faults: Iterable[Planted]) -> tuple[Planted, ...]:
    """The same, found by agents in Python; and three of them at once."""
    axi = [replace(one, agent="AXI", daily=False) for one in faults]
    alone = [replace(one, name=one.name.replace(":", " by AXI:", 1)) for one in axi]
    names = ("a bit of input 2 is stuck", "tid is lost", "input 1 has no last word")
    three = [next(one for one in alone if one.name.endswith(name)) for name in names]
    return (
        *alone,
        replace(
            three[2],
            name="crossbar by AXI: three faults at once",
            says=tuple(name for one in three for name in one.says),
            edits=tuple(edit for one in three for edit in one.edits),
            daily=True,
        ),
    )


OWN = read(*Path(__file__).parent.glob("planted*.toml"))
AXI = [one for one in OWN if one.design == "crossbar" and not one.line]
PLANTED = (*OWN, *by_axi(AXI))
THREE = PLANTED[-1]
