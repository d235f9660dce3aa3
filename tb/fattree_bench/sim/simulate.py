"""Runs scenarios in a simulator process and judges what is left of it."""

import contextlib
import itertools
import json
import os
import subprocess
import sys
import time
import xml.etree.ElementTree as ET
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TextIO

import cocotb_tools.config
from cocotb_tools.runner import Icarus, Runner

from fattree_bench.bench.failure import Failure
from fattree_bench.bench.result import ScenarioResult
from fattree_bench.bench.revive import revived
from fattree_bench.bench.scenario import Scenario
from fattree_bench.coverage import elaboration
from fattree_bench.paths import ROOT, ROOT_VARIABLE
from fattree_bench.sim.build import Built
from fattree_bench.sim.runner import BurstVerilator, quiet_runner
from fattree_bench.sim.severity import Complaint, complaints
from fattree_bench.sim.variables import Variables
from fattree_bench.sim.wave_view import write_views
from fattree_bench.words import killer

STOPPED = "a check in the design stopped the simulation"
WAVES = (".vcd", ".fst")
TOLD = 5  # of the complaints of a design
MIB = 1 << 20
LOOK = 0.1  # seconds between looks at a running simulation
GRACE = 10.0  # seconds in which a simulation that was told to end may write what it knows


@dataclass(frozen=True)
class Limits:
    """Where a simulation is ended: seconds, and bytes of its log; None: nowhere."""

    seconds: float | None = None
    log: int | None = None


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
    """What a simulator process left behind; `problems` are what makes it fail beside the faults.

    `stopped`: what was known of the scenarios that were ended before their time; `complaints`: of
    the design, that ended them.
    """

    results: list[ScenarioResult] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)
    unfinished: list[str] = field(default_factory=list)
    log: Path = Path()
    seconds: float = 0.0
    stopped: list[ScenarioResult] = field(default_factory=list)
    complaints: list[Complaint] = field(default_factory=list)
    waves: Path | None = None

    @property
    def failures(self) -> list[Failure]:
        """Where to look first, test by test; last what stopped the simulation."""
        judged = [result.failure for result in (*self.results, *self.stopped)]
        said = [Failure(complaint.sighting()) for complaint in self.complaints]
        return [failure for failure in (*judged, *said) if failure]

    def failure(self, scenario: str) -> Failure | None:
        """Where to look first in a test that has no result: what was judged, or what stopped it."""
        judged = [r.failure for r in self.stopped if r.scenario == scenario and r.failure]
        said = [complaint.sighting() for complaint in self.complaints]
        return next(iter([*judged, *map(Failure, said)]), None)

    @property
    def passed(self) -> bool:
        return not self.problems and bool(self.results) and all(r.passed for r in self.results)


def run_folder(variables: Variables) -> Path:
    """A fresh folder for one run."""
    root = variables.build / "runs"
    root.mkdir(parents=True, exist_ok=True)
    stamp = time.strftime("%Y%m%d-%H%M%S")
    for number in range(10_000):
        folder = root / f"{stamp}-{os.getpid()}-{number}"
        try:
            folder.mkdir()
        except FileExistsError:
            continue
        return folder
    raise RuntimeError(f"no free name in {root}")


class _Limited(Runner):
    """A runner of cocotb whose simulation is watched, and ended where a limit is reached."""

    limits = Limits()
    ending = Ending()

    def _execute_cmds(
        self,
        cmds: Sequence[list[str]],
        cwd: os.PathLike[str] | str,
        stdout: TextIO | None = None,
    ) -> None:
        (command,) = cmds
        assert stdout is not None
        process = subprocess.Popen(
            command,
            cwd=cwd,
            env=self.env,
            stdin=subprocess.DEVNULL,
            stdout=stdout,
            stderr=subprocess.STDOUT,
        )
        try:
            self.ending = watch(process, Path(stdout.name), self.limits)
        finally:  # of Ctrl-C, too
            process.kill()
            process.wait()


class _Verilator(_Limited, BurstVerilator):
    pass


class _Icarus(_Limited, Icarus):
    def _test_command(self) -> list[list[str]]:
        """$stop ends a simulation with status 1 (-N); its messages stand whole in the log (-i)."""
        cocotb = ["-m", cocotb_tools.config.lib_entry("vpi", "icarus")]
        waves = "-fst" if self.waves else "-none"
        return [["vvp", "-N", "-i", *cocotb, str(self.sim_file), *self.plusargs, waves]]


def watch(process: "subprocess.Popen[Any]", log: Path, limits: Limits) -> Ending:
    """Wait for a simulation, and end it where it reaches a limit; its log is cut there."""
    end = None if limits.seconds is None else time.monotonic() + limits.seconds
    told, running = "", True
    while running and not told:
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(LOOK)
            running = False
        if limits.log is not None and log.stat().st_size > limits.log:
            told = f"log limit of {limits.log / MIB:g} MB reached"
        elif running and end is not None and time.monotonic() > end:
            told = f"time limit of {limits.seconds:g} s reached"
    if running:
        process.terminate()  # what it knows is written, see entry.py
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(GRACE)
        process.kill()
        process.wait()
    if told:
        with log.open("r+b") as file:
            file.truncate(min(limits.log or sys.maxsize, log.stat().st_size))
            file.seek(0, os.SEEK_END)
            file.write(f"\n{told}\n".encode())
    return Ending(process.returncode, told)


def run_module(
    variables: Variables,
    built: Built,
    module: str,
    plan: dict[str, Any],
    limits: Limits = Limits(),
) -> tuple[Path, Ending]:
    """Run a cocotb module in a fresh folder; the folder, and how the simulator ended."""
    folder = run_folder(variables)
    common = {
        "network": variables.network.name,
        "variables": variables.network.variables(),
        "seed": variables.seed,
        "transport": variables.transport,
        "coverage": variables.coverage,
        "debug": variables.debug,
        "results": str(folder / "results.jsonl"),
        "stopped": str(folder / "stopped.jsonl"),
        "hits": str(folder / "hits.npz"),
        "figures": str(folder / "figures.json"),
        "points": "",
        "shown": "",
        "slot": None,
    }
    (folder / "plan.json").write_text(json.dumps(common | plan, indent=1))
    runner: _Verilator | _Icarus = _Verilator() if built.sim == "verilator" else _Icarus()
    runner.limits = limits
    coverage = folder / "coverage.dat"
    with quiet_runner():
        runner.test(
            test_module=module,
            hdl_toplevel=built.top,
            hdl_toplevel_lang="verilog",
            build_dir=built.folder,
            test_dir=folder,
            results_xml=str(folder / "results.xml"),
            seed=variables.seed,
            extra_env={
                "TB_PLAN": str(folder / "plan.json"),
                ROOT_VARIABLE: str(ROOT),
                "COCOTB_ANSI_OUTPUT": "0",
                # Else pytest rewrites every module that is imported, numba and scipy too.
                "COCOTB_REWRITE_ASSERTION_FILES": "",
            },
            plusargs=[f"+dumpfile_path={folder / 'waves.fst'}"],  # Icarus
            test_args=[f"+verilator+coverage+file+{coverage}"] if variables.code else [],
            waves=built.waves,
            log_file=folder / "sim.log",
        )
    if variables.code and coverage.exists():
        with coverage.open("ab") as file:
            file.write((built.folder / elaboration.POINTS).read_bytes())
    return folder, runner.ending


def simulate(
    variables: Variables,
    built: Built,
    scenarios: list[Scenario],
    points: str = "",
    **plan: Any,
) -> Outcome:
    """Run scenarios one after the other in one process; `points`: a file for what they measure.

    `plan`: what else the simulator's side is told.
    """
    names = [s.name for s in scenarios]
    rows = variables.network.traffic_rows(variables.sim)
    start = time.perf_counter()
    folder, ending = run_module(
        variables,
        built,
        "fattree_bench.sim.entry",
        {"scenarios": names, "rows": rows, "points": points, **plan},
        Limits(variables.time_limit, variables.log_limit * MIB),
    )
    outcome = Outcome(log=folder / "sim.log")
    outcome.seconds = time.perf_counter() - start
    judge(outcome, folder, names, ending, variables.network.error_lines)
    if built.waves:
        show_waves(outcome, folder)
    if variables.code and not (folder / "coverage.dat").exists():
        outcome.problems.append("the simulator left no code coverage")
    return outcome


def show_waves(outcome: Outcome, folder: Path) -> None:
    """Write views of the waves of a run, with a marker at its first fault."""
    for path in folder.glob("waves.*"):
        if path.suffix in WAVES:
            firsts = [failure.first for failure in outcome.failures if failure.first]
            step = next((first.step for first in firsts if first.step is not None), None)
            try:
                write_views(path, step)
            except (ValueError, OSError) as error:
                outcome.problems.append(f"no view of the waves: {error}")
            outcome.waves = path


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
    outcome.problems += [ending.limit] if ending.limit else []
    outcome.problems += said or ([ending.problem] if ending.problem and not ending.limit else [])
    outcome.problems += told_errors(log, errors)
    outcome.results = _results(folder / "results.jsonl", outcome)
    outcome.stopped = _results(folder / "stopped.jsonl", outcome)
    got = [r.scenario for r in outcome.results]
    for name in expected:
        if name not in got:
            outcome.unfinished.append(name)
            outcome.problems.append(f"test {name} left no result")
    try:
        cases = list(ET.parse(folder / "results.xml").iter("testcase"))
    except (OSError, ET.ParseError):
        outcome.problems.append("cocotb left no results file")
        return
    if len(cases) < len(expected):
        outcome.problems.append(f"cocotb ran {len(cases)} of {len(expected)} tests")
    explained = {r.scenario for r in outcome.results if not r.passed}
    explained |= set(outcome.unfinished) if said or ending.limit else set()
    for case in cases:
        broken = case.find("failure") is not None or case.find("error") is not None
        if broken and case.get("name") not in explained:
            outcome.problems.append(f"cocotb: test {case.get('name')} failed, see the log")


def told_errors(log: str, errors: tuple[str, ...]) -> list[str]:
    """The design's own error lines: how many of each text, and the first."""
    lines = log.splitlines() if errors else []
    found = []
    for text in errors:
        hits = [line.strip() for line in lines if text in line]
        if hits:
            count = (
                f"{len(hits)} lines of the log hold" if len(hits) > 1 else "a line of the log holds"
            )
            found.append(f"{count} {text!r}: {hits[0]}")
    return found


def _results(lines: Path, outcome: Outcome) -> list[ScenarioResult]:
    found = []
    for line in lines.read_text().splitlines() if lines.exists() else []:
        try:
            found.append(revived(ScenarioResult, json.loads(line)))
        except (ValueError, TypeError):
            outcome.problems.append("the last result was cut off")
    return found
