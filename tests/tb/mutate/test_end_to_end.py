"""`make mutate` as a user calls it, on the smallest tree, in a build that tests share."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from rich.console import Console

from fattree_bench.campaign import read
from fattree_bench.mutate.command import Mutate
from tests.cli import Cli, succeeds
from tests.conftest import HIDDEN, ROOT

# They share a folder of mutants, which only one run at a time may have.
pytestmark = pytest.mark.xdist_group("mutate")

BUILD = "BUILD=build/test-mutate"  # not build: its evidence is the user's
SMALL = ("N=2", "WIDTH=8", "COUNT=6", "SECONDS=3", "JOBS=2", BUILD)


def asked(*words: str) -> Mutate:
    return Mutate(Console(quiet=True), read(Mutate, words))


def test_a_process_that_breaks_down_is_told() -> None:
    """Lemmas that a lack of memory took away: proofs go on, weaker, and the user knows why."""
    console = Console(record=True, width=100)
    mutate = Mutate(console, read(Mutate, SMALL))
    mutate.ended("lemmas", {"vanished": "killed by SIGKILL (again)"})
    output = "lemmas: no result: killed by SIGKILL (again)"
    assert output in console.export_text()


def journal() -> list[dict]:
    """The lines of the run behind its header."""
    path = asked(*SMALL).folder / "journal.jsonl"
    return [json.loads(line) for line in path.read_text().splitlines()[1:]]


def test_a_small_tree(tb_cli: Cli) -> None:
    """The sound netlist passes; every fault is killed or proved to change nothing."""
    done = tb_cli("mutate", *SMALL)
    assert done.returncode in (0, 1), done.stdout + done.stderr
    verdicts = {x["verdict"]["number"]: x["verdict"] for x in journal() if "verdict" in x}
    findings = {x["mutant"]: x["finding"] for x in journal() if "finding" in x}
    assert sorted(verdicts) == list(range(7))
    assert verdicts[0]["how"] == "survived"
    named = {x["told"] for x in verdicts.values() if x["how"] == "scoreboard"}
    assert named & {"corrupted", "spurious", "lost", "duplicated", "packet_count"}
    lived = {n for n, x in verdicts.items() if n and x["how"] == "survived"}
    assert findings.keys() == lived
    assert "equivalent" in {x["what"] for x in findings.values()}
    left = sum(x["what"] != "equivalent" for x in findings.values())
    assert done.returncode == (1 if left else 0)
    assert done.stdout.count("FAIL lbbvn mutant") == left

    killed = next(n for n, x in verdicts.items() if x["how"] == "scoreboard")
    text = succeeds(tb_cli("mutate", *SMALL, f"MUTANT={killed}"))
    assert f"scoreboard {verdicts[killed]['told']} in {verdicts[killed]['scenario']}" in text
    assert len(journal()) == len(verdicts) + len(findings)


@pytest.mark.nightly
def test_resume_after_kill_9(tb_cli: Cli) -> None:
    """What was done is not done again; no process outlives the one that was killed."""
    clean = {k: v for k, v in os.environ.items() if k not in HIDDEN}
    command = [sys.executable, "-m", "fattree_bench", "mutate", *SMALL]
    folder = asked(*SMALL).folder
    (folder / "journal.jsonl").unlink(missing_ok=True)
    victim = subprocess.Popen(command, cwd=ROOT, env=clean, stdout=subprocess.DEVNULL)
    end = time.monotonic() + 200
    while time.monotonic() < end and _verdicts(folder) < 4 and victim.poll() is None:
        time.sleep(0.02)
    victim.send_signal(signal.SIGKILL)
    victim.wait()
    before = _verdicts(folder)
    assert 4 <= before < 7

    done = tb_cli("mutate", *SMALL, "RESUME=1")
    assert done.returncode in (0, 1), done.stdout + done.stderr
    assert f"continuing: {before} mutants have been run" in done.stdout
    numbers = [
        json.loads(line)["verdict"]["number"]
        for line in (folder / "journal.jsonl").read_text().splitlines()
        if line.startswith('{"verdict"')
    ]
    assert sorted(numbers) == list(range(7))


def _verdicts(folder: Path) -> int:
    path = folder / "journal.jsonl"
    return path.read_text().count('{"verdict"') if path.exists() else 0
