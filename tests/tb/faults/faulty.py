"""A faulty design: what is edited in the Verilog, the run that must find it, what it is called."""

import importlib
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType

from fattree_bench.paths import ROOT

STOPPED = "a check in the design stopped the simulation"


def families() -> list[ModuleType]:
    """The faulty designs of every family: `designs.py` of each folder of tests/tb/families."""
    files = sorted((ROOT / "tests" / "tb" / "families").glob("*/designs.py"))
    names = [".".join(file.relative_to(ROOT).with_suffix("").parts) for file in files]
    return [importlib.import_module(name) for name in names]


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

    `rule` are the words of the check that stops a design which one of its own stops.
    """

    name: str
    variables: str
    names: tuple[str, ...]
    edits: tuple[Edit, ...]
    rule: str = ""


def stopped(name: str, variables: str, rule: str, *edits: Edit) -> Faulty:
    """A design that a check in the Verilog stops."""
    return Faulty(name, variables, (STOPPED,), edits, rule)


def wide_counters(where: str, variables: str, wrapped: str, stuck: str) -> tuple[Faulty, ...]:
    """Counters of 32 bits that do not wrap at 2^32, in a run that counts, and what that is called.

    No run would come to their end: the bench lets them start there (families/counters.py).
    """
    faults = (
        ("wrap at 2^16", wrapped, "(count_o + sum) & ({COUNT_W{1'b1}} >> (COUNT_W / 2));"),
        ("stay at their end", stuck, "(&count_o) ? count_o : count_o + sum;"),
    )
    return tuple(
        Faulty(
            f"counters of {where} {what}",
            variables,
            (name,),
            (Edit("common/event_counter.v", "count_o + sum;", new),),
        )
        for what, name, new in faults
    )


def kept_by_resets(where: str, variables: str, name: str) -> Faulty:
    """A reset sets counters to what happens in its last clock, in a run whose resets find it."""
    start = "count_o <= rst ? {COUNT_W{FROM_END == 1}} :"
    edit = Edit("common/event_counter.v", start, start.replace(" :", " + sum :"))
    return Faulty(
        f"counters of {where} keep what a reset's last clock counts", variables, (name,), (edit,)
    )
