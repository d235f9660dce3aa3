"""The runs of a sweep: one job per curve and seed, in RTL or on the model, and its results."""

import contextlib
import json
import shlex
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from fattree_bench.bench.loads import load_list
from fattree_bench.bench.network import Network
from fattree_bench.jobs.job import START_SECONDS, build_task, tests_of
from fattree_bench.jobs.pool import Result, Task

TIMEOUT = 24 * 3600  # seconds per run
CLOCK_SECONDS = {"verilator": 2e-6, "icarus": 1e-4, "model": 5e-7}  # per leaf: rough estimates


@dataclass(frozen=True)
class Jobs:
    """Makes the jobs of the networks of a sweep.

    Attributes
    ----------
    on : "verilator", "icarus" or "model".
    sim : simulator for runs in RTL.
    names : of the curves; shown : the variables in which they differ.
    folders : RTL and BUILD.
    points : folder for measurements of running runs.
    """

    networks: Sequence[Network]
    names: Sequence[str]
    shown: Sequence[str]
    on: str
    sim: str
    folders: Mapping[str, str]
    points: Path

    def run(self, number: int, seed: int) -> Task:
        """The run of a curve with a seed."""
        return self._modelled(number, seed) if self.on == "model" else self._in_rtl(number, seed)

    def _in_rtl(self, number: int, seed: int) -> Task:
        payload = self._payload(number, seed)
        key, after = f"{self.names[number]} seed {seed}", build_task(payload).key
        return Task(key, payload, after, self._seconds(number, payload))

    def _modelled(self, number: int, seed: int) -> Task:
        network = self.networks[number]
        changed = {k: x for k, x in network.changed().items() if k != "LOAD"}
        words = {"NETWORK": network.name, **changed, "ENGINE": "model"}
        replay = " ".join(f"{k}={shlex.quote(x)}" for k, x in words.items())
        more = {"kind": "model", "replay": f"make explore {replay} SEED={seed} SEEDS=1"}
        payload = self._payload(number, seed) | more
        key = f"{self.names[number]} seed {seed}"
        return Task(key, payload, None, self._seconds(number, payload))

    def _seconds(self, number: int, payload: Mapping[str, Any]) -> float:
        """Expected duration of a run in seconds."""
        network, values = self.networks[number], payload["values"]
        loads = len(load_list(values["LOADS"])) + int(values["REFINE"])
        clocks = network.workload.window.end * loads
        return START_SECONDS + CLOCK_SECONDS[self.on] * clocks * network.leaves

    def _payload(self, number: int, seed: int) -> dict[str, Any]:
        """A run in RTL."""
        network = self.networks[number]
        values = {
            "NETWORK": network.name,
            **network.variables(),
            **self.folders,
            "SIM": self.sim,
            "SEED": str(seed),
            "COVERAGE": "0",
            "NATIVE": "1",
        }
        return {
            "kind": "run",
            "configuration": self.names[number],
            "network": network.name,
            "variables": {name: values[name] for name in self.shown if name in values},
            "values": values,
            "agent": "FRAME",
            "scenarios": ["sweep"],
            "timeout": TIMEOUT,
            "points": str(self.points / f"{number}-{seed}.jsonl"),
        }


def built(runs: list[Task]) -> list[Task]:
    """The builds that the runs need, then the runs."""
    builds = {run.after: build_task(run.payload) for run in runs if run.after is not None}
    return [*builds.values(), *runs]


def measured(task: Task, result: Result | None) -> list[dict[str, Any]]:
    """Figures of a run that passed or has not ended; none of a failed one."""
    if result is not None:
        tests = tests_of(task, result)
        return [
            line
            for test in tests
            if test.passed and test.result is not None
            for line in test.result.measurements
        ]
    path = Path(task.payload["points"])
    return list(_whole(path.read_text())) if path.exists() else []


def _whole(text: str) -> Iterator[dict[str, Any]]:
    """Lines of JSON, without a line truncated by a kill."""
    for line in text.splitlines():
        with contextlib.suppress(ValueError):
            yield json.loads(line)
