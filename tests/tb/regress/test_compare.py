"""`make compare`: what is worse in the second of two reports is named, whatever it is."""

from collections.abc import Callable
from pathlib import Path
from subprocess import CompletedProcess

import pytest

from fattree_bench.bench.result import Quantity
from fattree_bench.compare import compared
from fattree_bench.report.database import write_json
from fattree_bench.report.regression import Report
from tests.tb.report import samples


def _fail(report: Report) -> None:
    samples.spoil(report.tests[1], "misdelivered 3 packets", [])


def _hole(report: Report) -> None:
    group = report.groups[0]
    group.hits[group.reachable.index(True)] = 0


def _line(report: Report) -> None:
    for point in report.code[0].points:
        point.hits *= point.kind != "line"


WORSE: dict[str, tuple[Callable[[Report], None], str]] = {
    "test": (_fail, "FAIL, passed in A: misdelivered 3 packets"),
    "bin": (_hole, "functional bins: 100"),
    "line": (_line, "lines: "),
    "claim": (lambda r: setattr(r.claims[0], "trouble", "fails; expected: holds"), "A1: fails"),
    "mutants": (
        lambda r: r.evidence[0].figures.update(mutation=90.0),
        "% of faults killed: 95.0 → 90.0",
    ),
    "problem": (lambda r: r.problems.append("a file is damaged"), "a file is damaged"),
    "missing": (lambda r: setattr(r, "missing", 3), "3 tests of the plan did not run"),
}


def two() -> tuple[Report, Report]:
    reports = samples.green(), samples.green()
    for report in reports:
        report.claims = samples.claims()[:1]
        report.claims[0].trouble, report.claims[0].item = "", "A1"
        report.code, report.evidence = samples.code(), [samples.evidence()]
        report.evidence[0].figures = {"mutation": 95.0}
    return reports


def test_the_same_is_not_worse() -> None:
    changes = compared(*two())
    assert [change.worse for change in changes] == [[]] * 5
    assert changes[0].other == []


@pytest.mark.parametrize("name", WORSE)
def test_what_is_worse_is_named(name: str) -> None:
    """Only in that direction: what was mended is not worse."""
    spoil, words = WORSE[name]
    before, after = two()
    spoil(after)
    (worse,) = (line for change in compared(before, after) for line in change.worse)
    assert words in worse
    assert not [line for change in compared(after, before) for line in change.worse]


def test_other_numbers_of_a_test_are_listed() -> None:
    before, after = two()
    test = after.tests[0]
    assert test.result is not None
    test.result.figures = {"leaves": Quantity(32, "leaves")}
    assert compared(before, after)[0].other[0].endswith(f"{test.scenario}: leaves 16 → 32")


def test_make_compare(tmp_path: Path, tb_cli: Callable[..., CompletedProcess[str]]) -> None:
    before, after = two()
    _fail(after)
    for name, report in (("a", before), ("b", after)):
        write_json(report, tmp_path / name / "coverage.json")
    a, b = str(tmp_path / "a"), str(tmp_path / "b" / "coverage.json")
    done = tb_cli("compare", a, b)
    assert done.returncode == 1 and done.stdout.rstrip().endswith("FAIL  worse in B than in A: 1")
    done = tb_cli("compare", f"A={b}", f"B={a}")
    assert done.returncode == 0 and done.stdout.rstrip().endswith("worse in B than in A: nothing")
    for words in ([a], [a, b, a], [a, f"{tmp_path}/none"], [a, "C=1"], [f"{tmp_path}", b]):
        done = tb_cli("compare", *words)
        assert done.returncode == 2 and done.stderr.count("\n") == 1, words
