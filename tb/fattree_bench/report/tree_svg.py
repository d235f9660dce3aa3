"""A picture of a complete binary fat-tree: each channel is as wide as its lanes."""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from fattree_bench.report.diagram import BOX, ROOM, Look, Stroke, network
from fattree_bench.report.svg import Key
from fattree_models.common.structure import Link, Node, Structure

WIDEST = 36.0  # of the bands below the root, if they are nonblocking
LANE = 9.0  # width of a lane at most
MARGIN = 208.0  # for what is said of a level
GAPS = 58.0, 58.0  # between levels
SHADES = 20  # steps of colour from a channel without load to one with all lanes in use


def nonblocking(n: int) -> list[int]:
    """Lanes by level with which no message waits for another; none above the root."""
    return [0, *(1 << (n - level) for level in range(1, n + 1))]


def tree_svg(c: npt.ArrayLike, used: npt.ArrayLike | None = None, title: str = "") -> str:
    """Draw the fat-tree of capacity vector `c` (lanes by level); entry 0 is not looked at.

    What nonblocking would have more lies pale behind a channel.  `used` colours each level's
    channels by used/c: integers are lanes of the busiest channel, other numbers the mean of all.
    """
    lanes = np.asarray(c).tolist()
    n = len(lanes) - 1
    most = nonblocking(n)
    lane = min(WIDEST / most[1], LANE)
    names, keys, said = _levels(lanes, most, used)
    along = max(240.0, min(784.0, 36.5 * (1 << n)))
    strokes = []
    for k in range(2 * (1 << n) - 2):
        level = (k + 2).bit_length() - 1
        if lanes[level] != most[level]:
            strokes.append(Stroke(k, "idle", lane * most[level]))
        words = str(lanes[level]) if along / (1 << level) > ROOM else ""
        strokes.append(Stroke(k, names[level], lane * lanes[level], words=words))
    if lanes[1:] != most[1:]:
        keys.append(Key("idle", "what nonblocking would add"))
    wide = (28.0, 2 * lane * most[min(2, n)] + 6, max(2 * lane * most[1] + 6, 36.0))
    look = Look(along, wide, (BOX,) * 3, GAPS, margin=MARGIN, curved=True)
    return network(_tree(n), title or f"{1 << n}-leaf fat-tree", strokes, keys, said, look)


def _tree(n: int) -> Structure:
    """Nodes in the order of a heap, and the links up: the parent of node k is (k - 1) // 2."""
    nodes = [
        Node(str(k) if level == n else "" if level else "root", n - level, k, 0, 0)
        for level in range(n + 1)
        for k in range(1 << level)
    ]
    links = [Link("", k, (k - 1) // 2, 0, 1 - k % 2) for k in range(1, len(nodes))]
    return Structure.of(nodes, links)


def _levels(
    lanes: Sequence[int], most: Sequence[int], used: npt.ArrayLike | None
) -> tuple[list[str], list[Key], list[list[str]]]:
    """Classes of the channels by level, their keys, and what is said of each level from below."""
    said = [
        [f"level {level}: {x} lane{'s' * (x != 1)} each way", f"(nonblocking {most[level]})"]
        for level, x in enumerate(lanes)
    ]
    said[0] = []  # nothing is above the root
    if used is None:
        key = Key("up", "channel, as wide as its lanes")
        return ["up"] * len(lanes), [key], said[::-1]
    counts = np.asarray(used)
    mean = counts.dtype.kind == "f"
    shares = [
        count / x if level else 0.0
        for level, (count, x) in enumerate(zip(counts, lanes, strict=True))
    ]
    names = [f"load-{1 + round(x * SHADES)}" for x in shares]
    for level, lines in enumerate(said[1:], start=1):
        what = "mean" if mean else "busiest"
        share = round(100 * shares[level])
        lines.append(f"{what}: {counts[level]:.3g} of {lanes[level]} ({share} %)")
    words = "mean of the lanes in use:" if mean else "lanes of the busiest channel:"
    keys = [Key(f"load-{1 + k}", f"{100 * k // SHADES} %") for k in (0, SHADES // 2, SHADES)]
    return names, [Key("", words, 0), *keys], said[::-1]
