"""Proof jobs that die, hang or are slow: what was found stays, and only the rest runs again."""

import json
import sys
import textwrap
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from rich.console import Console

from fattree_bench.campaign import read
from fattree_bench.jobs.pool import LocalPool
from fattree_bench.mutate import command
from fattree_bench.mutate.command import Mutate
from fattree_bench.mutate.netlist import MutatedNetlist

# The sound netlist, and mutants 1 .. 4 that compute the same output in other ways.
SOUND = "1 sort bitvec 8\n2 sort bitvec 1\n3 input 2 rst\n4 input 1 d\n{}\n9 output {} y_o\n"
MUTANTS = [SOUND.format("5 not 1 4\n6 not 1 5", 6) for _ in range(4)]

# A job that behaves as given for one mutant, and proves the others.
JOB = """
import json, os, signal, sys, time
from pathlib import Path
from fattree_prover import job
payload = json.loads(Path(sys.argv[1]).read_text())
number = Path(payload["mutant"]).stem
tries = Path({folder!r}, f"tries-{{number}}")
tries.write_text(tries.read_text() + "." if tries.exists() else ".")
if number == "2":
    {how}
job.main()
"""


class Kept:
    """A journal in memory."""

    def __init__(self) -> None:
        self.lines: list[dict[str, Any]] = []

    def append(self, line: dict[str, Any]) -> None:
        self.lines.append(json.loads(json.dumps(line)))


@pytest.fixture
def mutate(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Mutate:
    """The command with four survivors, ready to prove."""
    for number, text in enumerate([SOUND.format("", 4), *MUTANTS]):
        (tmp_path / f"{number}.btor").write_text(text)
    (tmp_path / "lemmas.json").write_text("[]")
    monkeypatch.setattr(command, "write_terms", lambda *_: None)
    monkeypatch.setattr(Mutate, "learn", lambda *_: None)
    made = Mutate(Console(quiet=True), read(Mutate, ["SECONDS=1", "JOBS=2"]))
    made.journal = Kept()  # type: ignore[assignment]
    return made


def prove(mutate: Mutate, folder: Path, how: str, numbers: list[int]) -> list[int]:
    """Prove survivors with jobs that do `how` for mutant 2; the mutants with a finding on disk."""
    script = folder / "job.py"
    script.write_text(JOB.format(folder=str(folder), how=textwrap.indent(how, "    ").strip()))
    faults: Any = [SimpleNamespace(clocked=False)] * 4
    netlist = MutatedNetlist(folder, "top", faults)
    with LocalPool(2, command=(sys.executable, str(script))) as pool:
        mutate.prove(netlist, numbers, pool)
    kept: Any = mutate.journal
    return sorted(line["mutant"] for line in kept.lines)


def tries(folder: Path, number: int) -> int:
    return len((folder / f"tries-{number}").read_text())


@pytest.mark.parametrize(
    ("how", "why", "runs"),
    [
        ("os.kill(os.getpid(), signal.SIGKILL)", "killed by SIGKILL (again)", 2),
        ("os.kill(os.getpid(), signal.SIGSTOP)", "time limit of 3 s", 1),
        ("payload['cpu'] = 1; Path(sys.argv[1]).write_text(json.dumps(payload))\n"
         "job.prove = lambda *_: [None for _ in iter(int, 1)]",
         "limit of CPU time", 1),
    ],
    ids=["killed", "stopped", "too much CPU"],
)  # fmt: skip
def test_a_dead_proof_loses_only_its_own_mutant(
    how: str, why: str, runs: int, mutate: Mutate, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The others are journaled; RESUME=1 runs the dead one again, and no other."""
    if "SIGSTOP" in how:
        monkeypatch.setattr(command, "STARTING", 1)
        monkeypatch.setattr(command, "PATIENCE", 1)
    assert prove(mutate, tmp_path, how, [1, 2, 3, 4]) == [1, 3, 4]
    assert mutate.findings[2].how == f"the proof ended early: {why}"
    assert {mutate.findings[n].what for n in (1, 3, 4)} == {"equivalent"}
    assert tries(tmp_path, 2) == runs
    kept: Any = mutate.journal
    verdicts = [{"verdict": {"number": n, "how": "survived"}} for n in range(1, 5)]
    mutate.keep([*kept.lines, *verdicts])
    assert mutate.survivors() == [2]
    assert prove(mutate, tmp_path, "pass", mutate.survivors()) == [1, 2, 3, 4]
    assert [tries(tmp_path, n) for n in (1, 3, 4)] == [1, 1, 1]


def test_a_slow_machine_costs_no_finding(mutate: Mutate, tmp_path: Path) -> None:
    """A proof that gets no CPU for longer than its limit, and one killed once by the system."""
    slow = "payload['cpu'] = 1; Path(sys.argv[1]).write_text(json.dumps(payload)); time.sleep(2)"
    assert prove(mutate, tmp_path, slow, [1, 2]) == [1, 2]
    once = "if len(tries.read_text()) < 3: os.kill(os.getpid(), signal.SIGKILL)"
    assert prove(mutate, tmp_path, once, [2]) == [1, 2, 2]
    assert mutate.findings[2].what == "equivalent"
