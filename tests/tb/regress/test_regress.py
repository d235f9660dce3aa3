"""`make regress` as a user meets it: a small testplan, sound and faulty designs, interruptions."""

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from junitparser import JUnitXml

from tests.cli import FRAMES, Cli, succeeds
from tests.conftest import HIDDEN, ROOT

pytestmark = pytest.mark.usefixtures("icarus")

PLAN = """
[configurations]
tree-2 = { network = "lbbvn", variables = "N=2", smoke = { sims = ["icarus"], seeds = 2 } }

[configurations.tree-4]
network = "lbbvn"
variables = "N=4"
smoke = { sims = ["icarus"] }
nightly = { sims = ["icarus"] }
"""
PLAN += f"""{FRAMES}tests = ["frame"]
seeded = false
coverage = ["frame x slot"]

[testpoint."any traffic"]
network = "lbbvn"
source = "requirement"
goal = "Whatever finds a lane arrives."
stimulus = "Random messages."
check = "Scoreboard."
tests = ["messages", "permutations"]
coverage = ["source x destination"]
"""


@pytest.fixture
def plan(tmp_path: Path) -> Path:
    path = tmp_path / "plan.toml"
    path.write_text(PLAN)
    return path


@pytest.fixture
def regress(tb_cli: Cli, plan: Path, tmp_path: Path) -> Cli:
    """`make regress` with the small plan, below tmp_path."""

    def run(*words: str, **more: str) -> subprocess.CompletedProcess[str]:
        own = (f"TESTPLAN={plan}", f"BUILD={tmp_path / 'build'}")
        return tb_cli("regress", *own, *words, env=more)

    return run


def journal(folder: Path) -> list[dict]:
    lines = (folder / "build" / "regress" / "results.jsonl").read_text().splitlines()
    return [json.loads(line) for line in lines]


def test_a_tier_passes_and_is_reported(regress: Cli, tmp_path: Path) -> None:
    text = succeeds(regress("UCIS=1"))
    assert "# PASS: smoke regression" in text
    header, *results = journal(tmp_path)
    assert header["values"]["TIER"] == "smoke"
    assert sorted(line["key"] for line in results) == [
        "tree-2 icarus seed 1",
        "tree-2 icarus seed 2",
        "tree-4 icarus seed 1",
    ]
    names = [[t["scenario"] for t in line["result"]["tests"]] for line in results]
    assert sorted(map(len, names)) == [2, 3, 3]  # the frame draws nothing: one seed is enough
    # Two designs, three runs: each design was built once.
    assert len(list((tmp_path / "build" / "sim").glob("*/built"))) == 2
    report = tmp_path / "build" / "regress" / "report"
    suites = JUnitXml.fromfile(str(report / "junit.xml"))
    assert (suites.tests, suites.failures, suites.errors) == (8, 0, 0)
    for name in ("index.html", "coverage.json", "coverage.xml", "summary.md"):
        assert (report / name).stat().st_size > 500


def test_a_dry_run_runs_nothing(regress: Cli, tmp_path: Path) -> None:
    text = succeeds(regress("--dry-run", "SEED=7", "RESEED=2", "SIM=both"))
    keys = re.findall(r"tree-\d \w+ seed \d+", text)
    expected = [f"tree-2 {sim} seed {s}" for sim in ("verilator", "icarus") for s in range(7, 11)]
    expected += [f"tree-4 {sim} seed {s}" for sim in ("verilator", "icarus") for s in (7, 8)]
    assert keys == expected
    assert "nothing was run" in text
    assert not (tmp_path / "build" / "regress").exists()


def test_only_what_failed_runs_again(regress: Cli, rtl_copy: Path, tmp_path: Path) -> None:
    """FAILED=1 takes the variables of the last run, and of its tests those that did not pass."""
    node = rtl_copy / "lbbvn" / "lbbvn_node.v"
    sound = node.read_text()
    node.write_text(sound.replace("H + SIDE] == c", "H + SIDE] != c"))
    first = regress(f"RTL={rtl_copy}", "SEED=5")
    assert first.returncode == 1, first.stdout + first.stderr
    *_, hint, verdict, report = first.stdout.splitlines()
    assert hint == "make regress FAILED=1 runs only what failed"
    assert re.fullmatch(r"FAIL  5 of 8 tests passed, 3 failed, seed 5, .*s", verdict), verdict
    assert report == f"report: {tmp_path / 'build' / 'regress' / 'report' / 'index.html'}"
    output = regress("FAILED=1", "DRYRUN=1").stdout
    assert "3 tests in 1 run, 1 design; nothing was run" in output
    assert "tree-4 icarus seed 5" in output and "tree-2" not in output
    node.write_text(sound)
    text = succeeds(regress("FAILED=1"))
    assert text.splitlines()[-2].startswith("PASS  3 of 3 tests passed, seed 5, ")
    idle = regress("FAILED=1")
    assert idle.returncode == 0
    assert idle.stdout.strip() == "FAILED=1: nothing failed in the last run"


def test_tests_and_tiers_are_chosen(regress: Cli) -> None:
    assert "2 tests in 2 runs" in regress("DRYRUN=1", "TEST=fr*").stdout
    assert "3 tests in 1 run," in regress("DRYRUN=1", "TIER=nightly").stdout


def test_failures_are_found_bucketed_repeated_and_replayed(
    regress: Cli, tb_cli: Cli, rtl_copy: Path, tmp_path: Path
) -> None:
    """Both children of every node are swapped: each test fails, all with one kind of message."""
    from tests.tb.faults.faulty import SWAPPED_CHILDREN

    SWAPPED_CHILDREN.apply(rtl_copy)
    done = regress(f"RTL={rtl_copy}")
    assert done.returncode == 1, done.stdout + done.stderr
    assert "# FAIL: smoke regression" in done.stdout
    assert "Traceback" not in done.stdout + done.stderr
    data = json.loads((tmp_path / "build/regress/report/coverage.json").read_text())
    failed = [t for t in data["tests"] if not t["passed"]]
    assert failed
    assert sum(b["count"] for b in data["buckets"]) == len(failed) > len(data["buckets"])
    waved = [t for t in failed if t["waves"]]
    assert len(waved) == min(5, len(failed))
    assert all((ROOT / t["waves"]).stat().st_size > 1000 for t in waved)
    again = tb_cli(*failed[0]["replay"].split()[1:])
    assert again.returncode == 1
    assert failed[0]["message"].partition(" (")[0] in again.stdout
    suites = JUnitXml.fromfile(str(tmp_path / "build/regress/report/junit.xml"))
    assert suites.failures + suites.errors == len(failed)


def test_a_build_that_fails_fails_its_tests(regress: Cli, rtl_copy: Path, tmp_path: Path) -> None:
    (rtl_copy / "lbbvn" / "lbbvn_port.v").write_text("module lbbvn_port (input wire a;\n")
    done = regress(f"RTL={rtl_copy}")
    assert done.returncode == 1
    assert "the build failed" in done.stdout
    data = json.loads((tmp_path / "build/regress/report/coverage.json").read_text())
    assert [t["passed"] for t in data["tests"]] == 8 * [False]


@pytest.mark.nightly
def test_fail_fast_starts_nothing_more(regress: Cli, rtl_copy: Path) -> None:
    from tests.tb.faults.faulty import SWAPPED_CHILDREN

    SWAPPED_CHILDREN.apply(rtl_copy)
    done = regress(f"RTL={rtl_copy}", "--fail-fast", "JOBS=1")
    assert done.returncode == 1
    assert "tests not run: make regress RESUME=1 continues" in done.stdout


# ---- runs that leave nothing ---------------------------------------------------------------------


def stand_in(folder: Path, script: str) -> dict[str, str]:
    """A PATH on which Icarus's vvp is a script of ours, once it was seen to start (`-n -s`)."""
    folder.mkdir()
    vvp = folder / "vvp"
    vvp.write_text(f'#!/bin/sh\n[ "$2" = -s ] && exit 0\n{script}\n')
    vvp.chmod(0o755)
    return {"PATH": f"{folder}:{os.environ['PATH']}"}


@pytest.mark.parametrize(
    ("script", "message"),
    [
        ("kill -9 $PPID", "the run vanished: "),
        pytest.param("exit 0", "cocotb left no results file", marks=pytest.mark.nightly),
    ],
)
def test_a_run_that_leaves_nothing_is_a_failure(
    script: str, message: str, regress: Cli, tmp_path: Path
) -> None:
    done = regress("TEST=frame", "NETWORK=lbbvn", **stand_in(tmp_path / "bin", script))
    assert done.returncode == 1, done.stdout + done.stderr
    assert message in done.stdout
    assert "# FAIL" in done.stdout


# ---- interruptions -------------------------------------------------------------------------------


def start(plan: Path, build: Path, *words: str) -> subprocess.Popen[str]:
    clean = {k: v for k, v in os.environ.items() if k not in HIDDEN}
    return subprocess.Popen(
        [
            sys.executable,
            "-m",
            "fattree_bench",
            "regress",
            f"TESTPLAN={plan}",
            f"BUILD={build}",
            *words,
        ],
        cwd=ROOT,
        env=clean,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
        # In the background of a script it would be ignored.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # noqa: PLW1509
    )


def wait_for_results(path: Path, lines: int) -> None:
    """Until the journal has so many lines."""
    for _ in range(1200):
        if path.exists() and path.read_bytes().count(b"\n") >= lines:
            return
        time.sleep(0.05)
    raise AssertionError(f"{path} did not get {lines} lines")


@pytest.mark.parametrize(
    "how",
    [
        pytest.param(signal.SIGKILL, id="kill -9"),
        pytest.param(signal.SIGINT, id="Ctrl-C", marks=pytest.mark.nightly),
    ],
)
def test_an_interrupted_regression_continues(
    how: signal.Signals, regress: Cli, plan: Path, tmp_path: Path
) -> None:
    """What was done is kept and not done again; a torn last line is dropped."""
    path = tmp_path / "build" / "regress" / "results.jsonl"
    process = start(plan, tmp_path / "build", "JOBS=1", "RESEED=2")
    wait_for_results(path, 2)
    process.send_signal(how)
    output, _ = process.communicate(timeout=60)
    if how == signal.SIGINT:
        assert process.returncode == 130
        assert "# FAIL" in output and "interrupted" in output
        assert "RESUME=1 continues" in output
    first = path.read_text().splitlines()
    with path.open("a") as file:
        file.write('{"key": "tree-2 ica')
    text = succeeds(regress("RESUME=1"))
    assert "continuing: " in text
    lines = path.read_text().splitlines()
    assert lines[: len(first)] == first
    keys = [json.loads(line)["key"] for line in lines[1:]]
    assert len(keys) == len(set(keys)) == 6
    suites = JUnitXml.fromfile(str(path.parent / "report" / "junit.xml"))
    assert suites.tests == 14


@pytest.mark.nightly
def test_results_whose_files_are_gone_are_made_again(regress: Cli, tmp_path: Path) -> None:
    assert regress("TEST=frame").returncode == 0
    _header, *old = journal(tmp_path)
    gone = ROOT / old[0]["result"]["hits"][0]
    gone.unlink()
    succeeds(regress("RESUME=1"))
    keys = [line["key"] for line in journal(tmp_path)[1:]]
    assert keys.count(old[0]["key"]) == 2
    assert len(keys) == len(old) + 1


# ---- coverage and farm ---------------------------------------------------------------------------

GOALS = """
[goals.smoke]
functional = 100
line = 100
"""


def test_coverage_is_merged_and_held_against_its_goals(tb_cli: Cli, tmp_path: Path) -> None:
    """One frame in a tree of two leaves does not reach every line: the goal fails the run."""
    plan = tmp_path / "plan.toml"
    one = PLAN.replace('sims = ["icarus"], seeds = 2', 'sims = ["verilator"]')
    plan.write_text(GOALS + one[: one.index('[testpoint."any')])
    own = (f"TESTPLAN={plan}", f"BUILD={tmp_path / 'build'}", "TIER=smoke")
    done = tb_cli("coverage", *own)
    assert done.returncode == 1, done.stdout + done.stderr
    assert "line coverage: " in done.stdout and "the goal is 100 %" in done.stdout
    report = tmp_path / "build" / "report"
    assert (report / "coverage.lcov").read_text().count("\nSF:") >= 3
    data = json.loads((report / "coverage.json").read_text())
    assert {f["path"] for f in data["code"]} >= {"rtl/lbbvn/lbbvn_node.v"}
    earlier = tmp_path / "earlier.json"
    shutil.copy(report / "coverage.json", earlier)
    merged = tb_cli("coverage", *own, f"MERGE={earlier}")
    assert "not merged" not in merged.stdout
    more = json.loads((report / "coverage.json").read_text())
    for before, after in zip(data["groups"], more["groups"], strict=True):
        assert after["hits"] == [2 * hits for hits in before["hits"]]


@pytest.mark.nightly
def test_a_farm_of_local_processes_finds_the_same(regress: Cli, tmp_path: Path) -> None:
    def found() -> list[tuple]:
        data = json.loads((tmp_path / "build/regress/report/coverage.json").read_text())
        return [
            (t["configuration"], t["seed"], t["scenario"], t["passed"], t["result"]["delivered"])
            for t in data["tests"]
        ]

    assert regress("JOBS=1").returncode == 0
    here = found()
    succeeds(regress("FARM=local-cluster", "JOBS=2"))
    assert found() == here and len(here) == 8
