"""A regression whose jobs are stand-ins: RESUME=1, mistakes in FARM, damaged files, full disks."""

import json
import shutil
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import pytest

from fattree_bench.bench.result import ScenarioResult, Test
from fattree_bench.cli import main
from fattree_bench.jobs import farm
from fattree_bench.jobs.pool import Task
from fattree_bench.regress import command as regress
from tests.cli import FRAMES
from tests.tb.jobs.quick import QuickPool, installed

PLAN = """
[configurations.tree-2]
network = "lbbvn"
variables = "N=2"
smoke = { sims = ["verilator"], seeds = 3 }
nightly = { sims = ["verilator"] }
"""
PLAN += f'{FRAMES}tests = ["frame", "messages"]\ncoverage = ["frame x slot"]\n'


class QuickTests(QuickPool):
    """Every test has passed."""

    left: ClassVar[Mapping[str, Sequence[str]]] = {}  # files that a run leaves: "hits", "code"

    def result(self, task: Task) -> dict[str, Any]:
        if task.payload["kind"] == "build":
            return {"seconds": 1.0}
        tests = [self.test(task, name) for name in task.payload["scenarios"]]
        return {"tests": tests, "hits": [], "code": [], **self.left}

    def test(self, task: Task, name: str) -> dict[str, Any]:
        values, result = task.payload["values"], ScenarioResult(name, sent=4, delivered=4)
        about = task.payload["configuration"], task.payload["variables"], values["SIM"]
        return asdict(Test("lbbvn", *about, int(values["SEED"]), name, True, result))


@pytest.fixture
def pool(monkeypatch: pytest.MonkeyPatch) -> type[QuickTests]:
    return installed(QuickTests, monkeypatch)


@pytest.fixture
def plan(tmp_path: Path) -> Path:
    path = tmp_path / "plan.toml"
    path.write_text(PLAN)
    return path


@pytest.fixture
def interrupted(pool: type[QuickTests], plan: Path, tmp_path: Path) -> list[str]:
    """A regression with one of its runs done; the words that name its folder."""
    own = [f"BUILD={tmp_path / 'build'}"]
    pool.last = 1
    assert main(["regress", *own, f"TESTPLAN={plan}", f"RTL={rtl_copy(tmp_path)}"]) == 130
    pool.last = 1000
    pool.ran.clear()
    return own


def rtl_copy(folder: Path) -> Path:
    return Path(shutil.copytree(regress.ROOT / "rtl", folder / "rtl"))


def journal(folder: Path) -> Path:
    return folder / "build" / "regress" / "results.jsonl"


def report(folder: Path) -> dict:
    return json.loads((folder / "build/regress/report/coverage.json").read_text())


def test_it_continues_with_the_variables_of_the_interrupted_one(
    interrupted: list[str], pool: type[QuickTests], tmp_path: Path
) -> None:
    """TESTPLAN and RTL need not be said again; JOBS may be another."""
    assert main(["regress", *interrupted, "RESUME=1", "JOBS=3"]) == 0
    assert [task.key for task in pool.ran] == [f"tree-2 verilator seed {n}" for n in (2, 3)]
    assert {task.payload["values"]["RTL"] for task in pool.ran} == {str(tmp_path / "rtl")}
    assert len(report(tmp_path)["tests"]) == 6


@pytest.mark.parametrize(
    ("word", "message"),
    [
        ("TIER=nightly", "it must be smoke"),
        ("NETWORK=lbbvn", "it must be empty"),
        ("TEST=frame", "it must be empty"),
        ("SIM=both", "it must be empty"),
        ("SEED=2", "it must be 1"),
        ("RESEED=2", "it must be 1"),
        ("TESTPLAN=tb/fattree_bench/testplan.toml", "/plan.toml"),
        ("RTL=rtl", "/rtl"),
    ],
)
def test_it_continues_with_no_other_variables(
    word: str,
    message: str,
    interrupted: list[str],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    before = journal(tmp_path).read_bytes()
    assert main(["regress", *interrupted, "RESUME=1", word]) == 2
    errors = capsys.readouterr().err
    assert errors.startswith(f"error: {word}: RESUME=1 continues 'make regress TESTPLAN=")
    assert errors.endswith(f"{message}\n") and errors.count("\n") == 1
    assert journal(tmp_path).read_bytes() == before


def test_what_is_said_again_need_not_differ(interrupted: list[str], plan: Path) -> None:
    assert main(["regress", *interrupted, "RESUME=1", "TIER=smoke", f"TESTPLAN={plan}"]) == 0


@pytest.mark.parametrize(
    ("name", "more"), [("rtl/lbbvn/lbbvn_node.v", "// changed\n"), ("plan.toml", "# changed\n")]
)
def test_the_sources_are_those_of_the_interrupted_one(
    name: str, more: str, interrupted: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A change of its RTL or testplan is seen though RTL= and TESTPLAN= are not said again."""
    with (tmp_path / name).open("a") as file:
        file.write(more)
    assert main(["regress", *interrupted, "RESUME=1"]) == 2
    assert "the sources have changed" in capsys.readouterr().err


# ---- what must not touch the journal -------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("FARM=moon", "FARM=moon: must be "),
        ("FARM=slurm", "FARM=slurm: no-such-sbatch is not on PATH"),
        ("FARM=local-cluster", "FARM=local-cluster: dask_jobqueue is not installed"),
        ("FARM=pbs FARM_MEMORY=much", "FARM_MEMORY=much: "),
        ("FARM=pbs FARM_WALLTIME=00:30", "FARM_WALLTIME=00:30:00: must be longer "),
    ],
)
def test_a_mistake_in_farm_leaves_the_journal_alone(
    words: str,
    message: str,
    interrupted: list[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(farm, "SUBMIT", {"slurm": "no-such-sbatch", "pbs": "true"})
    if "not installed" in message:
        monkeypatch.setitem(sys.modules, "dask_jobqueue", None)
    elif words != "FARM=moon":
        pytest.importorskip("dask_jobqueue")
    before = journal(tmp_path).read_bytes()
    assert main(["regress", *interrupted, *words.split()]) == 2
    assert capsys.readouterr().err.startswith(f"error: {message}")
    assert journal(tmp_path).read_bytes() == before
    assert not journal(tmp_path).with_name("results.jsonl.old").exists()
    assert main(["regress", *interrupted, "RESUME=1"]) == 0


# ---- damaged files, full disks -------------------------------------------------------------------


def damaged(folder: Path) -> tuple[Path, str]:
    path = folder / "hits.npz"
    path.write_bytes(b"PK")
    return path, f"{path}: is not a file of hits: "


def misshapen(folder: Path) -> tuple[Path, str]:
    path = folder / "hits.npz"
    np.savez(path, **{"frame x slot": np.ones((2, 2), np.int64)})
    return path, "tree-2: frame x slot: hits of another shape"


def sound(folder: Path) -> tuple[Path, str]:
    path = folder / "hits.npz"
    np.savez(path, **{"frame x slot": np.ones((8, 2), np.int64)})
    return path, ""


@pytest.mark.parametrize("leave", [damaged, misshapen, sound])
def test_damaged_hits_are_a_problem_of_the_report(
    leave: Callable[[Path], tuple[Path, str]], pool: type[QuickTests], plan: Path, tmp_path: Path
) -> None:
    path, output = leave(tmp_path)
    pool.left = {"hits": [str(path)]}
    assert main(["regress", f"TESTPLAN={plan}", f"BUILD={tmp_path / 'build'}"]) == bool(output)
    problems = report(tmp_path)["problems"]
    assert bool(problems) == bool(output)
    assert all(problem.startswith(output) for problem in problems)


def test_damaged_code_coverage_is_a_problem_of_the_report(
    pool: type[QuickTests], plan: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """As a full disk leaves it: its last line is cut off."""
    path = tmp_path / "coverage.dat"
    path.write_text("# SystemC::Coverage-3\nC '\1f")
    pool.left = {"code": [str(path)]}
    own = [f"TESTPLAN={plan}", f"BUILD={tmp_path / 'build'}"]
    assert main(["coverage", *own, "TIER=smoke"]) == 1
    assert f"{path}:2: cut off, or no point" in capsys.readouterr().out
