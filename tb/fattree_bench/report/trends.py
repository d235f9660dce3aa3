"""A history as a page of trends that needs nothing from outside, and a badge."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from fattree_bench.report.files import write_text
from fattree_bench.report.history import FIGURES, Entry, Kind
from fattree_bench.report.html import environment
from fattree_bench.words import moment

WIDTH, HEIGHT = 420, 190  # of a plot
LEFT, RIGHT, TOP, BOTTOM = 62, 14, 12, 30
TICKS = 4
CHARACTER = 6.6  # pixels of a badge


@dataclass(frozen=True)
class Point:
    """A regression in a plot, and what is said of it where the pointer is."""

    x: float
    y: float
    good: bool
    says: str


@dataclass(frozen=True)
class Plot:
    """A figure over time: `ticks` are heights and their labels; `parts` join points of a tier."""

    title: str
    unit: str
    latest: str
    points: list[Point]
    parts: list[tuple[str, str]]  # tier, points of a line
    ticks: list[tuple[float, str]]
    first: str
    last: str


def write_trends(entries: Sequence[Entry], folder: Path, damaged: Sequence[str] = ()) -> Path:
    """Write folder/index.html and folder/badge.svg; the page."""
    plots = [made for name in FIGURES if (made := plot(name, entries))]
    tiers = list(dict.fromkeys(one.tier for one in entries))
    text = (
        environment()
        .get_template("trends.html.j2")
        .render(plots=plots, entries=entries[::-1], tiers=tiers, damaged=damaged, size=SIZE)
    )
    write_text(folder / "index.html", text)
    write_text(folder / "badge.svg", badge(entries[-1]))
    return folder / "index.html"


SIZE = {"width": WIDTH, "height": HEIGHT, "left": LEFT, "right": WIDTH - RIGHT}


def plot(name: str, entries: Sequence[Entry]) -> Plot | None:
    """A figure over the regressions that have it; None if none has."""
    kind = FIGURES[name]
    known = [(at, one) for at, one in enumerate(entries) if name in one.figures]
    if not known:
        return None
    values = [one.figures[name] for _, one in known]
    low, high, step = scale(values, kind)
    wide, tall = WIDTH - LEFT - RIGHT, HEIGHT - TOP - BOTTOM
    most = max(1, len(entries) - 1)

    def place(at: int, value: float) -> tuple[float, float]:
        x = LEFT + wide * (at / most if len(entries) > 1 else 0.5)
        return round(x, 1), round(TOP + tall * (high - value) / (high - low), 1)

    points = [
        Point(
            *place(at, one.figures[name]),
            one.good,
            f"{written(one.figures[name])} {kind.unit}\n{moment(one.when)}\n{one.tier}: "
            f"{one.passed} of {one.tests} tests\n{one.commit or 'no commit'}",
        )
        for at, one in known
    ]
    parts: dict[str, list[str]] = {}
    for (_, one), point in zip(known, points, strict=True):
        parts.setdefault(one.tier, []).append(f"{point.x},{point.y}")
    count = round((high - low) / step)
    ticks = [(place(0, low + k * step)[1], written(low + k * step)) for k in range(count + 1)]
    return Plot(
        title=kind.title,
        unit=kind.unit,
        latest=written(values[-1]),
        points=points,
        parts=[(tier, " ".join(line)) for tier, line in parts.items()],
        ticks=ticks,
        first=moment(entries[0].when).partition(",")[0],
        last=moment(entries[-1].when).partition(",")[0],
    )


def scale(values: Sequence[float], kind: Kind) -> tuple[float, float, float]:
    """Ends of an axis and the step between its ticks, round numbers all.

    >>> scale([93.0, 99.5], FIGURES["passed"]), scale([0.0, 5.0], FIGURES["took"])
    ((92.0, 100.0, 2.0), (0.0, 6.0, 2.0))
    """
    low, high = min(values), max(values)
    if kind.share:
        high = 100.0
    else:
        low = 0.0
    span = (high - low) or max(1.0, abs(high))
    step = 10.0 ** math.floor(math.log10(span / TICKS))
    step *= next(n for n in (1, 2, 5, 10) if n * step * TICKS >= span)
    bottom = math.floor(low / step) * step
    top = math.ceil(high / step) * step
    return bottom, top if top > bottom else bottom + step, step


def written(value: float) -> str:
    """As many digits as are of use, as in "99.2", "12 400"."""
    if abs(value) >= 100:
        return f"{value:,.0f}".replace(",", "\N{NO-BREAK SPACE}")
    return f"{value:.3g}"


def badge(latest: Entry) -> str:
    """A badge: how many tests passed, green only if all is well."""
    words = ("tests", f"{latest.passed} of {latest.tests}" + (" passed" if latest.good else ""))
    widths = [round(CHARACTER * len(word) + 12) for word in words]
    return (
        environment()
        .get_template("badge.svg.j2")
        .render(words=words, widths=widths, good=latest.good, total=sum(widths))
    )
