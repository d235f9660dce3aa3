"""A picture of a fat-tree: `tree_svg` draws nodes, channels and their lanes as one SVG.

A channel is a band as wide as its lanes; what nonblocking would have more lies pale behind it.  The
picture follows the reader's light or dark colour scheme and needs nothing outside itself; the same
arguments give the same text.
"""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from fattree_bench.report import svg
from fattree_models.common.checks import check_integers

__all__ = ["MAX_DRAWN_LEVELS", "tree_svg"]

MAX_DRAWN_LEVELS = 6

_TREE_WIDTH = {1: 240, 2: 300, 3: 430, 4: 584, 5: 608, 6: 784}
_BOX = 22.0  # height of a node
_WIDEST = 36.0  # nonblocking band below the root


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
    picture = _Picture(capacity, busiest, svg.printable(title))
    return svg.rendered("tree.svg.j2", picture=picture, box_height=_BOX)


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


class _Picture:
    """One drawing: where everything stands, and what is said; tree.svg.j2 draws it."""

    def __init__(self, c: list[int], used: list[int] | list[float] | None, title: str) -> None:
        self.c, self.used, self.title = c, used, title
        self.n = len(c) - 1
        self.mean = used is not None and isinstance(used[-1], float)
        self.most = nonblocking(self.n)
        self.unit = min(_WIDEST / self.most[1], 9.0)  # width of a lane
        # A picture wider than 800 px will be shrunk, so its text is bigger.
        self.font = 15.0 if self.n == 6 else 12.5
        # Left edge of the tree, right of the labels.
        self.margin = svg.PAD + self.font * 26 * 0.55 + 8
        self.width = self.margin + _TREE_WIDTH[self.n] + svg.PAD
        self.title_lines = svg.title_lines(title, self.width, self.font)
        # Centres of the nodes by level; a gap is higher where the bands reach further aside.
        self.rows = [svg.PAD + 1.9 * self.font * len(self.title_lines) + _BOX / 2]
        text = 1.3 * self.font * (2.7 if used is None else 3.7)
        for level in range(1, self.n + 1):
            self.rows.append(self.rows[-1] + _BOX + max(46, text) + 0.1 * self.pitch(level))
        # Leaf numbers without room in their boxes stand below, in two rows.
        self.staggered = self.pitch(self.n) < 17
        self.scope = svg.scope(c, used, title)
        self.keys = self._keys()
        self.height = self.keys[-1].y + 0.8 * self.font + svg.PAD / 2

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

    def leaf_number(self, leaf: int) -> float:
        """Height of a leaf's number."""
        if self.staggered:
            return self.rows[-1] + _BOX / 2 + self.font * (0.95 + 1.05 * (leaf % 2))
        return self.rows[-1] + 0.32 * self.font

    def middle(self, level: int) -> float:
        """Height at which the channels of a level are half-way."""
        return (self.rows[level - 1] + self.rows[level]) / 2

    def ends(self, level: int, index: int) -> tuple[float, float]:
        """Where the channel between node (level, index) and its parent begins and ends."""
        side = (index % 2 - 0.5) * self.unit * self.most[level]
        return self.x(level - 1, index // 2) + side, self.x(level, index)

    def curve(self, level: int, index: int) -> str:
        """Path of that channel."""
        x0, x1 = self.ends(level, index)
        y0, y1 = self.rows[level - 1] + _BOX / 2 - 1, self.rows[level] - _BOX / 2 + 1
        half = (y0 + y1) / 2
        return f"M{x0:.1f} {y0:.1f}C{x0:.1f} {half:.1f} {x1:.1f} {half:.1f} {x1:.1f} {y1:.1f}"

    def label(self, level: int) -> list[str]:
        """What the left margin says of a level."""
        lanes = self.c[level]
        plural = "lane" if lanes == 1 else "lanes"
        lines = [f"level {level}: {lanes} {plural} each way", f"(nonblocking {self.most[level]})"]
        if self.used is not None:
            share = round(100 * self.used[level] / lanes)
            what = "mean" if self.mean else "busiest"
            lines.append(f"{what}: {self.used[level]:.3g} of {lanes} ({share} %)")
        return lines

    def _keys(self) -> list[svg.Placed]:
        """The keys below the tree."""
        keys = [svg.Key("channel-key", "channel, as wide as its lanes")]
        if self.used is not None:
            what = "mean of the lanes in use" if self.mean else "busiest lane count"
            keys = [svg.Key("ramp-key", f"{what}: none … all lanes", 6.0)]
        if self.c != self.most:
            keys.append(svg.Key("ghost-key", "what nonblocking would add"))
        y = self.rows[-1] + _BOX / 2 + (4.3 if self.staggered else 2) * self.font
        return svg.placed(keys, y, self.width, self.font)
