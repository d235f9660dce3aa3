"""Of routes: numbers of channels that rise along all of them, and the worst traffic."""

import numpy as np
from numba import njit
from scipy.sparse import coo_array
from scipy.sparse.csgraph import maximum_bipartite_matching

from fattree_models.common.checks import BoolArray, Int32Array, Int64Array
from fattree_models.common.structure import dependency_cycle
from fattree_models.topology.flows import BLOCK, home_of, starts_of
from fattree_models.topology.left import slots_of
from fattree_models.topology.paths import Paths, waiting
from fattree_models.topology.routes import Routes


def rising(paths: Paths) -> Int64Array | None:
    """Return a number of each channel, int64 [channels], or None if packets can deadlock.

    Notes
    -----
    A packet that holds a channel waits only for ones with greater numbers (Dally and Seitz 1987):
    the number is the longest chain of channels that wait for this one.  O(channels * ports).
    """
    number = _chains(paths)
    return None if (number < 0).any() else number


def circle(paths: Paths) -> list[int] | None:
    """Return channels in order, each held by a packet that may wait for the next, or None."""
    stuck = _chains(paths) < 0
    return dependency_cycle(waiting(paths, stuck)) if stuck.any() else None


def _chains(paths: Paths) -> Int64Array:
    """Return the longest chain of channels that wait for each; -1 in a cycle and behind one."""
    fabric = paths.routes.fabric
    first, channels = slots_of(fabric)
    number = np.full(fabric.tail.size, -1, np.int64)
    _rise(paths.waits, first, channels, fabric.head, number)
    return number


@njit(cache=True, nogil=True)
def _rise(
    waits: BoolArray, first: Int64Array, channels: Int64Array, head: Int64Array, number: Int64Array
) -> None:
    """Number the channels that nothing unnumbered waits for, one after the other."""
    waited, longest = np.zeros(head.size, np.int64), np.zeros(head.size, np.int64)
    ready, count = np.empty(head.size, np.int64), 0
    for held in range(head.size):
        for k in range(first[head[held] + 1] - first[head[held]]):
            waited[channels[first[head[held]] + k]] += waits[held, k]
    for channel in range(head.size):
        if waited[channel] == 0:
            ready[count] = channel
            count += 1
    at = 0
    while at < count:
        held = ready[at]
        number[held], at = longest[held], at + 1
        for k in range(first[head[held] + 1] - first[head[held]]):
            wanted = channels[first[head[held]] + k]
            if waits[held, k]:
                longest[wanted] = max(longest[wanted], longest[held] + 1)
                waited[wanted] -= 1
                if waited[wanted] == 0:
                    ready[count] = wanted
                    count += 1


@njit(cache=True, nogil=True)
def _first_fall(
    out: Int32Array, row: Int64Array, order: Int64Array, link: Int64Array, head: Int64Array,
    number: Int64Array,
) -> tuple[int, int]:  # fmt: skip
    """Return the first pair on whose way a number does not rise, (-1, -1) if there is none.

    Ways join: what is known of a node and a destination holds for all that come by.
    """
    known = np.full(row.size, -1, np.int64)  # the last destination that a node's way was walked to
    for goal in range(order.size):
        for source in range(order.size):
            node, before = order[source], np.int64(-1)
            while node != order[goal]:
                channel = np.int64(out[row[node], goal]) if row[node] >= 0 else link[node]
                if channel < 0 or (node != order[source] and row[node] < 0):
                    break
                if number[channel] <= before:
                    return source, goal
                if known[node] == goal:
                    break
                known[node] = goal
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
    link = np.array([own[0] for own in fabric.leaving], np.int64)
    source, goal = _first_fall(routes.out, routes.rows, routes.order, link, fabric.head, number)
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
    home = home_of(fabric, routes.order)[1]
    starts, single = starts_of(fabric, routes.order, home)
    members = [
        np.flatnonzero((home == node) if single[node] else (routes.order == node))
        for node in starts.tolist()
    ]
    between = ~fabric.host[fabric.tail] & ~fabric.host[fabric.head]
    tables = routes.rows, routes.order, fabric.head
    seen = np.zeros((fabric.tail.size, starts.size), np.bool_)
    goals = np.zeros(fabric.tail.size, np.int64)
    for begin in range(0, n, BLOCK):
        out = np.ascontiguousarray(routes.out[:, begin : begin + BLOCK].T)
        _seen(out, *tables, begin, starts, seen, goals)
    most = np.minimum(seen @ np.array([each.size for each in members]), goals) * between
    best, where, chosen = 0, -1, np.full(n, -1, np.int64)
    for each in np.argsort(most, kind="stable")[::-1].tolist():
        if most[each] <= best:
            break
        uses = [
            (number, goal)
            for goal in np.flatnonzero(routes.out[routes.rows[fabric.tail[each]]] == each).tolist()
            for number in _users(
                routes.out[:, goal].copy(), *tables, goal, starts, seen[each], each
            ).tolist()
        ]
        pairs = np.concatenate(
            [np.stack([members[k], np.full(members[k].size, goal)]) for k, goal in uses], axis=1
        )
        pairs = pairs[:, pairs[0] != pairs[1]]
        graph = coo_array((np.ones(pairs.shape[1]), (pairs[0], pairs[1])), (n, n))
        found = maximum_bipartite_matching(graph.tocsr(), perm_type="column").astype(np.int64)
        if (size := int(np.count_nonzero(found >= 0))) > best:
            best, where, chosen = size, each, found
    rest = np.setdiff1d(np.arange(n), chosen)
    chosen[chosen < 0] = rest
    return best, where, chosen


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
            channel = routes.channel(node, other)
            loads[channel] += 1
            node = int(fabric.head[channel])
    return loads


@njit(cache=True, nogil=True)
def _seen(
    out: Int32Array, row: Int64Array, order: Int64Array, head: Int64Array, begin: int,
    starts: Int64Array, seen: BoolArray, goals: Int64Array,
) -> None:  # fmt: skip
    """Note which channels the ways to some destinations use, and from which starts."""
    met = np.full(row.size, -1, np.int64)
    for number in range(len(out)):
        goal = begin + number
        for k in range(starts.size):
            node = starts[k]
            for _ in range(2 * row.size):
                if node == order[goal] or row[node] < 0 or out[number, row[node]] < 0:
                    break
                channel = out[number, row[node]]
                seen[channel, k] = True
                goals[channel] += met[node] != goal
                met[node], node = goal, head[channel]


@njit(cache=True, nogil=True)
def _users(
    out: Int32Array, row: Int64Array, order: Int64Array, head: Int64Array, goal: int,
    starts: Int64Array, seen: BoolArray, wanted: int,
) -> Int64Array:  # fmt: skip
    """Return the numbers of the starts whose way to a destination uses a channel."""
    found, count = np.empty(starts.size, np.int64), 0
    for k in range(starts.size):
        node = starts[k]
        for _ in range(2 * row.size if seen[k] else 0):
            if node == order[goal] or row[node] < 0 or out[row[node]] < 0:
                break
            channel = out[row[node]]
            if channel == wanted:
                found[count] = k
                count += 1
                break
            node = head[channel]
    return found[:count]
