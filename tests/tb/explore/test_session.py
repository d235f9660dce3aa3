"""A sweep from the command line to its files, with runs that are made up."""

import csv
import json
import shutil
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from fattree_bench.bench.result import ScenarioResult, Test
from fattree_bench.campaign import read
from fattree_bench.cli import main
from fattree_bench.explore import command as explore
from fattree_bench.families.design import Cost
from fattree_bench.jobs.pool import Task
from fattree_bench.paths import ROOT
from tests.tb.explore.samples import run as figures_of_a_run
from tests.tb.jobs.quick import QuickPool, installed


def lines(seed: int) -> list[dict]:
    """What a bench leaves of a run: seeds differ by a clock."""
    return [
        {"load": load, **m.figures(), "stable": m.stable, "saturation": m.saturation}
        for load, m in figures_of_a_run(float(seed)).items()
    ]


class QuickSweep(QuickPool):
    """`ends` says how a run ends, by its seed; a build is -1, a block -2."""

    def result(self, task: Task) -> dict[str, Any]:
        if task.payload["kind"] == "build":
            return self.ends.get(-1, {"seconds": 1.0})
        if task.payload["kind"] == "block":
            return self.ends.get(-2, {"cost": asdict(Cost({}, 100.0, 7, 1, 64, 5))})
        seed = int(task.payload["values"]["SEED"])
        return self.ends.get(seed) or self.passed(task, seed)

    def interrupt(self, task: Task) -> None:
        """Two loads are measured, the third is being written."""
        whole = [json.dumps(line) + "\n" for line in lines(int(task.payload["values"]["SEED"]))]
        with Path(task.payload["points"]).open("a") as file:
            file.write("".join(whole[:2]) + whole[2][:40])
        super().interrupt(task)

    @staticmethod
    def passed(task: Task, seed: int, faults: dict[str, int] | None = None) -> dict[str, Any]:
        result = ScenarioResult("sweep", faults=faults or {}, sent=4, measurements=lines(seed))
        about = task.payload["configuration"], task.payload["variables"], "verilator", seed
        test = Test("xgft", *about, "sweep", not faults, result, "lost (1)", replay="make sim X=1")
        return {"tests": [asdict(test)], "hits": [], "code": []}


def keys(pool: type[QuickPool]) -> list[str]:
    return [task.key for task in pool.ran]


@pytest.fixture
def pool(monkeypatch: pytest.MonkeyPatch) -> type[QuickPool]:
    monkeypatch.setenv("COLUMNS", "200")
    return installed(QuickSweep, monkeypatch)


@pytest.fixture
def words(tmp_path: Path) -> list[str]:
    rtl = shutil.copytree(ROOT / "rtl", tmp_path / "rtl")
    return ["explore", "M=2,2", "W=1,2", f"RTL={rtl}", f"BUILD={tmp_path / 'build'}"]


def sweep(words: list[str]) -> explore.Explore:
    return explore.Explore(Console(quiet=True), read(explore.Explore, words[1:]))


def folder(tmp_path: Path) -> Path:
    (found,) = (tmp_path / "build" / "explore").iterdir()
    return found


def rows(tmp_path: Path) -> list[dict[str, str]]:
    with (folder(tmp_path) / "sweep.csv").open() as file:
        return list(csv.DictReader(file))


def test_all_is_well(
    pool: type[QuickPool], words: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(words) == 0
    output = capsys.readouterr().out
    assert max(len(x) for x in output.splitlines() if "/" not in x) <= 80
    assert {path.name for path in folder(tmp_path).iterdir()} >= {
        *("sweep.csv", "latency.svg", "accepted.svg", "index.html", "runs.jsonl")
    }
    for name in ("sweep.csv", "latency.svg", "accepted.svg", "index.html"):
        assert f"{folder(tmp_path) / name}\n" in output
    assert (
        "uniform: 1 + hops x (STAGES + 1) + flits - 1 = 1 + 2.333 x (3 + 1) + 8.5 - 1"
        in " ".join(output.split())
    )
    assert "0.2 … 0.3" in output
    assert [row["seeds"] for row in rows(tmp_path)] == ["3"] * 4
    assert [float(row["latency_mean"]) for row in rows(tmp_path)] == [14, 17, 302, 402]
    page = (folder(tmp_path) / "index.html").read_text()
    for piece in ("XGFT(2; 2,2; 1,2)", 'src="latency.svg"', 'src="accepted.svg"', "0.2 … 0.3"):
        assert piece in page


def test_a_run_that_fails_does_not_count(
    pool: type[QuickPool], words: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (task,) = [t for t in sweep(words).runs if t.key.endswith("2")]
    pool.ends = {2: QuickSweep.passed(task, 2, {"lost": 1})}
    assert main(words) == 1
    output = capsys.readouterr().out
    assert "FAIL uniform seed 2: sweep: lost (1)" in output
    assert "replay: make sim X=1" in output
    assert "1 runs failed: they do not count" in output
    assert [row["seeds"] for row in rows(tmp_path)] == ["2"] * 4
    assert float(rows(tmp_path)[0]["latency_mean"]) == 14  # of seeds 1 and 3
    assert "1 runs failed" in (folder(tmp_path) / "index.html").read_text()


STUDY = """
networks = ["kary K=2 LEVELS=1", "kary K=2 LEVELS=2"]
[variables]
AREA = 1
SEEDS = 2
TRAFFIC = "uniform"
"""


def test_a_file_of_networks_with_their_hardware(
    pool: type[QuickPool], words: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Two and four leaves: one and four switches of 100 gates; four and sixteen links."""
    study = tmp_path / "study.toml"
    study.write_text(STUDY)
    own = ["explore", f"COMPARE={study}", *words[3:]]
    assert main(own) == 0
    small, *_, large = rows(tmp_path)
    names = ("leaves", "gates", "memory", "flip_flops", "wires")
    assert [small[name] for name in names] == ["2", "100", "65", "7", str(4 * 38)]
    assert [large[name] for name in names] == ["4", "400", str(4 * 65), "28", str(16 * 38)]
    assert small["seeds"] == "2"
    assert (folder(tmp_path) / "scaling.svg").exists()
    assert f"COMPARE={study} RTL" in (folder(tmp_path) / "runs.jsonl").read_text()  # no more
    capsys.readouterr()
    pool.ends = {-2: {"failed": "Yosys: no such cell"}}
    assert main([*own, "SEEDS=1"]) == 1
    assert "Yosys: no such cell" in capsys.readouterr().out
    assert rows(tmp_path)[0]["seeds"] == "1"  # what is said here counts
    study.write_text(STUDY.replace("AREA", "AERA"))
    assert main(own) == 2
    told = f"error: COMPARE={study}: AERA: no such variable; did you mean AREA?"
    assert capsys.readouterr().err.startswith(told)


def test_a_run_that_vanishes_is_a_failure(
    pool: type[QuickPool], words: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pool.ends = {1: {"vanished": "killed by SIGSEGV"}}
    assert main(words) == 1
    assert "the run vanished: killed by SIGSEGV" in capsys.readouterr().out
    assert [row["seeds"] for row in rows(tmp_path)] == ["2"] * 4


def test_nothing_at_all(
    pool: type[QuickPool], words: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pool.ends = {seed: {"blocked": "build x failed"} for seed in (1, 2, 3)}
    pool.ends[-1] = {"failed_build": True, "message": "flit.v:3: syntax error"}
    assert main(words) == 1
    output = capsys.readouterr().out
    assert "build x failed: flit.v:3: syntax error" in output
    assert "nothing was measured" in output
    assert not (folder(tmp_path) / "sweep.csv").exists()


def test_what_was_measured_survives_an_interruption(
    pool: type[QuickPool], words: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Also the whole points of the run that was under way."""
    pool.last = 1
    assert main(words) == 130
    output = capsys.readouterr().out
    assert "interrupted" in output
    assert "RESUME=1 continues" in output
    assert [row["seeds"] for row in rows(tmp_path)] == ["2", "2", "1", "1"]
    pool.last = 1000
    assert main([*words, "RESUME=1"]) == 0
    assert keys(pool) == [f"uniform seed {seed}" for seed in (1, 2, 3)]
    assert [row["seeds"] for row in rows(tmp_path)] == ["3"] * 4


def test_more_seeds_later(pool: type[QuickPool], words: list[str], tmp_path: Path) -> None:
    assert main([*words, "SEEDS=2"]) == 0
    assert main([*words, "SEEDS=5", "RESUME=1"]) == 0
    assert keys(pool) == [f"uniform seed {seed}" for seed in (1, 2, 3, 4, 5)]
    assert rows(tmp_path)[0]["seeds"] == "5"


def test_failed_runs_are_run_again(pool: type[QuickPool], words: list[str]) -> None:
    pool.ends = {2: {"vanished": "killed by SIGKILL"}}
    assert main(words) == 1
    pool.ends = {}
    assert main([*words, "RESUME=1"]) == 0
    assert [key[-1] for key in keys(pool)] == ["1", "2", "3", "2"]


def test_a_new_sweep_keeps_nothing_of_the_old(
    pool: type[QuickPool], words: list[str], tmp_path: Path
) -> None:
    """Neither whole runs nor points of one that was interrupted."""
    pool.last = 1
    assert main(words) == 130
    assert [row["seeds"] for row in rows(tmp_path)] == ["2", "2", "1", "1"]
    pool.last = 0
    assert main(words) == 130
    assert [row["seeds"] for row in rows(tmp_path)] == ["1", "1"]
    pool.last = 1000
    assert main([*words, "SEEDS=1", "SEED=9"]) == 0
    assert [float(row["latency_mean"]) for row in rows(tmp_path)] == [21, 24, 309, 409]


def test_interrupted_twice(pool: type[QuickPool], words: list[str], tmp_path: Path) -> None:
    """The second time a run begins its points again, behind no cut-off line."""
    pool.last = 0
    assert main(words) == 130
    assert main([*words, "RESUME=1"]) == 130
    points = folder(tmp_path) / "points" / "0-1.jsonl"
    assert points.read_text().count('"load"') == 3  # two whole lines and a piece
    assert [row["seeds"] for row in rows(tmp_path)] == ["1", "1"]
