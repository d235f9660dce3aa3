"""Drawings of networks as the papers have them: boxes in rows, links between their ports.

A `Sheet` is one drawing; `Rows` tells where boxes and ports of a network by levels stand.  Links
have a class each: `load-1` ... `load-n` from the least load to the greatest, `idle`, or what they
are for (`up`, `down`, `turn`, `lateral`).  The same calls give the same text.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from fattree_bench.report import svg

FONT = 12.5
TINY = 10.0  # of words inside a box of ports
Point = tuple[float, float]


@dataclass(frozen=True)
class Box:
    """A rectangle about (x, y), of a class."""

    x: float
    y: float
    width: float
    height: float
    name: str


@dataclass(frozen=True)
class Line:
    """A link through points; an arrow tells where it leads."""

    points: Sequence[Point]
    name: str
    width: float
    arrow: bool

    @property
    def path(self) -> str:
        return "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in self.points)

    @property
    def head(self) -> str:
        """Path of the arrow's head."""
        (x0, y0), (x1, y1) = self.points[-2:]
        far = math.hypot(x1 - x0, y1 - y0)
        along, aside = 4 + 1.6 * self.width, 1.5 + 0.9 * self.width
        u, v = (x1 - x0) / far, (y1 - y0) / far
        x, y = x1 - along * u, y1 - along * v
        ends = (x - aside * v, y + aside * u), (x1, y1), (x + aside * v, y - aside * u)
        return "M" + "L".join(f"{a:.1f} {b:.1f}" for a, b in ends) + "Z"


@dataclass(frozen=True)
class Words:
    """Words at (x, y), of classes such as `small`, `middle`, `muted`."""

    words: str
    x: float
    y: float
    name: str


class Sheet:
    """A drawing in the making."""

    def __init__(self, title: str, width: float) -> None:
        self.title, self.width, self.font = svg.printable(title), width, FONT
        self.title_lines = svg.title_lines(self.title, width, FONT)
        # Where the network may begin: the text next to its first row needs room.
        self.top = svg.PAD + 1.9 * FONT * len(self.title_lines) + 1.6 * FONT
        self.boxes: list[Box] = []
        self.lines: list[Line] = []
        self.words: list[Words] = []
        self.keys: list[svg.Placed] = []
        self.height, self.shades, self.scope = 0.0, 0, ""

    def box(self, x: float, y: float, size: Point, name: str, words: str = "") -> None:
        """A box about (x, y), with words in its middle."""
        self.boxes.append(Box(x, y, *size, name))
        if words:
            self.text(words, x, y + 0.32 * FONT, "small middle")

    def line(
        self, points: Iterable[Point], name: str, width: float = 1.6, arrow: bool = False
    ) -> None:
        self.lines.append(Line(list(points), name, width, arrow))

    def text(self, words: str, x: float, y: float, name: str = "") -> None:
        self.words.append(Words(words, x, y, name))

    def beside(self, y: float, words: Sequence[str]) -> None:
        """What the left margin says of a row about `y`: the first line strong."""
        for place, line in enumerate(words):
            at = y + FONT * (0.35 + 1.3 * place - 0.65 * (len(words) - 1))
            self.text(line, svg.PAD, at, "muted" if place else "strong")

    def drawn(self, bottom: float, keys: Sequence[svg.Key]) -> str:
        """The drawing, which reaches down to `bottom`, with its keys below."""
        self.shades = sum(key.name.startswith("load-") for key in keys)
        self.keys = svg.placed(keys, bottom + 2.2 * FONT, self.width, FONT)
        self.height = self.keys[-1].y + 0.8 * FONT + svg.PAD / 2
        self.scope = svg.scope(self.title, self.boxes, self.lines, self.words, keys)
        return svg.rendered("diagram.svg.j2", picture=self, tiny=TINY)


@dataclass(frozen=True)
class Rows:
    """Boxes by rows, row 0 at the bottom, or (`sideways`) at the left.

    Attributes
    ----------
    counts : boxes of each row.
    left, top : where they begin.
    along : how far a row reaches.
    gaps : between the rows.
    longest, thick : size of a box along its row at most, and across it, by row.
    """

    counts: Sequence[int]
    left: float
    top: float
    along: float
    gaps: Sequence[float]
    longest: Sequence[float]
    thick: Sequence[float]
    sideways: bool = False

    @property
    def across(self) -> float:
        """How far all rows reach together."""
        return sum(self.thick) + sum(self.gaps)

    @property
    def bottom(self) -> float:
        return self.top + (self.along if self.sideways else self.across)

    def pitch(self, row: int) -> float:
        return self.along / self.counts[row]

    def length(self, row: int) -> float:
        """Size of a box along its row."""
        return min(self.longest[row], self.pitch(row) - 3)

    def size(self, row: int) -> Point:
        """Width and height of a box."""
        size = self.length(row), self.thick[row]
        return size[::-1] if self.sideways else size

    def centre(self, row: int, index: int) -> Point:
        return self._at((index + 0.5) * self.pitch(row), self._depth(row))

    def port(self, row: int, index: int, side: int, number: int, of: int) -> Point:
        """Where port `number` of `of` is on the side to the next row (1) or to that before (-1)."""
        aside = ((number + 0.5) / of - 0.5) * (self.length(row) - 4)
        depth = self._depth(row) + side * self.thick[row] / 2
        return self._at((index + 0.5) * self.pitch(row) + aside, depth)

    def _depth(self, row: int) -> float:
        """How far the middle of a row is from the edge of row 0."""
        return sum(self.thick[:row]) + sum(self.gaps[:row]) + self.thick[row] / 2

    def _at(self, along: float, depth: float) -> Point:
        if self.sideways:
            return self.left + depth, self.top + along
        return self.left + along, self.top + self.across - depth


def parallel(one: Point, other: Point, far: float, longer: float = 0) -> list[Point]:
    """The line from one point to the other, moved `far` to its left, each end longer."""
    (x0, y0), (x1, y1) = one, other
    length = math.hypot(x1 - x0, y1 - y0)
    u, v = (x1 - x0) / length, (y1 - y0) / length
    x, y = far * v, -far * u
    return [
        (x0 + x - longer * u, y0 + y - longer * v),
        (x1 + x + longer * u, y1 + y + longer * v),
    ]


def loaded(loads: Iterable[float], unit: str) -> tuple[dict[float, str], list[svg.Key]]:
    """Classes of links by their loads, in steps from the least to the greatest; and their keys."""
    steps = sorted({load for load in loads if load})
    names = {0.0: "idle"} | {load: f"load-{step}" for step, load in enumerate(steps, start=1)}
    keys = [svg.Key("", unit, 0), *(svg.Key(names[load], f"{load:.3g}") for load in steps)]
    return names, keys
