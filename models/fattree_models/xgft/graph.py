"""The links of an XGFT as arrays, for networkx and SciPy: by digits, and by the recursion.

The two constructions share nothing but the numbering of the result, so each checks the other.
"""

from dataclasses import dataclass

import networkx as nx
import numpy as np

from fattree_models.common.checks import Int64Array
from fattree_models.xgft.topology import Xgft


@dataclass(frozen=True)
class Edges:
    """Every link of an XGFT, leaf links included.

    Parameters
    ----------
    level : int64 array [links]
        Level of the lower end, 0 ... h - 1; not decreasing.
    lower, upper : int64 arrays [links]
        Flat numbers of the ends, each inside its level.
    up_port, down_port : int64 arrays [links]
        Up port c at the lower end, down port q at the upper end.
    """

    level: Int64Array
    lower: Int64Array
    upper: Int64Array
    up_port: Int64Array
    down_port: Int64Array


def edges(tree: Xgft) -> Edges:
    """Return every link, by the digit form, in the order (level, lower node, up port).

    Notes
    -----
    (l; a) and (l + 1; b) are joined iff a_i = b_i for all i != l + 1.  O(links).

    Examples
    --------
    >>> links = edges(Xgft((2, 2), (1, 2)))
    >>> links.lower.tolist(), links.upper.tolist()
    ([0, 1, 2, 3, 0, 0, 1, 1], [0, 0, 1, 1, 0, 1, 0, 1])
    """
    parts = []
    for level in range(tree.height):
        ports = tree.up_ports(level)
        lower, up_port = np.divmod(np.arange(tree.level_size(level) * ports), ports)
        upper, down_port = tree.up(level, lower, up_port)
        parts.append((np.full(lower.size, level), lower, upper, up_port, down_port))
    return Edges(*(np.concatenate(column).astype(np.int64) for column in zip(*parts, strict=True)))


def recursive_edges(tree: Xgft) -> set[tuple[int, int, int]]:
    """Return every link as (level of the lower end, lower, upper), by the recursive definition.

    A tree of height l + 1 is m_{l+1} copies of one of height l with new nodes above: top node k of
    every copy is joined to the new nodes k w_{l+1} ... k w_{l+1} + w_{l+1} - 1 (the survey's
    Section 2.2).  That numbers the tops with a_1 most significant; they are renumbered at the end.

    Examples
    --------
    >>> sorted(recursive_edges(Xgft((2,), (2,))))
    [(0, 0, 0), (0, 0, 1), (0, 1, 0), (0, 1, 1)]
    """
    links: set[tuple[int, int, int]] = set()
    sizes = [1]  # nodes of each level of the tree built so far
    for children, parents in zip(tree.m, tree.w, strict=True):
        copies = {
            (level, lower + copy * sizes[level], upper + copy * sizes[level + 1])
            for level, lower, upper in links
            for copy in range(children)
        }
        below = len(sizes) - 1
        tops = sizes[-1]
        new = {
            (below, k + copy * tops, k * parents + c)
            for copy in range(children)
            for k in range(tops)
            for c in range(parents)
        }
        links = copies | new
        sizes = [size * children for size in sizes] + [tops * parents]
    return {
        (level, _reverse_tops(tree, level, lower), _reverse_tops(tree, level + 1, upper))
        for level, lower, upper in links
    }


def _reverse_tops(tree: Xgft, level: int, number: int) -> int:
    """Turn k = ((a_1 w_2 + a_2) w_3 + ...) + a_l inside a subtree into a_1 least significant."""
    copy, k = divmod(number, tree.w_span(level))
    flat, weight = 0, tree.w_span(level)
    for radix in reversed(tree.w[:level]):
        k, digit = divmod(k, radix)
        weight //= radix
        flat += digit * weight
    return copy * tree.w_span(level) + flat


def to_networkx(tree: Xgft) -> nx.Graph:
    """Return the tree as an undirected graph of nodes (level, flat number).

    Edges carry `up_port` and `down_port`.

    Examples
    --------
    >>> graph = to_networkx(Xgft((4, 4), (1, 2)))
    >>> graph.number_of_nodes(), graph.number_of_edges()
    (22, 24)
    """
    links = edges(tree)
    graph = nx.Graph()
    graph.add_nodes_from(
        (level, node) for level in range(tree.height + 1) for node in range(tree.level_size(level))
    )
    columns = (links.level, links.lower, links.upper, links.up_port, links.down_port)
    for level, lower, upper, c, q in zip(*(column.tolist() for column in columns), strict=True):
        graph.add_edge((level, lower), (level + 1, upper), up_port=c, down_port=q)
    return graph
