"""Who waits for whom in a network of virtual channels that does not move any more."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from fattree_bench.bench.wormhole.network import Wormhole

if TYPE_CHECKING:  # networkx: every process would load it
    import networkx as nx


@dataclass(frozen=True)
class Place:
    """A virtual channel at a port of a switch."""

    level: int
    switch: int  # within its level
    port: int
    vc: int


class Waiting:
    """The graph of waiting channels of a network that stands still.

    Nodes are the numbers of input virtual channels (VCs) in the network's state, and, where
    requests are answered, ("replies", leaf) for a full queue of replies.  A channel waits for every
    channel that could set it free; if no way out of a set of channels leads to one that waits for
    nobody, none of them will ever move (a knot), and there is a cycle in it.
    """

    def __init__(self, network: Wormhole, state: npt.NDArray[np.uint16], answered: bool) -> None:
        import networkx as nx

        self.network = network
        self.state = state
        self.answered = answered
        self._first = _first_inputs(network)
        self.graph: nx.DiGraph = nx.DiGraph()
        for i in np.flatnonzero(state & 1):
            self._add(int(i))

    def cycle(self) -> list[object]:
        """A shortest cycle of channels none of which can be set free; empty if there is none."""
        import networkx as nx

        best: list[object] = []
        for knot in self._knots():
            found = next(iter(nx.simple_cycles(self.graph.subgraph(knot), length_bound=2)), None)
            cycle = list(found) if found else [edge[0] for edge in nx.find_cycle(self.graph, knot)]
            if not best or len(cycle) < len(best):
                best = cycle
        return best

    def _knots(self) -> list[set[object]]:
        """Sets of channels that wait only for each other."""
        import networkx as nx

        whole = nx.condensation(self.graph)
        return [
            whole.nodes[c]["members"]
            for c in whole
            if whole.out_degree(c) == 0
            and (
                len(whole.nodes[c]["members"]) > 1
                or any(self.graph.has_edge(n, n) for n in whole.nodes[c]["members"])
            )
        ]

    def tell(self, cycle: list[object]) -> list[str]:
        """The cycle, one line a channel."""
        return [
            f"{self._call(one)} waits for {self._call(two)}"
            for one, two in zip(cycle, [*cycle[1:], *cycle[:1]], strict=True)
        ]

    def _call(self, node: object) -> str:
        if isinstance(node, tuple):
            return f"the queue of replies at leaf {node[1]}"
        assert isinstance(node, int)
        return place_name(self.network, node)

    # ---- edges -----------------------------------------------------------------------------------

    def _add(self, i: int) -> None:
        """Everything that channel i, which holds a flit, waits for."""
        network, state = self.network, int(self.state[i])
        here = find_place(network, i)
        port, vcs = state >> 2 & 0x1FF, state >> 11
        self.graph.add_node(i)
        if state & 2:  # it has a VC there, and no credit
            for vc in range(network.vcs):
                if vcs >> vc & 1:
                    self._beyond(i, here, port, vc)
            return
        # It waits for a VC: for all that hold one of that port which it may have.
        first = i - here.port * network.vcs - here.vc
        allowed = self._allowed(here.vc)
        for j in range(first, first + network.ways.ports(here.level) * network.vcs):
            other = int(self.state[j])
            if j != i and other & 2 and other >> 2 & 0x1FF == port and other >> 11 & allowed:
                self.graph.add_edge(i, j)

    def _allowed(self, vc: int) -> int:
        """VCs that the packets of an input's VC may get at an output, one bit each."""
        network = self.network
        if network.switch.vc_mode == "KEEP":
            return 1 << vc
        return next(vcs for vcs in map(network.switch.class_vcs, (0, 1)) if vcs >> vc & 1)

    def _beyond(self, i: int, here: Place, port: int, vc: int) -> None:
        """Channel i waits for a credit of a port's VC: for the queue at the other end."""
        there = self.network.ways.beyond(here.level, here.switch, port)
        if isinstance(there, int):
            self._leaf(i, there)
        else:
            self.graph.add_edge(i, self._input(*there, vc))

    def _leaf(self, i: int, leaf: int) -> None:
        """Channel i waits for a receiver: for the place where its replies go into the network."""
        if not self.answered:
            return
        queue = ("replies", leaf)
        self.graph.add_edge(i, queue)
        network = self.network
        switch, port = network.ways.entry(leaf)
        replies = network.switch.class_vcs(1)
        for vc in range(network.vcs):
            if replies >> vc & 1:
                self.graph.add_edge(queue, self._input(network.tree.first, switch, port, vc))

    def _input(self, level: int, switch: int, port: int, vc: int) -> int:
        ports = self.network.ways.ports(level)
        return self._first[level] + (switch * ports + port) * self.network.vcs + vc


def _first_inputs(network: Wormhole) -> dict[int, int]:
    """Number of the first input VC of each level."""
    first, result = 0, {}
    for level in network.ways.levels:
        result[level] = first
        first += network.tree.level_size(level) * network.ways.ports(level) * network.vcs
    return result


def find_place(network: Wormhole, i: int) -> Place:
    """Where the i-th virtual channel of the network's state is."""
    level = max(k for k, first in _first_inputs(network).items() if first <= i)
    link, vc = divmod(i - _first_inputs(network)[level], network.vcs)
    return Place(level, *divmod(link, network.ways.ports(level)), vc)


def place_name(network: Wormhole, i: int, output: bool = False) -> str:
    """A virtual channel, as in "level 2 switch 3 input 1 VC 0"."""
    place = find_place(network, i)
    side = "output" if output else "input"
    return f"level {place.level} switch {place.switch} {side} {place.port} VC {place.vc}"
