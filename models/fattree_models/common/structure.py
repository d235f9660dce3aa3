"""The structure of a network: its nodes by level, the directed links between their ports.

It knows no network.  From it follow the names of places, where routes lead, what a packet may wait
for, a deadlock as a cycle, and pictures.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import numpy.typing as npt

from fattree_models.common.checks import Int64Array

if TYPE_CHECKING:  # networkx: every process would load it
    import networkx as nx

FloatArray = npt.NDArray[np.float64]

LEAF_WIDTH = 0.6


class Node(NamedTuple):
    """A node; `x`, `y` and `width` are of its box in a picture, in any units."""

    name: str
    level: int
    number: int
    x: float
    y: float
    width: float = 1.0


class Link(NamedTuple):
    """A directed link; `signal` is "" where nothing in the RTL shows it."""

    name: str
    tail: int
    head: int
    tail_port: int = 0
    head_port: int = 0
    lanes: int = 1
    signal: str = ""


class Walk(NamedTuple):
    """Where lists of output ports lead.

    Attributes
    ----------
    link : int64 array [packets, hops]
        The link that leaves by each port, -1 where there is none.
    end : int64 array [packets]
        The node behind the last hop, -1 if a port does not exist or hops are left at a leaf.
    """

    link: Int64Array
    end: Int64Array


@dataclass(frozen=True, eq=False)
class Structure:
    """A network as arrays.

    Parameters
    ----------
    nodes, links : tuples of str
        Their names.
    level, number : int64 arrays [nodes]
        Level of each node, and its number within the level.  Leaves, which send and receive, are
        level 0; one leaf may be two nodes of the same number, a sender and a receiver.
    at : float64 array [nodes, 3]
        x, y and width of each node's box in a picture.
    tail, tail_port, head, head_port : int64 arrays [links]
        The node and port that each link leaves, and those to which it leads.
    lanes : int64 array [links]
        Words, or virtual channels, side by side on each link.
    signal : tuple of str [links]
        Where the RTL shows a link, "" nowhere.  Lanes of links with the same signal lie in it one
        after the other, in the order of the links.
    """

    nodes: tuple[str, ...]
    level: Int64Array
    number: Int64Array
    at: FloatArray
    links: tuple[str, ...]
    tail: Int64Array
    tail_port: Int64Array
    head: Int64Array
    head_port: Int64Array
    lanes: Int64Array
    signal: tuple[str, ...]

    @classmethod
    def of(cls, nodes: Sequence[Node], links: Sequence[Link]) -> Structure:
        """Return the structure of lists of nodes and links.

        Examples
        --------
        >>> ends = [Node(f"leaf {x}", 0, x, x, 0.0) for x in (0, 1)]
        >>> pair = Structure.of(ends, [Link("wire", 0, 1)])
        >>> pair.senders.tolist(), pair.receivers.tolist()
        ([0, -1], [-1, 1])
        """
        table = np.array([link[1:6] for link in links], np.int64).reshape(-1, 5)
        tail, head, tail_port, head_port, lanes = table.T.copy()
        return cls(
            nodes=tuple(node.name for node in nodes),
            level=np.array([node.level for node in nodes], np.int64),
            number=np.array([node.number for node in nodes], np.int64),
            at=np.array([node[3:] for node in nodes], np.float64),
            links=tuple(link.name for link in links),
            tail=tail,
            tail_port=tail_port,
            head=head,
            head_port=head_port,
            lanes=lanes,
            signal=tuple(link.signal for link in links),
        )

    def ordered(self, links: Int64Array) -> Structure:
        """Return the same network with its links in another order."""
        names = (self.links, self.signal)
        links_, signal = (tuple(name[k] for k in links.tolist()) for name in names)
        columns = ("tail", "tail_port", "head", "head_port", "lanes")
        changed = {name: getattr(self, name)[links] for name in columns}
        return replace(self, links=links_, signal=signal, **changed)

    # ---- places ----------------------------------------------------------------------------------

    @cached_property
    def leaves(self) -> int:
        """Number of leaves."""
        return int(self.number[self.level == 0].max(initial=-1)) + 1

    @cached_property
    def senders(self) -> Int64Array:
        """Node by which each leaf sends, -1 none, int64 [leaves]."""
        return self._ends(self.tail)

    @cached_property
    def receivers(self) -> Int64Array:
        """Node at which each leaf receives, -1 none, int64 [leaves]."""
        return self._ends(self.head)

    def _ends(self, side: Int64Array) -> Int64Array:
        found = np.full(self.leaves, -1, np.int64)
        ends = np.unique(side[self.level[side] == 0])
        found[self.number[ends]] = ends
        return found

    @cached_property
    def leaving(self) -> Int64Array:
        """The link that leaves each port, -1 none, int64 [nodes, ports]."""
        found = np.full((len(self.nodes), int(self.tail_port.max(initial=-1)) + 1), -1, np.int64)
        found[self.tail, self.tail_port] = np.arange(len(self.links))
        return found

    @cached_property
    def arriving(self) -> Int64Array:
        """The link that arrives at each port, -1 none, int64 [nodes, ports]."""
        found = np.full((len(self.nodes), int(self.head_port.max(initial=-1)) + 1), -1, np.int64)
        found[self.head, self.head_port] = np.arange(len(self.links))
        return found

    @cached_property
    def first_lane(self) -> Int64Array:
        """Number of each link's first lane among the lanes of all, int64 [links]."""
        return np.asarray(np.cumsum(self.lanes) - self.lanes)

    @cached_property
    def lane_link(self) -> Int64Array:
        """The link of each lane, all lanes one after the other, int64 [lanes]."""
        return np.repeat(np.arange(len(self.links)), self.lanes)

    @cached_property
    def shown(self) -> Int64Array:
        """Links that the RTL shows, in their order, int64."""
        return np.flatnonzero([bool(signal) for signal in self.signal])

    @cached_property
    def queues(self) -> Int64Array:
        """The lane that ends in each queue of the switches, node by node, port by port, int64."""
        links = self.arriving[self.level > 0]
        links = links[links >= 0]
        lanes = [self.first_lane[k] + np.arange(self.lanes[k]) for k in links.tolist()]
        return np.concatenate([np.zeros(0, np.int64), *lanes])

    # ---- ways ------------------------------------------------------------------------------------

    def walk(self, leaf: Int64Array, ports: npt.NDArray[np.integer]) -> Walk:
        """Follow output ports of nodes, from those that leaves feed by their only links.

        Parameters
        ----------
        leaf : int64 array [packets]
        ports : int array [packets, hops]
            -1 behind the last hop.

        Examples
        --------
        >>> ends = [Node(f"leaf {x}", 0, x, x, 0.0) for x in (0, 1)]
        >>> links = [Link("", k, 2, 0, k) for k in (0, 1)] + [Link("", 2, k, k) for k in (0, 1)]
        >>> star = Structure.of([*ends, Node("switch", 1, 0, 0.5, -1.0)], links)
        >>> star.walk(np.array([0, 1]), np.array([[1], [2]])).end.tolist()
        [1, -1]
        """
        here = self.head[self.leaving[self.senders[leaf], 0]]
        links = np.full(ports.shape, -1, np.int64)
        most = self.leaving.shape[1]
        for hop, port in enumerate(ports.T):
            moves = (port >= 0) & (here >= 0)
            there = self.leaving[here, np.minimum(np.maximum(port, 0), most - 1)]
            there = np.where(moves & (port < most) & (self.level[here] > 0), there, -1)
            links[moves, hop] = there[moves]
            here = np.where(moves, np.where(there >= 0, self.head[there], -1), here)
        return Walk(links, here)

    @cached_property
    def distance(self) -> FloatArray:
        """Fewest links from each node to each leaf, inf where no way leads, [leaves, nodes].

        Notes
        -----
        No way leads through a leaf, so each is two nodes here.  O(leaves * links log nodes).
        """
        from scipy.sparse import csr_array  # half a second that most runs do not need
        from scipy.sparse.csgraph import dijkstra

        count, inner = len(self.nodes), self.level[self.head] > 0
        head = np.where(inner, self.head, count + self.number[self.head])
        size = count + self.leaves
        back = csr_array((np.ones(len(head)), (head, self.tail)), (size, size))
        goals = np.arange(count, size)
        return np.asarray(dijkstra(back, indices=goals, unweighted=True)[:, :count])

    @cached_property
    def _hidden(self) -> dict[int, list[int]]:
        """Heads of the links that nothing shows, by their tails."""
        found: dict[int, list[int]] = {}
        for tail, head, signal in zip(
            self.tail.tolist(), self.head.tolist(), self.signal, strict=True
        ):
            if not signal:
                found.setdefault(tail, []).append(head)
        return found

    def near(self, node: int) -> set[int]:
        """Return the nodes to which links that nothing shows lead, the node itself included."""
        found, left = {node}, [node]
        while left:
            here = left.pop()
            if here != node and not self.level[here]:
                continue  # no way leads through a leaf
            beyond = [other for other in self._hidden.get(here, ()) if other not in found]
            found.update(beyond)
            left += beyond
        return found

    def broken(self, source: int, way: Sequence[int], destination: int | None) -> str:
        """Return why links that a packet was seen on are no way, in a few words; "" if they are.

        Parameters
        ----------
        source, destination : int
            Leaves; None: the packet has not arrived.
        way : sequence of int
            Links that the RTL shows, in the order in which the packet passed them.
        """
        here = int(self.senders[source])
        for link in way:
            if self.tail[link] != here and int(self.tail[link]) not in self.near(here):
                return f"from {self.nodes[here]} no link leads to that of {self.links[link]}"
            here = int(self.head[link])
        if destination is None:
            return ""
        goal = int(self.receivers[destination])
        if here == goal or goal in self.near(here):
            return ""
        return f"from {self.nodes[here]} no link leads to {self.nodes[goal]}"

    def onward(self, here: int, destination: int) -> list[int]:
        """Return the links that the RTL shows next on shortest ways from a node to a leaf."""
        far = self.distance[destination]
        near = sorted(self.near(here))
        best = far[near].min()
        return [k for k in self.shown.tolist() if self.tail[k] in near and far[self.head[k]] < best]


def cycle(waits: Iterable[tuple[Hashable, Hashable]]) -> list[Any]:
    """Return what waits in a circle that nothing can open, each for the next; empty if none does.

    Parameters
    ----------
    waits : pairs
        What waits, and what may set it free; what waits for several moves when one of them does.

    Notes
    -----
    A set whose members wait for each other and for nothing outside is a knot, and none of it will
    ever move; there is a cycle in it.  Of several the shortest that is found.  O(waits).

    Examples
    --------
    >>> cycle([("a", "b"), ("b", "a"), ("b", "free")])
    []
    >>> sorted(cycle([("a", "b"), ("b", "a"), ("c", "a")]))
    ['a', 'b']
    """
    import networkx as nx

    graph = nx.DiGraph()
    graph.add_edges_from(waits)
    whole = nx.condensation(graph)
    best: list[Any] = []
    for part in whole:
        knot = graph.subgraph(whole.nodes[part]["members"])
        if whole.out_degree(part) or not knot.number_of_edges():
            continue
        pair = next(iter(nx.simple_cycles(knot, length_bound=2)), None)
        found = pair or [edge[0] for edge in nx.find_cycle(knot)]
        if not best or len(found) < len(best):
            best = list(found)
    return best


def dependency_cycle(dependencies: nx.DiGraph) -> list[Any] | None:
    """Return the channels of a cycle in order, each of which may wait for the next, or None.

    Notes
    -----
    Wormhole routing with one virtual channel is free of deadlock if there is none (Dally and Seitz
    1987).  Unlike `cycle`, which looks at what does wait, it asks what could.

    Examples
    --------
    >>> import networkx as nx
    >>> dependency_cycle(nx.DiGraph([(1, 2), (2, 3), (3, 2)]))
    [2, 3]
    """
    import networkx as nx

    if nx.is_directed_acyclic_graph(dependencies):
        return None
    return [edge[0] for edge in nx.find_cycle(dependencies)]
