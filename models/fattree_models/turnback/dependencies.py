"""What may wait for what under turn-back routing, and whether in a circle.

Channels are those of `turnback`; with one lateral hop at most they form no circle, with more
they form one round the ring of roots.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from fattree_models.common.structure import dependency_cycle
from fattree_models.turnback.routing import Channel, Kind, Turnback, behind

if TYPE_CHECKING:  # networkx: every process would load it
    import networkx as nx


def turnback_graph(net: Turnback) -> nx.DiGraph:
    """Return which channel a packet may want while it holds which other.

    Returns
    -------
    networkx.DiGraph
        Of `Channel`s; those from and to the endpoints wait for none or are waited for by none, and
        are left out as far as they have no other end.

    Notes
    -----
    Up before lateral before turn before down: without a cycle, unless a packet may be lateral
    twice; then from root to root round the ring.  O(channels).

    Examples
    --------
    >>> from fattree_models.common.fat_tree import Xgft
    >>> net = Turnback(Xgft((2, 2), (1, 2)), root_links=1)
    >>> turnback_graph(net).number_of_edges(), deadlock(net)
    (26, None)
    """
    import networkx as nx

    graph = nx.DiGraph()
    graph.add_edges_from(_dependencies(net))
    return graph


def deadlock(net: Turnback) -> list[Channel] | None:
    """Return channels that may wait each for the next, the last for the first; None if none do.

    Examples
    --------
    >>> from fattree_models.common.fat_tree import Xgft
    >>> for channel in deadlock(Turnback(Xgft((2, 2), (1, 2)), root_links=1, lateral=2)):
    ...     print(channel)
    Channel(kind='LATERAL', level=2, node=0, number=0)
    Channel(kind='LATERAL', level=2, node=1, number=0)
    """
    return dependency_cycle(turnback_graph(net))


def _dependencies(net: Turnback) -> Iterator[tuple[Channel, Channel]]:
    """Return the pairs of channels that follow each other on some route."""
    for level in net.levels:
        for node in range(net.tree.level_size(level)):
            yield from _to_outputs(net, level, node)
            yield from _from_turns(net, level, node)
            yield from _down(net, level, node)


def _to_outputs(net: Turnback, level: int, node: int) -> Iterator[tuple[Channel, Channel]]:
    """Through an up switch."""
    for arriving in _arriving(net, level, node):
        for kind in _wanted(net, level, arriving.kind):
            for number in range(net.tbch if kind == "TURN" else net.ahead(level)):
                yield arriving, Channel(kind, level, node, number)


def _from_turns(net: Turnback, level: int, node: int) -> Iterator[tuple[Channel, Channel]]:
    """Through a down switch, from its own node's up switch."""
    if _turning(net, level):
        for turn in range(net.tbch):
            for number in range(net.tree.down_ports(level)):
                yield Channel("TURN", level, node, turn), Channel("DOWN", level, node, number)


def _down(net: Turnback, level: int, node: int) -> Iterator[tuple[Channel, Channel]]:
    """From a down switch through those below it."""
    if level > net.tree.first and any(_turning(net, each) for each in net.levels if each >= level):
        for number in range(net.tree.down_ports(level)):
            down = Channel("DOWN", level, node, number)
            below = behind(net, down)
            for onward in range(net.tree.down_ports(level - 1)):
                yield down, Channel("DOWN", *below, onward)


def _arriving(net: Turnback, level: int, node: int) -> Iterator[Channel]:
    """Return the channels that lead to the up switch of a node, from other nodes."""
    tree = net.tree
    if level > tree.first:
        children = tree.down(level, [node] * tree.down_ports(level), range(tree.down_ports(level)))
        number = int(tree.arrival(level, [node])[0])
        yield from (Channel("UP", level - 1, child, number) for child in children.tolist())
    if level == tree.height and net.most_lateral > 0:
        for number in range(net.root_links):
            # The ring looks alike from everywhere.
            there = (2 * node - net.neighbour(node, number)) % net.roots
            yield Channel("LATERAL", level, there, number)


def _wanted(net: Turnback, level: int, held: Kind) -> Iterator[Kind]:
    """Return the kinds that a packet may want at an up switch it came to by a channel of a kind.

    TB's packets go up only if their destination is not below, and turn only from child to child.
    """
    tree = net.tree
    outside = tree.subtree_leaves(level) < tree.leaves
    if level < tree.height and (net.routing == "TBWP" or outside):
        yield "UP"
    if level == tree.height and net.most_lateral > (held == "LATERAL"):
        yield "LATERAL"
    if _turning(net, level):
        yield "TURN"


def _turning(net: Turnback, level: int) -> bool:
    """Whether packets turn at a level; in the first also those to their own source do."""
    return net.routing == "TBWP" or level == net.tree.first or net.tree.m[level - 1] > 1
