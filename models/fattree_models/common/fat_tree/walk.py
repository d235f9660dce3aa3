"""Following output ports through an XGFT, many packets at once: where a hop list leads."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from fattree_models.common.checks import Int64Array
from fattree_models.common.fat_tree.routing import check_hops, check_pairs
from fattree_models.common.fat_tree.topology import Xgft

LOST = -2  # the "level" of a packet that took a port that does not exist


@dataclass(frozen=True)
class Walk:
    """The switches that hop lists visit.

    Parameters
    ----------
    level, node : int64 arrays [pairs, hops]
        Switch at which each hop's port is taken, -1 where there is none.
    end : int64 array [pairs]
        The leaf to which the last hop leads; -1 if it leads to no endpoint, or if a port does not
        exist, or if hops are left after an endpoint.
    """

    level: Int64Array
    node: Int64Array
    end: Int64Array


def walk(tree: Xgft, src: npt.ArrayLike, ports: npt.ArrayLike) -> Walk:
    """Follow hop lists.

    Examples
    --------
    >>> route = walk(Xgft((4, 4, 3), (1, 2, 2)), [0], [[5, 1, 1]])
    >>> route.level.tolist(), route.node.tolist(), route.end.tolist()
    ([[1, 2, 1]], [[0, 1, 1]], [5])
    """
    sources, _ = check_pairs(tree, src, src)
    given = check_hops(ports, sources.size)
    level, node = start(tree, sources)
    levels, nodes = np.full_like(given, -1), np.full_like(given, -1)
    for hop in range(given.shape[1]):
        moves = np.flatnonzero(given[:, hop] != -1)
        at_switch = moves[level[moves] >= tree.first]
        levels[at_switch, hop], nodes[at_switch, hop] = level[at_switch], node[at_switch]
        level[moves], node[moves] = step(tree, level[moves], node[moves], given[moves, hop])
    return Walk(levels, nodes, np.where(level == tree.first - 1, node, -1))


def start(tree: Xgft, src: Int64Array) -> tuple[Int64Array, Int64Array]:
    """Return level and number of the first switch of packets from leaves."""
    level = np.full(src.shape, tree.first, dtype=np.int64)
    return level, src.copy() if tree.first == 0 else src // tree.m[0]


def step(
    tree: Xgft, level: Int64Array, node: Int64Array, port: Int64Array
) -> tuple[Int64Array, Int64Array]:
    """Return where packets are after one more hop.

    Parameters
    ----------
    level, node, port : int64 arrays [packets]
        Switches, and output ports taken there.

    Returns
    -------
    (int64 array [packets], int64 array [packets])
        Level and number of the next switch; level first - 1 and the leaf for a packet that has
        arrived; `LOST` and -1 if there was no such port, or no switch any more.
    """
    next_level, next_node = np.full_like(level, LOST), np.full_like(node, -1)
    for each in range(tree.first, tree.height + 1):
        downs = tree.down_ports(each)
        down = np.flatnonzero((level == each) & (port >= 0) & (port < downs))
        next_level[down] = each - 1
        next_node[down] = tree.down(each, node[down], port[down]) if each else node[down]
        up = np.flatnonzero((level == each) & (port >= downs) & (port < tree.radix(each)))
        if up.size:
            next_level[up] = each + 1
            next_node[up] = tree.up(each, node[up], port[up] - downs)[0]
    return next_level, next_node
