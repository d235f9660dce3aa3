"""Decomposition trees by cutting planes (Theorem 5).

The cube is cut in two equal boxes, each of these across the next axis, and so on: x, y, z, x, …
Box b of depth i is one of 2^i; its halves are boxes 2b and 2b + 1 of depth i + 1.  Planes need not
lie between voxels: a voxel belongs to the box that has its centre.
"""

from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numba import njit

from fattree_models.common.checks import MAX_LEVELS, Int32Array, Int64Array, check_integer
from fattree_models.universality.layout import Layout

MAX_DEPTH = 60


@dataclass(frozen=True, eq=False)
class Decomposition:
    """A decomposition tree.

    Attributes
    ----------
    side : int
        Of the cube, so v = side^3.
    depth : int
        r: every box of this depth holds one processor or none.
    leaf : int64 array [processors]
        The box of each processor at that depth.
    through : list of int64 arrays [2^i]
        Conductors through the surface of each box of depth i = 0 … r.
    """

    side: int
    depth: int
    leaf: Int64Array
    through: list[Int64Array]

    @property
    def widths(self) -> list[int]:
        """Return w_0 … w_r: the most that any box of a depth has."""
        return [int(own.max()) for own in self.through]

    @property
    def gamma(self) -> float:
        """Return the most conductors a unit of surface, over all boxes: the paper's constant."""
        pairs = enumerate(self.widths)
        return max(w / float(surface(self.side, i)) for i, w in pairs)


def surface(side: int, depth: int) -> Fraction:
    """Return the surface of a box of a depth, 0 … 60, of a cube of a side from 1, exact.

    Examples
    --------
    >>> [str(surface(2, i)) for i in range(4)]
    ['24', '16', '10', '6']
    """
    side, depth = check_integer("side", side, 1), check_integer("depth", depth, 0, MAX_DEPTH)
    x, y, z = (Fraction(side, 1 << -(-(depth - axis) // 3)) for axis in range(3))
    return 2 * (x * y + y * z + z * x)


def share_of_bound(side: int, depth: int) -> Fraction:
    """Return the cube of surface / (4 cbrt(4) (v / 2^i)^(2/3)), exact: at most 1 (Theorem 5).

    Examples
    --------
    >>> [str(share_of_bound(6, i)) for i in range(5)]
    ['27/32', '1', '125/128', '27/32', '1']
    """
    cube = surface(side, depth) ** 3
    return cube * (1 << 2 * int(depth)) / (256 * Fraction(int(side) ** 6))


def cut(layout: Layout, side: int | None = None, least: int = 0) -> Decomposition:
    """Cut the cube of a layout until no box holds two processors.

    Parameters
    ----------
    side : int
        Of the cube, at least the layout's, which is the default.
    least : int
        The least depth, 0 … 20, for a tree of more leaves than there are processors.

    Notes
    -----
    A step of a conductor from voxel to voxel is counted at the boxes that it leaves and enters at
    the last depth, and once at the box whose cut it crosses first: then

        through(box) = through(one half) + through(other half) - 2 crossings of its cut.

    O(voxels of conductors + 2^r) time, O(2^r) memory.
    """
    side = layout.side if side is None else check_integer("side", side, layout.side)
    depth = max(check_integer("least", least, 0, MAX_LEVELS), _depth(layout.home, side))
    tables = _tables(side, depth)
    last = np.zeros(1 << depth, dtype=np.int64)
    crossed = np.zeros(1 << depth, dtype=np.int64)  # heap index, from 1
    for paths in (layout.wires, layout.buses):
        _count(paths.corners, paths.starts, tables, depth, last, crossed)
    through = [last]
    for level in range(depth - 1, -1, -1):
        below = through[-1]
        through.append(below[::2] + below[1::2] - 2 * crossed[1 << level : 2 << level])
    return Decomposition(side, depth, _boxes(layout.home, tables), through[::-1])


def _tables(side: int, depth: int) -> Int64Array:
    """Return what each coordinate adds to a box's number, int64 [3, side]."""
    made = np.zeros((3, side), dtype=np.int64)
    for axis in range(3):
        cuts = -(-(depth - axis) // 3)
        cell = ((2 * np.arange(side, dtype=np.int64) + 1) << cuts) // (2 * side)
        for number in range(cuts):  # cut number of this axis is cut 3 number + axis of all
            bit = cell >> (cuts - 1 - number) & 1
            made[axis] |= bit << (depth - 1 - 3 * number - axis)
    return made


def _boxes(home: Int32Array, tables: Int64Array) -> Int64Array:
    return np.asarray(tables[0][home[:, 0]] | tables[1][home[:, 1]] | tables[2][home[:, 2]])


def _depth(home: Int32Array, side: int) -> int:
    """Return the least depth at which no box holds two processors."""
    whole = _boxes(home, _tables(side, MAX_DEPTH))
    whole.sort()
    apart = whole[1:] ^ whole[:-1]
    if not apart.all():
        raise ValueError("layout: two processors are in one voxel")
    return MAX_DEPTH + 1 - int(apart.min()).bit_length() if apart.size else 0


@njit(cache=True)
def _count(corners, starts, tables, depth, last, crossed):  # type: ignore[no-untyped-def]
    """Count the steps of paths between boxes of the last depth, and the cuts they cross first."""
    here = np.zeros(3, dtype=np.int64)
    for path in range(starts.size - 1):
        for axis in range(3):
            here[axis] = corners[starts[path], axis]
        for i in range(starts[path] + 1, starts[path + 1]):
            for axis in range(3):
                target = corners[i, axis]
                rest = 0
                for other in range(3):
                    if other != axis:
                        rest |= tables[other, here[other]]
                while here[axis] != target:
                    after = here[axis] + (1 if target > here[axis] else -1)
                    apart = tables[axis, here[axis]] ^ tables[axis, after]
                    if apart:
                        box = rest | tables[axis, here[axis]]
                        last[box] += 1
                        last[rest | tables[axis, after]] += 1
                        bits = 0
                        while apart >> bits:
                            bits += 1
                        crossed[(1 << (depth - bits)) | (box >> bits)] += 1
                    here[axis] = after
