"""Commands that are jobs of a regression: what they find stands in the report as their evidence."""

import os
import shlex
import subprocess
import sys
import time
import tomllib
from collections.abc import Iterable, Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any

from fattree_bench.bench.result import Test
from fattree_bench.jobs.pool import Task
from fattree_bench.paths import ROOT, call

TIMEOUT = 6 * 3600  # seconds: all proofs, one after the other, take an hour
SHOWN = 20  # lines of a failure
SIM = "command"  # in the place of a simulator


def listed(files: Iterable[Path], tier: str) -> dict[str, str]:
    """Commands of a tier, with their variables."""
    found: dict[str, str] = {}
    for file in files:
        found |= tomllib.loads(file.read_text(encoding="utf-8")).get(tier, {})
    return found


def commands(files: Iterable[Path], tier: str, build: str, rtl: str) -> Iterator[Task]:
    """A job for each; they are long, so that they start first."""
    folders = {"BUILD": build, "RTL": rtl}
    for name, variables in listed(files, tier).items():
        usual = {"BUILD": "build", "RTL": "rtl"}
        given = [f"{k}={x}" for k, x in folders.items() if x != usual[k]]
        words = [name, *variables.split(), "JOBS=1", *given]
        payload = {
            "kind": "command",
            "words": words,
            "network": "evidence",
            "configuration": f"make {name}",
            "variables": {},
            "values": {**folders, "SIM": SIM},
            "scenarios": [name],
            "replay": shlex.join([call(), *words]),
            "timeout": TIMEOUT,
        }
        yield Task(f"make {name}", payload, seconds=3600.0 if name == "formal" else 300.0)


def continuing(words: list[str], build: Path) -> list[str]:
    """The words without RESUME=1 if there is nothing to continue."""
    there = any((build / words[0]).glob("*.jsonl"))
    return words if there else [word for word in words if word != "RESUME=1"]


def run(payload: dict[str, Any]) -> dict[str, Any]:
    """Job: run the command; one test, which passes with status 0."""
    start, build = time.monotonic(), ROOT / payload["values"]["BUILD"]
    words = continuing(payload["words"], build)
    log = build / "evidence" / f"{words[0]}.log"
    log.parent.mkdir(parents=True, exist_ok=True)
    with log.open("w") as file:
        done = subprocess.run(
            [sys.executable, "-m", "fattree_bench", *words],
            cwd=ROOT,
            env={**os.environ, "NO_COLOR": "1", "COLUMNS": "200"},
            stdout=file,
            stderr=subprocess.STDOUT,
            check=False,
        )
    lines = log.read_text(errors="replace").splitlines()
    failed = [line for line in lines if line.startswith(("FAIL", "error:"))] or lines[-1:]
    details = failed[:SHOWN] if done.returncode else []
    test = Test(
        network=payload["network"],
        configuration=payload["configuration"],
        variables={},
        sim=SIM,
        seed=0,
        scenario=words[0],
        passed=not done.returncode,
        message=details[0] if details else "",
        details=details,
        replay=payload["replay"],
        log=str(log.relative_to(ROOT)) if log.is_relative_to(ROOT) else str(log),
        seconds=time.monotonic() - start,
    )
    return {"tests": [asdict(test)], "hits": [], "code": []}
