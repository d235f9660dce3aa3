"""Balanced decomposition trees (Theorem 8, Corollary 9)."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numba import njit

from fattree_models.common.checks import Int64Array
from fattree_models.leiserson.capacity import check_processors, height
from fattree_models.universality.cuts import Decomposition
from fattree_models.universality.pearls import halve


@dataclass(frozen=True, eq=False)
class Balanced:
    """A balanced decomposition tree of n processors.

    Attributes
    ----------
    strings : list of int64 arrays [2^i, 4]
        Of each set of level i = 0 … lg n, begin and end of its two strings of boxes.
    through : list of int64 arrays [2^i]
        The conductors through the boxes of the forests of its strings.
    leaf : int64 array [processors]
        The leaf, 0 … n-1, of each processor of the network.
    """

    strings: list[Int64Array]
    through: list[Int64Array]
    leaf: Int64Array

    @cached_property
    def widths(self) -> list[int]:
        """Return w'_0 … w'_lg n: the most of any set of a level."""
        return [int(own.max()) for own in self.through]


def balance(tree: Decomposition, n: int) -> Balanced:
    """Balance a decomposition tree: its line of boxes is a string of pearls, the full ones black.

    Parameters
    ----------
    tree : Decomposition
        Of at most n processors.
    n : int
        Leaves of the balanced tree.  If there are fewer processors than that, idle ones are put
        into empty boxes, evenly.

    Notes
    -----
    Level i has 2^i sets of equally many boxes and equally many processors, each of at most two
    strings (Lemma 6), so of at most four subtrees of any height (Lemma 7).  O(n r lg n) time.

    Raises
    ------
    ValueError
        If there are more processors than n, or more than boxes.
    """
    black = _black(tree, check_processors(n))
    strings = [np.array([[0, 1 << tree.depth, 0, 0]], dtype=np.int64)]
    for _ in range(height(n)):
        strings.append(_halves(black, strings[-1]))
    return _with_forests(tree, strings)


def in_order(tree: Decomposition, n: int) -> Balanced:
    """Give processors to leaves in the order of their boxes: what Theorem 8 does better.

    Each set has equally many processors, in one string, but of any number of boxes.
    """
    black = _black(tree, check_processors(n))
    strings = []
    for level in range(height(n) + 1):
        inner = black[np.arange(1, 1 << level) * (n >> level)]
        ends = np.concatenate(([0], inner, [1 << tree.depth]))
        nothing = np.zeros(1 << level, dtype=np.int64)
        strings.append(np.stack((ends[:-1], ends[1:], nothing, nothing), axis=1))
    return _with_forests(tree, strings)


def _with_forests(tree: Decomposition, strings: list[Int64Array]) -> Balanced:
    """Count what goes through the forests of strings."""
    through = [np.zeros(one.shape[0], dtype=np.int64) for one in strings]
    for depth, boxes in enumerate(tree.through):
        for own, total in zip(strings, through, strict=True):
            _add_trees(own, tree.depth - depth, boxes, total)
    return Balanced(strings, through, _leaves(tree.leaf, strings[-1]))


def _black(tree: Decomposition, n: int) -> Int64Array:
    """Return the boxes of n processors, those of idle ones among them, ascending."""
    if tree.leaf.size > n:
        raise ValueError(f"processors: there are {tree.leaf.size}; allowed are {n}")
    if 1 << tree.depth < n:
        raise ValueError(f"boxes: there are 2^{tree.depth}; allowed are at least {n}")
    return np.sort(np.concatenate((tree.leaf, _idle(tree, n))))


def _idle(tree: Decomposition, n: int) -> Int64Array:
    """Return empty boxes for idle processors, evenly spread."""
    missing = n - tree.leaf.size
    if not missing:
        return np.zeros(0, dtype=np.int64)
    full = np.zeros(1 << tree.depth, dtype=np.bool_)
    full[tree.leaf] = True
    empty = np.flatnonzero(~full)
    return np.asarray(empty[np.arange(missing) * empty.size // missing])


@njit(cache=True)
def _halves(black, strings):  # type: ignore[no-untyped-def]
    """Divide every set of a level."""
    made = np.empty((2 * strings.shape[0], 4), dtype=np.int64)
    for i in range(strings.shape[0]):
        a0, a1, b0, b1 = strings[i]
        found = halve(black, a0, a1, b0, b1)
        for k in range(4):
            made[2 * i, k] = found[k]
            made[2 * i + 1, k] = found[k + 4]
    return made


@njit(cache=True)
def _add_trees(strings, tall, through, total):  # type: ignore[no-untyped-def]
    """Add what goes through the subtrees of one height in the forests of strings (Lemma 7)."""
    for i in range(strings.shape[0]):
        for k in (0, 2):
            begin, end = strings[i, k], strings[i, k + 1]
            # Whole subtrees of this height, and the part of them that whole higher ones cover.
            low, high = (begin + (1 << tall) - 1) >> tall, end >> tall
            if low >= high:
                continue
            if low & 1:
                total[i] += through[low]
                low += 1
            if high & 1 and high > low:
                total[i] += through[high - 1]


def _leaves(place: Int64Array, strings: Int64Array) -> Int64Array:
    """Return the set of the last level that has the box of each processor."""
    pieces = strings.reshape(-1, 2)
    some = np.flatnonzero(pieces[:, 0] < pieces[:, 1])
    order = some[np.argsort(pieces[some, 0])]
    found = np.searchsorted(pieces[order, 0], place, side="right") - 1
    return np.asarray(order[found] // 2)
