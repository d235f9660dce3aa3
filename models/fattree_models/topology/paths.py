"""Following routes of all pairs: who is delivered, who loops, what links carry and wait for."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING

import numpy as np

from fattree_models.common.checks import BoolArray, Int64Array
from fattree_models.topology.routes import Routes

if TYPE_CHECKING:  # networkx: every process would load it
    import networkx as nx

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


def waiting(paths: Paths, channels: BoolArray | None = None) -> nx.DiGraph:
    """Return the channel-dependency graph of the packets: who may hold a channel and want another.

    Parameters
    ----------
    channels : bool array [channels], optional
        Those to be in the graph; else all.

    Notes
    -----
    Wormhole and credit-based routing without virtual channels is free of deadlock if it has no
    cycle (Dally and Seitz 1987).
    """
    import networkx as nx

    fabric, graph = paths.routes.fabric, nx.DiGraph()
    held, place = np.nonzero(paths.waits if channels is None else paths.waits & channels[:, None])
    graph.add_edges_from(
        (a, fabric.leaving[fabric.head[a]][k])
        for a, k in zip(held.tolist(), place.tolist(), strict=True)
    )
    return graph


def way(routes: Routes, source: int, destination: int) -> list[int]:
    """Return the nodes on the way of a packet, to where it is lost or comes a second time."""
    fabric = routes.fabric
    column = int(np.flatnonzero(routes.order == destination)[0])
    found, here = [source], source
    while here != destination:
        channel = routes.channel(here, column)
        if channel < 0:
            break
        here = int(fabric.head[channel])
        found.append(here)
        if here in found[:-1] or fabric.host[here]:
            break
    return found
