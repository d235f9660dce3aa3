"""What a simulator process left behind, and what it is worth: the project's own verdict."""

import itertools
import json
import re
import xml.etree.ElementTree as ET
from dataclasses import dataclass, field
from pathlib import Path

from fattree_bench.bench.failure import Failure, Sighting
from fattree_bench.bench.faults import LIMIT
from fattree_bench.bench.result import ScenarioResult
from fattree_bench.bench.revive import revived
from fattree_bench.sim.severity import Complaint, complaints
from fattree_bench.words import killer

STOPPED = "a check in the design stopped the simulation"
TOLD = 5  # of the complaints of a design
RESULTS = "results.jsonl"  # a line a scenario that has ended


@dataclass
class Ending:
    """How a simulator process ended; `limit` names the limit that ended it."""

    status: int = 0
    limit: str = ""

    @property
    def problem(self) -> str:
        if self.limit or not self.status:
            return self.limit
        if name := killer(self.status):
            return f"the simulator was killed by {name}"
        return f"the simulator ended with an error (status {self.status})"


@dataclass
class Outcome:
    """What a simulator process left behind; `problems` are what makes it fail besides the faults.

    `stopped`: what was known of the scenarios that were ended before their time; `complaints`: of
    the design, that ended them; `limit`: that did; `parts`: of several processes; see continued.py.
    """

    results: list[ScenarioResult] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)
    unfinished: list[str] = field(default_factory=list)
    log: Path = Path()
    seconds: float = 0.0
    stopped: list[ScenarioResult] = field(default_factory=list)
    complaints: list[Complaint] = field(default_factory=list)
    limit: str = ""
    waves: Path | None = None
    unbuilt: bool = False
    parts: "list[Outcome]" = field(default_factory=list)

    @property
    def failures(self) -> list[Failure]:
        """Where to look first, test by test; last what stopped the simulation."""
        judged = [result.failure for result in (*self.results, *self.stopped)]
        return [failure for failure in (*judged, *self._ended()) if failure]

    def failure(self, scenario: str) -> Failure | None:
        """Where to look first in a test that has no result: what was judged, or what stopped it."""
        judged = [r.failure for r in self.stopped if r.scenario == scenario and r.failure]
        return next(iter([*judged, *self._ended()]), None)

    def _ended(self) -> list[Failure]:
        """What ended the simulation, as a fault."""
        stop = self.stopped[-1].stop if self.stopped else None
        found = [Failure(complaint.sighting(stop)) for complaint in self.complaints]
        if self.limit and stop is not None:
            time = stop.time(stop.ended)
            seen = Sighting(*(LIMIT, self.limit, 0, stop.family, time, stop.unit), step=stop.ended)
            found.append(Failure(seen))
        return found

    @property
    def not_run(self) -> list[str]:
        """Scenarios behind one that ended the simulation, and those that were not built."""
        if self.parts:
            return [name for part in self.parts for name in part.not_run]
        if self.unbuilt:
            return self.unfinished
        stopped = {result.scenario for result in self.stopped}
        return [name for name in self.unfinished[1:] if name not in stopped]

    @property
    def cut(self) -> list[str]:
        """Scenarios in which a simulation ended: of each agent one, at most."""
        return [name for name in self.unfinished if name not in self.not_run]

    @property
    def passed(self) -> bool:
        return not self.problems and bool(self.results) and all(r.passed for r in self.results)


def silent(scenario: str) -> str:
    """What is said of a test without a result."""
    return f"test {scenario} left no result"


def failed(case: ET.Element, why: ET.Element) -> str:
    """What is said of a test that ended with an exception."""
    message = " ".join(why.get("message", "").split())
    places = re.findall(r'File "(?:[^"]*/)?([^"/]+)", line (\d+)', why.text or "")
    place = f" ({':'.join(places[-1])})" if places else ""
    return f"cocotb: test {case.get('name')} failed: {why.get('type', 'error')}: {message}{place}"


def judge(
    outcome: Outcome,
    folder: Path,
    expected: list[str],
    ending: Ending | None = None,
    errors: tuple[str, ...] = (),
) -> None:
    """The project's own verdict: silence is a failure, whatever the exit codes say.

    What the design says itself comes first, before all that follows from it; `errors`: texts of
    lines that are faults.
    """
    ending = ending or Ending()
    log = outcome.log.read_text(errors="replace") if outcome.log.exists() else ""
    outcome.complaints += itertools.islice(complaints(log), TOLD)
    said = [f"{STOPPED}: {told}" for told in outcome.complaints]
    outcome.limit = ending.limit
    outcome.problems += [ending.limit] if ending.limit else []
    outcome.problems += said or ([ending.problem] if ending.problem and not ending.limit else [])
    outcome.problems += told_errors(log, errors)
    outcome.results = _results(folder / RESULTS, outcome)
    outcome.stopped = _results(folder / "stopped.jsonl", outcome)
    got = [r.scenario for r in outcome.results]
    for name in expected:
        if name not in got:
            outcome.unfinished.append(name)
            outcome.problems.append(silent(name))
    try:
        cases = list(ET.parse(folder / "results.xml").iter("testcase"))
    except (OSError, ET.ParseError):
        outcome.problems.append("cocotb left no results file")
        return
    if len(cases) < len(expected):
        outcome.problems.append(f"cocotb ran {len(cases)} of {len(expected)} tests")
    explained = {r.scenario for r in outcome.results if not r.passed}
    explained |= set(outcome.unfinished) if said or ending.limit else set()
    for case in (case for case in cases if case.get("name") not in explained):
        broken = *case.findall("failure"), *case.findall("error")
        outcome.problems += [failed(case, why) for why in broken]


def told_errors(log: str, errors: tuple[str, ...]) -> list[str]:
    """The design's own error lines: how many of each text, and the first."""
    lines = log.splitlines() if errors else []
    found = []
    for text in errors:
        if hits := [line.strip() for line in lines if text in line]:
            many = f"{len(hits)} lines of the log hold"
            found.append(f"{many if hits[1:] else 'a line of the log holds'} {text!r}: {hits[0]}")
    return found


def _results(lines: Path, outcome: Outcome) -> list[ScenarioResult]:
    found = []
    for line in lines.read_text().splitlines() if lines.exists() else []:
        try:
            found.append(revived(ScenarioResult, json.loads(line)))
        except (ValueError, TypeError):
            outcome.problems.append("the last result was cut off")
    return found
