"""A fifth family, copied into place: all commands take it without an edit of an existing file."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from fattree_bench.paths import ROOT
from tests.conftest import HIDDEN

FAMILY = Path(__file__).with_name("fifth")  # rtl/, models/ and tb/, as they lie in the project
LINT = """
import subprocess, sys, tempfile, pathlib
from fattree_bench import lint, sim
from fattree_bench.sim.toolchain import prepare_verilator
prepare_verilator()
with tempfile.TemporaryDirectory() as scratch:
    for what, command, folder in lint.commands(pathlib.Path(scratch)):
        tool, *words = what.split()
        if "relay" in words and tool in sys.argv[1:]:
            done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
            print(tool, done.returncode, (done.stdout + done.stderr).strip())
"""
Run = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the project with the family in it."""
    copy = tmp_path_factory.mktemp("project") / "house"
    generated = shutil.ignore_patterns("build", ".*", "__pycache__", "*.egg-info")
    shutil.copytree(ROOT, copy, ignore=generated)
    for path in FAMILY.rglob("*"):
        place = copy / path.relative_to(FAMILY)
        if path.is_file() and "__pycache__" not in path.parts:
            assert not place.exists(), f"{place} is there already"
            place.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(path, place)
    return copy


@pytest.fixture(scope="module")
def run(house: Path) -> Run:
    """Runs Python in the copy, as from a clean shell."""
    clean = {k: v for k, v in os.environ.items() if k not in HIDDEN}
    paths = os.pathsep.join(str(house / name) for name in ("tb", "models"))
    env = {**clean, "PYTHONPATH": paths, "COLUMNS": "200", "NO_COLOR": "1"}

    def run(*arguments: str) -> subprocess.CompletedProcess[str]:
        words = arguments if arguments[0] == "-c" else ("-m", "fattree_bench", *arguments)
        return subprocess.run(
            [sys.executable, *words],
            cwd=house,
            env=env,
            capture_output=True,
            text=True,
            timeout=900,
            check=False,
        )

    return run


def test_it_is_listed_and_its_variables_told(run: Run) -> None:
    listed, helped = run("list"), run("help", "NETWORK=relay")
    assert "relay: crossbar that relays packets" in listed.stdout
    assert "crowds" in listed.stdout
    assert "variables of relay" in helped.stdout
    assert run("sim", "NETWORK=relay", "N=3").returncode == 2


def test_it_is_simulated(run: Run, icarus: None) -> None:
    done = run("sim", "NETWORK=relay", "TEST=*", "SIM=icarus", "VERBOSE=1")
    assert "PASS  2 of 2 tests passed" in done.stdout, done.stdout + done.stderr
    assert "16 of 16  source x destination" in done.stdout


def test_its_checks_find_a_fault(run: Run, house: Path, icarus: None) -> None:
    """The last input is preferred, in a copy of the RTL."""
    shutil.copytree(house / "rtl", house / "faulty")
    switch = house / "faulty" / "relay" / "relay_switch.v"
    text = switch.read_text()
    assert "else          data[" in text
    switch.write_text(text.replace("else          data[", "data["))
    done = run("sim", "NETWORK=relay", "SIM=icarus", "RTL=faulty")
    assert done.returncode == 1
    assert "corrupted" in done.stdout


def lint(run: Run, *tools: str) -> list[str]:
    return run("-c", LINT, *tools).stdout.splitlines()


def test_it_is_linted_on_icarus(run: Run, icarus: None) -> None:
    assert lint(run, "Icarus") == ["Icarus 0 "] * 2


@pytest.mark.nightly
def test_it_is_linted(run: Run) -> None:
    assert sorted(lint(run, "Verilator", "Yosys")) == ["Verilator 0 "] * 2 + ["Yosys 0 "] * 2


@pytest.mark.nightly
def test_it_is_covered_in_a_regression(run: Run, house: Path) -> None:
    done = run("coverage", "NETWORK=relay", "TIER=smoke")
    assert done.returncode == 0, done.stdout + done.stderr
    report = json.loads((house / "build" / "report" / "coverage.json").read_text())
    assert {test["scenario"] for test in report["tests"]} == {"uniform", "crowds"}
    assert "rtl/relay/relay_switch.v" in {file["path"] for file in report["code"]}
    assert {group["name"] for group in report["groups"]} == {
        *("source x destination", "packets lost in a slot")
    }


@pytest.mark.nightly
def test_it_is_mutated(run: Run) -> None:
    done = run("mutate", "NETWORK=relay", "COUNT=20", "SECONDS=5")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "faults in netlists of 1 networks" in done.stdout


@pytest.mark.nightly
def test_it_is_measured(run: Run) -> None:
    done = run("bench", "NETWORK=relay", "SECONDS=0.1")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "relay: millions of packets a CPU second, all verified" in done.stdout
