"""`make flaky`: tests that have passed and failed with the same sources, settings and seed.

Each regression adds a line of JSON to a file next to its history, with the outcome of every test.
"""

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from rich.console import Console

from fattree_bench.history import rows_of
from fattree_bench.report.files import append_line
from fattree_bench.report.regression import Report
from fattree_bench.words import moment, number, plural

AGAIN = "it passed when it was run again"  # in the details of a test that did
SUFFIX = ".tests.jsonl"  # replaces the suffix of the history


class Outcome(NamedTuple):
    """Of a test; `run` is configuration, settings, simulator and seed; no `replay`: it passed."""

    sources: str
    run: str
    test: str
    commit: str
    when: str
    replay: str


def append(report: Report, sources: str, history: Path) -> None:
    """Add a regression, and the hash of its sources, to the file that belongs to a history."""
    runs: dict[str, dict[str, Any]] = {}
    for test in report.tests:
        settings = [f"{name}={value}" for name, value in sorted(test.variables.items())]
        name = " ".join([test.configuration, *settings, test.sim, f"seed {test.seed}"])
        own = runs.setdefault(name, {"passed": [], "failed": {}})
        if not test.passed:
            own["failed"][test.scenario] = test.replay or "unknown"
        if test.passed or AGAIN in test.details:
            own["passed"].append(test.scenario)
    about = {"when": report.when, "commit": report.commit, "sources": sources}
    append_line(history.with_suffix(SUFFIX), json.dumps({**about, "runs": runs}) + "\n")


def read(path: Path) -> tuple[list[list[Outcome]], list[str]]:
    """The outcomes of each regression of a file, and a line for each that is damaged."""
    regressions: list[list[Outcome]] = []
    damaged = []
    for place, text in enumerate(path.read_text(errors="replace").splitlines(), 1):
        try:
            regressions.append(_outcomes(json.loads(text)))
        except (ValueError, KeyError, TypeError, AttributeError):
            damaged.append(f"{path}:{place}: not a line of outcomes; skipped")
    return regressions, damaged


def _outcomes(line: dict[str, Any]) -> list[Outcome]:
    sources, commit, when = (str(line[name]) for name in ("sources", "commit", "when"))
    return [
        Outcome(sources, run, test, commit, when, replay)
        for run, own in line["runs"].items()
        for test, replay in (*((test, "") for test in own["passed"]), *own["failed"].items())
    ]


@dataclass
class Tally:
    """How often a test has passed and failed with the same sources; `last`: its last failure."""

    passed: int = 0
    failed: int = 0
    last: Outcome | None = None


def tallied(regressions: Iterable[Iterable[Outcome]]) -> list[Tally]:
    """All tests with the same sources, settings and seed."""
    found: dict[tuple[str, ...], Tally] = {}
    for one in (outcome for outcomes in regressions for outcome in outcomes):
        tally = found.setdefault(one[:3], Tally())
        tally.passed += not one.replay
        tally.failed += bool(one.replay)
        if one.replay and (tally.last is None or tally.last.when <= one.when):
            tally.last = one
    return [*found.values()]


def run(console: Console, arguments: Sequence[str]) -> int:
    """0: no test is flaky, 1: some are."""
    regressions, _ = rows_of(console, arguments, read, SUFFIX)
    tests = tallied(regressions)
    flaky = [(one, one.last) for one in tests if one.passed and one.last is not None]
    for one, last in sorted(flaky, key=lambda pair: pair[1].when, reverse=True):
        counts = f"passed {number(one.passed)}, failed {number(one.failed)}"
        for line in (
            f"{last.test} of {last.run}",
            f"  {counts}, last on {moment(last.when)}, commit {last.commit or 'unknown'}",
            f"  replay: {last.replay}",
        ):
            console.print(line, markup=False, emoji=False, soft_wrap=True)
    again = sum(one.passed + one.failed > 1 for one in tests)
    console.print(
        f"{plural(len(flaky), 'flaky test')} in {plural(len(regressions), 'regression')}; "
        f"{plural(again, 'test')} ran more than once with the same sources"
    )
    return int(bool(flaky))
