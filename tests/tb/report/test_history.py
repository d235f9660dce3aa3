"""A line a regression: nothing is lost, what is damaged is told; trends and a badge."""

import multiprocessing
import re
from collections.abc import Callable
from pathlib import Path
from subprocess import CompletedProcess

import pytest

from fattree_bench.report.history import FIGURES, Entry, append, entry, read
from fattree_bench.report.html import inline_svg
from fattree_bench.report.trends import badge, plot, write_trends
from tests.tb.report.samples import rich


def made(day: int, good: bool = True, **figures: float) -> Entry:
    when = f"2026-11-{day:02d}T03:00:00+00:00"
    return Entry(when, "make regress", "abc", "smoke", good, 9 + good, 10, figures)


def many(path: Path) -> None:
    for day in range(1, 26):
        append(made(day, passed=100.0), path)


def test_writers_do_not_lose_lines_of_each_other(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "history.jsonl"
    workers = [multiprocessing.get_context("fork").Process(target=many, args=(path,))] * 1
    workers += [multiprocessing.get_context("fork").Process(target=many, args=(path,))]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    entries, damaged = read(path)
    assert (len(entries), damaged) == (50, [])


@pytest.mark.parametrize(
    "line",
    [
        b'{"when": "2026',
        b"[1]",
        b'{"when": 1}',
        b"\xff\xfe",
        b'{"when":"x","command":"","commit":"","tier":"","good":true,"passed":1,"tests":1,'
        b'"figures":{"took":NaN}}',
    ],
)
def test_a_damaged_line_is_told_and_skipped(line: bytes, tmp_path: Path) -> None:
    """The one behind half a line stands on a line of its own."""
    path = tmp_path / "history.jsonl"
    append(made(2), path)
    with path.open("ab") as file:
        file.write(line)
    append(made(1), path)
    entries, damaged = read(path)
    assert entries == [made(1), made(2)]  # by time
    assert damaged == [f"{path}:2: is no entry of a history; skipped"]


def test_figures_of_a_report() -> None:
    report = rich()
    report.evidence[0].figures = {"mutation": 93.5, "else": 1.0}
    found = entry(report, 12.5)
    passed = sum(test.passed for test in report.tests)
    hit, bins = report.functional_total()
    assert (found.passed, found.good) == (passed, report.passed)
    assert found.figures["functional"] == pytest.approx(100 * hit / bins)
    assert found.figures["mutation"] == 93.5 and found.figures["build"] == 12.5
    assert found.figures.keys() <= FIGURES.keys()
    assert "build" not in entry(report, 0.0).figures  # all was there: not a time to compare


def test_plots_have_units_and_tell_values(tmp_path: Path) -> None:
    entries = [made(1, passed=97.0), made(2, good=False), made(3, passed=100.0, speed=12e3)]
    drawn = plot("passed", entries)
    assert drawn is not None
    assert [point.says.splitlines()[0] for point in drawn.points] == ["97 %", "100 %"]
    assert drawn.points[0].y > drawn.points[1].y
    assert plot("took", entries) is None
    page = write_trends(entries, tmp_path, ["x:2: damaged"]).read_text()
    assert "packets per second" in page and "x:2: damaged" in page
    assert not re.search(r'(src|href)="(?!#)', page)


def test_a_badge_is_green_only_if_all_is_well() -> None:
    good, bad = badge(made(1)), badge(made(1, good=False))
    for svg in (good, bad):
        inline_svg(svg, "badge")
    assert "10 of 10 passed" in good and "9 of 10" in bad and "passed" not in bad
    assert ("#1a7f37" in good, "#1a7f37" in bad) == (True, False)


def test_make_history(tmp_path: Path, tb_cli: Callable[..., CompletedProcess[str]]) -> None:
    path, build = tmp_path / "h.jsonl", tmp_path / "build"
    missing = tb_cli("history", f"HISTORY={path}", f"BUILD={build}")
    assert missing.returncode == 2
    assert missing.stderr.strip() == f"error: {path}: no such file; make regress writes one"
    append(made(1, took=60.0), path)
    path.write_bytes(path.read_bytes() + b"{half")
    done = tb_cli("history", f"HISTORY={path}", f"BUILD={build}")
    assert done.returncode == 0, done.stderr
    assert f"{path}:2: is no entry of a history; skipped" in done.stdout
    assert "1 regressions; the last passed: 10 of 10 tests" in done.stdout
    assert (build / "history" / "index.html").exists()
    assert (build / "history" / "badge.svg").exists()
    folder = tb_cli("history", f"HISTORY={tmp_path}", f"BUILD={build}")
    assert folder.returncode == 2 and folder.stderr.count("\n") == 1
