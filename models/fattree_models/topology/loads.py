"""What no routing could do better: bounds of link loads."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from fattree_models.common.checks import Int64Array
from fattree_models.topology.ranks import Ranked
from fattree_models.topology.routes import Routes
from fattree_models.topology.shifts import some_shifts


@dataclass(frozen=True, eq=False)
class Ideal:
    """What no routing could beat.

    Attributes
    ----------
    all_pairs : int64 array [ranks]
        Least load of the busiest link up out of subtrees of each rank, and of those down into
        them, if every host sends to every other; entry 0 are the links of hosts.
    shifts : int64 array [shifts]
        The same of `some_shifts`, of all ranks.
    """

    all_pairs: Int64Array
    shifts: Int64Array


def ideal(routes: Routes, ranked: Ranked) -> Ideal:
    """Return lower bounds: what must leave each subtree, over the links that leave it.

    Notes
    -----
    A subtree of rank l is what hangs together of ranks 0 ... l.  Of a shift, what leaves it is its
    size less the circular autocorrelation of its hosts.
    """
    fabric, order = routes.fabric, routes.order
    n, nodes = order.size, len(fabric.names)
    rank = np.array([ranked.rank[node] for node in range(nodes)])
    one, other = fabric.links[:, 0], fabric.links[:, 2]
    high = np.maximum(rank[one], rank[other])
    common = int(np.lcm.reduce(fabric.weight, initial=1))
    pairs = np.zeros(int(rank.max()) + 1, np.int64)
    shift, met = some_shifts(n), set[tuple[int, int]]()
    shifts = np.zeros(shift.size, np.int64)
    for level in range(pairs.size):
        inner = high <= level
        links = coo_array((np.ones(inner.sum()), (one[inner], other[inner])), (nodes, nodes))
        _, part = connected_components(links, directed=False)
        apart = part[one] != part[other]
        ends = np.concatenate([part[one[apart]], part[other[apart]]])
        width = np.tile(common // fabric.weight[::2][apart], 2)  # in parts of the fastest link
        leaving = np.bincount(ends, width, minlength=nodes).astype(np.int64)
        subtrees, first, sizes = np.unique(part[order], return_index=True, return_counts=True)
        last = n - 1 - np.unique(part[order][::-1], return_index=True)[1]
        for subtree, begin, end, size in zip(
            *(x.tolist() for x in (subtrees, first, last, sizes)), strict=True
        ):
            ways, row = int(leaving[subtree]), end - begin + 1 == size  # one behind the other
            if not ways or size == n or (row and (size, ways) in met):
                continue
            pairs[level] = max(pairs[level], -(-size * (n - size) * common // ways))
            stay = np.maximum(size - shift, 0) + np.maximum(size - n + shift, 0)
            if row:
                met.add((size, ways))
            else:
                stay = _overlap((part[order] == subtree).astype(np.uint8))[shift - 1]
            shifts = np.maximum(shifts, -(-(size - stay) * common // ways))
    return Ideal(pairs, shifts)


def _overlap(inside: npt.NDArray[np.uint8]) -> Int64Array:
    """Return how many of a set stay in it under each cyclic shift, int64 [n - 1]."""
    spectrum = np.fft.rfft(inside)
    found = np.fft.irfft(spectrum * spectrum.conj(), inside.size)
    return np.rint(found[1:]).astype(np.int64)
