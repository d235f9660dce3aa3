"""Runs scenarios in a simulator process and has what is left of it judged."""

import contextlib
import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TextIO

import cocotb_tools.config
from cocotb_tools.runner import Icarus, Runner

from fattree_bench.bench.scenario import Scenario
from fattree_bench.paths import ROOT, ROOT_VARIABLE
from fattree_bench.sim import elaboration
from fattree_bench.sim.build import Built
from fattree_bench.sim.interrupt import answered, tied
from fattree_bench.sim.others import of, test_folder
from fattree_bench.sim.outcome import RESULTS, Ending, Outcome, judge
from fattree_bench.sim.runner import BurstVerilator, quiet_runner
from fattree_bench.sim.summary import add_summary
from fattree_bench.sim.variables import Variables
from fattree_bench.sim.wave_view import write_views

WAVES = (".vcd", ".fst")
MIB = 1 << 20
LOOK = 0.1  # seconds between looks at a running simulation
GRACE = 10.0  # seconds in which a simulation asked to end may write what it knows
INTERRUPTED = "interrupted"


@dataclass(frozen=True)
class Limits:
    """Where a simulation is ended: seconds, and bytes of its log; None: nowhere."""

    seconds: float | None = None
    log: int | None = None


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


def nothing(_: Path) -> None:
    """What is done with results before the end."""


class _Limited(Runner):
    """A runner of cocotb whose simulation is watched, and ended where a limit is reached."""

    limits = Limits()
    ending = Ending()
    look: Callable[[Path], None] = staticmethod(nothing)

    def _execute_cmds(
        self, cmds: Sequence[list[str]], cwd: os.PathLike[str] | str, stdout: TextIO | None = None
    ) -> None:
        *before, command = cmds
        Runner._execute_cmds(self, before, cwd, stdout)
        assert stdout is not None
        process = subprocess.Popen(
            command,
            cwd=cwd,
            env=self.env,
            stdin=subprocess.DEVNULL,
            stdout=stdout,
            stderr=subprocess.STDOUT,
            preexec_fn=tied,  # noqa: PLW1509 -- nothing else runs that a fork could hurt
        )
        try:
            self.ending = watch(process, Path(stdout.name), self.limits, self.look)
        finally:  # also of Ctrl-C
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


def watch(
    process: "subprocess.Popen[Any]",
    log: Path,
    limits: Limits,
    look: Callable[[Path], None] = nothing,
) -> Ending:
    """Wait for a simulation, and end it where it reaches a limit; its log is cut there.

    `look`: is given the file of results, again and again.
    """
    end = None if limits.seconds is None else time.monotonic() + limits.seconds
    told, running = "", True
    while running and not told:
        try:
            process.wait(LOOK)
            running = False
        except subprocess.TimeoutExpired:
            pass
        except KeyboardInterrupt:
            answered()
            told = INTERRUPTED
        look(log.with_name(RESULTS))
        if limits.log is not None and log.stat().st_size > limits.log:
            told = told or f"log limit of {limits.log / MIB:g} MB reached"
        elif running and not told and end is not None and time.monotonic() > end:
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
    look: Callable[[Path], None] = nothing,
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
        "results": str(folder / RESULTS),
        "stopped": str(folder / "stopped.jsonl"),
        "hits": str(folder / "hits.npz"),
        "figures": str(folder / "figures.json"),
        **dict.fromkeys(("points", "shown"), ""),
        "stimulus": variables.chosen.stimulus,
        "slot": None,
    }
    (folder / "plan.json").write_text(json.dumps(common | plan, indent=1))
    runner: _Limited = of(built.sim, _Limited, verilator=_Verilator, icarus=_Icarus)()
    runner.limits, runner.look = limits, look
    coverage = folder / "coverage.dat"
    with quiet_runner():
        runner.test(
            test_module=module,
            hdl_toplevel=built.top,
            hdl_toplevel_lang="verilog",
            build_dir=built.folder,
            test_dir=test_folder(built.sim, built.folder, folder),
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
    look: Callable[[Path], None] = nothing,
    **plan: Any,
) -> Outcome:
    """Run scenarios one after the other in one process; `points`: a file for what they measure.

    `look`: is given the file of results, again and again; `plan`: what else the simulator gets.
    """
    names = [s.name for s in scenarios]
    start = time.perf_counter()
    folder, ending = run_module(
        variables,
        built,
        "fattree_bench.sim.entry",
        {"scenarios": names, "rows": variables.rows, "points": points, **plan},
        Limits(variables.time_limit, variables.log_limit * MIB),
        look,
    )
    outcome = Outcome(log=folder / "sim.log")
    outcome.seconds = time.perf_counter() - start
    judge(outcome, folder, names, ending, variables.network.rtl.error_lines)
    if built.waves:
        show_waves(outcome, folder)
    if variables.code and not (folder / "coverage.dat").exists():
        outcome.problems.append("the simulator left no code coverage")
    add_summary(variables, outcome)
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
