"""Any graph as a network of wormhole switches: its levels are kinds of switches, alike in ports.

After part "Any graph" of `docs/wormhole.md`.
"""

from dataclasses import dataclass
from functools import cached_property
from itertools import groupby

import numpy as np

from fattree_models.common.checks import Int64Array
from fattree_models.common.fat_tree.routing import Int16Array
from fattree_models.common.fat_tree.tables import Tables
from fattree_models.common.fat_tree.topology import Xgft
from fattree_models.topology import Ranked, Routes
from fattree_models.wormhole.network import Network
from fattree_models.wormhole.wiring import PLAIN, Switches, Wiring, wired


@dataclass(frozen=True, eq=False)
class Kind:
    """Switches that are alike.

    Parameters
    ----------
    rank : int
        How far they are from the hosts; 0: hosts with several cables.
    nodes : int64 array [switches]
        Which nodes of the fabric they are.
    down, up : int
        Cables to nodes of lower ranks, which are the first ports, and others.
    """

    rank: int
    nodes: Int64Array
    down: int
    up: int


@dataclass(frozen=True, eq=False)
class Graph(Xgft):
    """A fabric with its routes; of a tree it has levels, but no digits.

    Parameters
    ----------
    kinds : tuple of Kind
        Level 1 and those above it.  Leaf x is the x-th host of the routes.
    routes : Routes
    peer : int64 array [ends]
        The other end of the cable at each end.  Ends are the ports of the switches, level by level,
        switch by switch, then the leaves.
    channel : int64 array [ends]
        The channel of the fabric that leaves by an end; -1: between a host that is a switch and its
        leaf.
    ports : int16 arrays [switches, leaves]
        Of each level, the output port for each leaf, -1 where there is none.
    """

    kinds: tuple[Kind, ...]
    routes: Routes
    peer: Int64Array
    channel: Int64Array
    ports: tuple[Int16Array, ...]

    __eq__, __hash__ = object.__eq__, object.__hash__

    @property
    def height(self) -> int:
        """Number of kinds."""
        return len(self.kinds)

    @property
    def leaves(self) -> int:
        """Number of hosts."""
        return int(self.routes.order.size)

    @property
    def ratio(self) -> Int64Array:
        """Clocks from flit to flit on the link that leaves by each end, int64 [ends]."""
        weight = np.append(self.routes.fabric.weight, 1)
        return np.asarray(weight[self.channel])

    @cached_property
    def before(self) -> Int64Array:
        """Ports of all switches before each, int64 [switches + 1]."""
        counts = [kind.down + kind.up for kind in self.kinds for _ in kind.nodes]
        return np.cumsum([0, *counts])

    @cached_property
    def longest(self) -> int:
        """Switches on the longest route."""
        of = np.repeat(np.arange(self.before.size - 1), np.diff(self.before))
        entry, most = np.concatenate(self.ports[1:]), 0
        for leaf in range(self.leaves):
            end, hops = self.peer[-self.leaves :], 0
            while (end := end[end < of.size]).size:
                here = of[end]
                end, hops = self.peer[self.before[here] + entry[here, leaf]], hops + 1
            most = max(most, hops)
        return most

    @property
    def tables(self) -> Tables:
        """The routes as forwarding tables."""
        return Tables(self, self.ports)

    def level_size(self, level: int) -> int:
        """Return the number of switches of a level; of level 0, leaves."""
        return self.kinds[level - 1].nodes.size if level else self.leaves

    def down_ports(self, level: int) -> int:
        """Return the first ports of a switch, which lead down."""
        return self.kinds[level - 1].down if level else 0

    def up_ports(self, level: int) -> int:
        """Return its other ports."""
        return self.kinds[level - 1].up if level else 1


def graph(routes: Routes, ranked: Ranked) -> Graph:
    """Return the network of a fabric's switches; a host with several cables is one.

    Raises
    ------
    ValueError
        If two hosts share a cable.

    Examples
    --------
    >>> from fattree_models.topology import build, dmodk_routes, rank
    >>> fabric = build({}, [(f"h{k}", -1, "s", k) for k in range(3)])
    >>> made = graph(dmodk_routes(fabric, rank(fabric), fabric.hosts), rank(fabric))
    >>> made.peer.tolist(), made.ports[1].tolist()
    ([3, 4, 5, 0, 1, 2], [[0, 1, 2]])
    """
    fabric = routes.fabric
    both = fabric.host[fabric.tail] & fabric.host[fabric.head]
    if both.any():
        one, other = (fabric.names[x[both][0]] for x in (fabric.tail, fabric.head))
        raise ValueError(f"{one} and {other} share a cable, and are hosts; a host joins switches")
    leaf = {node: x for x, node in enumerate(routes.order.tolist())}
    exits = [_exits(routes, ranked, node) for node in range(len(fabric.names))]
    alike = {
        node: (0 if node in leaf else ranked.rank[node], len(down), len(up))
        for node, (down, up) in enumerate(exits)
        if node not in leaf or len(up) > 1
    }
    switches = sorted(alike, key=alike.__getitem__)
    kinds = tuple(
        Kind(key[0], np.array([*nodes], np.int64), *key[1:])
        for key, nodes in groupby(switches, alike.__getitem__)
    )
    channel = np.array([c for s in switches for each in exits[s] for c in each], np.int64)
    hung = [-1 if x in alike else fabric.leaving[x][0] for x in routes.order.tolist()]
    channel = np.concatenate([channel, np.array(hung, np.int64)])
    first = np.cumsum([0, *(sum(map(len, exits[s])) for s in switches)])
    end, port = np.full(fabric.tail.size + 1, -1), np.full(fabric.tail.size + 1, -1, np.int16)
    end[channel] = np.arange(channel.size)
    peer = np.append(end[:-1].reshape(-1, 2)[:, ::-1], -1)[channel]
    ports: list[Int16Array] = [np.zeros((0, len(leaf)), np.int16)]
    for number, s in enumerate(switches):
        port[channel[first[number] : first[number + 1]]] = np.arange(sum(map(len, exits[s])))
        if s in leaf:  # its port 0 is its leaf's
            own = int(first[-1]) + leaf[s]
            peer[first[number]], peer[own] = own, first[number]
    port[-1] = -1
    for kind in kinds:
        rows = port[routes.out[kind.nodes]]
        for row, node in enumerate(kind.nodes.tolist()):
            if node in leaf:
                rows[row, leaf[node]] = 0
        ports.append(rows)
    return Graph((len(leaf),), (1,), kinds, routes, peer, channel, tuple(ports))


def _exits(routes: Routes, ranked: Ranked, node: int) -> tuple[list[int], list[int]]:
    """Return the channels that lead down, -1 to the leaf of a host, and the others."""
    fabric, rank = routes.fabric, ranked.rank
    down: list[int] = [-1] if fabric.host[node] else []
    up: list[int] = []
    for channel in fabric.leaving[node]:
        below = rank[int(fabric.head[channel])] < rank[node] and not fabric.host[node]
        (down if below else up).append(channel)
    return down, up


@wired.register
def _(tree: Graph, network: Network) -> Wiring:
    """Kind by kind."""
    rows = [
        (PLAIN, level, s, -1, kind.down + kind.up, kind.down + kind.up, 1, 0, 1, 1, 1, 0)
        for level, kind in enumerate(tree.kinds, start=1)
        for s in range(kind.nodes.size)
    ]
    switches = Switches(*np.array(rows, np.int64).T)
    every = np.arange(tree.peer.size - tree.leaves)
    target = np.where(tree.peer < every.size, tree.peer, every.size - 1 - tree.peer)
    slow = tree.ratio if tree.ratio.max() > 1 else tree.ratio[:0]
    return Wiring(switches, target, every, every, slow)
