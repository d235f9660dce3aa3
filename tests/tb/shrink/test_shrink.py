"""Runs that fail, shrunk: faulty designs of ours, and of the shape that users bring."""

import os
import re
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from fattree_bench.families import select
from fattree_bench.paths import ROOT
from fattree_bench.shrink.command import Shrunk, lines, replayed, shrunk
from fattree_bench.sim import variables as v
from fattree_bench.sim.build import build
from fattree_bench.sim.outcome import Outcome
from fattree_bench.sim.simulate import simulate
from fattree_bench.terminal import Terminal
from tests.cli import Cli, check_refused
from tests.night import some
from tests.tb.faults.faulty import RTL, named
from tests.tb.shrink import table

pytestmark = pytest.mark.usefixtures("icarus")

HERE = Path(__file__).parent / "designs"
PLANTED = (
    "a packet from above goes to the other child",
    "a message that was not acknowledged is forgotten",
    "packets go down to the next child",
    "phase 2 is phase 1 again where the inverse is due",
    "RUFT: long links are one register short",
    "SPIN: an input shows a word for a clock after it left",
)


def planted(name: str, folder: Path) -> dict[str, str]:
    """The variables of the run that finds a planted fault."""
    design = named(name)
    shutil.copytree(RTL, folder / "rtl")
    design.apply(folder / "rtl")
    given = dict(word.split("=", 1) for word in design.variables.split())
    return {**given, "SIM": "icarus", "RTL": str(folder / "rtl"), "BUILD": str(folder / "build")}


def design(folder: Path, fault: int) -> Path:
    """A description of a faulty `merge`."""
    shutil.copy(HERE / "merge.v", folder)
    text = (HERE / "merge.toml").read_text().replace("FAULT = 0", f"FAULT = {fault}")
    (folder / "merge.toml").write_text(text)
    return folder / "merge.toml"


def described(folder: Path, fault: int, test: str) -> dict[str, str]:
    """Variables of a run of it."""
    given = {"DESIGN": str(design(folder, fault)), "SIM": "icarus", "TEST": test}
    return given | v.implied(given)


def played(given: dict[str, str]) -> Outcome:
    """A run, as `make sim` does it."""
    settings = v.check(given)
    (scenario,) = select(settings.network, settings.test)
    return simulate(settings, build(settings, scenario.agent), [scenario])


def kinds(outcome: Outcome) -> set[str]:
    """Names of its faults; rules of the design."""
    found = {kind for result in (*outcome.results, *outcome.stopped) for kind in result.faults}
    return found | ({"rule of the design"} if outcome.complaints else set())


def check_minimal(found: Shrunk, build_folder: str) -> None:
    """The replay line fails so; with any message, or any flit, less in its file it passes."""
    given = replayed(found.replay) | {"BUILD": build_folder}
    given |= v.implied(given)
    assert found.search.way.kind in kinds(played(given))
    path = ROOT / given["MESSAGES"]
    head, *rows = path.read_text().splitlines()
    fewer = [rows[:i] + rows[i + 1 :] for i in range(len(rows)) if rows[1:]]
    if (at := head.split(",").index("flits") if "flits" in head else 0) > 0:
        for i, row in enumerate(rows):
            words = row.split(",")
            words[at] = str(int(words[at]) - 1)
            if words[at] != "0":
                fewer.append([*rows[:i], ",".join(words), *rows[i + 1 :]])
    for some_rows in fewer:
        path.write_text("\n".join([head, *some_rows]) + "\n")
        outcome = played(given)
        assert outcome.passed or found.search.otherwise, outcome.problems
        if not outcome.passed:
            found.search.known.popitem()


@pytest.mark.parametrize("name", some(PLANTED, 2))
def test_planted_faults_shrink_to_what_cannot_be_less(name: str, tmp_path: Path) -> None:
    given = planted(name, tmp_path)
    found = shrunk(Terminal(), given, 60)
    said = "\n".join(lines(found))
    assert len(found.search.best.messages) <= 5, said
    assert found.search.extent is None or found.search.extent <= 100
    assert "\nminimal: with any message or flit less" in said
    assert re.search(r"^sent: .*\d→\d", said, re.MULTILINE), said
    assert "\ndue: " in said
    assert "\ncame: " in said
    check_minimal(found, given["BUILD"])


@pytest.mark.parametrize(
    ("fault", "test", "kind", "most"),
    [(1, "uniform", "stuck", 5), pytest.param(2, "pauses", "lost", 3, marks=pytest.mark.nightly)],
)
def test_a_design_of_a_user(fault: int, test: str, kind: str, most: int, tmp_path: Path) -> None:
    found = shrunk(Terminal(), described(tmp_path, fault, test), 60)
    assert found.search.way.kind == kind
    assert len(found.search.best.messages) == most
    check_minimal(found, str(tmp_path / "build"))


@pytest.mark.nightly
def test_a_rule_of_the_link_that_needs_a_pause(tmp_path: Path) -> None:
    found = shrunk(Terminal(), described(tmp_path, 2, "stalls"), 120)
    said = "\n".join(lines(found))
    assert "a field changed before ready" in found.search.way.rule
    assert len(found.search.best.pauses) == 1
    assert "takes nothing for" in said
    assert "shrunk.py::shrunk" in found.replay
    check_minimal(found, str(tmp_path / "build"))


def test_what_passes_cannot_be_shrunk(tb_cli: Cli, tmp_path: Path) -> None:
    path = design(tmp_path, 0)
    refused = tb_cli("shrink", str(path), "SIM=icarus", "TEST=each_pair")
    check_refused(refused, "TEST=each_pair: passes with SEED=1; there is nothing to shrink")


def test_the_budget_ends_it(tb_cli: Cli, tmp_path: Path) -> None:
    path = design(tmp_path, 1)
    done = tb_cli("shrink", str(path), "SIM=icarus", "TEST=uniform", "BUDGET=3")
    assert done.returncode == 1, done.stderr
    assert "the budget of 3 CPU s is spent" in done.stdout
    assert re.search("^not (minimal|shrunk): ", done.stdout, re.MULTILINE)
    spent = re.search(r"([\d.]+) CPU s\n", done.stdout)
    assert spent
    assert float(spent[1]) < 8


def test_ctrl_c_keeps_the_best(tmp_path: Path) -> None:
    path = design(tmp_path, 2)
    command = [sys.executable, "-m", "fattree_bench", "shrink", str(path)]
    with subprocess.Popen(
        [*command, "SIM=icarus", "TEST=stalls", "BUDGET=1000"],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "COLUMNS": "1000"},
    ) as child:
        end = time.monotonic() + 200
        short = 1000
        while short > 60 and time.monotonic() < end:
            files = list(tmp_path.glob("build/shrink/*/packets.csv"))
            short = len(files[0].read_text().splitlines()) or 1000 if files else 1000
            time.sleep(0.05)
        child.send_signal(signal.SIGINT)
        said, wrong = child.communicate(timeout=120)
    assert child.returncode == 130, said + wrong
    assert "interrupted" in wrong
    assert "\nfails as before: protocol" in said
    replay = re.search("^replay: (.*)$", said, re.MULTILINE)
    assert replay
    given = replayed(replay[1])
    assert "protocol" in kinds(played(given | v.implied(given)))


def test_the_first_failure_of_a_regression(tb_cli: Cli, tmp_path: Path) -> None:
    path = design(tmp_path, 1)
    words = ("SIM=icarus", "TEST=uniform", "TIER=smoke", "JOBS=1", "SHRINK=30")
    done = tb_cli("regress", str(path), *words)
    assert done.returncode == 1, done.stderr
    assert "\n5 messages, 5 flits, until" in done.stdout
    assert "minimal: with any message or flit less it passes" in done.stdout
    assert "minimal: with any" in (tmp_path / "build/regress/report/junit.xml").read_text()


@pytest.mark.nightly
def test_a_row_of_the_table() -> None:
    """It stands in the document as it is made here, but for tries and time."""
    designs = table.families()["lbbvn"]
    rows = [table.row("lbbvn", one) for one in table.chosen(designs)]
    made = table.line("lbbvn", rows).split(" | ")
    text = (ROOT / "docs" / "shrink.md").read_text()
    written = next(line for line in text.splitlines() if line.startswith("| lbbvn |")).split(" | ")
    assert made[:5] == written[:5]
    assert made[7:] == written[7:]
