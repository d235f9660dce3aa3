"""What is kept of each regression: a line of JSON, so that nothing of the others can be lost."""

import json
import math
import os
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path
from typing import Any

from fattree_bench.report.regression import KINDS, Report

NAME = "history.jsonl"
LONGEST = 1 << 16  # bytes of a line; nobody writes a longer one


@dataclass(frozen=True)
class Entry:
    """A regression in figures.

    Attributes
    ----------
    when : ISO 8601, UTC; `commit` of the sources, `command` that ran it, its `tier`.
    passed, tests : tests; `good` is the verdict on all of it.
    figures : others by name, see FIGURES; one that was not measured is not there.
    """

    when: str
    command: str
    commit: str
    tier: str
    good: bool
    passed: int
    tests: int
    figures: dict[str, float] = field(default_factory=dict)


@dataclass(frozen=True)
class Kind:
    """A figure of the history: what it is called, its unit, whether it goes from 0 to 100."""

    title: str
    unit: str
    share: bool = False


FIGURES = {
    "passed": Kind("Tests passed", "%", share=True),
    "functional": Kind("Functional coverage", "% of bins", share=True),
    "line": Kind("Code coverage: lines", "% of lines", share=True),
    **{kind: Kind(f"Code coverage: {kind}", "% of points", share=True) for kind in KINDS[1:]},
    "mutation": Kind("Mutation score", "% of faults killed", share=True),
    "speed": Kind("Speed of simulation", "packets per second"),
    "build": Kind("Building designs", "seconds"),
    "took": Kind("The whole regression", "seconds"),
}


def entry(report: Report, build_seconds: float | None) -> Entry:
    """The figures of a report; `build_seconds`: what compiling took, None: all was there."""
    ran = [t for t in report.tests if t.result is not None and t.sim in ("verilator", "icarus")]
    seconds = sum(test.result.seconds for test in ran if test.result is not None)
    sent = sum(test.result.sent for test in ran if test.result is not None)
    passed = sum(test.passed for test in report.tests)
    totals = {"passed": (passed, len(report.tests)), "functional": report.functional_total()}
    totals |= {kind: report.code_total(kind) for kind in KINDS}
    found = {name: 100 * hit / total for name, (hit, total) in totals.items() if total}
    for evidence in report.evidence:
        found |= {name: value for name, value in evidence.figures.items() if name in FIGURES}
    if seconds:
        found["speed"] = sent / seconds
    if build_seconds:
        found["build"] = build_seconds
    found["took"] = report.seconds
    return Entry(
        when=report.when,
        command=report.command,
        commit=report.commit,
        tier=report.tier,
        good=report.passed,
        passed=passed,
        tests=len(report.tests) + report.missing,
        figures=found,
    )


def append(made: Entry, path: Path) -> None:
    """Add a line, in one write; behind half a line of one that was killed, on a line of its own."""
    path.parent.mkdir(parents=True, exist_ok=True)
    line = json.dumps(asdict(made), separators=(",", ":")).encode() + b"\n"
    file = os.open(path, os.O_RDWR | os.O_APPEND | os.O_CREAT, 0o644)
    try:
        size = os.fstat(file).st_size
        if size and os.pread(file, 1, size - 1) != b"\n":
            line = b"\n" + line
        os.write(file, line)
        os.fsync(file)
    finally:
        os.close(file)


def read(path: Path) -> tuple[list[Entry], list[str]]:
    """The entries of a file, the oldest first, and what is wrong with others, a line each."""
    found: list[Entry] = []
    damaged: list[str] = []
    with path.open("rb") as file:
        for number, line in enumerate(iter(lambda: file.readline(LONGEST), b""), 1):
            if not line.strip():
                continue
            try:
                found.append(_checked(json.loads(line)))
            except (ValueError, TypeError):
                damaged.append(f"{path}:{number}: is no entry of a history; skipped")
    found.sort(key=lambda one: one.when)
    return found, damaged


def _checked(data: Any) -> Entry:
    """An entry; ValueError or TypeError if a field is missing, or of another type."""
    made = Entry(**data)
    for each in fields(Entry):
        if not isinstance(getattr(made, each.name), TYPES[each.name]):
            raise TypeError(each.name)
    numbers = made.figures.values()
    if not all(isinstance(n, int | float) and math.isfinite(n) for n in numbers):
        raise ValueError("figures")
    return made


TYPES: dict[str, type] = {
    **dict.fromkeys(("when", "command", "commit", "tier"), str),
    **dict.fromkeys(("passed", "tests"), int),
    "good": bool,
    "figures": dict,
}
