"""Figures of a paper, measured again: differences with confidence, and pictures with error bars."""

from collections.abc import Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from fattree_bench.explore.study.reading import PaperFigure
from fattree_bench.explore.sweep import Curve, with_half
from fattree_bench.report.plots import COLOURS, GREY, INK, looks
from fattree_models.traffic import Estimate, estimate

if TYPE_CHECKING:
    from matplotlib.figure import Figure

TABLES = {"latency_mean": "mean delay", "accepted": "throughput"}  # figures and what they are
Row = dict[str, str]


def chosen(wanted: PaperFigure, curves: Sequence[Curve]) -> list[Curve]:
    """The curves that a figure shows, one network after the other."""
    return [
        curve
        for curve in curves
        if curve.points
        and wanted.leaves in (0, curve.leaves)
        and wanted.traffic in ("", curve.traffic)
        and (wanted.traffic or set(wanted.loads) & set(curve.loads))
    ]


def tables(wanted: PaperFigure, curves: Sequence[Curve]) -> dict[str, list[Row]]:
    """A table of delays and one of throughputs: a row a load, or a load and a pattern.

    The last column is the difference to the network before, of runs with the same packets.
    """
    own = chosen(wanted, curves)
    loads = _loads(wanted, own)
    none = dict.fromkeys((curve.short for curve in own), "–")
    places = [(load, traffic) for load in loads for traffic in _patterns(own)]
    return {
        what: [
            {"load": "", **none, **row}
            for load, traffic in places
            if (row := _row(name, load, [c for c in own if c.traffic == traffic], wanted.traffic))
        ]
        for name, what in TABLES.items()
    }


def _loads(wanted: PaperFigure, curves: Sequence[Curve]) -> list[float]:
    """Those of the figure that were asked for; of curves over the load all of them."""
    asked = sorted({load for curve in curves for load in curve.loads})
    return asked if wanted.traffic else [load for load in wanted.loads if load in asked]


def _patterns(curves: Sequence[Curve]) -> list[str]:
    return list(dict.fromkeys(curve.traffic for curve in curves))


def _row(name: str, load: float, curves: Sequence[Curve], traffic: str) -> Row:
    """Networks side by side; empty if none was measured there."""
    points = {curve.short: curve.at(load) for curve in curves}
    if not any(points.values()):
        return {}
    late = name == "latency_mean"
    cells = {
        short: "–" if p is None else "saturated" if late and p.saturated
        else with_half(p.figures[name], 2 if late else 3)
        for short, p in points.items()
    }  # fmt: skip
    told = [
        signed(apart(one, other, load, name), 2 if late else 3) for one, other in pairwise(curves)
    ]
    label = f"{load:g}" if traffic else f"{load:g} {curves[0].traffic}"
    return {"load": label, **cells, "difference": "; ".join(told) or "–"}


def apart(one: Curve, other: Curve, load: float, name: str) -> Estimate:
    """A figure of `other` minus the one of `one`, seed by seed: both had the same packets.

    Nothing can be said of other leaves, nor of the delays of saturated runs, which grow with the
    length of the run.
    """
    both = [
        (run[load], other.runs[seed][load])
        for seed, run in one.runs.items()
        if load in run and load in other.runs.get(seed, {})
    ]
    kept = [p for p in both if name != "latency_mean" or not (p[0].saturated or p[1].saturated)]
    if len(kept) < len(both) or one.leaves != other.leaves:
        return Estimate(np.nan, np.nan, 0)
    return estimate([b.figures()[name] - a.figures()[name] for a, b in kept])


def signed(found: Estimate, digits: int) -> str:
    """As in "-1.32 ± 0.08"; a dash where nothing can be said."""
    return f"{found.mean:+.{digits}f} ± {found.half_width:.{digits}f}" if found.seeds > 1 else "–"


def draw(wanted: PaperFigure, curves: Sequence[Curve]) -> "Figure":
    """Delay above or left, throughput below or right."""
    own = chosen(wanted, curves)
    return _by_load(own) if wanted.traffic else _by_pattern(wanted, own)


def _by_load(curves: Sequence[Curve]) -> "Figure":
    from matplotlib.figure import Figure

    figure = Figure(figsize=(9.4, 3.9), layout="constrained")
    panels = figure.subplots(1, 2)
    for number, curve in enumerate(curves):
        look = {**looks(number), "capsize": 3}
        for panel, name in zip(panels, TABLES, strict=True):
            points = [p for p in curve.points if p.load in curve.loads]
            calm = [p for p in points if name == "accepted" or not p.saturated]
            mean, half = np.array([p.figures[name][:2] for p in calm]).reshape(-1, 2).T
            x = [p.load for p in calm]
            panel.errorbar(x, mean, np.nan_to_num(half), label=curve.short, **look)
    units = curves[0].units
    panels[0].set_ylabel(f"(a) mean delay [{units.time}]")
    panels[1].set_ylabel(f"(b) accepted [{units.load}]")
    for panel in panels:
        panel.set_xlabel("offered load")
        panel.set_ylim(bottom=0)
    return finished(figure, panels[0], "a line of delays ends where the network saturates")


def _by_pattern(wanted: PaperFigure, curves: Sequence[Curve]) -> "Figure":
    from matplotlib.figure import Figure

    patterns, shorts = _patterns(curves), list(dict.fromkeys(c.short for c in curves))
    loads = _loads(wanted, curves)
    figure = Figure(figsize=(2.4 + 3.6 * len(loads), 5.6), layout="constrained")
    grid = figure.subplots(2, len(loads), squeeze=False, sharey="row", sharex=True)
    width = 0.8 / len(shorts)
    for curve in curves:
        number = shorts.index(curve.short)
        x = patterns.index(curve.traffic) + (number + 0.5) * width - 0.4
        for column, load in enumerate(loads):
            point = curve.at(load)
            for panel, name in zip(grid[:, column], TABLES, strict=True):
                if point is None or (name == "latency_mean" and point.saturated):
                    late = point or curve.points[-1]  # a run ends after two saturated loads
                    why = " saturated" if late.saturated else " not measured"
                    style = {"rotation": 90, "fontsize": 7, "ha": "center", "va": "bottom"}
                    panel.text(x, 0, why, **style)
                    continue
                mean, half, _ = point.figures[name]
                look: dict[str, Any] = {
                    "color": COLOURS[number % len(COLOURS)],
                    "label": curve.short,
                }
                look["gid"] = f"{name} at {load:g}: {curve.label}"
                error = {"elinewidth": 1, "ecolor": INK}
                half = float(np.nan_to_num(half))
                panel.bar(x, mean, 0.9 * width, yerr=half, capsize=2, error_kw=error, **look)
    for panel in grid.flat:
        panel.set_axisbelow(True)
        panel.grid(visible=False, axis="x")
        panel.set_xlim(-0.5, len(patterns) - 0.5)
    units = curves[0].units
    grid[0, 0].set_ylabel(f"(a) mean delay [{units.time}]")
    grid[1, 0].set_ylabel("(b) accepted")
    for column, load in enumerate(loads):
        grid[0, column].set_title(f"load {load:g}", loc="left", fontsize=10)
        grid[1, column].set_xticks(range(len(patterns)), patterns, rotation=40, ha="right")
    return finished(figure, grid[1, 0], "networks without a bar of delay are saturated there")


def finished(figure: "Figure", panel: Any, note: str) -> "Figure":
    """With a legend above and a note below."""
    found = dict(zip(*reversed(panel.get_legend_handles_labels()), strict=True))
    figure.legend(
        list(found.values()), list(found), loc="outside upper left", ncols=4, frameon=False
    )
    figure.supxlabel(f"bars: 95 % over seeds; {note}", fontsize=8, color=GREY, x=0.01, ha="left")
    return figure
