"""Link loads of cyclic shifts."""

from dataclasses import dataclass

import numpy as np
from numba import njit

from fattree_models.common.checks import BoolArray, Int32Array, Int64Array
from fattree_models.topology.routes import MANY, Routes

FIRST, OTHERS = 127, 128  # shifts that are followed of many hosts


@dataclass(frozen=True, eq=False)
class Shifts:
    """Loads of shift permutations i -> (i + s) mod n.

    Attributes
    ----------
    shift : int64 array [shifts]
        s of each, ascending.
    busiest : int64 array [shifts]
        Packets on the busiest channel of each shift, each times the channel's weight.
    channel : int64 array [shifts]
        Which channel that is, the first of several.
    total : int64 array [channels]
        Packets on each channel, of all shifts together.
    """

    shift: Int64Array
    busiest: Int64Array
    channel: Int64Array
    total: Int64Array


def some_shifts(hosts: int) -> Int64Array:
    """Return s = 1 ... hosts - 1; of more than 4096 hosts the first 127, and 128 by chance."""
    if hosts <= MANY:
        return np.arange(1, hosts)
    chance = np.random.default_rng(1).choice(np.arange(FIRST + 1, hosts), OTHERS, replace=False)
    return np.concatenate([np.arange(1, FIRST + 1), np.sort(chance)])


def shift_loads(routes: Routes) -> Shifts:
    """Return the loads of `some_shifts`; packets that are lost count as far as they come.

    Notes
    -----
    Host i is the i-th of `routes.order`.  ORCS calls the busiest link's load the congestion of a
    pattern.  A packet is followed for twice as many hops as there are nodes at most.  Together all
    shifts are all pairs, which checks `follow` (tests).  O(shifts * n * hops).
    """
    fabric, order = routes.fabric, routes.order
    shift = some_shifts(order.size)
    busiest, where = np.zeros(shift.size, np.int64), np.zeros(shift.size, np.int64)
    total = np.zeros(fabric.tail.size, np.int64)
    link = np.array([own[0] for own in fabric.leaving], np.int64)
    _shifts(
        routes.out, routes.rows, order, link, fabric.head, fabric.host, fabric.weight, shift,
        busiest, where, total,
    )  # fmt: skip
    return Shifts(shift, busiest, where, total)


@njit(cache=True, nogil=True)
def _shifts(
    out: Int32Array, row: Int64Array, order: Int64Array, link: Int64Array, head: Int64Array,
    host: BoolArray, weight: Int64Array, shift: Int64Array, busiest: Int64Array, where: Int64Array,
    total: Int64Array,
) -> None:  # fmt: skip
    """Follow the packets of each shift; `link` is what hosts without a row take."""
    n = order.size
    for k in range(shift.size):
        load = np.zeros(head.size, np.int64)
        for source in range(n):
            goal, node = (source + shift[k]) % n, order[source]
            for _ in range(2 * row.size):
                channel = np.int64(out[row[node], goal]) if row[node] >= 0 else link[node]
                if channel < 0:
                    break
                load[channel] += 1
                node = head[channel]
                if host[node]:
                    break
        total += load
        load *= weight
        where[k] = load.argmax()
        busiest[k] = load[where[k]]
