"""Routes of a fabric as forwarding tables: which channel a node takes to each host."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from fattree_models.common.checks import BoolArray, Int32Array, Int64Array
from fattree_models.topology.fabric import Fabric
from fattree_models.topology.ranks import Ranked


@dataclass(frozen=True, eq=False)
class Routes:
    """Forwarding tables.

    Parameters
    ----------
    fabric : Fabric
    order : int64 array [hosts]
        The hosts as they are numbered: of sources, of destinations, and by cyclic shifts.
    out : int32 array [nodes, hosts]
        The channel that a node takes to a host, -1 if it has none.
    """

    fabric: Fabric
    order: Int64Array
    out: Int32Array


def table_routes(
    fabric: Fabric, order: Int64Array, entries: Sequence[tuple[int, int, int]]
) -> Routes:
    """Return routes of forwarding tables; a host with one link takes that.

    Parameters
    ----------
    entries : sequence of (node, destination node, channel)
    """
    out = np.full((len(fabric.names), order.size), -1, np.int32)
    for host in order.tolist():
        if len(fabric.leaving[host]) == 1:
            out[host] = fabric.leaving[host][0]
    column = np.full(len(fabric.names), -1, np.int64)
    column[order] = np.arange(order.size)
    if entries:
        node, goal, channel = np.array(entries, np.int64).T
        out[node, column[goal]] = channel
    return Routes(fabric, order, out)


def dmodk_routes(
    fabric: Fabric, ranked: Ranked, order: Int64Array, index: Int64Array | None = None
) -> Routes:
    """Return D-mod-k on any graph with ranks: up while the host is not below, then down.

    Parameters
    ----------
    order : int64 array [hosts]
        Host d is the d-th of them.
    index : int64 array [nodes], optional
        Links up are numbered in the order of these numbers of where they lead, as of `Match`; else
        of names.

    Notes
    -----
    With W_l the product of the usual numbers of links up of ranks 0 ... l - 1, a node of rank l
    takes link floor(d / W_l) mod u of its u links up that lead to a switch from which d can be
    reached by going up and then down; down, of k parallel links, link floor(d / W_{l-1}) mod (w k)
    div w (Zahavi 2010).  On an XGFT these are the tables of `xgft.dmodk_tables` (tests); round a
    missing cable it goes as far as up-down routes do.  Links inside a rank are not used.
    O(links * hosts).
    """
    rank = np.array([ranked.rank[node] for node in range(len(fabric.names))])
    hosts = order.size
    below = np.zeros((rank.size, hosts), np.bool_)
    below[order, np.arange(hosts)] = True
    levels = [np.flatnonzero(rank == level).tolist() for level in range(int(rank.max()) + 1)]
    ups = [_links(fabric, rank, node, 1, index) for node in range(rank.size)]
    downs = [_links(fabric, rank, node, -1, index) for node in range(rank.size)]
    for nodes in levels[1:]:
        for node in nodes:
            for channel in downs[node]:
                below[node] |= below[fabric.head[channel]]
    reach = below.copy()
    for nodes in reversed(levels):
        for node in nodes:
            for channel in ups[node]:
                reach[node] |= reach[fabric.head[channel]]
    usual = [_usual([len(ups[node]) for node in nodes]) for nodes in levels]
    span = np.cumprod([1, *usual])
    out = np.full((rank.size, hosts), -1, np.int32)
    number = np.arange(hosts)
    for level, nodes in enumerate(levels):
        for node in nodes:
            climb = number // span[level]
            _choose(out[node], ups[node], reach[fabric.head[ups[node]]], climb)
            if level:
                step = number // span[level - 1] % usual[level - 1]
                for channels in _parallel(fabric, downs[node]):
                    # Of w k links up that a child has, those of one copy lead to w parents.
                    parents = max(1, usual[level - 1] // len(channels))
                    mine = below[fabric.head[channels]]
                    _choose(out[node], channels, mine, step // parents)
    out[order, number] = -1
    return Routes(fabric, order, out)


def _links(
    fabric: Fabric, rank: npt.NDArray[np.int_], node: int, step: int, index: Int64Array | None
) -> list[int]:
    """Return the channels to the next rank up or down, first copies of all, then second ones."""
    found = [c for c in fabric.leaving[node] if rank[fabric.head[c]] == rank[node] + step]
    copies: dict[int, int] = {}
    keyed = []
    for place, channel in enumerate(found):
        other = int(fabric.head[channel])
        copies[other] = copies.get(other, -1) + 1
        keyed.append((copies[other], place if index is None else int(index[other]), channel))
    return [channel for *_, channel in sorted(keyed)]


def _parallel(fabric: Fabric, channels: list[int]) -> list[list[int]]:
    """Return channels by where they lead."""
    found: dict[int, list[int]] = {}
    for channel in channels:
        found.setdefault(int(fabric.head[channel]), []).append(channel)
    return list(found.values())


def _choose(row: Int32Array, channels: list[int], able: BoolArray, choice: Int64Array) -> None:
    """Fill entries: of the channels that are able, [channels, hosts], the choice-th."""
    if not channels:
        return
    count = able.cumsum(axis=0)
    wanted = choice % np.maximum(count[-1], 1) + 1
    chosen = np.array(channels, np.int32)[((count == wanted) & able).argmax(axis=0)]
    np.copyto(row, chosen, where=able.any(axis=0))


def _usual(numbers: list[int]) -> int:
    """Return the most common number, of several the greatest, at least 1."""
    values, counts = np.unique(numbers, return_counts=True)
    return max(1, int(values[counts == counts.max()].max()))
