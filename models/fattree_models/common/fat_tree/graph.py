"""The links of an XGFT as arrays, for networkx and SciPy: by digits, and by the recursion.

The two constructions share nothing but the numbering of the result, so each checks the other.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from fattree_models.common.checks import Int64Array
from fattree_models.common.fat_tree.topology import Xgft

if TYPE_CHECKING:  # networkx: every process would load it
    import networkx as nx


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


def to_networkx(tree: Xgft) -> nx.Graph:
    """Return the tree as an undirected graph of nodes (level, flat number).

    Edges carry `up_port` and `down_port`.

    Examples
    --------
    >>> graph = to_networkx(Xgft((4, 4), (1, 2)))
    >>> graph.number_of_nodes(), graph.number_of_edges()
    (22, 24)
    """
    import networkx as nx

    links = edges(tree)
    graph = nx.Graph()
    graph.add_nodes_from(
        (level, node) for level in range(tree.height + 1) for node in range(tree.level_size(level))
    )
    columns = (links.level, links.lower, links.upper, links.up_port, links.down_port)
    for level, lower, upper, c, q in zip(*(column.tolist() for column in columns), strict=True):
        graph.add_edge((level, lower), (level + 1, upper), up_port=c, down_port=q)
    return graph
