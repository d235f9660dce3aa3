"""The table and the picture of `make area`."""

import textwrap
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from fattree_bench.area.designs import KINDS
from fattree_bench.families.design import Measured
from fattree_bench.report.plots import GREY, as_svg, looks, styled

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
Series = dict[str, list[tuple[int, float, int]]]
WIDER = ("", ", wider root", ", widest root")


def rows(measured: Measured) -> list[list[str]]:
    """One row per design."""
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
    """Gates and crosspoints over N as reproducible SVG; empty if there is nothing to draw.

    `cache`: a folder for matplotlib's list of fonts.
    """
    if not measured.designs:
        return ""
    # Lines of universal trees by size of their root: least, in between, greatest.
    series: Series = {}
    for design in measured.designs:
        of_size = [d.root for d in measured.of(design.kind) if d.leaves == design.leaves]
        which = WIDER[of_size.index(design.root)]
        point = design.leaves, measured.nand2(design), design.crosspoints
        series.setdefault(design.kind + which, []).append(point)
    serial = ", ".join(name for name, kind in KINDS.items() if kind.serial)
    note = f"{serial}: bit-serial, one bit a lane; the others: whole words"
    return drawn(series, textwrap.fill(note, 120), cache)


def drawn(series: Series, note: str, cache: Path) -> str:
    """Gates and crosspoints of each series, whose points are (leaves, gates, crosspoints)."""
    with styled(cache):
        from matplotlib.figure import Figure

        rows = -(-len(series) // 4)
        figure = Figure(figsize=(9.6, 4.4 + 0.19 * rows), layout="constrained")
        panels = figure.subplots(1, 2, sharex=True)
        for panel, place, title in zip(
            panels, (1, 2), ("gates [NAND2 equivalents]", "crosspoints"), strict=True
        ):
            _panel(panel, title, series, place)
        handles, labels = panels[0].get_legend_handles_labels()
        figure.legend(handles, labels, loc="outside upper left", ncols=4, frameon=False, fontsize=8)
        figure.supxlabel(note, fontsize=8, color=GREY, x=0.01, ha="left")
        return as_svg(figure)


def _panel(panel: Any, title: str, series: Series, place: int) -> None:
    panel.set_title(title, loc="left", fontweight="bold", fontsize=11)
    for number, (name, points) in enumerate(series.items()):
        panel.plot(
            [point[0] for point in points],
            [point[place] for point in points],
            label=name,
            gid=f"{title}: {name}",
            **looks(number),
        )
    panel.set_xscale("log", base=2)
    panel.set_yscale("log")
    panel.xaxis.set_major_formatter(lambda value, _: f"{value:g}")
    panel.yaxis.set_major_formatter(lambda value, _: f"{value:.0f}")  # STYLE has no 10^n
    panel.set_xlabel("leaves N")
    panel.tick_params(length=0)


def lines_of(kinds: Sequence[str]) -> list[str]:
    """One sentence per kind of design in a table."""
    return [f"{kind}: {KINDS[kind].says}." for kind in dict.fromkeys(kinds)]
