"""Runs mutants in parallel simulators and passes on their verdicts."""

import json
import os
import shutil
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from fattree_bench.bench.scenario import Scenario
from fattree_bench.jobs.child import Children
from fattree_bench.jobs.pool import terminable
from fattree_bench.mutate.verdict import Verdict
from fattree_bench.sim.build import Built
from fattree_bench.sim.variables import Variables

WORKER = (sys.executable, "-m", "fattree_bench.mutate.worker")
POLL = 0.5  # seconds between polls for new verdicts
TIMEOUT = 24 * 3600.0  # seconds per simulator; each mutant has its own limit of CPU time
SLACK = 10  # seconds of CPU time allowed in every run


class ServerError(Exception):
    """A simulator ended before its mutants were done; holds its last output."""


@dataclass
class Simulation:
    """A built bench with its stimulus and the folder of its runs.

    Attributes
    ----------
    values : variables of `settings` as on a command line, for other processes.
    """

    settings: Variables
    values: dict[str, str]
    built: Built
    scenarios: Sequence[Scenario]
    folder: Path

    def run(
        self, mutants: Sequence[int], jobs: int, limit: int, hear: Callable[[Verdict], None]
    ) -> None:
        """Run mutants, `jobs` at once; `limit`: seconds of CPU time, 0: none.

        Mutant 0 is the fault-free network, which runs to the end.  No process outlives an
        exception, Ctrl-C or SIGTERM.

        Raises
        ------
        ServerError : a simulator ended without all its verdicts.
        """
        folder = self.folder / "mutants"
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        seen: set[str] = set()
        reached: list[str] = []  # limits, by simulator
        with terminable(), _children() as children:
            servers = [
                self._start(children, number, mutants, limit, folder, reached)
                for number in range(min(jobs, len(mutants)))
            ]
            changed = 0
            while alive := [s for s in servers if s.is_alive()]:
                alive[0].join(POLL)
                # One time stamp instead of thousands of names.
                if (now := folder.stat().st_mtime_ns) != changed:
                    changed = now
                    _tell(folder, seen, hear)
            _tell(folder, seen, hear)  # verdicts after the last poll or within its time stamp
        if len(seen) < len(mutants):
            said = [
                line
                for log in sorted(self.folder.glob("server-*.log"))
                for line in log.read_text(errors="replace").splitlines()[-3:]
            ]
            why = [limit for limit in reached if limit] or said
            raise ServerError(f"{len(mutants) - len(seen)} mutants without a verdict: {why}")

    def _start(
        self,
        children: Children,
        number: int,
        mutants: Sequence[int],
        limit: int,
        folder: Path,
        reached: list[str],
    ) -> threading.Thread:
        """Start a simulator in a process, with a thread that waits for it."""
        plan: dict[str, Any] = {
            "scenarios": [s.name for s in self.scenarios],
            "rows": self.settings.network.traffic_rows("verilator"),
            "mutants": list(mutants),
            "folder": str(folder),
            "limit": limit,
        }
        payload = {
            "values": self.values,
            "folder": str(self.built.folder),
            "top": self.built.top,
            "waves": self.built.waves,
            "plan": plan,
        }
        given = self.folder / f"server-{number}.json"
        given.write_text(json.dumps(payload))
        said = self.folder / f"server-{number}.log"
        with said.open("wb") as log:
            child = children.start([*WORKER, str(given)], log)
        if child is None:
            raise ServerError("stopped")
        thread = threading.Thread(
            target=lambda: reached.append(children.wait(child, TIMEOUT, said))
        )
        thread.start()
        return thread


@contextmanager
def _children() -> Iterator[Children]:
    """Processes that are all gone at the end."""
    children = Children()
    try:
        yield children
    finally:
        children.kill()


def _tell(folder: Path, seen: set[str], hear: Callable[[Verdict], None]) -> None:
    """Pass on new verdicts."""
    found = [e.name for e in os.scandir(folder) if e.name.endswith(".verdict")]
    for name in sorted(set(found) - seen, key=lambda n: int(Path(n).stem)):
        seen.add(name)
        hear(Verdict(**json.loads((folder / name).read_text())))


def cpu_limit(sound: Verdict) -> int:
    """Seconds of CPU time after which a mutant counts as hung."""
    return SLACK + int(3 * sound.seconds)
