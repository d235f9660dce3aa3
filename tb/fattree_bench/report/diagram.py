"""Drawings of networks as the papers have them: boxes in rows, links between their ports.

`network` draws a structure: its levels are rows of boxes, the numbers of its nodes their places.  A
`Sheet` is one drawing; `Rows` tells where boxes and ports stand.  Links have a class each: `load-1`
... `load-n` from the least load to the greatest, `idle`, or what they are for (`up`, `down`,
`turn`, `lateral`).  The same calls give the same text.
"""

import math
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from fattree_bench.report import svg
from fattree_models.common.structure import Structure

FONT = 12.5
TINY = 10.0  # of words inside a box of ports
BOX = 20.0  # height of a box
ROOM = 17.0  # along a row, for a number; if there is less, each fifth stands below
COUNT = 6.5, 16.0  # of a figure half-way along a link, and height of its pill
TRACK = 13.0  # between links that go over a row, or round the network
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
    """A link through points, or `curved` from one to the other; an arrow tells where it leads."""

    points: Sequence[Point]
    name: str
    width: float
    arrow: bool
    curved: bool = False

    @property
    def path(self) -> str:
        if self.curved:  # it leaves and arrives upright, so that a wide one meets its box squarely
            (x0, y0), (x1, y1) = self.points
            half = (y0 + y1) / 2
            return f"M{x0:.1f} {y0:.1f}C{x0:.1f} {half:.1f} {x1:.1f} {half:.1f} {x1:.1f} {y1:.1f}"
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
        self,
        points: Iterable[Point],
        name: str,
        width: float = 1.6,
        arrow: bool = False,
        curved: bool = False,
    ) -> None:
        self.lines.append(Line(list(points), name, width, arrow, curved))

    def text(self, words: str, x: float, y: float, name: str = "") -> None:
        self.words.append(Words(words, x, y, name))

    def beside(self, y: float, words: Sequence[str]) -> None:
        """What the left margin says of a row about `y`: the first line strong."""
        for place, line in enumerate(words):
            at = y + FONT * (0.35 + 1.3 * place - 0.65 * (len(words) - 1))
            self.text(line, svg.PAD, at, "muted" if place else "strong")

    def drawn(self, bottom: float, keys: Sequence[svg.Key]) -> str:
        """The drawing, which reaches down to `bottom`, with its keys below."""
        shades = [int(key.name[5:]) for key in keys if key.name.startswith("load-")]
        self.shades = max(shades, default=0)
        self.keys = svg.placed(keys, bottom + 2.2 * FONT, self.width, FONT)
        self.height = self.keys[-1].y + 0.8 * FONT + svg.PAD / 2
        self.scope = svg.scope(self.title, self.boxes, self.lines, self.words, keys)
        return svg.rendered(self, tiny=TINY)


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
    return [(x0 + x - longer * u, y0 + y - longer * v), (x1 + x + longer * u, y1 + y + longer * v)]


def loaded(loads: Iterable[float], unit: str) -> tuple[dict[float, str], list[svg.Key]]:
    """Classes of links by their loads, in steps from the least to the greatest; and their keys."""
    steps = sorted({load for load in loads if load})
    names = {0.0: "idle"} | {load: f"load-{step}" for step, load in enumerate(steps, start=1)}
    keys = [svg.Key("", unit, 0), *(svg.Key(names[load], f"{load:.3g}") for load in steps)]
    return names, keys


# ---- a network -----------------------------------------------------------------------------------


class Stroke(NamedTuple):
    """How a link is drawn: moved `aside` to its left, each end `longer`, `words` half-way."""

    link: int
    name: str  # its class
    width: float = 1.8
    arrow: bool = False
    aside: float = 0.0
    longer: float = 0.0
    words: str = ""


@dataclass(frozen=True)
class Look:
    """Sizes of a drawing.

    Attributes
    ----------
    along : how far a row reaches.
    wide, thick : of boxes along their row, and across it: of leaves, of others, of the last row.
    gaps : from the leaves to the next row, and between others; None: wider in a wide drawing.
    sideways : rows are columns, from left to right.
    boxes : of a node, side by side.
    margin : for what is said of a row.
    curved : links are curves; the words of a row stand at the height of the links above it.
    """

    along: float = 640.0
    wide: tuple[float, ...] = (28.0, 44.0, 44.0)
    thick: tuple[float, ...] = (BOX, BOX, BOX)
    gaps: tuple[float, float] | None = None
    sideways: bool = False
    boxes: int = 1
    margin: float = 112.0
    curved: bool = False

    def rows(self, counts: Sequence[int], left: float, top: float) -> Rows:
        """Where boxes stand, so many in each row."""
        inner = len(counts) - 2
        first, other = self.gaps or (46.0, 46.0 + 0.05 * self.along)
        gaps = [first, *[other] * inner]
        if self.sideways:
            gaps[-1] = first
        longest, thick = ([a[0], *[a[1]] * inner, a[2]] for a in (self.wide, self.thick))
        return Rows(counts, left, top, self.along, gaps, longest, thick, self.sideways)


def network(
    structure: Structure,
    title: str,
    strokes: Iterable[Stroke],
    keys: Sequence[svg.Key],
    said: Sequence[Sequence[str]],
    look: Look = Look(),
    words: Sequence[str] = (),
) -> str:
    """A structure; `said` of each row, `words` at the port that each link leaves, "" none."""
    counts = [int(structure.number[structure.level == row].max()) + 1 for row in range(len(said))]
    places = _Places(structure, look)
    span = TRACK / 2 * (counts[0] + 2) if places.rounds.any() else 0.0
    left = svg.PAD if look.sideways else look.margin
    reach = look.rows(counts, 0, 0).across if look.sideways else look.along
    sheet = Sheet(title, left + reach + span + svg.PAD)
    top = sheet.top + span + 3 * TRACK * bool(places.laterals.any()) + FONT * look.sideways
    rows = places.rows = look.rows(counts, left, top)
    for stroke in strokes:
        points = places.line(stroke.link)
        if stroke.aside or stroke.longer:
            points = parallel(points[0], points[-1], stroke.aside, stroke.longer)
        sheet.line(points, stroke.name, stroke.width, stroke.arrow, look.curved)
        if stroke.words:
            x, y = np.mean(points, axis=0).tolist()
            size = COUNT[0] * (1 + len(stroke.words)), COUNT[1]
            sheet.box(x, y, size, "box count", stroke.words)
    for k, text in enumerate(words):
        (x, y), side = places.line(k)[0], places.sides(k)[0]
        if text:
            sheet.text(text, x, y + (0.5 * TINY + 7 if side > 0 else -5), "tiny middle")
    boxes = zip(structure.nodes, structure.level.tolist(), structure.number.tolist(), strict=True)
    for name, row, index in boxes:
        _box(sheet, rows, row, index, name)
        if row and look.boxes > 1 and index % look.boxes == 0:
            (x0, y), (x1, _) = (rows.centre(row, index + k) for k in (0, look.boxes - 1))
            wide, thick = x1 - x0 + rows.length(row) + 12, rows.thick[row] + 12
            sheet.box((x0 + x1) / 2, y, (wide, thick), "node")
    for row, lines in enumerate(said):
        x, y = rows.centre(row, 0)
        if not look.sideways:
            above = (rows.thick[row] + rows.gaps[row]) / 2 if look.curved and lines else 0
            sheet.beside(y - above, lines)
        for place, line in enumerate(lines if look.sideways else ()):
            name = "muted" if place else "strong"
            sheet.text(line, x, sheet.top + 1.2 * FONT * place, f"small middle {name}")
    narrow = not look.sideways and rows.pitch(0) < ROOM
    return sheet.drawn(rows.bottom + span + BOX * 0.7 * narrow, keys)


def _box(sheet: Sheet, rows: Rows, row: int, index: int, name: str) -> None:
    """A node's box, its name inside if there is room, or of every fifth below."""
    x, y = rows.centre(row, index)
    narrow = rows.pitch(row) < ROOM
    sheet.box(x, y, rows.size(row), "box", "" if narrow else name)
    if narrow and index % 5 == 0:
        sheet.text(name, x, y + BOX, "small middle")


class _Places:
    """Where the links of a structure are drawn.

    Links between neighbouring rows are straight.  Those of one row lead over it, or between the
    boxes of a node; those that skip rows downwards lead round the network, and arrive from below.
    """

    rows: Rows

    def __init__(self, structure: Structure, look: Look) -> None:
        self.structure, self.look = structure, look
        tail, head = structure.tail, structure.head
        self.rises = structure.level[head] - structure.level[tail]
        node = structure.number // look.boxes
        self.rounds = self.rises < -1
        self.laterals = (self.rises == 0) & (node[head] != node[tail])
        found: dict[tuple[int, int], set[int]] = defaultdict(set)
        for k in range(len(structure.links)):
            for node_, port, side in zip(
                (tail[k], head[k]),
                (structure.tail_port[k], structure.head_port[k]),
                self.sides(k),
                strict=True,
            ):
                found[int(node_), side].add(int(port))
        self._ports = {place: sorted(ports) for place, ports in found.items()}

    def sides(self, link: int) -> tuple[int, int]:
        """Side of its tail and of its head: 1 above, -1 below, 2 over its row, 0 at its side."""
        if self.rounds[link]:
            return 1, -1
        side = 2 if self.laterals[link] else int(self.rises[link])
        return side, side if side in (0, 2) else -side

    def _port(self, node: int, side: int, port: int) -> Point:
        ports = self._ports[node, side]
        row, index = int(self.structure.level[node]), int(self.structure.number[node])
        return self.rows.port(row, index, side, ports.index(port), len(ports))

    def line(self, link: int) -> list[Point]:
        """The points through which a link leads."""
        s, (one, other) = self.structure, self.sides(link)
        tail, head = int(s.tail[link]), int(s.head[link])
        if not self.rises[link]:
            return self._over(tail, head, int(s.tail_port[link]))
        start = self._port(tail, one, int(s.tail_port[link]))
        end = self._port(head, other, int(s.head_port[link]))
        return self._round(start, end) if self.rounds[link] else [start, end]

    def _over(self, tail: int, head: int, port: int) -> list[Point]:
        """Over a row, higher round its end; or from box to box of a node."""
        row, number = int(self.structure.level[tail]), self.structure.number
        one, other = int(number[tail]), int(number[head])
        if one // self.look.boxes == other // self.look.boxes:  # the turn-back links of a node
            ports = self._ports[tail, 0]
            beside = 9 * (ports.index(port) - (len(ports) - 1) / 2)
            (x0, y), (x1, _) = self.rows.centre(row, one), self.rows.centre(row, other)
            half = self.rows.length(row) / 2
            return [(x0 + half, y + beside), (x1 - half, y + beside)]
        start, end = self.rows.port(row, one, 1, 1, 2), self.rows.port(row, other, 1, 0, 2)
        over = start[1] - TRACK * (1 if abs(end[0] - start[0]) < self.look.along / 2 else 2)
        return [start, (start[0], over), (end[0], over), end]

    def _round(self, start: Point, end: Point) -> list[Point]:
        """Up, over the top row, down at the right of all, and to its end from below.

        The farther to the left it begins, the farther outside it goes.
        """
        last = int(self.structure.level.max())
        tops = np.flatnonzero(self.structure.level == last).tolist()
        begins = [self._port(node, 1, port)[0] for node in tops for port in self._ports[node, 1]]
        far = TRACK / 2 * (2 + sum(x > start[0] + 1 for x in begins))
        (x, y), (goal, bottom) = start, end
        aside, under = self.rows.left + self.rows.along + far, bottom + far
        return [start, (x, y - far), (aside, y - far), (aside, under), (goal, under), end]


def opposite(structure: Structure) -> list[int]:
    """The link back of each, between the same ports; -1 where there is none."""
    columns = structure.tail, structure.tail_port, structure.head, structure.head_port
    ends = list(zip(*(column.tolist() for column in columns), strict=True))
    at = {end: k for k, end in enumerate(ends)}
    return [at.get((*end[2:], *end[:2]), -1) for end in ends]
