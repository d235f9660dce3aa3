"""Routes of a fabric as forwarding tables: which channel a node takes to each host."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt
from numba import njit

from fattree_models.common.checks import BoolArray, Int32Array, Int64Array
from fattree_models.topology.fabric import Fabric
from fattree_models.topology.ranks import Ranked
from fattree_models.topology.ways import places

MANY = 4096  # hosts of a table that has a row for each


@dataclass(frozen=True, eq=False)
class Routes:
    """Forwarding tables.

    Parameters
    ----------
    fabric : Fabric
    order : int64 array [hosts]
        The hosts as they are numbered: of sources, of destinations, and by cyclic shifts.
    out : int32 array [nodes, hosts]
        The channel that a node takes to a host, -1 if it has none.  Where hosts have no row, that
        of the n-th of the other nodes is row n.
    """

    fabric: Fabric
    order: Int64Array
    out: Int32Array

    @cached_property
    def rows(self) -> Int64Array:
        """The row of each node, int64 [nodes]; of hosts without one -1: they take their link."""
        return rows_of(self.fabric, len(self.out) < len(self.fabric.names))

    def channel(self, node: int, column: int) -> int:
        """Return what a node takes to the host of a column, -1 if it has nothing."""
        if (row := int(self.rows[node])) >= 0:
            return int(self.out[row, column])
        return -1 if self.order[column] == node else self.fabric.leaving[node][0]


def rows_of(fabric: Fabric, few: bool | None = None) -> Int64Array:
    """Return the row of each node in tables, int64 [nodes]: -1 of hosts with one link if `few`.

    By default there are few rows if more than `MANY` hosts would need one.
    """
    nodes = np.arange(len(fabric.names))
    if few is None:
        few = int(fabric.host.sum()) > MANY
    degree = np.bincount(fabric.tail, minlength=nodes.size)
    left_out = fabric.host & (degree == 1) & few
    return np.where(left_out, -1, nodes - np.cumsum(left_out))


def table_routes(
    fabric: Fabric, order: Int64Array, entries: Sequence[tuple[int, int, int]]
) -> Routes:
    """Return routes of forwarding tables; a host with one link takes that.

    Parameters
    ----------
    entries : sequence of (node, destination node, channel)
    """
    row = rows_of(fabric)
    out = np.full((int(row.max()) + 1, order.size), -1, np.int32)
    for host in order[row[order] >= 0].tolist():
        if len(fabric.leaving[host]) == 1:
            out[row[host]] = fabric.leaving[host][0]
    column = np.full(len(fabric.names), -1, np.int64)
    column[order] = np.arange(order.size)
    if entries:
        node, goal, channel = np.array(entries, np.int64).T
        kept = row[node] >= 0
        out[row[node[kept]], column[goal[kept]]] = channel[kept]
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
    O(switches * (places where hosts hang * links of a switch + hosts)).
    """
    rank = np.array([ranked.rank[node] for node in range(len(fabric.names))])
    levels = [np.flatnonzero(rank == level).tolist() for level in range(int(rank.max()) + 1)]
    ups = [_links(fabric, rank, node, 1, index) for node in range(rank.size)]
    downs = [_links(fabric, rank, node, -1, index) for node in range(rank.size)]
    usual = np.array([_usual([len(ups[node]) for node in nodes]) for nodes in levels])
    row, (place, group) = rows_of(fabric), places(fabric, order)
    out = np.full((int(row.max()) + 1, order.size), -1, np.int32)
    below = np.zeros((len(out), len(place)), np.bool_)
    for number, switches in enumerate(place):
        below[row[[x for x in switches if rank[x] == 1]], number] = True
    for nodes in levels[2:]:
        for node in nodes:
            for switch in set(fabric.head[downs[node]].tolist()):
                below[row[node]] |= below[row[switch]]
    reach = below.copy()
    for nodes in reversed(levels):
        for node in (x for x in nodes if row[x] >= 0):
            for switch in set(fabric.head[ups[node]].tolist()):
                reach[row[node]] |= reach[row[switch]]
    members = group.argsort(kind="stable")
    begin = np.searchsorted(group[members], np.arange(len(place) + 1))
    span = np.cumprod([1, *usual])
    alike = [[c for each in _parallel(fabric, down) for c in each] for down in downs]
    _fill(
        out, row, rank, fabric.head, *_rows(ups), *_rows(alike), below, reach, members, begin, span,
        usual,
    )  # fmt: skip
    _last(out, row, fabric, rank, downs, order, usual)
    return Routes(fabric, order, out)


def _rows(lists: list[list[int]]) -> tuple[Int64Array, Int64Array]:
    """Return where each list begins, [lists + 1], and all of them, one behind the other."""
    first = np.cumsum([0, *map(len, lists)])
    return first.astype(np.int64), np.array([x for each in lists for x in each], np.int64)


def _last(
    out: Int32Array, row: Int64Array, fabric: Fabric, rank: Int64Array, downs: list[list[int]],
    order: Int64Array, usual: Int64Array,
) -> None:  # fmt: skip
    """Fill the entries of switches for the hosts that hang there, and hosts' own."""
    column = np.full(rank.size, -1, np.int64)
    column[order] = np.arange(order.size)
    for node in np.flatnonzero(rank == 1).tolist():
        for channels in _parallel(fabric, downs[node]):
            host = int(column[fabric.head[channels[0]]])
            # Of w k links up that a child has, those of one copy lead to w parents.
            step = host % usual[0] // max(1, usual[0] // len(channels))
            out[row[node], host] = channels[step % len(channels)]
    own = np.flatnonzero(row[order] >= 0)
    for host in (x for x in order[own].tolist() if len(fabric.leaving[x]) == 1):
        out[row[host]] = fabric.leaving[host][0]
    out[row[order[own]], own] = -1


@njit(cache=True, nogil=True)
def _fill(
    out: Int32Array, row: Int64Array, rank: Int64Array, head: Int64Array, up_first: Int64Array,
    up: Int64Array, down_first: Int64Array, down: Int64Array, below: BoolArray, reach: BoolArray,
    members: Int64Array, begin: Int64Array, span: Int64Array, usual: Int64Array,
) -> None:  # fmt: skip
    """Choose for each node and place, then for each host there: up, or down where that leads."""
    able = np.empty(max(1, up.size), np.int64)
    for node in range(row.size):
        r, level = row[node], rank[node]
        for place in range(begin.size - 1):
            hosts = members[begin[place] : begin[place + 1]]
            count = 0
            for channel in up[up_first[node] : up_first[node + 1]] if r >= 0 else up[:0]:
                if reach[row[head[channel]], place]:
                    able[count] = channel
                    count += 1
            for host in hosts if count else hosts[:0]:
                out[r, host] = able[host // span[level] % count]
            at, end = down_first[node], down_first[node + 1]
            while level > 1 and at < end:
                copies = 1
                while at + copies < end and head[down[at + copies]] == head[down[at]]:
                    copies += 1
                if below[row[head[down[at]]], place]:
                    parents = max(1, usual[level - 1] // copies)
                    for host in hosts:
                        step = host // span[level - 1] % usual[level - 1] // parents
                        out[r, host] = down[at + step % copies]
                at += copies


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


def _usual(numbers: list[int]) -> int:
    """Return the most common number, of several the greatest, at least 1."""
    values, counts = np.unique(numbers, return_counts=True)
    return max(1, int(values[counts == counts.max()].max()))
