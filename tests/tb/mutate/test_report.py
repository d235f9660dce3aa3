"""Scores: what counts, what stays of other networks, the exit status."""

from pathlib import Path

import pytest
from rich.console import Console

from fattree_bench.families import find
from fattree_bench.mutate import verdict as v
from fattree_bench.mutate.mutant import Mutant
from fattree_bench.mutate.report import COLUMNS, Score, publish
from fattree_bench.mutate.verdict import Verdict
from fattree_bench.report.evidence import collect
from fattree_prover import equivalence as eq
from fattree_prover.equivalence import Finding


def score(build: Path, network: str, **findings: str) -> Score:
    """Ten mutants: three survive, and of these is found what is given; the others are killed."""
    how = [v.SCOREBOARD] * 4 + [v.ASSERTION, v.CRASH, v.TIMEOUT] + [v.SURVIVED] * 3
    mutants = tuple(
        Mutant(n, "inv", "$or", "Y", 0, -1, f"rtl/a.v:{n}", "mutate") for n in range(1, 11)
    )
    what = list(findings.values()) or [eq.EQUIVALENT] * 3
    return Score(
        network=find(network).from_variables({}),
        build=build,
        folder=build / "mutate" / network,
        command=f"make mutate NETWORK={network}",
        commit="0123",
        mutants=mutants,
        verdicts={m.number: Verdict(m.number, h) for m, h in zip(mutants, how, strict=True)},
        findings={n: Finding(w, "why") for n, w in zip(range(8, 11), what, strict=True)},
        seconds={"build": 2.0},
    )


@pytest.fixture
def console() -> Console:
    return Console(width=200, record=True)


def test_row(tmp_path: Path) -> None:
    made = score(tmp_path, "lbbvn", a=eq.EQUIVALENT, b=eq.DIFFERENT, c=eq.UNDECIDED)
    row = dict(zip(COLUMNS, made.row(), strict=True))
    assert row["mutants"] == "10"
    assert row["killed"] == "7"
    assert (row["by scoreboard"], row["by assertion"]) == ("4", "1")
    assert (row["crash"], row["time-out"]) == ("1", "1")
    assert (row["equivalent"], row["survived"], row["undecided"]) == ("1", "1", "1")
    assert row["score"] == "77.8 %"
    assert [m.number for m in made.survivors] == [9, 10]


def test_all_killed_or_equivalent(tmp_path: Path, console: Console) -> None:
    assert publish(console, score(tmp_path, "lbbvn"))
    (found,) = collect(tmp_path)
    assert found.passed
    assert "100.0 %" in console.export_text()


@pytest.mark.parametrize("what", [eq.DIFFERENT, eq.UNDECIDED])
def test_a_survivor_fails(tmp_path: Path, console: Console, what: str) -> None:
    """It is listed with its line, and the command that runs it alone."""
    made = score(tmp_path, "kary", a=eq.EQUIVALENT, b=what, c=eq.EQUIVALENT)
    assert not publish(console, made)
    (found,) = collect(tmp_path)
    assert not found.passed
    (line,) = found.trouble
    assert "kary mutant 9: rtl/a.v:9:" in line
    assert line.endswith("make mutate NETWORK=kary MUTANT=9")
    details = (made.folder / "mutants.csv").read_text().splitlines()
    assert len(details) == 11
    assert details[9].startswith("9,rtl/a.v:9,")


def test_other_networks_stay(tmp_path: Path, console: Console) -> None:
    """A network's row and survivors are replaced by its next run; those of others are not."""
    survives = {"a": eq.EQUIVALENT, "b": eq.DIFFERENT, "c": eq.EQUIVALENT}
    publish(console, score(tmp_path, "lbbvn", **survives))
    publish(console, score(tmp_path, "kary", **survives))
    publish(console, score(tmp_path, "lbbvn"))
    (found,) = collect(tmp_path)
    assert sorted(row[0] for row in found.rows) == ["kary", "lbbvn"]
    assert [line.split(" mutant")[0] for line in found.trouble] == ["kary"]
    assert found.summary[0].startswith("The smoke tests kill 14 of 15 faults in netlists of 2 net")
