"""The table of docs/shrink.md: `python -m tests.tb.shrink.table [FAMILY …]`.

It shrinks planted faults of each family; test_shrink.py holds a row against the document.
"""

import json
import shutil
import sys
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

from fattree_bench.errors import UserError
from fattree_bench.paths import ROOT
from fattree_bench.shrink.command import shrunk
from fattree_bench.terminal import Terminal
from tests.tb.faults.faulty import RTL, Faulty, families

DESIGNS = 2  # of each family
KEPT = ROOT / "build" / "shrink" / "table.jsonl"


@dataclass(frozen=True)
class Row:
    """A planted fault, shrunk; `why`: nothing is smaller."""

    family: str
    design: str
    variables: str
    messages: int = 0
    flits: int = 0
    clocks: int = 0
    tries: int = 0
    spent: float = 0.0
    minimal: bool = False
    way: str = ""
    why: str = ""


def chosen(designs: Sequence[Faulty], count: int = DESIGNS) -> Iterator[Faulty]:
    """So many, spread evenly over those that one test finds."""
    single = [d for d in designs if "," not in d.variables.partition("TEST=")[2]]
    for i in range(min(count, len(single))):
        yield single[i * len(single) // min(count, len(single))]


def row(family: str, design: Faulty, budget: float = 60) -> Row:
    """Plant a fault and shrink the run that finds it."""
    with TemporaryDirectory() as folder:
        rtl = Path(folder, "rtl")
        shutil.copytree(RTL, rtl)
        design.apply(rtl)
        words = dict(word.split("=", 1) for word in design.variables.split())
        given = {"SIM": "icarus", **words, "RTL": str(rtl), "BUILD": str(Path(folder, "build"))}
        made = Row(family, design.name, design.variables)
        try:
            found = shrunk(Terminal(), given, budget)
        except UserError as error:
            return replace(made, why=str(error))
        search, case = found.search, found.search.best
        return replace(
            made,
            messages=len(case.messages),
            flits=sum(case.column("flits")) or len(case.messages),
            clocks=search.extent or 0,
            tries=search.simulators.tries,
            spent=round(search.simulators.spent, 1),
            minimal=bool(case.messages) and not search.unproved,
            way=str(search.way),
            why="" if search.outcome else found.ended,
        )


def line(family: str, rows: Sequence[Row]) -> str:
    """Of the table: designs that shrank, medians, and how many are minimal."""
    good = [r for r in rows if not r.why]
    figures = [(r.messages, r.flits, r.clocks, r.tries, round(r.spent)) for r in good]
    medians = [f"{median(x):g}" for x in zip(*figures, strict=True)]
    cells = [family, f"{len(good)} of {len(rows)}", *medians, str(sum(r.minimal for r in good))]
    return f"| {' | '.join(cells)} |"


def main(names: Sequence[str]) -> None:
    """Shrink, keep what comes of it, and print the table of all that was kept."""
    KEPT.parent.mkdir(parents=True, exist_ok=True)
    for family, designs in families().items():
        for design in chosen(designs) if not names or family in names else ():
            made = row(family, design)
            print(made, flush=True)
            with KEPT.open("a") as file:
                file.write(json.dumps(asdict(made)) + "\n")
    kept = {(r.family, r.design): r for r in (Row(**json.loads(x)) for x in KEPT.open())}
    for family in families():
        if rows := [r for (name, _), r in kept.items() if name == family]:
            print(line(family, rows))


if __name__ == "__main__":
    main(sys.argv[1:])
