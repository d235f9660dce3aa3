"""Channel-dependency graphs: which channel a packet may wait for while it holds which other.

A channel is an output port of a switch.  Wormhole routing with one virtual channel is free of
deadlock if the graph has no cycle (Dally and Seitz 1987); with up channels before down channels,
as legal routes have them, it has none.  Channels from endpoints wait for others and are waited for
by none, so they are left out.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple

import numpy as np
import numpy.typing as npt

from fattree_models.common.checks import Int64Array
from fattree_models.common.fat_tree.routing import Climb, Routing, check_hops, routes
from fattree_models.common.fat_tree.tables import Tables
from fattree_models.common.fat_tree.topology import Xgft
from fattree_models.common.fat_tree.walk import step, walk

if TYPE_CHECKING:  # networkx: every process would load it
    import networkx as nx

CHUNK = 1 << 17  # pairs walked at once


class Channel(NamedTuple):
    """The output port of a switch."""

    level: int
    node: int
    port: int


def dependency_graph(
    tree: Xgft, routing: Routing | Tables | Literal["ADAPTIVE"], climb: Climb = "NCA"
) -> nx.DiGraph:
    """Return the channel-dependency graph of a routing.

    Parameters
    ----------
    routing : {"DMODK", "SMODK", "ADAPTIVE"}, UpRule or Tables
        `"ADAPTIVE"` is every turn that a legal route may take, whatever the up ports.  Of tables
        every entry of every switch counts, also those that no source's packet would meet.
    climb : {"NCA", "TOP"}
        Not looked at for tables.

    Returns
    -------
    networkx.DiGraph
        Nodes are `Channel`s that wait or are waited for; an edge (a, b) says that a packet may
        hold a and want b.

    Raises
    ------
    ValueError
        If there is no such routing or climb, or the tables are another tree's.

    Notes
    -----
    O(leaves^2) for a routing, which is walked for all pairs, O(entries) for tables.

    Examples
    --------
    >>> cycle(dependency_graph(Xgft((2, 2), (1, 2)), "ADAPTIVE")) is None
    True
    """
    if climb not in ("NCA", "TOP"):
        raise ValueError(f"climb: is {climb!r}; allowed are NCA, TOP")
    if isinstance(routing, Tables):
        if routing.tree != tree:
            raise ValueError(f"tables: are those of {routing.tree}; allowed are those of {tree}")
        return _graph(tree, _table_edges(routing))
    if isinstance(routing, str) and routing == "ADAPTIVE":
        return _graph(tree, _turns(tree, climb))
    edges = []
    for begin in range(0, tree.leaves**2, CHUNK):
        pair = np.arange(begin, min(begin + CHUNK, tree.leaves**2))
        src, dst = np.divmod(pair, tree.leaves)
        edges.append(_hop_edges(tree, src, routes(tree, src, dst, routing, climb)))
    return _graph(tree, np.unique(np.concatenate(edges), axis=0))


def hop_dependencies(tree: Xgft, src: npt.ArrayLike, ports: npt.ArrayLike) -> nx.DiGraph:
    """Return the channel-dependency graph of hop lists, such as were observed."""
    sources = np.asarray(src)
    return _graph(tree, _hop_edges(tree, sources, check_hops(ports, sources.size)))


def cycle(graph: nx.DiGraph) -> list[Channel] | None:
    """Return the channels of a cycle in order, each waiting for the next, or None.

    Examples
    --------
    >>> import networkx as nx
    >>> cycle(nx.DiGraph([(1, 2), (2, 3), (3, 2)]))
    [2, 3]
    """
    import networkx as nx

    if nx.is_directed_acyclic_graph(graph):
        return None
    return [edge[0] for edge in nx.find_cycle(graph)]


def _hop_edges(tree: Xgft, src: Int64Array, ports: npt.NDArray[np.integer]) -> Int64Array:
    """Return the pairs of consecutive channels of hop lists, [edges, 2], as numbers."""
    visited = walk(tree, src, ports)
    channel = _number(tree, visited.level, visited.node, ports.astype(np.int64))
    pairs = np.stack([channel[:, :-1], channel[:, 1:]], axis=-1)[visited.level[:, 1:] >= 0]
    return np.unique(pairs.reshape(-1, 2), axis=0)


def _table_edges(tables: Tables) -> Int64Array:
    """Return the pairs of channels that entries for one address lead through, [edges, 2]."""
    tree, edges = tables.tree, []
    for level in range(tree.first, tree.height + 1):
        node, address = np.divmod(
            np.arange(tree.level_size(level) * tables.addresses), tables.addresses
        )
        port = tables.ports[level][node, address].astype(np.int64)
        level_of = np.full(node.shape, level, dtype=np.int64)
        next_level, next_node = step(tree, level_of, node, port)
        channel = _number(tree, level_of, node, port)
        for each in range(tree.first, tree.height + 1):
            here = np.flatnonzero(next_level == each)
            there = tables.ports[each][next_node[here], address[here]].astype(np.int64)
            # An entry that is no port asks for no channel.
            real = (there >= 0) & (there < tree.radix(each))
            here, there = here[real], there[real]
            wanted = _number(tree, next_level[here], next_node[here], there)
            edges.append(np.unique(np.stack([channel[here], wanted], axis=1), axis=0))
    return np.concatenate(edges)


def _turns(tree: Xgft, climb: Climb) -> Int64Array:
    """Return all turns of legal routes, [edges, 2].

    A packet that climbs goes on by any up port, or turns: at the top, or (NCA) to any child but
    the one it came from.  One that descends goes on by any down port.
    """
    edges = [np.empty((0, 2), dtype=np.int64)]
    for level in range(tree.first, tree.height):
        lower, c = np.divmod(
            np.arange(tree.level_size(level) * tree.up_ports(level)), tree.up_ports(level)
        )
        upper, q = tree.up(level, lower, c)
        out = np.arange(tree.radix(level + 1))
        allowed = np.broadcast_to(out >= tree.down_ports(level + 1), (q.size, out.size))
        if climb == "NCA":
            allowed = allowed | (out != q[:, None])
        elif level + 1 == tree.height:
            allowed = np.ones_like(allowed)
        climbing = _number(tree, level, lower, tree.down_ports(level) + c)
        link, port = np.nonzero(allowed)
        edges.append(np.stack([climbing[link], _number(tree, level + 1, upper[link], port)], 1))
        downs = tree.down_ports(level)
        descending = _number(tree, level + 1, upper, q).repeat(downs)
        out = np.tile(np.arange(downs), q.size)
        edges.append(np.stack([descending, _number(tree, level, lower.repeat(downs), out)], 1))
    return np.concatenate(edges)


def _offsets(tree: Xgft) -> Int64Array:
    """Return the number of the first channel of each level 0 ... h, and that of all channels."""
    sizes = [tree.level_size(level) * tree.radix(level) for level in range(tree.height + 1)]
    return np.concatenate([[0], np.cumsum(sizes)])


def _number(tree: Xgft, level: Int64Array | int, node: Int64Array, port: Int64Array) -> Int64Array:
    """Return flat numbers of channels, those of a level in a row."""
    radix = np.array([tree.radix(each) for each in range(tree.height + 1)])
    return np.asarray(_offsets(tree)[level] + node * radix[level] + port)


def _graph(tree: Xgft, edges: Int64Array) -> nx.DiGraph:
    """Return the graph of pairs of channel numbers."""
    import networkx as nx

    offsets = _offsets(tree)
    level = np.searchsorted(offsets, edges, side="right") - 1
    radix = np.array([tree.radix(each) for each in range(tree.height + 1)])
    node, port = np.divmod(edges - offsets[level], radix[level])
    ends = np.stack([level, node, port], axis=-1).tolist()
    graph = nx.DiGraph()
    graph.add_edges_from((Channel(*one), Channel(*other)) for one, other in ends)
    return graph
