"""What all plots share: palette, looks of a series, and how a figure becomes a picture.

A picture follows the reader's light or dark colour scheme, tells the values of its points under the
pointer, and is the same bytes for the same figures.
"""

import io
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree

import numpy as np

if TYPE_CHECKING:
    from matplotlib.figure import Figure

# What is of the page's own colour: matplotlib gets a colour that nothing else has.
INK, GRID = "#010203", "#010305"
GREY = "#7f7f7f"  # readable on white and on black
# Okabe and Ito's palette, which colour-blind people tell apart, without its yellow; its black is
# the reader's own ink.
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", INK)
MARKERS = "os^DvPX"
LINES = ("-", (0, (5, 1.5)), (0, (1, 1.2)), (0, (5, 1.5, 1, 1.5)))
STYLE: Any = {
    "svg.hashsalt": "fat-tree-bench",  # else names of clip paths are random
    "svg.fonttype": "none",  # text is text
    "text.parse_math": False,  # a $ in the name of a pattern is a $
    "font.family": "sans-serif",
    "font.size": 10,
    "figure.facecolor": "none",
    "savefig.facecolor": "none",
    "axes.facecolor": "none",
    "text.color": INK,
    "axes.edgecolor": INK,
    "axes.labelcolor": INK,
    "axes.titlecolor": INK,
    "xtick.color": INK,
    "ytick.color": INK,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "grid.color": GRID,
    "grid.linewidth": 0.6,
    "lines.linewidth": 1.6,
    "lines.markersize": 4.5,
}
SCHEME = (
    "svg{color:#1d2329;background:#ffffff;--grid:#dddddd}"
    "@media (prefers-color-scheme: dark){svg{color:#e6edf3;background:#151b23;--grid:#39434f}}"
)
SVG, LINK = "http://www.w3.org/2000/svg", "http://www.w3.org/1999/xlink"


def looks(number: int) -> dict[str, Any]:
    """Of a series: no two of the first 49 have the same colour and marker."""
    row = number // len(COLOURS)
    return {
        "color": COLOURS[number % len(COLOURS)],
        "marker": MARKERS[(number + 3 * row) % len(MARKERS)],
        "linestyle": LINES[row % len(LINES)],
    }


@contextmanager
def styled(cache: Path) -> Iterator[None]:
    """Figures made in this context look like all others; `cache`: for matplotlib's fonts."""
    os.environ.setdefault("MPLCONFIGDIR", str(cache))
    import matplotlib

    with matplotlib.rc_context(STYLE):
        yield


def as_svg(figure: "Figure") -> str:
    """The picture of a figure, from `<svg` on: within a page a prologue would be out of place."""
    text = io.BytesIO()
    figure.savefig(text, format="svg", metadata={"Date": None, "Creator": None})
    ElementTree.register_namespace("", SVG)
    ElementTree.register_namespace("xlink", LINK)
    root = ElementTree.fromstring(text.getvalue())
    _tell_values(root, figure)
    style = ElementTree.Element(f"{{{SVG}}}style")
    style.text = SCHEME
    root.insert(0, style)
    drawn = ElementTree.tostring(root, encoding="unicode")
    return drawn.replace(INK, "currentColor").replace(GRID, "var(--grid)") + "\n"


def _tell_values(root: ElementTree.Element, figure: "Figure") -> None:
    """A title for every marker and bar that has an id: its name, and its values with units.

    What is hatched stands for no value.
    """
    from matplotlib.patches import Rectangle

    groups = {g.get("id"): g for g in root.iter(f"{{{SVG}}}g")}
    for axes in figure.axes:
        across, up = axes.get_xlabel(), axes.get_ylabel() or axes.get_title(loc="left")
        up = " ".join(up.split())
        for bars in axes.containers:
            for bar in bars.get_children():
                group = groups.get(bar.get_gid() or "")
                if group is not None and isinstance(bar, Rectangle) and not bar.get_hatch():
                    middle = round(bar.get_x() + bar.get_width() / 2)
                    (place,) = axes.xaxis.get_major_formatter().format_ticks([middle])
                    words = f"{bars.get_label()}: {up} {bar.get_height():.4g} at {place}"
                    ElementTree.SubElement(group, f"{{{SVG}}}title").text = words
        for line in axes.get_lines():
            group = groups.get(line.get_gid() or "")
            if group is None:
                continue
            data = np.asarray(line.get_xydata(), np.float64)
            drawn = ~np.isnan(data).any(axis=1)  # nothing is drawn where none is
            points: list[list[float]] = data[drawn].tolist()
            marks = list(group.iter(f"{{{SVG}}}use"))
            if len(marks) != len(points):
                continue  # some are beyond the axes
            for mark, (x, y) in zip(marks, points, strict=True):
                title = ElementTree.SubElement(mark, f"{{{SVG}}}title")
                title.text = f"{line.get_label()!s}: {up} {y:.4g} at {across} {x:.4g}"
