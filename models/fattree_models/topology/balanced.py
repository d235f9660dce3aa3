"""Routes that spread all pairs over what is left of a fat-tree: rip up and choose again."""

from itertools import product
from operator import itemgetter

import numpy as np
import numpy.typing as npt
from numba import njit

from fattree_models.common.checks import BoolArray, Int32Array, Int64Array, check_real
from fattree_models.topology.fabric import Fabric
from fattree_models.topology.flows import follow, home_of, starts_of
from fattree_models.topology.left import left_routes, slots_of
from fattree_models.topology.loads import ideal
from fattree_models.topology.match import match
from fattree_models.topology.ranks import Ranked
from fattree_models.topology.routes import MANY, Routes, dmodk_routes
from fattree_models.topology.shifts import shift_loads
from fattree_models.topology.ways import FAR, Ways, ways

ROUNDS = 16
STEEPNESS = 6  # power of a channel's load that its use costs
# For shifts: how many hosts before and behind a goal, and what each adds to its channel.
TRIES = tuple(product((8, 4, 16, 2, 32), (1.0, 3.0, 10.0, 0.3)))
ENOUGH = 1.25  # times the bound

Floats = npt.NDArray[np.float64]


def balanced_routes(
    fabric: Fabric, ranked: Ranked, order: Int64Array, index: Int64Array | None = None,
    reverse: int = 0, enough: float = ENOUGH,
) -> Routes:  # fmt: skip
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
    that cost least: a channel costs (its load / what it may carry)^6, more if destinations nearby
    take it: of up to 4096 hosts `TRIES` prices, until no shift puts more on a channel than with
    D-mod-k.  All other entries stay; a whole tree keeps D-mod-k.  After 16 rounds the best counts.
    Cables of ratio s count s times.  O(tries * rounds * hosts * links between switches).
    """
    enough = check_real("enough", enough, 1)
    found = ways(fabric, ranked, order, reverse)
    start = left_routes(fabric, ranked, order, index, reverse)
    between = ~fabric.host[fabric.tail] & ~fabric.host[fabric.head]
    low = np.minimum(found.rank[fabric.tail], found.rank[fabric.head])
    least = ideal(start, ranked).all_pairs.astype(np.float64)
    limit = np.where(between, enough * np.maximum(least[low], 1), np.inf)
    weight = fabric.weight.astype(np.float64)
    load = follow(start, ranked).loads * weight
    whole = fabric.weight.max() == 1 and match(fabric, ranked) is not None
    if whole or (load <= limit).all():
        return start
    home = home_of(fabric, order)[1]
    plain = dmodk_routes(fabric, ranked, order, index)
    aim, best, kept = (1.0, shift_loads(plain).busiest.max()), (np.inf, 0), start
    for near, dearer in TRIES if order.size <= MANY else TRIES[:1]:
        if best > aim:
            made = Routes(fabric, start.order, start.out.copy())
            over = _improve(
                made.out, made.rows, order, found.group, *starts_of(fabric, order, home), home,
                *slots_of(fabric, index), fabric.head, found.may, *_inwards(found), limit, weight,
                load.copy(), ROUNDS, near, dearer,
            )  # fmt: skip
            now = max(over, 1.0), shift_loads(made).busiest.max()
            best, kept = min((best, kept), (now, made), key=itemgetter(0))
    return kept


def _inwards(found: Ways) -> tuple[Int32Array, Int64Array]:
    """Return switches with a way to each place, nearest first [places, switches], and how many."""
    switches = np.flatnonzero(~found.fabric.host)
    hops = found.hops[switches].astype(np.int64)
    key = found.turns[switches] * np.int64(FAR) + hops
    near = key.argsort(axis=0, kind="stable").T
    return switches[near].astype(np.int32), np.count_nonzero(hops < FAR, axis=0)


@njit(cache=True, nogil=True)
def _improve(
    out: Int32Array, row: Int64Array, order: Int64Array, group: Int64Array, starts: Int64Array,
    single: Int64Array, home: Int64Array, first: Int64Array, channels: Int64Array, head: Int64Array,
    may: BoolArray, inwards: Int32Array, reach: Int64Array, limit: Floats, weight: Floats,
    load: Floats, rounds: int, span: int, dearer: float,
) -> float:  # fmt: skip
    """Change `out` [rows, hosts], which has put `load` on channels; return its greatest part of a
    limit.  The `span` hosts before a goal and behind it make a channel `dearer` that they take."""
    flow = np.zeros(row.size)
    best, kept = (load / limit).max(), out.copy()
    for _ in range(rounds):
        if best <= 1.0:
            break
        for goal in range(order.size):
            near = inwards[group[goal], : reach[group[goal]]]
            for node in near:
                flow[node] = 0.0
            for node in starts:
                flow[node] = single[node] - (home[goal] == node)
                if not single[node] and node != order[goal] and out[row[node], goal] >= 0:
                    flow[head[out[row[node], goal]]] += 1.0
            for node in near[::-1]:
                way = row, goal, node, head, weight, load
                if flow[node] and _priced(out, *way, limit, 0.0)[0] > 1.0:
                    _carry(out, *way, -flow[node])
                    least, taken = np.inf, out[row[node], goal]
                    for channel in channels[first[node] : first[node + 1]]:
                        if may[channel, group[goal]]:
                            out[row[node], goal] = channel
                            cost = _priced(out, *way, limit, flow[node])[1]
                            for j in range(max(0, goal - span), min(order.size, goal + span + 1)):
                                cost += dearer * (j != goal and out[row[node], j] == channel)
                            if cost < least:
                                least, taken = cost, channel
                    out[row[node], goal] = taken
                    _carry(out, *way, flow[node])
                if out[row[node], goal] >= 0:  # nearer ones carry it on
                    flow[head[out[row[node], goal]]] += flow[node]
        now = (load / limit).max()
        if now < best:
            best, kept = now, out.copy()
    out[:] = kept
    return float(best)


@njit(cache=True, nogil=True)
def _carry(
    out: Int32Array, row: Int64Array, goal: int, node: int, head: Int64Array, weight: Floats,
    load: Floats, packets: float,
) -> None:  # fmt: skip
    """Add packets from a node on to the loads."""
    while row[node] >= 0 and out[row[node], goal] >= 0:
        channel = out[row[node], goal]
        load[channel] += packets * weight[channel]
        node = head[channel]


@njit(cache=True, nogil=True)
def _priced(
    out: Int32Array, row: Int64Array, goal: int, node: int, head: Int64Array, weight: Floats,
    load: Floats, limit: Floats, packets: float,
) -> tuple[float, float]:  # fmt: skip
    """Return the greatest load from a node on, in parts of its limit, and the cost of packets."""
    most = cost = 0.0
    while row[node] >= 0 and out[row[node], goal] >= 0:
        channel = out[row[node], goal]
        most = max(most, load[channel] / limit[channel])
        cost += ((load[channel] + packets * weight[channel]) / limit[channel]) ** STEEPNESS
        node = head[channel]
    return most, cost
