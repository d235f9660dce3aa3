"""Link loads of cyclic shifts, and what no routing could do better."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from fattree_models.common.checks import Int64Array
from fattree_models.topology.ranks import Ranked
from fattree_models.topology.routes import Routes


@dataclass(frozen=True, eq=False)
class Shifts:
    """Loads of the shift permutations i -> (i + s) mod n, s = 1 ... n - 1.

    Attributes
    ----------
    busiest : int64 array [n - 1]
        Packets on the busiest channel of each shift, each times the channel's weight.
    channel : int64 array [n - 1]
        Which channel that is, the first of several.
    total : int64 array [channels]
        Packets on each channel, of all shifts together.
    """

    busiest: Int64Array
    channel: Int64Array
    total: Int64Array


def shift_loads(routes: Routes) -> Shifts:
    """Return the loads of all cyclic shifts; packets that are lost count as far as they come.

    Notes
    -----
    Host i is the i-th of `routes.order`.  ORCS calls the busiest link's load the congestion of a
    pattern.  A packet is followed for twice as many hops as there are nodes at most.  Together the
    shifts are all pairs, which checks `paths.follow` (tests).  O(n^2 * hops).
    """
    fabric, order = routes.fabric, routes.order
    n, channels = order.size, fabric.tail.size
    busiest, where = np.zeros(n - 1, np.int64), np.zeros(n - 1, np.int64)
    total = np.zeros(channels, np.int64)
    for shift in range(1, n):
        goal = (np.arange(n) + shift) % n
        node = order.copy()
        load = np.zeros(channels, np.int64)
        for _ in range(2 * len(fabric.names)):
            channel = routes.out[node, goal]
            on = channel >= 0
            channel, goal = channel[on], goal[on]
            load += np.bincount(channel, minlength=channels)
            node = fabric.head[channel]
            under_way = ~fabric.host[node]
            node, goal = node[under_way], goal[under_way]
            if not node.size:
                break
        total += load
        load *= fabric.weight
        where[shift - 1] = load.argmax()
        busiest[shift - 1] = load.max()
    return Shifts(busiest, where, total)


@dataclass(frozen=True, eq=False)
class Ideal:
    """What no routing could beat.

    Attributes
    ----------
    all_pairs : int64 array [ranks]
        Least load of the busiest link up out of subtrees of each rank, and of those down into
        them, if every host sends to every other; entry 0 are the links of hosts.
    shifts : int64 array [n - 1]
        The same of cyclic shifts, of all ranks.
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
    shifts = np.zeros(n - 1, np.int64)
    for level in range(pairs.size):
        inner = high <= level
        links = coo_array((np.ones(inner.sum()), (one[inner], other[inner])), (nodes, nodes))
        _, part = connected_components(links, directed=False)
        apart = part[one] != part[other]
        ends = np.concatenate([part[one[apart]], part[other[apart]]])
        width = np.tile(common // fabric.weight[::2][apart], 2)  # in parts of the fastest link
        leaving = np.bincount(ends, width, minlength=nodes).astype(np.int64)
        for subtree in np.unique(part[order]):
            inside = (part[order] == subtree).astype(np.uint8)
            size, ways = int(inside.sum()), int(leaving[subtree])
            if ways and 0 < size < n:
                pairs[level] = max(pairs[level], -(-size * (n - size) * common // ways))
                out = np.ones(n - 1, np.int64) if size == 1 else size - _overlap(inside)
                shifts = np.maximum(shifts, -(-out * common // ways))
    return Ideal(pairs, shifts)


def _overlap(inside: npt.NDArray[np.uint8]) -> Int64Array:
    """Return how many of a set stay in it under each cyclic shift, int64 [n - 1]."""
    spectrum = np.fft.rfft(inside)
    found = np.fft.irfft(spectrum * spectrum.conj(), inside.size)
    return np.rint(found[1:]).astype(np.int64)
