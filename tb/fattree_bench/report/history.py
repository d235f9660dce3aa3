"""The history of regressions: a line of CSV for each, and a figure of all."""

import csv
import io
import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from fattree_bench.report.files import append_line, write_text
from fattree_bench.report.plots import as_svg, looks, styled
from fattree_bench.report.regression import KINDS, Report

NAME = "history.csv"
WORDS = ("when", "command", "commit", "tier")
# What is drawn, with its unit; those in % of something end at 100.
FIGURES = {
    "passed": "tests passed, %",
    "functional": "functional coverage, % of bins",
    **{kind: f"code coverage: {kind}, %" for kind in KINDS},
    "mutation": "mutation score, % of faults killed",
    "speed": "simulation, packets per second",
    "build": "building designs, seconds",
    "took": "regression, seconds",
}
COLUMNS = (*WORDS, "good", "tests", *FIGURES)  # new ones only at the end: files hold older lines
ACROSS = 2  # axes in a row

Row = Mapping[str, str | float]  # by column; a figure that was not measured is missing


def row(report: Report, build_seconds: float | None) -> Row:
    """The figures of a report; `build_seconds`: what compiling took, 0 or None if nothing was."""
    ran = [t for t in report.tests if t.result is not None and t.sim in ("verilator", "icarus")]
    seconds = sum(test.result.seconds for test in ran if test.result is not None)
    sent = sum(test.result.sent for test in ran if test.result is not None)
    passed = sum(test.passed for test in report.tests)
    totals = {"passed": (passed, len(report.tests)), "functional": report.functional_total()}
    totals |= {kind: report.code_total(kind) for kind in KINDS}
    figures = {name: 100 * hit / total for name, (hit, total) in totals.items() if total}
    for evidence in report.evidence:
        figures |= {name: value for name, value in evidence.figures.items() if name in FIGURES}
    if seconds:
        figures["speed"] = sent / seconds
    if build_seconds:
        figures["build"] = build_seconds
    words = {name: " ".join(str(getattr(report, name)).split()) for name in WORDS}
    tests = len(report.tests) + report.missing
    return {**words, "good": int(report.passed), "tests": tests, **figures, "took": report.seconds}


def append(made: Row, path: Path) -> None:
    """Add a line."""
    text = io.StringIO()
    csv.DictWriter(text, COLUMNS, lineterminator="\n").writerow(made)
    append_line(path, text.getvalue(), ",".join(COLUMNS) + "\n")


def read(path: Path) -> tuple[list[Row], list[str]]:
    """The rows of a file, the oldest first, and a line for each that is damaged."""
    rows: list[Row] = []
    damaged: list[str] = []
    lines = path.read_text(errors="replace").splitlines()
    for number, line in enumerate(lines, 1):
        cells = next(csv.reader([line]), [])
        if not cells or cells[0] == COLUMNS[0]:
            continue
        try:
            rows.append(_checked(cells))
        except ValueError:
            damaged.append(f"{path}:{number}: not a line of a history; skipped")
    return sorted(rows, key=lambda one: one["when"]), damaged


def _checked(cells: Sequence[str]) -> Row:
    named = dict(zip(COLUMNS, cells, strict=False))
    words = {name: named.pop(name) for name in WORDS if name in named}
    numbers = {name: float(value) for name, value in named.items() if value}
    if "tests" not in numbers or not all(map(math.isfinite, numbers.values())):
        raise ValueError(cells)
    return words | numbers


def draw(rows: Sequence[Row], path: Path, cache: Path) -> None:
    """Draw every figure over the regressions: a line for each tier, a ring round what failed."""
    with styled(cache):
        from matplotlib.figure import Figure
        from matplotlib.ticker import MaxNLocator

        shown = [name for name in FIGURES if any(name in one for one in rows)]
        down = -(-len(shown) // ACROSS)
        figure = Figure(figsize=(5 * ACROSS, 2.2 * down), layout="constrained")
        for place, name in enumerate(shown, 1):
            axes = figure.add_subplot(down, ACROSS, place, xlabel="regression")
            axes.set_title(FIGURES[name], loc="left")
            axes.xaxis.set_major_locator(MaxNLocator(integer=True, min_n_ticks=1))
            axes.set_xlim(0.5, len(rows) + 0.5)  # whole numbers, even for a single one
            for number, tier in enumerate(dict.fromkeys(one["tier"] for one in rows)):
                at = [k for k, one in enumerate(rows, 1) if one["tier"] == tier and name in one]
                values = [rows[k - 1][name] for k in at]
                axes.plot(
                    at, values, label=tier, gid=f"{name} {tier}", clip_on=False, **looks(number)
                )
            bad = [k for k, one in enumerate(rows, 1) if name in one and not one["good"]]
            ring: dict[str, Any] = {"ms": 10, "mfc": "none", "color": "#b42318", "clip_on": False}
            axes.plot(bad, [rows[k - 1][name] for k in bad], "o", **ring)
            axes.set_ylim(max(0, axes.get_ylim()[0]), 100 if "%" in FIGURES[name] else None)
        if shown:
            figure.axes[0].legend(frameon=False)
        write_text(path, as_svg(figure))
