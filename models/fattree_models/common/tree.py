"""The complete binary tree under a fat-tree: nodes, subtrees, common ancestors, unique paths.

Node (j, k), at level j (root 0, leaves n) with index 0 <= k < 2^j, has the heap index 2^j + k: the
root is 1, leaf x is N + x, the parent of v is v >> 1.  Channel (j, k), 1 <= j <= n, joins node (j,
k) with its parent and carries c_j lanes up and c_j lanes down; arrays over channels are indexed by
the heap index of that node.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TypeVar

import numpy as np
import numpy.typing as npt

from fattree_models.common.checks import (
    Int8Array,
    Int32Array,
    Int64Array,
    check_integer,
    check_integers,
    check_levels,
)
from fattree_models.common.structure import LEAF_WIDTH, Link, Node, Structure

_Counts = TypeVar("_Counts", Int32Array, Int64Array)

UP = 0
DOWN = 1


@lru_cache(maxsize=None, typed=True)
def bit_lengths(n: int) -> Int8Array:
    """Return the table of the bit lengths of 0 ... 2^n - 1 (read-only, made once for each n).

    A look-up in a table this small costs about a nanosecond; `np.frexp` costs ten.

    Returns
    -------
    int8 array [2^n]
        bit_length(0) = 0, bit_length(i) = 1 + floor(log2 i).

    Examples
    --------
    >>> bit_lengths(3)
    array([0, 1, 2, 2, 3, 3, 3, 3], dtype=int8)
    """
    n = check_levels(n)
    table = np.zeros(1 << n, dtype=np.int8)
    for bit in range(n):
        table[1 << bit : 2 << bit] = bit + 1
    table.flags.writeable = False
    return table


@dataclass(frozen=True)
class FatTree:
    """The complete binary tree with N = 2^n leaves (Section II of the paper).

    Parameters
    ----------
    n : int
        Number of levels below the root, 1 ... 20.

    Examples
    --------
    >>> FatTree(4).leaves
    16
    """

    n: int

    def __post_init__(self) -> None:
        object.__setattr__(self, "n", check_levels(self.n))

    @property
    def leaves(self) -> int:
        """Number of leaves, N = 2^n."""
        return 1 << self.n

    @property
    def levels(self) -> int:
        """Number of levels of nodes, n + 1, root and leaves included."""
        return self.n + 1

    def heap_index(self, level: int, index: int) -> int:
        """Return the heap index 2^level + index of a node.

        Examples
        --------
        >>> FatTree(4).heap_index(3, 2)
        10
        """
        level = check_integer("level", level, 0, self.n)
        return (1 << level) + check_integer(f"index at level {level}", index, 0, (1 << level) - 1)

    def subtree_leaves(self, level: int, index: int) -> tuple[int, int]:
        """Return the first and the last leaf of subtree T(level, index), Eq. (2).

        Examples
        --------
        S(3, 2) = {4, 5} and S(2, 1) = {4, 5, 6, 7} in the tree of the paper's Fig. 2:

        >>> FatTree(4).subtree_leaves(3, 2), FatTree(4).subtree_leaves(2, 1)
        ((4, 5), (4, 7))
        """
        first, rise = self.heap_index(level, index), self.n - int(level)
        return (first << rise) - self.leaves, (first + 1 << rise) - self.leaves - 1

    def lca_level(self, src: npt.ArrayLike, dst: npt.ArrayLike) -> Int8Array:
        """Return the level of the lowest common ancestor, n - bit_length(src XOR dst).

        Parameters
        ----------
        src, dst : int arrays, broadcast against each other
            Leaves, 0 ... N-1.

        Returns
        -------
        int8 array of the broadcast shape
            0 where the packet turns at the root, n where src = dst (a loop-back, no channel used).

        Examples
        --------
        >>> FatTree(4).lca_level(4, [5, 6, 0, 12, 4])
        array([3, 2, 1, 0, 4], dtype=int8)
        """
        x = check_integers("src", src, 0, self.leaves - 1)
        y = check_integers("dst", dst, 0, self.leaves - 1)
        return np.asarray(np.int8(self.n) - bit_lengths(self.n)[x ^ y])

    def path(self, src: int, dst: int) -> Int64Array:
        """Return the channels of the unique path: up to the lowest common ancestor, then down.

        Parameters
        ----------
        src, dst : int
            Leaves, 0 ... N-1.

        Returns
        -------
        int64 array [hops, 3]
            Rows (level, index, direction) in travelling order, direction 0 (`UP`) or 1 (`DOWN`);
            no rows if src = dst.

        Examples
        --------
        >>> FatTree(3).path(1, 2).tolist()
        [[3, 1, 0], [2, 0, 0], [2, 1, 1], [3, 2, 1]]
        """
        src = check_integer("src", src, 0, self.leaves - 1)
        dst = check_integer("dst", dst, 0, self.leaves - 1)
        top = int(self.lca_level(src, dst))
        up = [(level, src >> (self.n - level), UP) for level in range(self.n, top, -1)]
        down = [(level, dst >> (self.n - level), DOWN) for level in range(top + 1, self.n + 1)]
        return np.array(up + down, dtype=np.int64).reshape(-1, 3)

    def channel_levels(self) -> Int8Array:
        """Return the level of each heap index.

        Returns
        -------
        int8 array [2N]
            Entry 0, which belongs to no node, is 0 like the root's.

        Examples
        --------
        >>> FatTree(2).channel_levels()
        array([0, 0, 1, 1, 2, 2, 2, 2], dtype=int8)
        """
        levels = np.arange(self.levels, dtype=np.int8)
        return np.repeat(levels, [2] + [1 << level for level in range(1, self.levels)])

    def channel_lanes(self, c: npt.ArrayLike) -> Int64Array:
        """Return the capacity of each channel, c spread over the heap indices.

        Parameters
        ----------
        c : int array [n + 1]
            Lanes per channel, by level; the entry of level 0 is not looked at.

        Returns
        -------
        int64 array [2N]
            Entries 0 and 1 are 0: the root has no channel up.

        Examples
        --------
        >>> FatTree(2).channel_lanes([0, 1, 1])
        array([0, 0, 1, 1, 1, 1, 1, 1])
        """
        lanes = check_integers("c", c).astype(np.int64)
        if lanes.shape != (self.levels,):
            raise ValueError(f"c: has shape {lanes.shape}; allowed is ({self.levels},)")
        lanes[0] = 0
        return np.asarray(lanes[self.channel_levels()])


def subtree_sums(counts: _Counts, n: int) -> _Counts:
    """Add the counts of all descendants to each node, in place; return the array.

    Parameters
    ----------
    counts : int32 or int64 array [..., 2N]
        By heap index.
    n : int
        Levels below the root.

    Examples
    --------
    >>> subtree_sums(np.array([0, 0, 5, 0, 1, 1, 1, 1]), 2)
    array([0, 9, 7, 2, 1, 1, 1, 1])
    """
    for level in range(n - 1, -1, -1):
        first, child = 1 << level, 2 << level
        counts[..., first:child] += counts[..., child : 2 * child : 2]
        counts[..., first:child] += counts[..., child + 1 : 2 * child : 2]
    return counts


def tree_structure(
    lanes: Sequence[int],
    signal: str = "",
    nouns: tuple[str, str] = ("leaf", "node"),
    first: int = 1,
    above: Node | None = None,
) -> Structure:
    """Return the structure of a complete binary tree: its channels up, then down, from the root.

    Parameters
    ----------
    lanes : sequence of int [n + 1]
        Lanes of a channel each way, by level.
    signal : str
        Where the RTL shows a channel; may hold {level}, {number} and {way}, "up" or "down".
    nouns : (str, str)
        What a leaf is called, and a node.
    first : int
        Level of the highest channels.
    above : Node or None
        What these join at the top, in the place of the nodes of level `first` - 1 and higher.

    Notes
    -----
    Ports 0 and 1 of a node lead to its children, port 2 to its parent; a leaf has one.

    Examples
    --------
    >>> tree = tree_structure([0, 2, 1], "t{level}_{number}_{way}")
    >>> tree.links[0], tree.signal[2:4], tree.lanes[:4].tolist()
    ('channel (1, 0) up', ('t2_0_up', 't2_1_up'), [2, 2, 1, 1])
    """
    n, least = len(lanes) - 1, first - (above is None)
    nodes = []
    for level in range(least, n + 1):
        for k in range(1 << level):
            x, y = (k + 0.5) * (1 << n - level), float(level)
            if level == n:
                nodes.append(Node(f"{nouns[0]} {k}", 0, k, x, y, LEAF_WIDTH))
            else:
                nodes.append(Node(f"{nouns[1]} ({level}, {k})", n - level, k, x, y))
    top = len(nodes)
    nodes += [above] if above else []
    links = []
    for way in ("up", "down"):
        for level in range(first, n + 1):
            for k in range(1 << level):
                low = (1 << level) - (1 << least) + k
                at_top = above is not None and level == first
                high = top if at_top else (1 << level - 1) - (1 << least) + (k >> 1)
                ends = [(low, 0 if level == n else 2), (high, k if at_top else k & 1)]
                (tail, leaves), (head, arrives) = ends if way == "up" else reversed(ends)
                name = f"channel ({level}, {k}) {way}"
                where = signal.format(level=level, number=k, way=way)
                links.append(Link(name, tail, head, leaves, arrives, int(lanes[level]), where))
    return Structure.of(nodes, links)
