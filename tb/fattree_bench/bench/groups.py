"""Functional coverage as data: points with labelled bins, crosses of them, what cannot be hit.

Each network declares its groups in its folder (families/*/cover.py); the environment of its
link counts.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
import numpy.typing as npt

from fattree_models.common.checks import BoolArray, Int64Array, IntegerArray

NO_YES = ("no", "yes")
OVER_CAPACITY = "over capacity"  # more want a channel than it can carry
# Requests that meet at a concentrator in one slot or delivery cycle, against its width.
AGAINST_WIDTH = ("none", "fewer than wide", "as many as wide", "one more", "more still")


@dataclass(frozen=True)
class Point:
    """One axis: what is looked at, and the label of each bin."""

    title: str
    labels: tuple[str, ...]


def numbered(title: str, count: int) -> Point:
    """A point whose bins are 0 … count - 1."""
    return Point(title, tuple(map(str, range(count))))


class Sizes:
    """Bins of sizes: up to each edge, the first alone; what is larger has a label of its own."""

    def __init__(self, *edges: int, last: str) -> None:
        self.edges = edges
        lows = (edges[0], *(edge + 1 for edge in edges[:-1]))
        spans = zip(lows, edges, strict=True)
        self.labels = (*(f"{a} … {b}" if a < b else f"{a}" for a, b in spans), last)

    def bins(self, sizes: npt.ArrayLike) -> Int64Array:
        return np.searchsorted(self.edges, sizes).astype(np.int64)


@dataclass
class Group:
    """A cover group: a point, or the cross of several.

    Attributes
    ----------
    exists : bool, one axis a point: combinations that are bins at all (an axis may be as long as
        the widest level needs); None: all.
    excluded : (why nothing can hit them, bool array of bins).
    hits : int64, the same shape.
    """

    name: str
    points: tuple[Point, ...]
    exists: BoolArray | None = None
    excluded: list[tuple[str, BoolArray]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.hits: Int64Array = np.zeros(self.shape, np.int64)
        self._possible = np.ones(self.shape, np.bool_)

    @property
    def shape(self) -> tuple[int, ...]:
        return tuple(len(p.labels) for p in self.points)

    @cached_property
    def reachable(self) -> BoolArray:
        """Bins that count."""
        bins = np.ones(self.shape, np.bool_) if self.exists is None else self.exists.copy()
        for _, mask in self.excluded:
            bins &= ~mask
        return bins

    def reasons(self) -> Iterable[tuple[int, str]]:
        """(bins, why they cannot be hit) of every exclusion that excludes something."""
        left = np.ones(self.shape, np.bool_) if self.exists is None else self.exists.copy()
        for reason, mask in self.excluded:
            count = int(np.count_nonzero(left & mask))
            left &= ~mask
            if count:
                yield count, reason

    def exclude(self, reason: str, mask: npt.ArrayLike, possible: bool = False) -> None:
        """Leave out bins that nothing can hit, or, if `possible`, that need not be hit.

        `mask` is broadcast against the shape.
        """
        bins = np.broadcast_to(np.asarray(mask, np.bool_), self.shape)
        if bins.any():
            self.excluded.append((reason, bins))
            self._possible &= possible | ~bins

    @property
    def covered(self) -> int:
        return int(np.count_nonzero(self.hits[self.reachable]))

    @property
    def bins(self) -> int:
        return int(np.count_nonzero(self.reachable))

    def impossible(self) -> int:
        """Bins that were hit although nothing can hit them: then the reason is wrong."""
        possible = self._possible if self.exists is None else self._possible & self.exists
        return int(np.count_nonzero(self.hits[~possible]))

    def add(self, indices: Sequence[npt.ArrayLike], times: int) -> None:
        """Count samples: one index array a point, all of one size."""
        flat = np.zeros(1, np.int64)
        for index, size in zip(indices, self.shape, strict=True):
            flat = flat * size + np.asarray(index).ravel()
        hits = self.hits.reshape(-1)
        if hits.size > 8 * flat.size:
            np.add.at(hits, flat, times)
        else:
            hits += times * np.bincount(flat, minlength=hits.size)


def against_width(requests: IntegerArray, width: IntegerArray | int) -> Int64Array:
    """Bin of AGAINST_WIDTH of each number of requests."""
    some = (requests > 0).astype(np.int64)
    return some + (requests >= width) * some + (requests > width) + (requests > width + 1)


def reachable_against_width(most: int, width: int) -> list[bool]:
    """Which bins of AGAINST_WIDTH can be hit where at most so many requests meet."""
    return [True, width > 1 and most > 0, most >= width, most > width, most > width + 1]
