"""One job of a regression in a process: `python -m fattree_bench.jobs.job PAYLOAD RESULT`.

Payload and result are JSON.  "kind" is "build" (a design), "run" (scenarios in a simulator),
"model" (scenarios on a clock-exact model), "checks" (pytest), "command" or "block" (synthesis).
"""

import json
import os
import subprocess
import sys
import time
import xml.etree.ElementTree as ET
from collections.abc import Callable
from contextlib import suppress
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from fattree_bench.bench.failure import Failure
from fattree_bench.bench.result import Test
from fattree_bench.bench.revive import revived
from fattree_bench.bench.scenario import Scenario
from fattree_bench.errors import UserError
from fattree_bench.families import find, scenarios
from fattree_bench.families.modelling import modelling
from fattree_bench.jobs import commands
from fattree_bench.jobs.child import TIMEOUT
from fattree_bench.jobs.pool import Task
from fattree_bench.paths import ROOT
from fattree_bench.sim import variables as v
from fattree_bench.sim.build import BuildError, Built, build, build_folder, recipe
from fattree_bench.sim.changed import containing
from fattree_bench.sim.outcome import STOPPED, TOLD, Outcome
from fattree_bench.sim.severity import complaints
from fattree_bench.sim.simulate import run_folder, simulate
from fattree_bench.sim.summary import faults, test_of
from fattree_bench.synthesis import block

Payload = dict[str, Any]
BUILD_SECONDS = {"verilator": 20.0, "icarus": 1.0}  # rough estimates for the first build
START_SECONDS = 1.5  # to start a simulator with Python
PART = 0.95  # share of the time limit after which a simulation stops, while it can still be judged


def build_design(payload: Payload) -> dict[str, Any]:
    """Build a design unless it is built already."""
    return {"seconds": build(v.check(payload["values"]), payload["agent"]).seconds}


def run_scenarios(payload: Payload) -> dict[str, Any]:
    """Run scenarios; after one that crashes the simulator, the rest run in a new one."""
    settings = v.check(payload["values"])
    end = time.monotonic() + PART * payload.get("timeout", TIMEOUT)
    built = build(settings, payload["agent"])
    if payload.get("points") or payload.get("planted"):  # of a network alone
        built = containing(settings, built)
    known = scenarios(settings.network)
    left = [known[name] for name in payload["scenarios"]]
    tests: list[Test] = []
    folders: list[Path] = []
    while left:
        seconds = max(1, min(settings.time_limit, int(end - time.monotonic())))
        limited = settings.but(time_limit=seconds)
        outcome = simulate(limited, built, left, payload.get("points", ""))
        folders.append(outcome.log.parent)
        done = judged(payload, settings, built, outcome, left)
        tests += done
        left = left[len(done) :]
    return {
        "tests": [asdict(test) for test in tests],
        "hits": _paths(folders, "hits.npz"),
        "code": _paths(folders, "coverage.dat"),
    }


def _paths(folders: list[Path], name: str) -> list[str]:
    return [from_root(folder / name) for folder in folders if (folder / name).exists()]


def from_root(path: Path) -> str:
    """As it is written from the project's root."""
    return str(path.relative_to(ROOT)) if path.is_relative_to(ROOT) else str(path)


def judged(
    payload: Payload, settings: v.Variables, built: Built, outcome: Outcome, ran: list[Scenario]
) -> list[Test]:
    """The tests up to the one that crashed the simulator, or all."""
    results = {result.scenario: result for result in outcome.results}
    tests = []
    for scenario in ran:
        result = results.get(scenario.name)
        tests.append(
            replace(
                test_of(settings, outcome, scenario.name),
                configuration=payload["configuration"],
                variables=payload["variables"],
                log=from_root(outcome.log),
            )
        )
        begin = f"cocotb: test {scenario.name} failed: "
        broken = [problem for problem in outcome.problems if problem.startswith(begin)]
        if tests[-1].passed and broken:  # after its result was written
            tests[-1].passed, tests[-1].message, tests[-1].details = False, broken[0], broken
        if result is None:
            break
    # Problems that belong to no test fail the last one.
    if outcome.problems and all(test.passed for test in tests):
        tests[-1].passed = False
        tests[-1].details = outcome.problems + tests[-1].details
        tests[-1].message = outcome.problems[0]
    if built.waves:
        for test in tests:
            found = [p for p in outcome.log.parent.glob("waves.*") if p.suffix in (".vcd", ".fst")]
            test.waves = from_root(found[0]) if found else ""
    return tests


def replay(payload: Payload, scenario: str = "") -> str:
    """The command that repeats a scenario or a pytest file of a job."""
    if "replay" in payload:
        return str(payload["replay"])
    if payload["kind"] == "checks":
        return f"build/venv/bin/python -m pytest {payload['file']}"
    # Nothing is written: a full disk is reported as well.
    return v.check(payload["values"], write=False).replay(scenario)


def build_task(payload: dict[str, Any]) -> Task:
    """The build that a job needs; equal designs have equal keys."""
    settings = v.check(payload["values"])
    folder = build_folder(settings, recipe(settings, payload["agent"]))
    own = {k: payload[k] for k in ("configuration", "network", "values", "agent", "timeout")}
    seconds = BUILD_SECONDS[settings.sim] * (2 if settings.code else 1)
    return Task(f"build {folder.name}", {"kind": "build", **own}, None, seconds)


def tests_of(task: Task, result: dict[str, Any]) -> list[Test]:
    """The tests of a job; without results all have failed; those of a planted fault pass."""
    payload = task.payload
    if "tests" in result:
        tests = [revived(Test, test) for test in result["tests"]]
        for test in tests if payload.get("planted") else ():
            test.passed = True
        return tests
    why = (
        result.get("vanished")
        or result.get("blocked")
        or result.get("message")  # of a build
        or "the job left no results"
    )
    kind = "the run vanished: " if "vanished" in result else ""
    details = [f"{kind}{why}".splitlines()[0], *result.get("output", "").splitlines()[-20:]]
    values = payload["values"]
    return [
        Test(
            network=payload["network"],
            configuration=payload.get("configuration", payload.get("file", "")),
            variables=payload.get("variables", {}),
            sim="model" if payload["kind"] == "model" else values.get("SIM", "pytest"),
            seed=int(values.get("SEED", 0)),
            scenario=scenario,
            passed=False,
            message=details[0],
            details=details,
            replay=replay(payload, scenario),
        )
        for scenario in payload.get("scenarios", ["all"])
    ]


def run_model(payload: Payload) -> dict[str, Any]:
    """Play scenarios on the model of a network, without a simulator."""
    values, tests = payload["values"], []
    network = find(values["NETWORK"]).from_variables(values)
    for name in payload["scenarios"]:
        scenario = scenarios(network)[name]
        points = payload.get("points", "")
        result = modelling(network).play(network, scenario, int(values["SEED"]), points)
        details = faults(result)
        tests.append(
            Test(
                network=network.name,
                configuration=payload["configuration"],
                variables=payload["variables"],
                sim="model",
                seed=int(values["SEED"]),
                scenario=name,
                passed=result.passed,
                result=result,
                message=next(iter(details), "" if result.passed else "nothing was sent"),
                details=details,
                replay=payload["replay"],
                seconds=result.seconds,
            )
        )
    return {"tests": [asdict(test) for test in tests], "hits": [], "code": []}


def run_checks(payload: Payload) -> dict[str, Any]:
    """Run a pytest file or part of it; one test per case."""
    settings = v.check(payload["values"])
    folder = run_folder(settings)
    log, report = folder / "pytest.log", folder / "pytest.xml"
    command = ["-m", "pytest", "-q", "-p", "no:cacheprovider", f"--junitxml={report}"]
    with log.open("w") as file:
        subprocess.run(
            [sys.executable, *command, payload["file"]],
            cwd=ROOT,
            stdout=file,
            stderr=subprocess.STDOUT,
            # NIGHTLY: include the cases that `make test` leaves out.
            env={**os.environ, "NIGHTLY": "1", "PART": payload.get("part", "1/1")},
            check=False,
        )
    cases = list(ET.parse(report).iter("testcase")) if report.exists() else []
    tests = [_check(payload, case, log) for case in cases]
    if not tests:
        nothing = ET.Element("testcase", {"name": "nothing was run"})
        ET.SubElement(nothing, "error", {"message": "pytest ran no test"})
        tests = [_check(payload, nothing, log)]
    return {"tests": [asdict(test) for test in tests], "hits": [], "code": []}


def _check(payload: Payload, case: ET.Element, log: Path) -> Test:
    bad = [case.find(kind) for kind in ("failure", "error", "skipped")]
    told = [f"{e.tag}: {e.get('message', '')}".splitlines()[0] for e in bad if e is not None]
    # Assertions of a design are in the output of a check, not in its failure message.
    outputs = [
        e.text or ""
        for e in (*bad, case.find("system-out"), case.find("system-err"))
        if e is not None
    ]
    said = list(complaints("\n".join(outputs))) if told else []
    told = [*(f"{STOPPED}: {complaint}" for complaint in said[:TOLD]), *told]
    return Test(
        network=payload["network"],
        configuration=payload["file"],
        variables={},
        sim="pytest",
        seed=0,
        scenario=case.get("name", ""),
        passed=not told,
        message=told[0] if told else "",
        details=told,
        replay=replay(payload),
        log=from_root(log),
        seconds=float(case.get("time", 0)),
        recorded=_recorded(case),
        failure=Failure(said[0].sighting()) if said else None,
        symptoms=[complaint.rule for complaint in said],
    )


def _recorded(case: ET.Element) -> dict[str, float]:
    """The numeric properties of a case; Hypothesis adds texts."""
    found = {}
    for one in case.iterfind("properties/property"):
        with suppress(ValueError):
            found[one.get("name", "")] = float(one.get("value", ""))
    return found


KINDS: dict[str, Callable[[Payload], dict[str, Any]]] = {
    "build": build_design,
    "run": run_scenarios,
    "model": run_model,
    "checks": run_checks,
    "block": block.run,
    "command": commands.run,
}


def main() -> None:
    """Run the job in the payload."""
    payload = json.loads(Path(sys.argv[1]).read_text())
    start = time.perf_counter()
    try:
        result = KINDS[payload["kind"]](payload)
    except (BuildError, UserError) as error:
        result = {"failed_build": True, "message": str(error)}
    Path(sys.argv[2]).write_text(json.dumps(result | {"took": time.perf_counter() - start}))


if __name__ == "__main__":
    main()
