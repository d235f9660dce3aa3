"""The links of an XGFT: as arrays, and as a `Structure` of nodes and directed links."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from fattree_models.common.checks import Int64Array
from fattree_models.common.fat_tree.topology import Xgft
from fattree_models.common.structure import LEAF_WIDTH, Link, Node, Structure


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


def structure(
    tree: Xgft,
    nouns: tuple[str, str] = ("leaf", "switch"),
    lanes: int = 1,
    beside: Mapping[int, Int64Array] | None = None,
) -> Structure:
    """Return the tree as nodes and directed links: out of switches, by level, then from leaves.

    Parameters
    ----------
    nouns : (str, str)
        What a leaf is called, and a switch.
    lanes : int
        Of every link.
    beside : dict of int64 arrays [switches, ports]
        By level, switches of that level to which further ports lead, behind those of the tree;
        links arrive at the port of the same number.

    Notes
    -----
    The lowest level of switches is level 1; where leaves are switches (w_1 > 1), the tree calls it
    level 0.

    Examples
    --------
    >>> made = structure(Xgft((2, 2), (1, 2)))
    >>> made.links[:3], [made.nodes[head] for head in made.head[:3]]
    (('switch (1, 0) port 0', 'switch (1, 0) port 1', 'switch (1, 0) port 2'), \
['leaf 0', 'leaf 1', 'switch (2, 0)'])
    """
    leaf, switch = nouns
    nodes = [Node(f"{leaf} {x}", 0, x, x + 0.5, 0.0, LEAF_WIDTH) for x in range(tree.leaves)]
    first, start = {tree.first - 1: 0}, tree.first
    for level in range(start, tree.height + 1):
        first[level], size = len(nodes), tree.level_size(level)
        nodes += [
            Node(f"{switch} ({level}, {k})", level + 1 - start, k, x, -float(level))
            for k, x in enumerate(((np.arange(size) + 0.5) * tree.leaves / size).tolist())
        ]
    links = []
    for level in range(start, tree.height + 1):
        ends = list(_ends(tree, level, None if beside is None else beside[level]))
        heads = np.hstack([first[k] + there for k, there, _ in ends])
        ports = np.hstack([np.broadcast_to(port, there.shape) for _, there, port in ends])
        for k, port in np.ndindex(heads.shape):
            name, tail = f"{switch} ({level}, {k}) port {port}", first[level] + k
            links.append(Link(name, tail, int(heads[k, port]), port, int(ports[k, port]), lanes))
    for x in range(tree.leaves):
        head, port = divmod(x, tree.down_ports(start))
        links.append(Link(f"from {leaf} {x}", x, first[start] + head, 0, port, lanes))
    return Structure.of(nodes, links)


def _ends(
    tree: Xgft, level: int, beside: Int64Array | None
) -> Iterator[tuple[int, Int64Array, Int64Array | int]]:
    """Return to which level, nodes and ports the down ports, up ports and others of a level lead.

    Nodes are int64 arrays [switches, ports]; ports are the same, or broadcast to them.
    """
    node = np.arange(tree.level_size(level))[:, None]
    below = tree.down(level, node, np.arange(tree.down_ports(level))) if level else node
    above_leaves = level > tree.first
    entry = tree.down_ports(level - 1) + tree.arrival(level, node) if above_leaves else 0
    yield level - 1, below, entry
    if tree.up_ports(level):
        yield level + 1, *tree.up(level, node, np.arange(tree.up_ports(level)))
    if beside is not None:
        yield level, beside, tree.radix(level) + np.arange(beside.shape[1])
