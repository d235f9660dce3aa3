"""Of routes: numbers of channels that rise along all of them, and the worst traffic."""

from itertools import pairwise

import networkx as nx
import numpy as np
from numba import njit
from scipy.sparse import coo_array
from scipy.sparse.csgraph import maximum_bipartite_matching

from fattree_models.common.checks import Int32Array, Int64Array
from fattree_models.topology.paths import Paths, waiting
from fattree_models.topology.routes import Routes


def rising(paths: Paths) -> Int64Array | None:
    """Return a number of each channel, int64 [channels], or None if packets can deadlock.

    Notes
    -----
    A packet that holds a channel waits only for ones with greater numbers (Dally and Seitz 1987):
    the number is the longest chain of channels that wait for this one.
    """
    graph = waiting(paths)
    if not nx.is_directed_acyclic_graph(graph):
        return None
    found = np.zeros(paths.routes.fabric.tail.size, np.int64)
    for generation, channels in enumerate(nx.topological_generations(graph)):
        found[list(channels)] = generation
    return found


@njit(cache=True, nogil=True)
def _first_fall(
    out: Int32Array, order: Int64Array, head: Int64Array, number: Int64Array
) -> tuple[int, int]:
    """Return the first pair on whose way a number does not rise, (-1, -1) if there is none."""
    for source in range(order.size):
        for goal in range(order.size):
            node, before = order[source], np.int64(-1)
            while source != goal and out[node, goal] >= 0:
                channel = out[node, goal]
                if number[channel] <= before:
                    return source, goal
                before, node = number[channel], head[channel]
    return -1, -1


def falls(routes: Routes, number: Int64Array) -> tuple[int, int] | None:
    """Return the first pair, (source node, destination node), on whose way no number rises.

    Parameters
    ----------
    number : int64 array [channels], from 0
        A certificate: None is returned iff packets on these routes cannot deadlock because of it.

    Notes
    -----
    Walks the tables pair by pair; it knows no dependency graph, so that it checks `rising`.
    """
    fabric = routes.fabric
    source, goal = _first_fall(routes.out, routes.order, fabric.head, number)
    return None if source < 0 else (int(routes.order[source]), int(routes.order[goal]))


def worst(routes: Routes) -> tuple[int, int, Int64Array]:
    """Return the permutation with most packets on a channel between switches, and that channel.

    Returns
    -------
    packets : int
    channel : int, -1 if no pair uses one.
    destination : int64 array [hosts]
        Of each host of `order`, as its number; those beyond the channel's packets are filled up.

    Notes
    -----
    The pairs whose way uses a channel are edges between sources and destinations: packets of a
    permutation that use it are a matching (Towles and Dally 2002).  Channels with fewer sources or
    destinations than the best matching so far are passed over.
    """
    fabric, n = routes.fabric, routes.order.size
    source, goal, channel = _uses(routes)
    best, where, chosen = 0, -1, np.full(n, -1, np.int64)
    begin = np.searchsorted(channel, np.arange(fabric.tail.size + 1))
    most = [min(np.unique(source[a:b]).size, np.unique(goal[a:b]).size) for a, b in pairwise(begin)]
    for each in np.argsort(most)[::-1].tolist():
        if most[each] <= best:
            break
        own = slice(begin[each], begin[each + 1])
        pairs = coo_array((np.ones(own.stop - own.start), (source[own], goal[own])), (n, n))
        found = maximum_bipartite_matching(pairs.tocsr(), perm_type="column").astype(np.int64)
        if (size := int(np.count_nonzero(found >= 0))) > best:
            best, where, chosen = size, each, found
    rest = np.setdiff1d(np.arange(n), chosen)
    chosen[chosen < 0] = rest
    return best, where, chosen


def _uses(routes: Routes) -> tuple[Int64Array, Int64Array, Int64Array]:
    """Return source, destination and channel of each use of a channel between switches, sorted by
    channel, int64 [uses]."""
    fabric, order = routes.fabric, routes.order
    source, goal = np.divmod(np.arange(order.size**2), order.size)
    node, uses = order[source], []
    between = ~fabric.host[fabric.tail] & ~fabric.host[fabric.head]
    for _ in range(2 * len(fabric.names)):
        channel = routes.out[node, goal].astype(np.int64)
        on = (channel >= 0) & (order[goal] != node)
        source, goal, channel = source[on], goal[on], channel[on]
        node = fabric.head[channel]
        some = between[channel]
        uses.append(np.stack([source[some], goal[some], channel[some]]))
        if not node.size:
            break
    found = np.concatenate(uses, axis=1)
    found = found[:, found[2].argsort(kind="stable")]
    return found[0], found[1], found[2]


def carried(routes: Routes, goal: Int64Array) -> Int64Array:
    """Return the packets on each channel if each host sends one to its goal, int64 [channels].

    Parameters
    ----------
    goal : int64 array [hosts]
        A host that is its own goal sends none.
    """
    fabric, order = routes.fabric, routes.order
    loads = np.zeros(fabric.tail.size, np.int64)
    for host, other in zip(order.tolist(), goal.tolist(), strict=True):
        node = host
        while node != order[other]:
            channel = routes.out[node, other]
            loads[channel] += 1
            node = fabric.head[channel]
    return loads
