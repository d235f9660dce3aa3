"""A line for each regression: none is lost, damaged ones are reported; a figure of all."""

import csv
import multiprocessing
from collections.abc import Callable
from pathlib import Path
from subprocess import CompletedProcess

import pytest

from fattree_bench.report.history import COLUMNS, FIGURES, Row, append, draw, read, row
from tests.tb.report.samples import rich


def made(day: int, good: int = 1, **figures: float) -> Row:
    when = f"2026-11-{day:02d}T03:00:00+00:00"
    words = {"when": when, "command": "make regress", "commit": "abc", "tier": "smoke"}
    return {**words, "good": good, "tests": 10, **figures}


def many(path: Path) -> None:
    for day in range(1, 26):
        append(made(day, passed=100.0), path)


def test_writers_do_not_lose_lines_of_each_other(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "history.csv"
    workers = [multiprocessing.get_context("fork").Process(target=many, args=(path,))] * 1
    workers += [multiprocessing.get_context("fork").Process(target=many, args=(path,))]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    rows, damaged = read(path)
    assert (len(rows), damaged) == (50, [])


@pytest.mark.parametrize(
    "line", [b'2026,"make', b"x", b"\xff\xfe", b"2026,,,,True,1", b"2026,,,,1,nan"]
)
def test_a_damaged_line_is_reported_and_skipped(line: bytes, tmp_path: Path) -> None:
    """The one behind half a line stands on a line of its own."""
    path = tmp_path / "history.csv"
    append(made(2), path)
    with path.open("ab") as file:
        file.write(line)
    append(made(1, good=0), path)
    rows, damaged = read(path)
    assert rows == [made(1, good=0), made(2)]  # by time
    assert damaged == [f"{path}:3: not a line of a history; skipped"]


def test_older_lines_lack_the_last_columns(tmp_path: Path) -> None:
    path = tmp_path / "history.csv"
    path.write_text("when,command,commit,tier,good,tests\n2026,c,abc,smoke,1,10\n")
    assert read(path) == ([{**made(1), "when": "2026", "command": "c"}], [])


def test_figures_of_a_report(tmp_path: Path) -> None:
    report = rich()
    report.evidence[0].figures = {"mutation": 93.5, "else": 1.0}
    found = row(report, 12.5)
    passed = sum(test.passed for test in report.tests)
    hit, bins = report.functional_total()
    assert found["passed"] == pytest.approx(100 * passed / len(report.tests))
    assert found["good"] == report.passed
    assert found["functional"] == pytest.approx(100 * hit / bins)
    assert found["mutation"] == 93.5 and found["build"] == 12.5
    assert found.keys() <= set(COLUMNS)
    assert "build" not in row(report, 0.0)  # nothing was compiled: not a time to compare
    append(found, tmp_path / "h.csv")
    (again,) = csv.DictReader((tmp_path / "h.csv").open())  # as any other reader does
    assert float(again["functional"]) == found["functional"] and again["tier"] == report.tier


def test_a_figure_shows_values(tmp_path: Path) -> None:
    rows = [made(1, passed=97.0), made(2, good=0), made(3, passed=100.0, speed=12e3)]
    draw(rows, tmp_path / "h.svg", tmp_path / "cache")
    svg = (tmp_path / "h.svg").read_text()
    assert f"smoke: {FIGURES['passed']} 97 at regression 1" in svg
    assert "packets per second" in svg and FIGURES["took"] not in svg


def test_make_history(tmp_path: Path, tb_cli: Callable[..., CompletedProcess[str]]) -> None:
    path, build = tmp_path / "h.csv", tmp_path / "build"
    missing = tb_cli("history", f"HISTORY={path}", f"BUILD={build}")
    assert missing.returncode == 2
    assert missing.stderr.strip() == f"error: {path}: no such file; make regress writes one"
    append(made(1, passed=100.0, took=60.0), path)
    path.write_bytes(path.read_bytes() + b"{half")
    done = tb_cli("history", f"HISTORY={path}", f"BUILD={build}")
    assert done.returncode == 0, done.stderr
    assert f"{path}:3: not a line of a history; skipped" in done.stdout
    assert "regressions: 1; the last passed, with 100.0 % of 10 tests passed" in done.stdout
    assert (build / "history" / "history.svg").exists()
    folder = tb_cli("history", f"HISTORY={tmp_path}", f"BUILD={build}")
    assert folder.returncode == 2 and folder.stderr.count("\n") == 1
