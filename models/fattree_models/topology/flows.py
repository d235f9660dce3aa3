"""All pairs followed at once: destination by destination, each switch looked at once.

Hosts with one link to the same switch go the same way from there, so that a destination costs as
many steps as there are switches, not as there are hosts.
"""

import numpy as np
import numpy.typing as npt
from numba import njit

from fattree_models.common.checks import BoolArray, Int32Array, Int64Array
from fattree_models.topology.fabric import Fabric
from fattree_models.topology.paths import NAMED, Fate, Paths
from fattree_models.topology.ranks import Ranked
from fattree_models.topology.routes import Routes

BLOCK = 64  # destinations whose tables are copied at once: a column alone is slow to read
FATES = (Fate.NO_ENTRY, Fate.WRONG_HOST, Fate.LOOP, Fate.DOWN_UP)
UNKNOWN, WAY, ARRIVES, NO_ENTRY, WRONG, LOOP = range(6)  # of a node and a destination


def slots(fabric: Fabric) -> Int64Array:
    """Return the place of each channel among those that leave its node, int64 [channels]."""
    found = np.zeros(fabric.tail.size, np.int64)
    for channels in fabric.leaving:
        found[channels] = np.arange(len(channels))
    return found


def home_of(fabric: Fabric, order: Int64Array) -> tuple[Int64Array, Int64Array]:
    """Return the one link of each host of `order`, int64 [hosts], and the switch there; else -1."""
    links = [fabric.leaving[host] for host in order.tolist()]
    first = np.array([own[0] if len(own) == 1 else -1 for own in links], np.int64)
    return first, np.where(first >= 0, fabric.head[first], -1)


def starts_of(fabric: Fabric, order: Int64Array, home: Int64Array) -> tuple[Int64Array, Int64Array]:
    """Return the nodes where packets begin to differ, switches with hosts and hosts with several
    links, int64 [starts]; and the hosts with one link at each node, int64 [nodes]."""
    single = np.bincount(home[home >= 0], minlength=len(fabric.names))
    return np.concatenate([np.flatnonzero(single), order[home < 0]]).astype(np.int64), single


def follow(routes: Routes, ranked: Ranked) -> Paths:
    """Follow all pairs.

    Notes
    -----
    For a destination the tables make of nodes a graph with one way out of each, so that a walk
    ends at a host, at a missing entry, or in a loop; what is found holds for all that come by.
    A packet that loops takes every channel of its loop, and the first of them next.
    O(hosts * switches).
    """
    fabric, order = routes.fabric, routes.order
    nodes, channels, hosts = len(fabric.names), fabric.tail.size, order.size
    degree = max(map(len, fabric.leaving))
    first, home = home_of(fabric, order)
    # Nodes that packets pass get the lowest numbers, side by side in the cache.
    inner = np.setdiff1d(np.arange(nodes), order[first >= 0])
    back = np.concatenate([inner, order[first >= 0]])
    new = np.empty(nodes, np.int64)
    new[back] = np.arange(nodes)
    goals, home = new[order], np.where(home >= 0, new[home], -1)
    starts, single = starts_of(fabric, goals, home)
    rank = np.array([ranked.rank[node] for node in back.tolist()], np.int64)
    paths = Paths(routes, np.zeros(channels, np.int64), np.zeros((channels, degree), np.bool_))
    hops = np.zeros(2 * nodes + 2, np.int64)
    used, delivered = np.zeros((nodes, degree), np.int64), np.zeros(nodes, np.int64)
    own, came = np.full(hosts, -1, np.int64), np.zeros(hosts, np.int64)
    faults, kept = np.zeros(len(FATES), np.int64), np.zeros(len(FATES), np.int64)
    named = np.zeros((len(FATES), NAMED, 3), np.int64)
    slot, head, host = slots(fabric), new[fabric.head], fabric.host[back]
    for begin in range(0, hosts, BLOCK):
        end = min(begin + BLOCK, hosts)
        way = np.ascontiguousarray(routes.out[routes.rows[inner], begin:end].T)
        _columns(
            way, begin, end, goals, home, starts, single, head, host, rank, slot, paths.loads,
            paths.waits, hops, used, delivered, own, came, faults, kept, named,
        )  # fmt: skip
    _first_links(first, home, used, delivered, own, came, paths)
    paths.hops = hops[: int(np.flatnonzero(hops).max(initial=0)) + 1]
    for fate, count, rows in zip(FATES, faults.tolist(), back[named], strict=True):
        if count:
            paths.faults[fate] = count, [(a, b, c) for a, b, c in rows[:count].tolist()]
    return paths


def _first_links(
    first: Int64Array, home: Int64Array, used: Int64Array, delivered: Int64Array, own: Int64Array,
    came: Int64Array, paths: Paths,
) -> None:  # fmt: skip
    """Loads of the links of hosts with one, and what packets wait for there: all but to oneself."""
    single = np.flatnonzero(first >= 0)
    channel, switch = first[single], home[single]
    paths.loads[channel] = delivered[switch] - came[single]
    wanted = used[switch]
    itself = np.flatnonzero(own[single] >= 0)
    wanted[itself, own[single][itself]] -= 1
    paths.waits[channel] = wanted > 0


@njit(cache=True, nogil=True)
def _columns(
    way: Int32Array, begin: int, end: int, order: Int64Array, home: Int64Array, starts: Int64Array,
    single: Int64Array, head: Int64Array, host: BoolArray, rank: Int64Array, slot: Int64Array,
    loads: Int64Array, waits: BoolArray, hops: Int64Array, used: Int64Array, delivered: Int64Array,
    own: Int64Array, came: Int64Array, faults: Int64Array, kept: Int64Array, named: Int64Array,
) -> None:  # fmt: skip
    """Count what becomes of the packets to some destinations."""
    nodes = host.size
    state, length = np.zeros(nodes, np.int8), np.zeros(nodes, np.int64)
    last, flow = np.zeros(nodes, np.int64), np.zeros(nodes, np.int64)
    turn = np.full((2, nodes), -1, np.int64)  # where a way climbs again, if it has not fallen, has
    met = np.empty(nodes, np.int64)
    for column in range(begin, end):
        out, goal = way[column - begin], order[column]
        count = 0
        for start in starts:
            packets = single[start] - (home[column] == start) if not host[start] else 1
            if start == goal or packets == 0:
                continue
            count = _walk(out, start, goal, head, host, rank, state, length, last, turn, met, count)
            flow[start] += packets
            extra = 0 if host[start] else 1
            if state[start] == ARRIVES:
                hops[length[start] + extra] += packets
            else:
                faults[state[start] - NO_ENTRY] += packets
            faults[3] += packets * (turn[0, start] >= 0)
            if not host[start]:
                delivered[start] += state[start] == ARRIVES
                if out[start] >= 0:
                    used[start, slot[out[start]]] += 1
                if home[column] == start:
                    came[column] = state[start] == ARRIVES
                    own[column] = slot[out[start]] if out[start] >= 0 else -1
        _name(column, order, home, state, last, turn, faults, kept, named)
        for k in range(count - 1, -1, -1):
            node = met[k]
            if out[node] >= 0:
                there = head[out[node]]
                if state[node] == ARRIVES:
                    loads[out[node]] += flow[node]
                    flow[there] += flow[node]
                if not host[there] and out[there] >= 0:
                    waits[out[node], slot[out[there]]] = True
        for k in range(count):
            state[met[k]], flow[met[k]], turn[:, met[k]] = UNKNOWN, 0, -1
        flow[goal] = 0


@njit(cache=True, nogil=True)
def _walk(
    out: Int32Array, start: int, goal: int, head: Int64Array, host: BoolArray, rank: Int64Array,
    state: npt.NDArray[np.int8], length: Int64Array, last: Int64Array, turn: Int64Array,
    met: Int64Array, count: int,
) -> int:  # fmt: skip
    """Find what becomes of a packet at a node; nodes that are new go to `met`, nearest first."""
    node, depth = start, 0
    stack = met[count:]  # those on the way; turned round at the end
    while state[node] == UNKNOWN:
        state[node] = WAY
        stack[depth] = node
        depth += 1
        if out[node] < 0:
            state[node], length[node], last[node] = NO_ENTRY, 0, node
            break
        there = head[out[node]]
        if host[there]:
            state[node] = ARRIVES if there == goal else WRONG
            length[node], last[node] = 1, there
            break
        node = there
    if state[node] == WAY:
        _round(out, node, head, rank, state, last, turn)
    for k in range(depth - 1, -1, -1):
        node = stack[k]
        if state[node] == WAY:
            there = head[out[node]]
            state[node], last[node] = state[there], last[there]
            length[node] = length[there] + 1
            climbs, falls = rank[there] > rank[node], rank[there] < rank[node]
            turn[1, node] = node if climbs else turn[1, there]
            turn[0, node] = turn[1, there] if falls else turn[0, there]
    for k in range(depth // 2):
        stack[k], stack[depth - 1 - k] = stack[depth - 1 - k], stack[k]
    return count + depth


@njit(cache=True, nogil=True)
def _round(
    out: Int32Array, begin: int, head: Int64Array, rank: Int64Array, state: npt.NDArray[np.int8],
    last: Int64Array, turn: Int64Array,
) -> None:  # fmt: skip
    """Note a loop at all of its nodes, and where packets climb that go round and round."""
    node, size = begin, 0
    while state[node] == WAY:
        state[node], last[node] = LOOP, node
        node, size = head[out[node]], size + 1
    for _ in range(size):
        here, fell = node, False
        for _ in range(2 * size):
            there = head[out[here]]
            if rank[there] > rank[here]:
                turn[1, node] = here if turn[1, node] < 0 else turn[1, node]
                turn[0, node] = here if fell and turn[0, node] < 0 else turn[0, node]
            fell |= rank[there] < rank[here]
            here = there
        node = head[out[node]]


@njit(cache=True, nogil=True)
def _name(
    column: int, order: Int64Array, home: Int64Array, state: npt.NDArray[np.int8], last: Int64Array,
    turn: Int64Array, faults: Int64Array, kept: Int64Array, named: Int64Array,
) -> None:  # fmt: skip
    """Keep the first faulty pairs of each kind, sources in their order."""
    for kind in range(faults.size):
        if kept[kind] < min(named.shape[1], faults[kind]):
            for source in range(order.size):
                node = home[source] if home[source] >= 0 else order[source]
                where = turn[0, node] if kind == faults.size - 1 else last[node]
                faulty = where >= 0 if kind == faults.size - 1 else state[node] - NO_ENTRY == kind
                if faulty and source != column and kept[kind] < named.shape[1]:
                    row = named[kind, kept[kind]]
                    row[0], row[1], row[2] = order[source], order[column], where
                    kept[kind] += 1
