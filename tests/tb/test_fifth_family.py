"""A network that gives an interface and a structure, and no model, copied into place.

All commands take it without an edit of an existing file.
"""

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from fattree_bench.paths import ROOT
from tests.cli import succeeds
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
        if "ring" in words and tool in sys.argv[1:]:
            done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
            print(tool, done.returncode, (done.stdout + done.stderr).strip())
"""
RING = ("NETWORK=ring", "SIM=icarus")
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
    paths = os.pathsep.join(str(house / name) for name in ("tb", "models", "prover"))
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
    listed, helped = run("list"), run("help", "NETWORK=ring")
    assert "ring: ring of relays" in listed.stdout
    assert "opposite" in listed.stdout
    assert "variables of ring" in helped.stdout
    assert run("sim", "NETWORK=ring", "N=3").returncode == 2


def test_it_is_simulated(run: Run, icarus: None) -> None:
    done = run("sim", "NETWORK=ring", "TEST=*", "SIM=icarus", "VERBOSE=1")
    assert re.search(r"PASS  (\d+) of \1 tests passed", done.stdout), done.stdout + done.stderr
    assert re.search(r"(\d+) of \1  source x destination", done.stdout), done.stdout


def planted(house: Path, name: str, *edits: tuple[str, str]) -> str:
    """A folder with the RTL, in which the ring has a fault."""
    shutil.copytree(house / "rtl", house / name)
    network = house / name / "ring" / "ring_network.v"
    text = network.read_text()
    for old, new in edits:
        assert old in text
        text = text.replace(old, new)
    network.write_text(text)
    return f"RTL={name}"


def test_its_checks_find_a_fault(run: Run, house: Path, icarus: None) -> None:
    """The highest data bit changes on the way round, in a copy of the RTL."""
    flips = "leaf_q[0] : pass_q[0];", "leaf_q[0] : pass_q[0] ^ {3'b001, {W-1{1'b0}}};"
    done = run("sim", *RING, planted(house, "faulty", flips))
    assert done.returncode == 1
    assert "corrupted" in done.stdout


def lint(run: Run, *tools: str) -> list[str]:
    return run("-c", LINT, *tools).stdout.splitlines()


@pytest.mark.nightly
def test_it_is_linted(run: Run, icarus: None) -> None:
    found = lint(run, "Icarus", "Verilator", "Yosys")
    assert sorted(found) == ["Icarus 0 ", "Verilator 0 ", "Yosys 0 "]


@pytest.mark.nightly
def test_it_is_covered_in_a_regression(run: Run, house: Path) -> None:
    succeeds(run("coverage", "NETWORK=ring", "TIER=smoke"))
    report = json.loads((house / "build" / "report" / "coverage.json").read_text())
    assert {test["scenario"] for test in report["tests"]} == {"uniform", "opposite"}
    assert "rtl/ring/ring_network.v" in {file["path"] for file in report["code"]}
    assert {group["name"] for group in report["groups"]} == {"source x destination"}


@pytest.mark.nightly
def test_it_is_mutated(run: Run) -> None:
    """Words on idle links are not for its checks: three faults there survive, and are named."""
    done = run("mutate", "NETWORK=ring", "COUNT=20", "SECONDS=5")
    assert done.returncode == 1 and not done.stderr, done.stdout + done.stderr
    assert "kill 15 of 18 faults in netlists of 1 networks" in done.stdout, done.stdout
    assert len(re.findall(r"FAIL ring mutant \d+: .*: different, \w*flit_o", done.stdout)) == 3


@pytest.mark.nightly
def test_it_is_measured(run: Run) -> None:
    text = succeeds(run("bench", "NETWORK=ring", "SECONDS=0.1"))
    assert "ring: millions of flit-hops a CPU second, all verified" in text


def test_a_structure_gives_level_2_and_a_page(run: Run, icarus: None) -> None:
    done = run("sim", *RING, "TEST=opposite")
    assert "PASS  1 of 1 tests passed" in done.stdout, done.stdout + done.stderr
    assert "L2 path" in done.stdout
    done = run("show", *RING, "TEST=opposite", "OPEN=0")
    page = Path(re.findall(r"^page: (.*)$", done.stdout, re.M)[0])
    assert '"ring 3"' in page.read_text() and "first disagreement" not in done.stdout


def test_a_wrong_way_is_found_by_the_structure(run: Run, house: Path, icarus: None) -> None:
    """A relay gives packets to the next leaf, whose they are, in the place of its own."""
    edits = ("MINE   = g;", "MINE   = g + 1;"), ("TO     = g;", "TO     = (g + 1) % N;")
    done = run("sim", *RING, "TEST=opposite", planted(house, "astray", *edits))
    assert done.returncode == 1
    assert "route" in done.stdout
    assert "no link leads to leaf" in done.stdout


def test_a_deadlock_is_found_by_the_structure(run: Run, house: Path, icarus: None) -> None:
    """Leaves fill the ring up to its last place."""
    full = planted(house, "full", ("(next == 2'd0)", "(next < 2'd2)"))
    done = run("sim", *RING, "TEST=opposite", full)
    assert done.returncode == 1
    assert "deadlock" in done.stdout
    assert re.search(r"holds ring \d and waits for ring \d", done.stdout)
