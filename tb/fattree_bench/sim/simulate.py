"""Runs scenarios in a simulator process and judges what is left of it."""

import json
import os
import time
import xml.etree.ElementTree as ET
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from cocotb_tools.runner import Icarus, Verilator

from fattree_bench.bench.result import ScenarioResult
from fattree_bench.bench.scenario import Scenario
from fattree_bench.coverage import elaboration
from fattree_bench.sim.build import Built, BurstVerilator, quiet_runner
from fattree_bench.sim.variables import Variables


@dataclass
class Outcome:
    """What a simulator process left behind; `problems` are what makes it fail beside the faults."""

    results: list[ScenarioResult] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)
    unfinished: list[str] = field(default_factory=list)
    log: Path = Path()
    seconds: float = 0.0

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


def run_module(
    variables: Variables, built: Built, module: str, plan: dict[str, Any]
) -> tuple[Path, str]:
    """Run a cocotb module in a fresh folder; the folder, and what the simulator died of."""
    folder = run_folder(variables)
    common = {
        "network": variables.network.name,
        "variables": variables.network.variables(),
        "seed": variables.seed,
        "transport": variables.transport,
        "coverage": variables.coverage,
        "results": str(folder / "results.jsonl"),
        "hits": str(folder / "hits.npz"),
        "figures": str(folder / "figures.json"),
        "points": "",
    }
    (folder / "plan.json").write_text(json.dumps(common | plan, indent=1))
    runner: Verilator | Icarus
    runner = BurstVerilator() if built.sim == "verilator" else Icarus()
    problem = ""
    coverage = folder / "coverage.dat"
    with quiet_runner():
        try:
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
                    "COCOTB_ANSI_OUTPUT": "0",
                    # Else pytest rewrites every module that is imported, numba and scipy too.
                    "COCOTB_REWRITE_ASSERTION_FILES": "",
                },
                plusargs=[f"+dumpfile_path={folder / 'waves.fst'}"],  # Icarus
                test_args=[f"+verilator+coverage+file+{coverage}"] if variables.code else [],
                waves=built.waves,
                log_file=folder / "sim.log",
            )
        except (RuntimeError, SystemExit) as stop:
            problem = f"the simulator ended with an error ({stop})"
    if variables.code and coverage.exists():
        with coverage.open("ab") as file:
            file.write((built.folder / elaboration.POINTS).read_bytes())
    return folder, problem


def simulate(
    variables: Variables, built: Built, scenarios: list[Scenario], points: str = ""
) -> Outcome:
    """Run scenarios one after the other in one process; `points`: a file for what they measure."""
    names = [s.name for s in scenarios]
    rows = variables.network.traffic_rows(variables.sim)
    start = time.perf_counter()
    folder, problem = run_module(
        variables,
        built,
        "fattree_bench.sim.entry",
        {"scenarios": names, "rows": rows, "points": points},
    )
    outcome = Outcome(log=folder / "sim.log", problems=[problem] if problem else [])
    outcome.seconds = time.perf_counter() - start
    judge(outcome, folder, names)
    if variables.code and not (folder / "coverage.dat").exists():
        outcome.problems.append("the simulator left no code coverage")
    return outcome


def judge(outcome: Outcome, folder: Path, expected: list[str]) -> None:
    """The project's own verdict: silence is a failure, whatever the exit codes say."""
    lines = folder / "results.jsonl"
    if lines.exists():
        for line in lines.read_text().splitlines():
            try:
                outcome.results.append(ScenarioResult.from_json(json.loads(line)))
            except (ValueError, TypeError):
                outcome.problems.append("the last result was cut off")
    got = [r.scenario for r in outcome.results]
    for name in expected:
        if name not in got:
            outcome.unfinished.append(name)
            outcome.problems.append(f"test {name} left no result")
    try:
        cases = list(ET.parse(folder / "results.xml").iter("testcase"))
        if len(cases) < len(expected):
            outcome.problems.append(f"cocotb ran {len(cases)} of {len(expected)} tests")
        named = {r.scenario for r in outcome.results if not r.passed}
        for case in cases:
            broken = case.find("failure") is not None or case.find("error") is not None
            if broken and case.get("name") not in named:
                outcome.problems.append(f"cocotb: test {case.get('name')} failed, see the log")
    except (OSError, ET.ParseError):
        outcome.problems.append("cocotb left no results file")
    if outcome.log.exists():
        text = outcome.log.read_text(errors="replace").splitlines()
        for line in text:
            if ": at " in line and line.count(":") >= 2 and "cocotb" not in line:
                outcome.problems.append(f"a check in the design stopped the simulation: {line}")
            elif "is out of range" in line:
                outcome.problems.append(line)
