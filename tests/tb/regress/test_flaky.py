"""`make flaky`: only the same sources, settings and seed make two outcomes of one test."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from subprocess import CompletedProcess

import pytest

from fattree_bench.bench.result import Test
from fattree_bench.flaky import AGAIN, SUFFIX, append, read, tallied
from tests.tb.report.samples import empty

PASSED = Test("lbbvn", "tree", {"N": "8"}, "icarus", 1, "frame", True)
FAILED = replace(PASSED, passed=False, replay="make sim N=8")
ANOTHER = {
    "seed": replace(FAILED, seed=2),
    "setting": replace(FAILED, variables={"N": "16"}),
    "simulator": replace(FAILED, sim="verilator"),
    "test": replace(FAILED, scenario="reset"),
}


def flaky(path: Path, *runs: tuple[Test, str]) -> list[str]:
    for day, (test, sources) in enumerate(runs, 1):
        when = f"2026-11-{day:02d}T03:00:00+00:00"
        append(replace(empty(), tests=[test], when=when, commit="abc"), sources, path)
    tests = tallied(read(path.with_suffix(SUFFIX))[0])
    return [one.last.test for one in tests if one.passed and one.last is not None]


def test_both_outcomes_are_flaky(tmp_path: Path) -> None:
    assert flaky(tmp_path / "h", (PASSED, "s"), (FAILED, "s")) == ["frame"]


def test_a_test_that_passes_again_is_flaky(tmp_path: Path) -> None:
    assert flaky(tmp_path / "h", (replace(FAILED, details=[AGAIN]), "s")) == ["frame"]


@pytest.mark.parametrize("name", ANOTHER)
def test_another_test_is_not(name: str, tmp_path: Path) -> None:
    assert flaky(tmp_path / "h", (PASSED, "s"), (ANOTHER[name], "s")) == []


def test_other_sources_are_not(tmp_path: Path) -> None:
    assert flaky(tmp_path / "h", (PASSED, "s"), (FAILED, "t")) == []


def test_make_flaky(tmp_path: Path, tb_cli: Callable[..., CompletedProcess[str]]) -> None:
    history, path = tmp_path / "h.csv", tmp_path / "h.tests.jsonl"
    done = tb_cli("flaky", f"HISTORY={history}")
    assert done.returncode == 2 and "make regress writes one" in done.stderr
    flaky(history, (PASSED, "s"), (PASSED, "s"))
    with path.open("a") as file:
        file.write("{half")
    done = tb_cli("flaky", f"HISTORY={history}")
    assert done.returncode == 0 and f"{path}:3: not a line of outcomes" in done.stdout
    flaky(history, (FAILED, "s"))
    done = tb_cli("flaky", f"HISTORY={history}")
    assert done.returncode == 1
    assert "passed 2, failed 1" in done.stdout and "replay: make sim N=8" in done.stdout
