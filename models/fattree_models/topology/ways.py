"""Up-down ways to every host on a fabric as it is, whatever is missing, crossed or hung too high.

A way climbs and then descends.  A host that hangs on a spine may have none from elsewhere:
`reverse` lets ways to and from such hosts climb again, so many times.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from fattree_models.common.checks import BoolArray, Int64Array, check_integer
from fattree_models.topology.fabric import Fabric
from fattree_models.topology.ranks import Ranked

CHUNK = 1 << 14  # channels that are looked at together
FAR = np.int32(1 << 30)  # hops of a node without a way


@dataclass(frozen=True, eq=False)
class Ways:
    """The channels that may be taken next, by where hosts hang: hosts of the same place are alike.

    Attributes
    ----------
    group : int64 array [hosts]
        The place of each host of `order`.
    hops : int32 array [nodes, places]
        Channels from each node to a host there; `FAR` without a way.
    turns : int8 array [nodes, places]
        How often the rest of the way climbs after it has descended.
    may : bool array [channels, places]
        Whether a channel is the next of a way; the last channel, to the host, is left out.
    """

    fabric: Fabric
    rank: Int64Array
    order: Int64Array
    group: Int64Array
    hops: npt.NDArray[np.int32]
    turns: npt.NDArray[np.int8]
    may: BoolArray


def ways(fabric: Fabric, ranked: Ranked, order: Int64Array, reverse: int = 0) -> Ways:
    """Return all ways to the hosts of `order`.

    Parameters
    ----------
    order : int64 array [hosts]
        The hosts' nodes.
    reverse : int
        How often a way to or from a misplaced host may climb again, from 0.

    Notes
    -----
    A node from which a host can be reached by descending alone descends, on the shortest way; any
    other climbs, on the shortest way of those.  Nodes without either descend to one that climbs.
    Links inside a rank lead up to the switch that is nearer to a root, of as near ones to the
    first: all switches have an order then, and ways that climb in it cannot wait in a cycle.
    O(channels * places * (reverse + 1)).
    """
    reverse = check_integer("reverse", reverse, 0, 100)
    rank = np.array([ranked.rank[node] for node in range(len(fabric.names))])
    place, group = places(fabric, order)
    hops = np.full((rank.size, len(place)), FAR, np.int32)
    turns, descends = np.zeros(hops.shape, np.int8), np.zeros(hops.shape, np.bool_)
    for number, nodes in enumerate(place):
        hops[nodes, number] = 1
        descends[nodes, number] = True
    height = _heights(fabric, rank)
    up = height[fabric.head] > height[fabric.tail]
    down = (height[fabric.head] < height[fabric.tail]) & ~fabric.host[fabric.head]
    for layer in range(reverse + 1):
        fresh = hops == FAR
        below = np.where(~fresh & ((turns < layer) & ~descends), hops, FAR)
        if not layer:
            below = hops.copy()
        _spread(fabric, height, np.flatnonzero(down), below, fresh, ascending=True)
        fell = fresh & (below < FAR)
        hops[fell], turns[fell], descends[fell] = below[fell], layer, True
        fresh &= ~fell
        above = np.where((hops < FAR) & (turns == layer), hops, FAR)
        _spread(fabric, height, np.flatnonzero(up), above, fresh, ascending=False)
        rose = fresh & (above < FAR)
        hops[rose], turns[rose] = above[rose], layer
    may = _next(fabric, up, down, hops, turns, descends)
    found = Ways(fabric, rank, order, group, hops, turns, may)
    return found if not reverse else _only_for(found, ranked)


def _heights(fabric: Fabric, rank: Int64Array) -> Int64Array:
    """Return the ranks, or if links join switches of one, a number of each switch that rises."""
    inside = (rank[fabric.tail] == rank[fabric.head]) & ~fabric.host[fabric.tail]
    if not inside.any():
        return rank
    root = max(set(fabric.tail[inside].tolist()), key=lambda x: (len(fabric.leaving[x]), -x))
    far, fresh = {root: 0}, [root]
    for node in fresh:
        near = [x for x in fabric.beside[node] if x not in far and not fabric.host[x]]
        far |= dict.fromkeys(near, far[node] + 1)
        fresh += near
    distance = np.array([far.get(node, rank.size) for node in range(rank.size)])
    found, switches = np.zeros_like(rank), np.flatnonzero(~fabric.host)
    upwards = np.lexsort((-switches, -distance[switches], rank[switches]))
    found[switches[upwards]] = np.arange(1, switches.size + 1)
    return found


def places(fabric: Fabric, order: Int64Array) -> tuple[list[list[int]], Int64Array]:
    """Return the switches of each place where hosts hang, and the place of each host."""
    number: dict[tuple[int, ...], int] = {}
    group = np.zeros(order.size, np.int64)
    for column, host in enumerate(order.tolist()):
        on = tuple(sorted(set(fabric.head[fabric.leaving[host]].tolist())))
        group[column] = number.setdefault(on, len(number))
    return [list(on) for on in number], group


def _spread(
    fabric: Fabric, rank: Int64Array, channels: Int64Array, hops: npt.NDArray[np.int32],
    fresh: BoolArray, ascending: bool,
) -> None:  # fmt: skip
    """Give fresh nodes one hop more than the least of where their channels lead, rank by rank."""
    levels = range(1, int(rank.max()) + 1) if ascending else range(int(rank.max()) - 1, -1, -1)
    for level in levels:
        own = channels[rank[fabric.tail[channels]] == level]
        if own.size:
            own = own[fabric.tail[own].argsort(kind="stable")]
            nodes, first = np.unique(fabric.tail[own], return_index=True)
            least = np.minimum.reduceat(hops[fabric.head[own]], first, axis=0) + 1
            better = fresh[nodes] & (least < hops[nodes])
            hops[nodes] = np.where(better, least, hops[nodes])


def _next(
    fabric: Fabric, up: BoolArray, down: BoolArray, hops: npt.NDArray[np.int32],
    turns: npt.NDArray[np.int8], descends: BoolArray,
) -> BoolArray:  # fmt: skip
    """Return which channels are the next of a shortest way of their kind."""
    found = np.empty((fabric.tail.size, hops.shape[1]), np.bool_)
    for begin in range(0, len(found), CHUNK):
        own = slice(begin, begin + CHUNK)
        tail, head = fabric.tail[own], fabric.head[own]
        nearer = (hops[head] == hops[tail] - 1) & (hops[tail] < FAR)
        same = turns[head] == turns[tail]
        falls = descends[tail] & down[own, None]
        falls &= np.where(descends[head], same, turns[head] == turns[tail] - 1)
        found[own] = nearer & (falls | (~descends[tail] & up[own, None] & same))
    return found


def _only_for(found: Ways, ranked: Ranked) -> Ways:
    """Leave ways that climb again to those from and to misplaced hosts."""
    fabric, misplaced = found.fabric, np.zeros(len(found.fabric.names), np.bool_)
    misplaced[list(ranked.misplaced)] = True
    to = np.zeros(found.may.shape[1], np.bool_)
    to[found.group[misplaced[found.order]]] = True
    wanted = np.repeat(to[None], misplaced.size, axis=0)
    wanted[misplaced] = True
    for _ in range(int(found.hops[found.hops < FAR].max(initial=0))):  # and who is on such a way
        before = int(np.count_nonzero(wanted))
        on = found.may & wanted[fabric.tail]
        np.logical_or.at(wanted, fabric.head, on)
        if int(np.count_nonzero(wanted)) == before:
            break
    found.may[(found.turns[fabric.tail] > 0) & ~wanted[fabric.tail]] = False
    return found
