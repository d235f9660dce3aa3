"""Layouts in three dimensions: processors and wires in unit cubes (Leiserson 1985, Section IV).

A voxel is a unit cube with integer coordinates.  It holds one processor, or one conductor, which
leaves it through its faces: nothing else.  So through a surface of area a there are at most a
conductors.  A conductor is a path of corners, straight between them; each carries a message each
way in a unit of time.  There are two kinds:

wire : between two processors; its first and last voxel belong to them.
bus : from a processor's voxel on; wires may end on it, which then take turns.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numba import njit

from fattree_models.common.checks import Int8Array, Int32Array, Int64Array


@dataclass(frozen=True, eq=False)
class Paths:
    """Paths, one after the other.

    Attributes
    ----------
    corners : int32 array [corners, 3]
        Voxels x, y, z; two that follow each other in a path differ in one coordinate at most.
    starts : int64 array [paths + 1]
        Path i has corners[starts[i] : starts[i + 1]].
    """

    corners: Int32Array
    starts: Int64Array

    @classmethod
    def straight(cls, points: Int32Array) -> "Paths":
        """Make paths of equally many corners: int32 array [paths, corners, 3]."""
        paths, corners, _ = points.shape
        starts = np.arange(paths + 1, dtype=np.int64) * corners
        return cls(np.ascontiguousarray(points.reshape(-1, 3), dtype=np.int32), starts)

    @classmethod
    def none(cls) -> "Paths":
        """Make no path."""
        return cls.straight(np.zeros((0, 2, 3), dtype=np.int32))

    def __len__(self) -> int:
        return self.starts.size - 1


@dataclass(frozen=True, eq=False)
class Layout:
    """A network in space.

    Attributes
    ----------
    home : int32 array [processors, 3]
        The voxel of each processor.
    edges : int32 array [wires, 2]
        The processors that each wire joins.
    wires, buses : Paths
        Conductors; none or one bus a processor.
    """

    home: Int32Array
    edges: Int32Array
    wires: Paths
    buses: Paths

    @property
    def processors(self) -> int:
        """How many there are."""
        return int(self.home.shape[0])

    @cached_property
    def dimensions(self) -> tuple[int, int, int]:
        """Sides of the smallest box, from the origin, that holds all."""
        every = [self.home, self.wires.corners, self.buses.corners]
        x, y, z = (max(int(a[:, k].max()) for a in every if a.size) + 1 for k in range(3))
        return x, y, z

    @property
    def side(self) -> int:
        """Side of the smallest cube."""
        return max(self.dimensions)

    @property
    def degree(self) -> int:
        """Most wires of a processor."""
        return int(np.bincount(self.edges.ravel()).max()) if self.edges.size else 0

    @property
    def time(self) -> int:
        """Units of time that a message along every edge, each way, takes: wires share a bus."""
        return self.degree if len(self.buses) else 1

    def occupied(self) -> int:
        """Count the voxels in use.

        Raises
        ------
        ValueError
            If a voxel holds two conductors, or a wire does not end at its processors.

        Notes
        -----
        O(voxels) time and memory, a byte each of the smallest box.
        """
        grid = np.zeros(self.dimensions, dtype=np.int8)
        if not _claim(grid, self.home):
            raise ValueError("layout: two processors are in one voxel")
        for kind, name in ((self.buses, "bus"), (self.wires, "wire")):
            wrong = _fill(grid, kind.corners, kind.starts, name == "wire")
            if wrong >= 0:
                raise ValueError(f"layout: {name} {wrong} runs through a voxel in use")
        return int(np.count_nonzero(grid))

    def check_ends(self) -> None:
        """Raise `ValueError` for the first wire that ends at another processor than it should.

        Notes
        -----
        For small layouts: a dictionary of the voxels of all processors and buses.
        """
        owner = {tuple(voxel): p for p, voxel in enumerate(self.home.tolist())}
        for path in range(len(self.buses)):
            voxels = self.voxels(self.buses, path)
            for voxel in voxels:
                owner[voxel] = owner[voxels[0]]
        for path, ends in enumerate(self.edges.tolist()):
            voxels = self.voxels(self.wires, path)
            if [owner.get(voxels[0]), owner.get(voxels[-1])] != ends:
                raise ValueError(f"layout: wire {path} does not join {ends[0]} and {ends[1]}")

    @staticmethod
    def voxels(paths: Paths, path: int) -> list[tuple[int, ...]]:
        """Return the voxels of a path in order, each once."""
        corners = paths.corners[paths.starts[path] : paths.starts[path + 1]].tolist()
        found = [tuple(corners[0])]
        for corner in corners[1:]:
            while found[-1] != tuple(corner):
                step = [int(np.sign(b - a)) for a, b in zip(found[-1], corner, strict=True)]
                found.append(tuple(a + s for a, s in zip(found[-1], step, strict=True)))
        return found


@njit(cache=True)
def _claim(grid: Int8Array, home: Int32Array) -> bool:
    """Mark the processors; whether each has a voxel of its own."""
    for p in range(home.shape[0]):
        if grid[home[p, 0], home[p, 1], home[p, 2]]:
            return False
        grid[home[p, 0], home[p, 1], home[p, 2]] = 1
    return True


@njit(cache=True)
def _fill(grid: Int8Array, corners: Int32Array, starts: Int64Array, wire: bool) -> int:
    """Mark paths: 1 for buses, which begin at a 1, 2 for wires, which begin and end at a 1.

    Returns the first path that meets what is marked, or -1.
    """
    for path in range(starts.size - 1):
        first, last = starts[path], starts[path + 1] - 1
        x, y, z = corners[first]
        ex, ey, ez = corners[last]
        if grid[x, y, z] != 1 or (wire and grid[ex, ey, ez] != 1):
            return path
        for corner in range(first + 1, last + 1):
            tx, ty, tz = corners[corner]
            while x != tx or y != ty or z != tz:
                x += np.sign(tx - x)
                y += np.sign(ty - y)
                z += np.sign(tz - z)
                if wire and x == ex and y == ey and z == ez:
                    continue
                if grid[x, y, z]:
                    return path
                grid[x, y, z] = 2 if wire else 1
    return -1
