"""A picture of a fat-tree: `tree_svg` draws nodes, channels and their lanes as one SVG.

A channel is a band as wide as its lanes; what nonblocking would have more lies pale behind it.  The
picture follows the reader's light or dark colour scheme and needs nothing outside itself; the same
arguments give the same text.
"""

import textwrap
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from xml.sax.saxutils import escape, quoteattr

import numpy as np
import numpy.typing as npt

from fattree_models.common.checks import check_integers

__all__ = ["MAX_DRAWN_LEVELS", "tree_svg"]

MAX_DRAWN_LEVELS = 6

# After cividis (Nunez, Anderton, Renslow 2018): lightness grows evenly, for colour-blind readers
# too.  Either scheme runs from near its background (idle) to far from it (every lane used).
_CIVIDIS = ("#00224e", "#414d6b", "#7c7b78", "#bcaf6f", "#fee838")
_LIGHT_ENDS = (0.75, 0.0)
_DARK_ENDS = (0.3, 1.0)

_LIGHT = {
    "surface": "#ffffff",
    "zebra": "#f4f6f9",
    "ink": "#1f2328",
    "muted": "#59636e",
    "box": "#ffffff",
    "band": "#3f78b5",
    "ghost": "#d3e0ef",
    "grey": "#dfe3e8",
}
_DARK = {
    "surface": "#0d1117",
    "zebra": "#161c25",
    "ink": "#e6edf3",
    "muted": "#9da7b3",
    "box": "#222a35",
    "band": "#5d9be0",
    "ghost": "#27405f",
    "grey": "#363c46",
}

_TREE_WIDTH = {1: 240, 2: 300, 3: 430, 4: 584, 5: 608, 6: 784}
_PAD = 16.0
_BOX = 22.0  # height of a node
_WIDEST = 36.0  # nonblocking band below the root
_GLYPH = 0.6  # em; no common sans-serif sets our texts wider on the average

_Attributes = dict[str, str | float]


def tree_svg(c: npt.ArrayLike, used: npt.ArrayLike | None = None, title: str = "") -> str:
    """Draw the fat-tree of capacity vector `c` (lanes by level), 1 ... 6 levels.

    `used` colours each level's channels by used/c: integers are lanes of the busiest channel, other
    numbers the mean of all (entry 0 is not looked at).  ValueError if `c` or `used` is no such
    vector or the tree is too big.
    """
    lanes = check_integers("CAPACITY", c)
    n = lanes.size - 1
    if lanes.ndim != 1 or not 1 <= n <= MAX_DRAWN_LEVELS:
        raise ValueError(f"CAPACITY: has {n} levels; a picture has room for 1 … {MAX_DRAWN_LEVELS}")
    capacity = [int(lane) for lane in lanes]
    for level, (lane, most) in enumerate(zip(capacity, nonblocking(n), strict=True)):
        if not min(1, most) <= lane <= most:
            allowed = f"1 … {most}" if level else "0, no channel there"
            raise ValueError(f"CAPACITY: level {level} has {lane} lanes; allowed are {allowed}")
    busiest = None if used is None else _check_used(used, capacity)
    return _Picture(capacity, busiest, _printable(title)).svg()


def nonblocking(n: int) -> list[int]:
    """Lanes by level with which no message waits for another; none above the root."""
    return [0, *(1 << (n - level) for level in range(1, n + 1))]


def _check_used(used: npt.ArrayLike, capacity: Sequence[int]) -> list[int] | list[float]:
    """Return `used` as a list if it has 0 ... c[j] lanes at each level j."""
    lanes = np.asarray(used)
    if lanes.dtype.kind != "f":
        lanes = check_integers("used", used)
    if lanes.shape != (len(capacity),):
        raise ValueError(f"used: has shape {lanes.shape}; allowed is ({len(capacity)},)")
    counts = [0, *lanes[1:].tolist()]
    for level, (lane, most) in enumerate(zip(counts, capacity, strict=True)):
        if not 0 <= lane <= most:
            raise ValueError(f"used: level {level} has {lane} lanes; allowed are 0 … {most}")
    return counts


def _printable(title: str) -> str:
    """Return `title` on one line, without the characters XML cannot hold."""
    return "".join(char for char in " ".join(title.split()) if char.isprintable())


def _ramp(share: float, ends: tuple[float, float]) -> str:
    """Return the colour of `share` (0 ... 1) on the part of the ramp between `ends`."""
    place = (ends[0] + share * (ends[1] - ends[0])) * (len(_CIVIDIS) - 1)
    first = min(int(place), len(_CIVIDIS) - 2)
    low, high = (bytes.fromhex(colour[1:]) for colour in _CIVIDIS[first : first + 2])
    mixed = (round(a + (place - first) * (b - a)) for a, b in zip(low, high, strict=True))
    return "#" + bytes(mixed).hex()


def _tag(name: str, body: str = "", **attributes: str | float) -> str:
    """Return one element; `class_` is class, `_` in a name is `-`, numbers are rounded to 0.1."""
    words = [name]
    for key, value in attributes.items():
        text = value if isinstance(value, str) else f"{round(value, 1):g}"
        words.append(f"{key.rstrip('_').replace('_', '-')}={quoteattr(text)}")
    return f"<{' '.join(words)}>{body}</{name}>" if body else f"<{' '.join(words)}/>"


def _text(words: str, x: float, y: float, class_: str) -> str:
    return _tag("text", escape(words), x=x, y=y, class_=class_)


def _box(x: float, y: float, width: float, height: float, class_: str, rx: float = 4) -> str:
    """Return a rounded rectangle centred on (x, y)."""
    corner: _Attributes = {"x": x - width / 2, "y": y - height / 2}
    return _tag("rect", "", class_=class_, **corner, width=width, height=height, rx=rx)


@dataclass(frozen=True)
class _Picture:
    """One drawing: its geometry as properties, its layers as generators of elements."""

    c: list[int]
    used: list[int] | list[float] | None
    title: str

    @property
    def mean(self) -> bool:
        """`used` are means."""
        return self.used is not None and isinstance(self.used[-1], float)

    # Geometry ------------------------------------------------------------------------------------

    @property
    def n(self) -> int:
        return len(self.c) - 1

    @cached_property
    def most(self) -> list[int]:
        """Nonblocking lanes by level."""
        return nonblocking(self.n)

    @property
    def unit(self) -> float:
        """Width of a lane."""
        return min(_WIDEST / self.most[1], 9.0)

    @property
    def font(self) -> float:
        """Text size; a picture wider than 800 px will be shrunk, so its text is bigger."""
        return 15.0 if self.n == 6 else 12.5

    @property
    def margin(self) -> float:
        """Left edge of the tree, right of the labels."""
        return _PAD + self.font * 26 * 0.55 + 8

    @property
    def width(self) -> float:
        return self.margin + _TREE_WIDTH[self.n] + _PAD

    @cached_property
    def title_lines(self) -> list[str]:
        size = 1.36 * self.font * _GLYPH
        return textwrap.wrap(self.title, int((self.width - 2 * _PAD) / size))

    @cached_property
    def rows(self) -> list[float]:
        """Centres of the nodes by level; a gap is higher where the bands reach further aside."""
        heights = [_PAD + 1.9 * self.font * len(self.title_lines) + _BOX / 2]
        lines = 2 if self.used is None else 3
        for level in range(1, self.n + 1):
            text = 1.3 * self.font * (lines + 0.7)
            heights.append(heights[-1] + _BOX + max(46, text) + 0.1 * self.pitch(level))
        return heights

    def middle(self, level: int) -> float:
        """Height at which the channels of a level are half-way."""
        return (self.rows[level - 1] + self.rows[level]) / 2

    def pitch(self, level: int) -> float:
        """Distance between nodes of a level."""
        return _TREE_WIDTH[self.n] / (1 << level)

    def x(self, level: int, index: int) -> float:
        return self.margin + (index + 0.5) * self.pitch(level)

    def node_width(self, level: int) -> float:
        if level == self.n:
            return min(28.0, self.pitch(level) - 3)
        least = 14.0 if level else 2.8 * self.font  # "root" must fit
        return max(2 * self.unit * self.most[level + 1] + 6, least)

    @property
    def staggered(self) -> bool:
        """Whether the leaf numbers have no room in their boxes and stand below, in two rows."""
        return self.pitch(self.n) < 17

    @property
    def foot(self) -> float:
        """Lower edge of the leaves and their numbers."""
        return self.rows[-1] + _BOX / 2 + (2.3 * self.font if self.staggered else 0)

    def curve(self, level: int, index: int) -> str:
        """Path of the channel between node (level, index) and its parent."""
        side = (index % 2 - 0.5) * self.unit * self.most[level]
        x0, y0 = self.x(level - 1, index // 2) + side, self.rows[level - 1] + _BOX / 2 - 1
        x1, y1 = self.x(level, index), self.rows[level] - _BOX / 2 + 1
        half = (y0 + y1) / 2
        return f"M{x0:.1f} {y0:.1f}C{x0:.1f} {half:.1f} {x1:.1f} {half:.1f} {x1:.1f} {y1:.1f}"

    # Layers --------------------------------------------------------------------------------------

    def svg(self) -> str:
        legend, height = self.legend()
        size: _Attributes = {"width": round(self.width), "height": round(height)}
        body = [
            _tag("title", escape(self.title or f"{1 << self.n}-leaf fat-tree")),
            _tag("style", "\n" + "\n".join(self.style()) + "\n"),
            _tag("rect", "", class_="surface", rx=8, **size),
            *self.headline(),
            *self.labels(),
            *self.channels(),
            *self.counts(),
            *self.nodes(),
            *legend,
        ]
        box = "0 0 {width} {height}".format(**size)
        frame: _Attributes = {"viewBox": box, "role": "img", "id": self.scope}
        lines = "\n".join(["", *body, ""])
        return _tag("svg", lines, xmlns="http://www.w3.org/2000/svg", **frame, **size) + "\n"

    @cached_property
    def scope(self) -> str:
        """An id of the picture's own, so that several in one page keep their colours apart."""
        digest = zlib.crc32(repr((self.c, self.used, self.title)).encode())
        return f"fat-tree-{digest:08x}"

    def style(self) -> Iterator[str]:
        family = 'system-ui, -apple-system, "Segoe UI", Helvetica, Arial, sans-serif'
        yield f"#{self.scope} {{ font: {self.font:g}px {family}; color-scheme: light dark }}"
        yield f"#{self.scope} .title {{ font-size: {1.36 * self.font:g}px; font-weight: 600 }}"
        yield f"#{self.scope} .middle {{ text-anchor: middle }}"
        yield f"#{self.scope} .small {{ font-size: {0.88 * self.font:g}px }}"
        yield f"#{self.scope} .strong {{ font-weight: 600 }}"
        yield f"#{self.scope} path {{ fill: none }}"
        for level in range(1, self.n + 1):
            for name, lanes in (("channel", self.c[level]), ("ghost", self.most[level])):
                wide = f"{lanes * self.unit:g}"
                yield f"#{self.scope} .{name}.level-{level} {{ stroke-width: {wide} }}"
        if self.used is not None:
            yield f"#{self.scope} .ramp-key {{ fill: url(#{self.scope}-ramp) }}"
        yield from self.colours(_LIGHT, _LIGHT_ENDS)
        yield "@media (prefers-color-scheme: dark) {"
        yield from self.colours(_DARK, _DARK_ENDS)
        yield "}"

    def colours(self, scheme: dict[str, str], ends: tuple[float, float]) -> Iterator[str]:
        ghost = "{ghost}" if self.used is None else "{grey}"  # the ramp has blues of its own
        rules = {
            "text": "fill: {ink}",
            ".muted": "fill: {muted}",
            ".surface": "fill: {surface}",
            ".zebra": "fill: {zebra}",
            ".node": "fill: {box}; stroke: {muted}; stroke-width: 1.2",
            ".count": "fill: {surface}; stroke: {muted}; stroke-width: 0.8",
            ".ghost": f"stroke: {ghost}",
            ".ghost-key": f"fill: {ghost}",
            ".channel": "stroke: {band}",
            ".channel-key": "fill: {band}",
        }
        for selector, rule in rules.items():
            yield f"#{self.scope} {selector} {{ {rule.format(**scheme)} }}"
        if self.used is None:
            return
        for level in range(1, self.n + 1):
            colour = _ramp(self.used[level] / self.c[level], ends)
            yield f"#{self.scope} .channel.level-{level} {{ stroke: {colour} }}"
        for stop in range(5):
            yield f"#{self.scope} .stop-{stop} {{ stop-color: {_ramp(stop / 4, ends)} }}"

    def headline(self) -> Iterator[str]:
        for row, words in enumerate(self.title_lines):
            y = _PAD + self.font * (1.1 + 1.7 * row)
            yield _tag("text", escape(words), x=_PAD, y=y, class_="title")

    def labels(self) -> Iterator[str]:
        """What the left margin says of each level, on stripes that lead the eye to the channels."""
        for level in range(1, self.n + 1):
            top, bottom = self.rows[level - 1], self.rows[level]
            if level % 2:
                height = bottom - top - (_BOX / 2 + 3 if level == self.n else 0)
                yield _tag("rect", x=0, y=top, width=self.width, height=height, class_="zebra")
            lines = self.label(level)
            y = self.middle(level) + self.font * (0.35 - 0.65 * (len(lines) - 1))
            spans = [_tag("tspan", lines[0], class_="strong")]
            spans += [
                _tag("tspan", f" {words}", x=_PAD, dy=1.3 * self.font, class_="muted")
                for words in lines[1:]
            ]
            yield _tag("text", "".join(spans), x=_PAD, y=y)
        first = self.rows[-1] + 0.35 * self.font
        yield _text(f"leaves 0 … {(1 << self.n) - 1}", _PAD, first, "muted")

    def label(self, level: int) -> list[str]:
        lanes = self.c[level]
        plural = "lane" if lanes == 1 else "lanes"
        lines = [f"level {level}: {lanes} {plural} each way", f"(nonblocking {self.most[level]})"]
        if self.used is not None:
            share = round(100 * self.used[level] / lanes)
            what = "mean" if self.mean else "busiest"
            lines.append(f"{what}: {self.used[level]:.3g} of {lanes} ({share} %)")
        return lines

    def channels(self) -> Iterator[str]:
        for name in ("ghost", "channel"):
            for level in range(1, self.n + 1):
                if name == "ghost" and self.c[level] == self.most[level]:
                    continue
                for index in range(1 << level):
                    class_ = f"{name} level-{level}"
                    yield _tag("path", d=self.curve(level, index), class_=class_)

    def counts(self) -> Iterator[str]:
        """Lane counts on the channels, at the levels that have room for them."""
        for level in range(1, self.n + 1):
            words = str(self.c[level])
            wide = self.font * (0.55 * len(words) + 0.55)
            if self.pitch(level) / 2 < wide + 3:
                continue
            y = self.middle(level)
            for index in range(1 << level):
                side = (index % 2 - 0.5) * self.unit * self.most[level]
                x = (self.x(level - 1, index // 2) + side + self.x(level, index)) / 2
                yield _box(x, y, wide, 1.25 * self.font, "count", rx=0.6 * self.font)
                yield _text(words, x, y + 0.32 * self.font, "small middle")

    def nodes(self) -> Iterator[str]:
        for level in range(self.n + 1):
            for index in range(1 << level):
                wide = self.node_width(level)
                yield _box(self.x(level, index), self.rows[level], wide, _BOX, "node")
        yield _text("root", self.x(0, 0), self.rows[0] + 0.32 * self.font, "small middle")
        for leaf in range(1 << self.n):
            y = self.rows[-1] + 0.32 * self.font
            if self.staggered:
                y = self.rows[-1] + _BOX / 2 + self.font * (0.95 + 1.05 * (leaf % 2))
            yield _text(str(leaf), self.x(self.n, leaf), y, "small middle")

    def legend(self) -> tuple[list[str], float]:
        """Return the keys below the tree, as many to a line as fit, and the picture's height."""
        items = [("channel-key", "channel, as wide as its lanes")]
        if self.used is not None:
            what = "mean of the lanes in use" if self.mean else "busiest lane count"
            items = [("ramp-key", f"{what}: none … all lanes")]
        if self.c != self.most:
            items.append(("ghost-key", "what nonblocking would add"))
        x, y = _PAD, self.foot + 2 * self.font
        parts: list[str] = []
        for name, words in items:
            key = (6.0 if name == "ramp-key" else 2.2) * self.font
            wide = key + self.font * (0.5 + 0.52 * len(words) + 1)
            if x > _PAD and x + wide - self.font > self.width:
                x, y = _PAD, y + 1.6 * self.font
            parts += self.key(name, x, y, key)
            parts.append(_text(words, x + key + 0.5 * self.font, y + 0.35 * self.font, "muted"))
            x += wide
        return parts, y + 0.8 * self.font + _PAD / 2

    def key(self, name: str, x: float, y: float, width: float) -> Iterator[str]:
        """One key, its left edge at x; the ramp brings its gradient along."""
        yield _box(x + width / 2, y, width, 0.7 * self.font, name, rx=2)
        if name != "ramp-key":
            return
        stops = [_tag("stop", offset=f"{25 * i}%", class_=f"stop-{i}") for i in range(5)]
        yield _tag("linearGradient", "".join(stops), id=f"{self.scope}-ramp")
