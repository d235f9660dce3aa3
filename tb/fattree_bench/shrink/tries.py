"""Tries inputs: one simulator for each build, which forks for each of them."""

import json
import re
import shutil
import sys
import time
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing.connection import Client, Connection, Listener
from pathlib import Path
from resource import RUSAGE_CHILDREN, getrusage
from subprocess import Popen
from tempfile import TemporaryDirectory
from threading import Thread

from fattree_bench.bench import faults as kind
from fattree_bench.bench.failure import Failure
from fattree_bench.bench.scenario import Scenario
from fattree_bench.jobs.child import Children
from fattree_bench.sim import variables as v
from fattree_bench.sim.build import BuildError, build, build_folder, recipe
from fattree_bench.sim.outcome import Ending, Outcome, judge
from fattree_bench.sim.severity import NUMBERS, RULE

WORKER = (sys.executable, "-m", "fattree_bench.mutate.worker")
MODULE = "fattree_bench.shrink.server,fattree_bench.sim.entry"
RULED = (RULE, kind.PROTOCOL, kind.REPORTED)  # kinds whose words say which rule it is
TIME = re.compile(r"^(clock|slot|cycle|time) \d+: ")


@dataclass(frozen=True)
class Way:
    """How a run failed: what kind of fault, by which rule, at which link or leaf."""

    kind: str
    rule: str = ""
    place: str = ""

    def __str__(self) -> str:
        rule = f"{self.kind}: {self.rule}" if self.rule else self.kind
        return f"{rule} at {self.place}" if self.place else rule


def failure_of(outcome: Outcome) -> Failure | None:
    """What came first: a check of the design that ended the run comes before its results."""
    found = outcome.failures
    return next(iter(found[::-1] if outcome.complaints else found), None)


def way_of(outcome: Outcome) -> Way | None:
    """How a run failed; None if it passed."""
    if outcome.passed:
        return None
    if outcome.complaints:
        first = outcome.complaints[0]
        return Way(RULE, first.rule, first.scope or "")
    failure = failure_of(outcome)
    if failure is None or failure.first is None:
        return Way("ended", NUMBERS.sub("#", outcome.problems[0]) if outcome.problems else "")
    seen = failure.first
    number = "" if seen.place is None or seen.place.number is None else f" {seen.place.number}"
    place = "" if seen.place is None else f"{seen.place.kind}{number}"
    words = TIME.sub("", seen.example.removeprefix(f"{seen.family}: ")).removeprefix(f"{place}: ")
    return Way(seen.kind, NUMBERS.sub("#", words) if seen.kind in RULED else "", place)


class Simulators:
    """Those that run, by what they were built from, and the CPU time of all."""

    def __init__(self, given: dict[str, str], folder: Path) -> None:
        self.given, self.folder = given, folder
        self.items = folder / "items.jsonl"  # what a test sent
        self.children = Children()
        self._scratch = TemporaryDirectory(prefix="ftb-")
        self._lines: dict[Path, Connection] = {}  # by folder of the build
        self._keys: dict[object, Connection] = {}
        self._spent, self._own = 0.0, time.process_time()
        self.limit = 60  # seconds of CPU time of a try
        self.tries = 0

    @property
    def spent(self) -> float:
        """Seconds of CPU time so far, builds among them."""
        return self._spent + time.process_time() - self._own

    def close(self) -> None:
        for line in self._lines.values():
            line.close()
        self.children.kill()
        self._scratch.cleanup()

    def run(
        self, settings: v.Variables, scenario: Scenario, key: object, recorded: str = ""
    ) -> Outcome:
        """Run one test; equal keys, equal builds; `recorded`: a file for what it sends."""
        place = self.folder / "try"
        shutil.rmtree(place, ignore_errors=True)
        place.mkdir()
        asked = {"place": str(place), "limit": self.limit, "recorded": recorded}
        asked |= {"variables": settings.network.variables(), "seed": settings.seed}
        try:
            line = self._line(settings, scenario.agent, (scenario.agent, key))
            line.send(asked | {"scenarios": [scenario.name]})
            status, stopped, seconds = line.recv()
        except (EOFError, ConnectionError):
            self._keys, self._lines = {}, {}  # the next one starts others
            raise BuildError(f"the simulator ended; its log is in {self.folder}") from None
        self._spent += seconds
        self.tries += 1
        outcome = Outcome(log=place / "sim.log", seconds=seconds)
        ending = Ending(status, stopped or ("CPU time" if status == -24 else ""))
        judge(outcome, place, [scenario.name], ending, settings.network.rtl.error_lines)
        return outcome

    def _line(self, settings: v.Variables, agent: str, key: object) -> Connection:
        """To the simulator of a build; BuildError if there can be none."""
        if key not in self._keys:
            folder = build_folder(settings, recipe(settings, agent))
            if folder not in self._lines:
                self._lines[folder] = self._start(settings, agent)
            self._keys[key] = self._lines[folder]
        return self._keys[key]

    def _start(self, settings: v.Variables, agent: str) -> Connection:
        before = sum(getrusage(RUSAGE_CHILDREN)[:2])
        built = build(settings, agent)
        self._spent += sum(getrusage(RUSAGE_CHILDREN)[:2]) - before
        number = len(self._lines)
        socket = Path(self._scratch.name, str(number))
        plan = {"socket": str(socket), "rows": settings.rows, "coverage": 0, "scenarios": []}
        values = self.given | settings.network.changed() | {"SIM": settings.sim}
        made = {"folder": str(built.folder), "top": built.top, "waves": built.waves}
        asked = Path(self._scratch.name, f"{number}.json")
        asked.write_text(json.dumps({"values": values, "module": MODULE, "plan": plan, **made}))
        said = self.folder / f"server-{number}.log"
        with Listener(str(socket)) as listener, said.open("wb") as log:
            child = self.children.start([*WORKER, str(asked)], log)
            assert child is not None
            Thread(target=self._wait, args=(child, said, socket), daemon=True).start()
            line = listener.accept()
        self._spent += line.recv()
        return line

    def _wait(self, child: "Popen[bytes]", said: Path, socket: Path) -> None:
        """Wait for the end of a simulator; nothing waits for one that has not begun."""
        self.children.wait(child, 24 * 3600.0, said)
        with suppress(OSError):
            Client(str(socket)).close()
