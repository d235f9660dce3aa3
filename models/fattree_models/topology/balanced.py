"""Routes that spread all pairs over what is left of a fat-tree: rip up and choose again."""

import numpy as np
import numpy.typing as npt
from numba import njit

from fattree_models.common.checks import BoolArray, Int32Array, Int64Array, check_real
from fattree_models.topology.fabric import Fabric
from fattree_models.topology.left import left_routes, slots_of
from fattree_models.topology.loads import ideal
from fattree_models.topology.ranks import Ranked
from fattree_models.topology.routes import Routes
from fattree_models.topology.ways import FAR, Ways, ways

ROUNDS = 16
STEEPNESS = 6  # power of a channel's load that its use costs
ENOUGH = 1.25  # times the bound

Floats = npt.NDArray[np.float64]


def balanced_routes(
    fabric: Fabric,
    ranked: Ranked,
    order: Int64Array,
    index: Int64Array | None = None,
    reverse: int = 0,
    enough: float = ENOUGH,
) -> Routes:
    """Return `left_routes`, changed until no link between switches has too many of all pairs.

    Parameters
    ----------
    enough : float
        A channel may carry so many times what no routing can avoid at its level (`ideal`), from 1.
    order, index, reverse
        As of `left_routes`.

    Notes
    -----
    Destinations that use a channel with more are taken off one by one, and led again by the ways
    that cost least: a channel costs (its load / what it may carry)^6.  All other entries stay, so
    that a tree that needs no change keeps D-mod-k, and what D-mod-k does for shifts.  After 16
    rounds the best of them counts.  A slow cable of ratio s counts each pair s times.
    O(rounds * hosts * links between switches).
    """
    enough = check_real("enough", enough, 1)
    found = ways(fabric, ranked, order, reverse)
    start = left_routes(fabric, ranked, order, index, reverse)
    between = ~fabric.host[fabric.tail] & ~fabric.host[fabric.head]
    low = np.minimum(found.rank[fabric.tail], found.rank[fabric.head])
    least = ideal(start, ranked).all_pairs.astype(np.float64)
    limit = np.where(between, enough * np.maximum(least[low], 1), np.inf)
    out = start.out.copy()
    _improve(
        out, order, found.group, *slots_of(fabric, index), fabric.head, found.may,
        *_inwards(found), limit, fabric.weight.astype(np.float64), ROUNDS,
    )  # fmt: skip
    return Routes(fabric, order, out)


def _inwards(found: Ways) -> tuple[Int32Array, Int64Array]:
    """Return the switches with a way to each place, nearest first, int32 [places, switches], and
    how many there are, int64 [places]."""
    switches = np.flatnonzero(~found.fabric.host)
    hops = found.hops[switches].astype(np.int64)
    key = found.turns[switches] * np.int64(FAR) + hops
    near = key.argsort(axis=0, kind="stable").T
    return switches[near].astype(np.int32), np.count_nonzero(hops < FAR, axis=0)


@njit(cache=True, nogil=True)
def _improve(
    out: Int32Array,
    order: Int64Array,
    group: Int64Array,
    first: Int64Array,
    channels: Int64Array,
    head: Int64Array,
    may: BoolArray,
    inwards: Int32Array,
    reach: Int64Array,
    limit: Floats,
    weight: Floats,
    rounds: int,
) -> None:
    """Change `out` [nodes, hosts] in place."""
    nodes, hosts = out.shape
    load, flow = np.zeros(limit.size), np.zeros(nodes)
    for goal in range(hosts):
        for source in order:
            if source != order[goal]:
                _carry(out, goal, source, head, weight, load, 1.0)
    best, kept = (load / limit).max(), out.copy()
    for _ in range(rounds):
        if best <= 1.0:
            break
        for goal in range(hosts):
            near = inwards[group[goal], : reach[group[goal]]]
            _flows(out, order, goal, near, head, flow)
            for node in near[::-1]:
                own = channels[first[node] : first[node + 1]]
                if flow[node] and _most(out, goal, node, head, load, limit) > 1.0:
                    _carry(out, goal, node, head, weight, load, -flow[node])
                    least, taken = np.inf, out[node, goal]
                    for channel in own:
                        if may[channel, group[goal]]:
                            out[node, goal] = channel
                            cost = _cost(out, goal, node, head, weight, load, limit, flow[node])
                            if cost < least:
                                least, taken = cost, channel
                    out[node, goal] = taken
                    _carry(out, goal, node, head, weight, load, flow[node])
                if out[node, goal] >= 0:  # nearer ones carry it on
                    flow[head[out[node, goal]]] += flow[node]
        now = (load / limit).max()
        if now < best:
            best, kept = now, out.copy()
    out[:] = kept


@njit(cache=True, nogil=True)
def _flows(
    out: Int32Array, order: Int64Array, goal: int, near: Int32Array, head: Int64Array, flow: Floats
) -> None:
    """How many hosts send to one by way of each switch first."""
    for node in near:
        flow[node] = 0.0
    for source in order:
        if source != order[goal] and out[source, goal] >= 0:
            flow[head[out[source, goal]]] += 1.0


@njit(cache=True, nogil=True)
def _carry(
    out: Int32Array,
    goal: int,
    node: int,
    head: Int64Array,
    weight: Floats,
    load: Floats,
    packets: float,
) -> None:
    """Add packets from a node on to the loads."""
    while out[node, goal] >= 0:
        channel = out[node, goal]
        load[channel] += packets * weight[channel]
        node = head[channel]


@njit(cache=True, nogil=True)
def _most(
    out: Int32Array, goal: int, node: int, head: Int64Array, load: Floats, limit: Floats
) -> float:
    """Return the greatest load, in parts of its limit, from a node on."""
    most = 0.0
    while out[node, goal] >= 0:
        channel = out[node, goal]
        most = max(most, load[channel] / limit[channel])
        node = head[channel]
    return most


@njit(cache=True, nogil=True)
def _cost(
    out: Int32Array,
    goal: int,
    node: int,
    head: Int64Array,
    weight: Floats,
    load: Floats,
    limit: Floats,
    packets: float,
) -> float:
    """Return what a way costs with these packets on it."""
    cost = 0.0
    while out[node, goal] >= 0:
        channel = out[node, goal]
        cost += ((load[channel] + packets * weight[channel]) / limit[channel]) ** STEEPNESS
        node = head[channel]
    return cost
