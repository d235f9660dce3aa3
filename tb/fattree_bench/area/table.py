"""The table and the picture of `make area`."""

import io
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from fattree_bench.area.designs import KINDS
from fattree_bench.explore.plot import COLOURS, GREY, LINES, MARKERS, STYLE
from fattree_bench.families.design import Measured

COLUMNS = (
    "design",
    "N",
    "lanes",
    "crosspoints",
    "gates [NAND2]",
    "flip-flops",
    "delay-line bits",
    "memory bits",
    "levels of gates",
)
TEXT = COLUMNS[:1]
WIDER = ("", ", wider root", ", widest root")


def rows(measured: Measured) -> list[list[str]]:
    """A row a design."""
    found = []
    for design in measured.designs:
        total = design.total(measured.costs)
        figures = (
            design.leaves,
            design.lanes,
            design.crosspoints,
            round(total.nand2),
            total.flip_flops,
            total.delay_bits,
            total.memory_bits,
            total.levels,
        )
        found.append([design.name, *map(str, figures)])
    return found


def picture(measured: Measured, cache: Path) -> str:
    """Gates and crosspoints over N as SVG, the same bytes for the same figures.

    `cache`: a folder for matplotlib's list of fonts.  Empty if there is nothing to draw.
    """
    if not measured.designs:
        return ""
    os.environ.setdefault("MPLCONFIGDIR", str(cache))
    import matplotlib
    from matplotlib.figure import Figure

    # Lines of universal trees by place among the roots: least, between, greatest.
    series: dict[str, list[tuple[int, float, int]]] = {}
    for design in measured.designs:
        of_size = [d.root for d in measured.of(design.kind) if d.leaves == design.leaves]
        which = WIDER[of_size.index(design.root)]
        point = design.leaves, measured.nand2(design), design.crosspoints
        series.setdefault(design.kind + which, []).append(point)
    with matplotlib.rc_context(STYLE):
        figure = Figure(figsize=(8.4, 4.9), layout="constrained")
        panels = figure.subplots(1, 2, sharex=True)
        for panel, place, title in zip(
            panels, (1, 2), ("gates [NAND2 equivalents]", "crosspoints"), strict=True
        ):
            _panel(panel, title, series, place)
        handles, labels = panels[0].get_legend_handles_labels()
        figure.legend(handles, labels, loc="outside upper left", ncols=3, frameon=False, fontsize=8)
        serial = ", ".join(name for name, kind in KINDS.items() if kind.serial)
        note = f"{serial}: bit-serial, one bit a lane; the others: whole words"
        figure.supxlabel(note, fontsize=8, color=GREY, x=0.01, ha="left")
        text = io.BytesIO()
        figure.savefig(text, format="svg", metadata={"Date": None, "Creator": None})
    svg = text.getvalue().decode()
    return svg[svg.index("<svg") :]  # within a page a prologue would be out of place


def _panel(
    panel: Any, title: str, series: dict[str, list[tuple[int, float, int]]], place: int
) -> None:
    kinds = list(KINDS)
    panel.set_title(title, loc="left", fontweight="bold", fontsize=11)
    for name, points in series.items():
        number = kinds.index(name.split(",")[0])
        panel.plot(
            [point[0] for point in points],
            [point[place] for point in points],
            label=name,
            gid=f"{title}: {name}",
            color=COLOURS[number % len(COLOURS)],
            marker=MARKERS[number % len(MARKERS)],
            linestyle=LINES[(number // len(COLOURS) + _width(name)) % len(LINES)],
        )
    panel.set_xscale("log", base=2)
    panel.set_yscale("log")
    panel.xaxis.set_major_formatter(lambda value, _: f"{value:g}")
    panel.yaxis.set_major_formatter(lambda value, _: f"{value:.0f}")  # STYLE has no 10^n
    panel.set_xlabel("leaves N")
    panel.tick_params(length=0)


def _width(name: str) -> int:
    """Which of the roots of a size a line of the picture is of."""
    return next((place for place in (1, 2) if name.endswith(WIDER[place])), 0)


def lines_of(kinds: Sequence[str]) -> list[str]:
    """What the kinds of a table are, a sentence each."""
    return [f"{kind}: {KINDS[kind].says}." for kind in dict.fromkeys(kinds)]
