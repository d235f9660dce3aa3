"""Forks a simulation for each mutant before time 0 and writes its verdict.

The server process imports everything once and never runs a test.  Each child selects its mutant,
continues as an ordinary simulation (`sim.entry`) and ends at its first fault.  Several servers
share the work: the one that creates the claim file of a mutant runs it.
"""

import atexit
import contextlib
import ctypes
import gc
import json
import os
import re
import resource
import shutil
import signal
import sys
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pyuvm  # noqa: F401  once, for all children

from fattree_bench.bench import faults, forked
from fattree_bench.mutate import verdict as v
from fattree_bench.mutate.netlist import SELECTOR
from fattree_bench.mutate.verdict import Verdict
from fattree_bench.sim.severity import complaints

Plan = dict[str, Any]  # fattree_bench.sim.simulate's, with "mutants", "folder" and "limit" in it


def serve(plan: Plan) -> None:
    """Run mutants until none is left; returns only in the children."""
    preload(plan)
    folder = Path(plan["folder"])
    for number in plan["mutants"]:
        if not claim(folder / f"{number}.claim"):
            continue
        place = folder / str(number)
        place.mkdir(exist_ok=True)
        child = os.fork()
        if child == 0:
            become(plan, number, place)
            return
        keep(folder, place, wait(plan, child, number, place))
    sys.stdout.flush()
    os._exit(0)


def claim(path: Path) -> bool:
    """Whether this server created the file."""
    try:
        os.close(os.open(path, os.O_CREAT | os.O_EXCL))
    except FileExistsError:
        return False
    return True


def preload(plan: Plan) -> None:
    """Import what every child needs and exclude it from garbage collection."""
    from fattree_bench.families import family, find, part

    find(plan["network"]).from_variables(plan["variables"])
    for name in ("environment", "scenarios"):
        part(family(plan["network"]), name)
    forked.load()
    gc.collect()
    gc.freeze()


def become(plan: Plan, number: int, place: Path) -> None:
    """Turn this process into the simulation of one mutant."""
    os.environ[SELECTOR] = str(number)
    os.environ["COCOTB_RESULTS_FILE"] = str(place / "results.xml")
    os.environ["TB_PLAN"] = str(place / "plan.json")
    own = plan | {
        "results": str(place / "results.jsonl"),
        "stopped": str(place / "stopped.jsonl"),
        "hits": str(place / "hits.npz"),
        "figures": str(place / "figures.json"),
    }
    (place / "plan.json").write_text(json.dumps(own))
    sys.stdout.flush()
    sys.stderr.flush()
    log = os.open(place / "sim.log", os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
    os.dup2(log, 1)
    os.dup2(log, 2)
    os.close(log)
    os.chdir(place)
    if plan["limit"]:
        resource.setrlimit(resource.RLIMIT_CPU, (plan["limit"], plan["limit"] + 5))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    atexit.register(leave)
    if number:
        stop_at_first_fault(number, place)


def leave() -> None:
    """Exit without the simulator's destructors, which wait for threads that fork does not copy."""
    ctypes.CDLL(None).fflush(None)
    os._exit(0)


def stop_at_first_fault(number: int, place: Path) -> None:
    """End the process at the first fault that any check reports."""
    noted = faults.Faults.add

    def add(
        self: faults.Faults,
        kind: str,
        example: str,
        count: int = 1,
        where: faults.Where = faults.NOWHERE,
    ) -> None:
        noted(self, kind, example, count, where)
        found = Verdict(number, v.SCOREBOARD, kind, example=example)
        write(place / "verdict.json", found)
        os._exit(0)

    faults.Faults.add = add  # type: ignore[method-assign]


def wait(plan: Plan, child: int, number: int, place: Path) -> Verdict:
    """The verdict on a child once it has ended; a child that sleeps too long is killed."""
    status, stopped, seconds = forked.ended(child, plan["limit"])
    return judge(plan, number, place, status, stopped, seconds)


def judge(
    plan: Plan, number: int, place: Path, status: int, stopped: str, seconds: float
) -> Verdict:
    """The verdict from a child's status and files; no result is not survival."""

    def ended(how: str, told: str = "", example: str = "", scenario: str = "") -> Verdict:
        return Verdict(number, how, told, scenario, example, round(seconds, 2))

    results = read_results(place / "results.jsonl")
    passed = [r["scenario"] for r in results if not r["faults"] and r["sent"] > 0]
    following = [name for name in plan["scenarios"] if name not in passed]
    at = following[0] if following else ""
    found = place / "verdict.json"
    if found.exists():
        data = json.loads(found.read_text())
        return ended(v.SCOREBOARD, data["told"], data["example"], at)
    log = (place / "sim.log").read_text(errors="replace") if (place / "sim.log").exists() else ""
    if complaint := next(complaints(log), None):
        return ended(v.ASSERTION, complaint.text, scenario=at)
    if stopped or status == -signal.SIGXCPU:
        return ended(v.TIMEOUT, stopped or "CPU time", scenario=at)
    if at or status:
        return ended(v.CRASH, why(log, status), scenario=at)
    return ended(v.SURVIVED)


def read_results(path: Path) -> list[dict[str, Any]]:
    """Results of the scenarios that finished."""
    lines = path.read_text().splitlines() if path.exists() else []
    found = []
    for line in lines:
        with contextlib.suppress(ValueError):
            found.append(json.loads(line))
    return found


def why(log: str, status: int) -> str:
    """Why a process died: a signal, or the last error in its log."""
    if status < 0:
        return signal.Signals(-status).name
    errors = [line.strip() for line in log.splitlines() if re.search(r"\w+Error\b|%Error", line)]
    return errors[-1][-200:] if errors else f"ended with status {status}"


def keep(folder: Path, place: Path, verdict: Verdict) -> None:
    """Publish a verdict; the files of a killed mutant are removed."""
    if verdict.how in (v.SCOREBOARD, v.ASSERTION):
        shutil.rmtree(place, ignore_errors=True)
    write(folder / f"{verdict.number}.verdict", verdict)


def write(path: Path, verdict: Verdict) -> None:
    """Write a verdict atomically."""
    part = path.with_suffix(".part")
    part.write_text(json.dumps(asdict(verdict)))
    part.rename(path)
