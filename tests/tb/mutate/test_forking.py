"""What a server makes of children that end in every way, without a simulator."""

import faulthandler
import json
import os
import resource
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from fattree_bench.bench.faults import Faults
from fattree_bench.mutate import forking
from fattree_bench.mutate import verdict as v
from fattree_bench.mutate.verdict import Verdict

LIMIT = 3  # seconds of CPU time; the ticks of a busy kernel are a tenth of a second off


@pytest.fixture
def plan(tmp_path: Path) -> dict[str, Any]:
    return {"scenarios": ["first", "second"], "limit": LIMIT, "folder": str(tmp_path)}


def child(plan: dict[str, Any], place: Path, work: Callable[[], None]) -> Verdict:
    """The verdict on a child that does some work with the limits of a mutant."""
    number = os.fork()
    if number == 0:
        resource.setrlimit(resource.RLIMIT_CPU, (LIMIT, LIMIT + 5))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        work()
        os._exit(0)
    return forking.wait(plan, number, 7, place)


def passed(place: Path, *names: str) -> None:
    """Leave the results of scenarios that found nothing."""
    lines = [json.dumps({"scenario": n, "faults": {}, "sent": 1}) for n in names]
    (place / "results.jsonl").write_text("\n".join(lines) + "\n")


def spin() -> None:
    while True:
        pass


def test_a_hang_is_a_time_out(plan: dict[str, Any], tmp_path: Path) -> None:
    """By CPU time; a process that sleeps for ever is killed by the clock."""
    verdict = child(plan, tmp_path, spin)
    assert (verdict.how, verdict.told, verdict.scenario) == (v.TIMEOUT, "CPU time", "first")
    assert verdict.seconds >= 0.9 * LIMIT


def test_one_that_sleeps_is_a_time_out(
    plan: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("fattree_bench.bench.forked.PATIENCE", 0.2)
    verdict = child(plan, tmp_path, lambda: time.sleep(60))
    assert (verdict.how, verdict.told) == (v.TIMEOUT, "asleep")


def abort() -> None:
    """Without pytest's report of it, which would stand in the middle of the tests'."""
    faulthandler.disable()
    os.abort()


def test_a_crash_is_a_crash(plan: dict[str, Any], tmp_path: Path) -> None:
    passed(tmp_path, "first")
    verdict = child(plan, tmp_path, abort)
    assert (verdict.how, verdict.told, verdict.scenario) == (v.CRASH, "SIGABRT", "second")


def test_a_bench_that_breaks_down_is_a_crash(plan: dict[str, Any], tmp_path: Path) -> None:
    """No result and no word of a fault, though it ended in order: not survival."""
    (tmp_path / "sim.log").write_text("Traceback\nIndexError: index 9 is out of bounds\n")
    verdict = child(plan, tmp_path, lambda: None)
    assert verdict.how == v.CRASH
    assert verdict.told == "IndexError: index 9 is out of bounds"


def test_a_rule_of_the_design(plan: dict[str, Any], tmp_path: Path) -> None:
    (tmp_path / "sim.log").write_text(
        "[120] %Fatal: arbiter.v:93: Assertion failed in bench.u_tree: a grant without a request\n"
    )
    verdict = child(plan, tmp_path, lambda: os._exit(1))
    assert (verdict.how, verdict.told) == (v.ASSERTION, "a grant without a request")


def test_survival_takes_every_scenario(plan: dict[str, Any], tmp_path: Path) -> None:
    passed(tmp_path, "first", "second")
    assert child(plan, tmp_path, lambda: None).how == v.SURVIVED
    assert child(plan, tmp_path, lambda: os._exit(3)).how == v.CRASH
    passed(tmp_path, "first")
    assert child(plan, tmp_path, lambda: None).how == v.CRASH


def test_the_first_fault_ends_the_run(plan: dict[str, Any], tmp_path: Path) -> None:
    """Its name and example are reported; nothing after it is done."""

    def find() -> None:
        forking.stop_at_first_fault(7, tmp_path)
        Faults().add("lost", "slot 3")
        passed(tmp_path, "first", "second")

    verdict = child(plan, tmp_path, find)
    assert (verdict.how, verdict.told, verdict.example) == (v.SCOREBOARD, "lost", "slot 3")
    assert verdict.killed


def test_a_mutant_is_claimed_once(tmp_path: Path) -> None:
    assert forking.claim(tmp_path / "1.claim")
    assert not forking.claim(tmp_path / "1.claim")
