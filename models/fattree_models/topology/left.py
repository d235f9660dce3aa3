"""D-mod-k on what is left of a fat-tree: the same entries where nothing is missing."""

import numpy as np
from numba import njit

from fattree_models.common.checks import BoolArray, Int32Array, Int64Array
from fattree_models.topology.fabric import Fabric, natural
from fattree_models.topology.ranks import Ranked
from fattree_models.topology.routes import Routes, rows_of
from fattree_models.topology.ways import Ways, ways

Slots = tuple[Int64Array, Int64Array]
"""Where the channels of each node begin, [nodes + 1], and the channels, node by node."""


def numbered(fabric: Fabric, ranked: Ranked) -> tuple[Int64Array, Int64Array]:
    """Return the hosts, int64 [hosts], and a number of each node, int64 [nodes], from the top down.

    Notes
    -----
    The topmost switches are numbered by names, those below by whom they are joined to, and the
    hosts switch by switch: an order of a tree's leaves, whatever the names.  Misplaced hosts come
    last.
    """
    names = sorted(range(len(fabric.names)), key=lambda node: natural(fabric.names[node]))
    place = {node: number for number, node in enumerate(names)}
    for nodes in reversed(ranked.by_rank()[:-1]):
        key = {node: (sorted(place[x] for x in ranked.above(node)), place[node]) for node in nodes}
        place |= {node: number for number, node in enumerate(sorted(nodes, key=key.__getitem__))}
    low = [node for node in fabric.hosts.tolist() if node not in ranked.misplaced]
    high = [node for node in fabric.hosts.tolist() if node in ranked.misplaced]
    order = [*sorted(low, key=place.__getitem__), *high]
    return np.array(order, np.int64), np.array([place[x] for x in range(len(names))], np.int64)


def left_routes(
    fabric: Fabric, ranked: Ranked, order: Int64Array, index: Int64Array | None = None,
    reverse: int = 0,
) -> Routes:  # fmt: skip
    """Return D-mod-k among the ways that are left.

    Parameters
    ----------
    order : int64 array [hosts]
        Host t is the t-th of them.
    index : int64 array [nodes], optional
        Alternatives of a switch are numbered by these numbers of where they lead, else by names.
    reverse : int
        See `ways`.

    Notes
    -----
    A node with n other nodes to choose from, its divider D, takes number floor(t / D) mod n of
    them, and of p parallel cables to it cable floor(t / (D n)) mod p.  D is 1 at hosts, else the
    greatest of the nodes below of their D times the number of nodes above them.
    O(nodes * (places * links of a node + hosts)).
    """
    found = ways(fabric, ranked, order, reverse)
    slots = slots_of(fabric, index)
    return Routes(fabric, order, _tables(found, slots, dividers(fabric, ranked)))


def dividers(fabric: Fabric, ranked: Ranked) -> Int64Array:
    """Return D of each node, int64 [nodes]."""
    found = np.ones(len(fabric.names), np.int64)
    for nodes in ranked.by_rank()[1:]:
        for node in nodes:
            below = ranked.below(node)
            found[node] = max((found[x] * len(ranked.above(x)) for x in below), default=1)
    return found


def slots_of(fabric: Fabric, index: Int64Array | None = None) -> Slots:
    """Return the channels of each node, by the number or else the name of where they lead."""
    key = (lambda c: 0) if index is None else lambda c: int(index[fabric.head[c]])
    channels = [sorted(own, key=key) for own in fabric.leaving]
    first = np.cumsum([0, *map(len, channels)])
    return first.astype(np.int64), np.array([c for own in channels for c in own], np.int64)


def last_channels(fabric: Fabric, order: Int64Array) -> dict[tuple[int, int], list[int]]:
    """Return the channels from each switch to each host of `order`, by (switch, number of host)."""
    found: dict[tuple[int, int], list[int]] = {}
    for number, host in enumerate(order.tolist()):
        for channel in fabric.leaving[host]:
            found.setdefault((int(fabric.head[channel]), number), []).append(channel ^ 1)
    return found


def _tables(found: Ways, slots: Slots, divider: Int64Array) -> Int32Array:
    """Return what each node takes to each host, int32 [nodes, hosts]."""
    fabric, order = found.fabric, found.order
    members = found.group.argsort(kind="stable")
    first = np.searchsorted(found.group[members], np.arange(found.may.shape[1] + 1))
    row = rows_of(fabric)
    out = np.full((int(row.max()) + 1, order.size), -1, np.int32)
    _fill(out, row, *slots, fabric.head, found.may, members, first, divider)
    for (node, number), channels in last_channels(fabric, order).items():
        copies = sorted(channels, key=lambda c: (int(fabric.port[c]), c))
        out[row[node], number] = copies[number // int(divider[node]) % len(copies)]
    own = np.flatnonzero(row[order] >= 0)
    out[row[order[own]], own] = -1
    return out


@njit(cache=True, nogil=True)
def _fill(
    out: Int32Array, row: Int64Array, first: Int64Array, channels: Int64Array, head: Int64Array,
    may: BoolArray, members: Int64Array, begin: Int64Array, divider: Int64Array,
) -> None:  # fmt: skip
    """Choose for each node and place, then for each host there."""
    for node in range(first.size - 1):
        own = channels[first[node] : first[node + 1] * (row[node] >= 0)]
        starts = np.empty(own.size + 1, np.int64)  # of parallel cables among those that may be
        able = np.empty(own.size, np.int64)
        for place in range(begin.size - 1):
            count, groups, before = 0, 0, np.int64(-1)
            for channel in own:
                if may[channel, place]:
                    if head[channel] != before:
                        starts[groups] = count
                        groups, before = groups + 1, head[channel]
                    able[count] = channel
                    count += 1
            starts[groups] = count
            if not groups:
                continue
            for host in members[begin[place] : begin[place + 1]]:
                turn = host // divider[node]
                which = turn % groups
                copies = starts[which + 1] - starts[which]
                out[row[node], host] = able[starts[which] + turn // groups % copies]
