"""Following routes of all pairs: who is delivered, who loops, what links carry and wait for."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING

import numpy as np

from fattree_models.common.checks import BoolArray, Int32Array, Int64Array
from fattree_models.common.structure import dependency_cycle
from fattree_models.topology.ranks import Ranked
from fattree_models.topology.routes import Routes

if TYPE_CHECKING:  # networkx: every process would load it
    import networkx as nx

CHUNK = 1 << 19  # pairs that are followed at once
NAMED = 5  # faulty pairs that are kept of a kind


class Fate(StrEnum):
    """What becomes of packets that are not delivered, or go where they should not."""

    NO_ENTRY = "no entry"
    WRONG_HOST = "wrong host"
    LOOP = "loop"
    DOWN_UP = "down and up"


@dataclass
class Paths:
    """What became of all pairs of different hosts.

    Attributes
    ----------
    loads : int64 array [channels]
        Packets on each channel if every host sends one to every other; of those that are delivered.
    waits : bool array [channels, ports]
        Whether a packet comes by a channel and leaves by the n-th channel of the next node.
    faults : dict of Fate
        Pairs of each kind: how many, and the first, as (source node, destination node, node where
        it is seen).  Of those that go down and up again some are delivered.
    hops : int64 array
        Pairs by the number of channels on their way.
    """

    routes: Routes
    loads: Int64Array
    waits: BoolArray
    faults: dict[Fate, tuple[int, list[tuple[int, int, int]]]] = field(default_factory=dict)
    hops: Int64Array = field(default_factory=lambda: np.zeros(0, np.int64))

    @property
    def pairs(self) -> int:
        return self.routes.order.size * (self.routes.order.size - 1)

    @property
    def delivered(self) -> int:
        return int(self.hops.sum())

    def note(self, fate: Fate, src: Int64Array, dst: Int64Array, node: Int64Array) -> None:
        """Note faulty pairs, of numbers of hosts."""
        if src.size:
            count, first = self.faults.get(fate, (0, []))
            order = self.routes.order
            new = zip(order[src].tolist(), order[dst].tolist(), node.tolist(), strict=True)
            self.faults[fate] = count + src.size, [*first, *list(new)[:NAMED]][:NAMED]


def follow(routes: Routes, ranked: Ranked) -> Paths:
    """Follow all pairs.

    Notes
    -----
    Where a packet goes depends on its destination and on where it is, so it loops iff it comes to a
    node twice.  Each is compared with where it was at the last hop whose number is a power of two
    (Brent).  It has then taken every channel of its loop, and takes the first of them next.
    O(pairs * hops).
    """
    fabric = routes.fabric
    degree = max(map(len, fabric.leaving))
    slot = np.zeros(fabric.tail.size, np.int64)
    for channels in fabric.leaving:
        slot[channels] = np.arange(len(channels))
    rank = np.array([ranked.rank[node] for node in range(len(fabric.names))], np.int64)
    paths = Paths(
        routes, np.zeros(fabric.tail.size, np.int64), np.zeros((fabric.tail.size, degree), np.bool_)
    )
    hosts = routes.order.size
    step = max(1, CHUNK // hosts)
    for begin in range(0, hosts, step):
        dst, src = np.divmod(np.arange(begin * hosts, min(begin + step, hosts) * hosts), hosts)
        apart = src != dst
        _follow(paths, slot, rank, src[apart], dst[apart])
    return paths


def _follow(
    paths: Paths, slot: Int64Array, rank: Int64Array, src: Int64Array, dst: Int64Array
) -> None:
    """Follow some pairs, and note what becomes of them."""
    routes, fabric = paths.routes, paths.routes.fabric
    order, channels = routes.order, fabric.tail.size
    node, moving = order[src], np.arange(src.size)
    seen, last = node.copy(), np.full(src.size, -1, np.int64)
    fell, turned = np.zeros(src.size, np.bool_), np.full(src.size, -1, np.int64)
    ways: list[tuple[Int64Array, Int32Array]] = []  # who took which channel at each hop
    arrived = np.zeros(src.size, np.bool_)
    hop = 0
    while moving.size:
        at, goal = node[moving], dst[moving]
        channel = routes.out[at, goal]
        lost = channel < 0
        paths.note(Fate.NO_ENTRY, src[moving[lost]], goal[lost], at[lost])
        moving, channel, at = moving[~lost], channel[~lost], at[~lost]
        there = fabric.head[channel]
        ways.append((moving, channel))
        came = last[moving] >= 0
        paths.waits[last[moving[came]], slot[channel[came]]] = True
        last[moving] = channel
        up = rank[there] > rank[at]
        again = fell[moving] & up & (turned[moving] < 0)
        turned[moving[again]] = at[again]
        fell[moving] |= rank[there] < rank[at]
        node[moving] = there
        end = fabric.host[there]
        right = there == order[dst[moving]]
        arrived[moving[right]] = True
        wrong = end & ~right
        paths.note(Fate.WRONG_HOST, src[moving[wrong]], dst[moving[wrong]], there[wrong])
        loops = (there == seen[moving]) & ~end
        paths.note(Fate.LOOP, src[moving[loops]], dst[moving[loops]], there[loops])
        # Round again: the turn from the last channel of the loop to its first.
        paths.waits[channel[loops], slot[routes.out[there[loops], dst[moving[loops]]]]] = True
        moving = moving[~(end | loops)]
        hop += 1
        if hop & (hop - 1) == 0:
            seen = node.copy()
        if hop >= paths.hops.size:
            paths.hops = np.concatenate([paths.hops, np.zeros(hop + 1, np.int64)])
        paths.hops[hop] += np.count_nonzero(right)
    for who, channel in ways:
        paths.loads += np.bincount(channel[arrived[who]], minlength=channels)
    up_again = np.flatnonzero(turned >= 0)
    paths.note(Fate.DOWN_UP, src[up_again], dst[up_again], turned[up_again])


def waiting(paths: Paths) -> nx.DiGraph:
    """Return the channel-dependency graph of the packets: who may hold a channel and want another.

    Notes
    -----
    Wormhole and credit-based routing without virtual channels is free of deadlock if it has no
    cycle (Dally and Seitz 1987).
    """
    import networkx as nx

    fabric = paths.routes.fabric
    held, place = np.nonzero(paths.waits)
    graph = nx.DiGraph()
    graph.add_edges_from(
        (a, fabric.leaving[fabric.head[a]][k])
        for a, k in zip(held.tolist(), place.tolist(), strict=True)
    )
    return graph


def circle(paths: Paths) -> list[int] | None:
    """Return channels in order, each held by a packet that may wait for the next, or None."""
    return dependency_cycle(waiting(paths))


def way(routes: Routes, source: int, destination: int) -> list[int]:
    """Return the nodes on the way of a packet, to where it is lost or comes a second time."""
    fabric = routes.fabric
    column = int(np.flatnonzero(routes.order == destination)[0])
    found, here = [source], source
    while here != destination:
        channel = int(routes.out[here, column])
        if channel < 0:
            break
        here = int(fabric.head[channel])
        found.append(here)
        if here in found[:-1] or fabric.host[here]:
            break
    return found
