"""Plots latency, accepted load and order over offered load as reproducible SVG."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from fattree_bench.explore.study import figures as papers
from fattree_bench.explore.study.reading import PaperFigure
from fattree_bench.explore.study.scaling import grows, scaling
from fattree_bench.explore.sweep import Curve, Point, costs_differ
from fattree_bench.report.files import write_text
from fattree_bench.report.plots import GREY, INK, as_svg, looks, styled

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

TOP = 3.4  # end of the latency axis relative to zero-load latency; beyond 3 a network is saturated
LETTERS, HANDLE, ROW = 12, 7, 0.2  # legends: letters an inch, a handle's width in letters, inches


def draw(
    curves: Sequence[Curve], folder: Path, cache: Path, figures: Sequence[PaperFigure] = ()
) -> list[Path]:
    """Write the applicable pictures, and the figures of a paper.

    `cache`: a folder for matplotlib's list of fonts.
    """
    measured = [curve for curve in curves if curve.points]
    if not measured:
        return []
    paths = []
    with styled(cache):
        for name in pictures(measured):
            paths.append(folder / f"{name}.svg")
            write_text(paths[-1], as_svg(DRAWN[name](measured)))
        for wanted in figures:
            paths.append(folder / f"figure-{wanted.name}.svg")
            write_text(paths[-1], as_svg(papers.draw(wanted, measured)))
    return paths


def pictures(curves: Sequence[Curve]) -> list[str]:
    """Names of the pictures that apply to these curves."""
    compared = any("ideal_mean" in p.figures for curve in curves for p in curve.points)
    usual = ["delay", "accepted", "reordering"] if compared else ["latency", "accepted"]
    return usual + ["scaling"] * grows(curves) + ["cost"] * costs_differ(curves)


def _latency(curves: Sequence[Curve]) -> "Figure":
    figure, axes = _panels(curves, f"latency [{curves[0].units.time}]")
    top = _top(curves)
    for traffic, panel in axes.items():
        panel.set_ylim(0, top)
        for curve, style in _of(curves, traffic):
            good = _until_saturated(curve)
            x, y = _line(panel, good, "latency_mean", style, curve)
            # Schematic: in a saturated network the mean grows with the length of the run.
            where = curve.saturation.load.mean
            if not np.isnan(where) and good:
                ends = [x[-1], max(x[-1], where * _offered_share(curve))], [y[-1], 1.1 * top]
                panel.plot(*ends, color=style["color"], linestyle=":", linewidth=1.2)
            if not np.isnan(curve.zero_load):
                panel.axhline(curve.zero_load, color=style["color"], linewidth=0.7, alpha=0.6)
    _legend(
        figure,
        axes,
        "horizontal: latency without load, from theory; dotted: towards saturation; "
        "bands: 95 % over seeds",
    )
    return figure


def _accepted(curves: Sequence[Curve]) -> "Figure":
    figure, axes = _panels(curves, f"accepted load [{_per(curves)}]")
    for traffic, panel in axes.items():
        panel.set_ylim(0, 1.02)
        panel.plot([0, 1], [0, 1], color=GREY, linewidth=0.8, linestyle=(0, (2, 2)))
        for curve, style in _of(curves, traffic):
            _line(panel, curve.drawn, "accepted", style, curve)
            x, y, _ = _columns(curve.drawn, "accepted_minimum")
            gid = _gid("accepted_minimum", curve)
            panel.plot(x, y, gid=gid, color=style["color"], linewidth=1.1, linestyle=":")
    _legend(
        figure,
        axes,
        "dotted: the node that got the least; grey: all that is offered; bands: 95 % over seeds",
    )
    return figure


def _delay(curves: Sequence[Curve]) -> "Figure":
    """Delays of switches with the ideal switch and closed forms, on a logarithmic scale."""
    figure, axes = _panels(curves, f"mean delay [{curves[0].units.time}]")
    for traffic, panel in axes.items():
        panel.set_yscale("log")
        panel.yaxis.set_major_formatter(lambda value, _: f"{value:g}")
        own = _of(curves, traffic)
        for curve, style in own:
            _line(panel, _until_saturated(curve), "latency_mean", style, curve)
        first = own[0][0]
        x, y, _ = _columns(first.drawn, "ideal_mean")
        style = {"color": GREY, "linewidth": 1.4, "linestyle": (0, (5, 1.5)), "marker": "."}
        name = {"label": "ideal output-queued switch", "gid": _gid("ideal_mean", first)}
        panel.plot(x, y, **name, **style)  # type: ignore[arg-type]
        for law, points in first.laws.items():
            thin = {"color": INK, "linewidth": 0.8, "linestyle": ":"}
            panel.plot(*zip(*points, strict=True), label="in theory", gid=law, **thin)  # type: ignore[arg-type]
    _legend(
        figure,
        axes,
        "dotted: closed forms of BASIC (above) and of the ideal switch; a line ends where its "
        "switch saturates; bands: 95 % over seeds",
    )
    return figure


def _reordering(curves: Sequence[Curve]) -> "Figure":
    figure, axes = _panels(curves, "cells overtaken [share of all]")
    for traffic, panel in axes.items():
        for curve, style in _of(curves, traffic):
            _line(panel, curve.drawn, "overtaken", style, curve)
    _legend(
        figure, axes, "cells that leave after a later one of their flow; bands: 95 % over seeds"
    )
    return figure


def _cost(curves: Sequence[Curve]) -> "Figure":
    """Peak accepted load over cost, of the networks that have one: a panel per traffic pattern."""
    figure, axes = _panels(curves, f"most accepted load [{_per(curves)}]")
    for traffic, panel in axes.items():
        panel.set_xlim(0, 1.1 * max(curve.cost or 0 for curve in curves))
        panel.set_ylim(0, 1.02)
        panel.set_xlabel("cost: switches by the square of their ports")
        for curve, style in _of(curves, traffic):
            if curve.cost is None:
                continue
            mean, half, *_ = curve.saturation.throughput
            band = mean + np.nan_to_num(half) * np.array([-1, 1])
            panel.vlines(curve.cost, *band, color=style["color"], linewidth=1.1)
            style |= {"label": curve.short, "gid": _gid("cost", curve)}
            panel.plot([curve.cost], [mean], **style)
    _legend(figure, axes, "the most that was accepted at any load; lines: 95 % over seeds")
    return figure


def _names(curves: Sequence[Curve]) -> tuple[list[str], list[str]]:
    """(names of the curves of a traffic pattern, patterns)."""
    shorts = dict.fromkeys(curve.short for curve in curves)
    return list(shorts), list(dict.fromkeys(curve.traffic for curve in curves))


def _per(curves: Sequence[Curve]) -> str:
    """As in "flits / node / clock"."""
    units = curves[0].units
    return f"{units.packets} / {units.node} / {units.time.removesuffix('s')}"


def _panels(curves: Sequence[Curve], what: str) -> "tuple[Figure, dict[str, Axes]]":
    """A figure with one panel per traffic pattern, three in a row."""
    from matplotlib.figure import Figure

    _, traffics = _names(curves)
    columns = min(3, len(traffics))
    rows = -(-len(traffics) // columns)
    width = 4.2 * columns if columns > 1 else 6.4
    figure = Figure(figsize=(width, 3.5 * rows + 0.9), layout="constrained")
    grid = figure.subplots(rows, columns, sharex=True, sharey=True, squeeze=False).ravel()
    axes = dict(zip(traffics, grid, strict=False))
    most = max(p.figures["offered"].mean for curve in curves for p in curve.drawn)
    for place, (traffic, panel) in enumerate(axes.items()):
        panel.set_title(traffic, loc="left", fontweight="bold", fontsize=11)
        panel.set_xlim(0, min(1.02, 1.05 * most))
        panel.tick_params(labelbottom=True, length=0, pad=7)
        panel.set_xlabel(f"offered load [{_per(curves)}]")
        if place % columns == 0:
            panel.set_ylabel(what)
    for panel in grid[len(traffics) :]:
        panel.set_visible(False)
    return figure, axes


def _of(curves: Sequence[Curve], traffic: str) -> list[tuple[Curve, dict[str, Any]]]:
    """The curves of a panel with styles, which depend only on the variables."""
    names, _ = _names(curves)
    found = []
    for curve in curves:
        if curve.traffic == traffic:
            found.append((curve, looks(names.index(curve.short))))
    return found


def _line(
    panel: "Axes", points: Sequence[Point], name: str, style: dict[str, object], curve: Curve
) -> tuple[list[float], list[float]]:
    """Plot a figure with its confidence over the offered load."""
    x, y, half = _columns(points, name)
    names = {"label": curve.short or curve.traffic, "gid": _gid(name, curve)}
    panel.plot(x, y, **names, **style)  # type: ignore[arg-type]
    band = np.nan_to_num(half)
    panel.fill_between(x, y - band, y + band, color=style["color"], alpha=0.2, linewidth=0)
    return list(x), list(y)


def _gid(figure: str, curve: Curve) -> str:
    """The id of a line in the SVG."""
    return f"{figure}: {curve.label}"


def _top(curves: Sequence[Curve]) -> float:
    """End of latency axes, from zero-load latency or, if unknown, from the least measured one."""
    calm = [
        curve.zero_load
        if not np.isnan(curve.zero_load)
        else min(point.figures["latency_mean"].mean for point in curve.points)
        for curve in curves
    ]
    return TOP * float(np.nanmax([1.0, *calm]))


def _columns(points: Sequence[Point], name: str) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """(offered load, figure, half its interval) of each point."""
    rows = [(p.figures["offered"].mean, *p.figures[name][:2]) for p in points]
    x, y, half = np.array(rows, dtype=np.float64).reshape(-1, 3).T
    return x, y, half


def _until_saturated(curve: Curve) -> list[Point]:
    """The points before the first one with a saturated seed."""
    good = []
    for point in curve.drawn:
        if point.saturated:
            break
        good.append(point)
    return good


def _offered_share(curve: Curve) -> float:
    """Offered by nominal load: below 1 if some nodes send nothing."""
    point = curve.points[-1]
    return point.figures["offered"].mean / point.load


def _legend(figure: "Figure", axes: "dict[str, Axes]", note: str) -> None:
    """Legend of curves above the panels, other legends below."""
    found: dict[Any, Any] = {}
    for panel in axes.values():
        for handle, label in zip(*panel.get_legend_handles_labels(), strict=True):
            found.setdefault(label, handle)
    if len(found) > 1 or len(axes) > 1:
        handles, labels = list(found.values()), list(found)
        width, height = figure.get_size_inches()
        fits = int(width * LETTERS / (max(map(len, labels)) + HANDLE))
        columns = max(1, min(4, len(found), fits))
        figure.set_size_inches(width, height + ROW * (-(-len(found) // columns) - 1))
        figure.legend(handles, labels, loc="outside upper left", ncols=columns, frameon=False)
    figure.supxlabel(note, fontsize=8, color=GREY, x=0.01, ha="left")


DRAWN: "dict[str, Callable[[Sequence[Curve]], Figure]]" = {
    "latency": _latency,
    "delay": _delay,
    "accepted": _accepted,
    "reordering": _reordering,
    "cost": _cost,
    "scaling": scaling,
}
