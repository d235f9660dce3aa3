"""XGFTs the slow way, by the digit definition and scalar loops; and trees to try them on."""

import itertools
import math

import networkx as nx
import numpy as np
from hypothesis import strategies as st

from fattree_models.xgft import Xgft, benes, ftree_mn, gft, kary

FAMILIES = [
    Xgft((4,), (1,)),
    Xgft((4, 4), (1, 2)),
    Xgft((4, 4, 3), (1, 2, 2)),
    Xgft((3, 2, 4), (1, 3, 2)),
    Xgft((3, 2), (2, 3)),
    Xgft((2, 1, 3), (1, 2, 2)),
    kary(2, 3),
    kary(3, 3),
    gft(2, 3, 2),
    ftree_mn(4, 3),
    benes(6, 2),
    Xgft((2, 2, 2, 2), (1, 1, 1, 1)),
]


@st.composite
def small_trees(draw, leaves=48, nodes=96):
    """Random XGFTs of up to `leaves` leaves and `nodes` nodes a level."""
    m, w = [], []
    for level in range(draw(st.integers(1, 4))):
        m.append(draw(st.integers(1, max(1, min(5, leaves // math.prod(m))))))
        least = 1 if level else draw(st.sampled_from([1, 1, 2]))
        w.append(draw(st.integers(least, 3 if level else max(1, least))))
        while max(Xgft(tuple(m), tuple(w)).level_size(i) for i in range(level + 2)) > nodes:
            w[-1] = 1
            w[0] = 1
            if max(Xgft(tuple(m), tuple(w)).level_size(i) for i in range(level + 2)) > nodes:
                w = [1] * len(w)
    return Xgft(tuple(m), tuple(w))


class RandomUp:
    """A routing by any up port at every switch, a new choice each time it is asked."""

    def __init__(self, tree, rng):
        self.tree, self.rng = tree, rng

    def up_port(self, level, src, dst):
        return self.rng.integers(0, self.tree.w[level], dst.shape)


def labels(tree, level):
    """All labels of a level in the order of their flat numbers: a_1 varies fastest."""
    radices = [tree.w[i] if i < level else tree.m[i] for i in range(tree.height)]
    for reverse in itertools.product(*(range(radix) for radix in reversed(radices))):
        yield tuple(reversed(reverse))


def graph(tree):
    """The graph of the definition: neighbours differ in no digit but a_{l+1}."""
    number = {
        (level, label): (level, flat)
        for level in range(tree.height + 1)
        for flat, label in enumerate(labels(tree, level))
    }
    found = nx.Graph()
    found.add_nodes_from(number.values())
    for level in range(tree.height):
        for label in labels(tree, level):
            for c in range(tree.w[level]):
                above = (*label[:level], c, *label[level + 1 :])
                found.add_edge(number[level, label], number[level + 1, above], q=label[level], c=c)
    return found


def neighbour(tree, net, level, node, port):
    """The node behind a port of a switch; None if the switch does not have this port."""
    for other in net[level, node]:
        link = net.edges[(level, node), other]
        is_up = other[0] > level
        number = tree.m[level - 1] if level else 1
        if port == (number + link["c"] if is_up else link["q"]) and (is_up or level):
            return other
    return None


def follow(tree, net, src, ports):
    """Switches visited from a leaf along output ports, then "end" and the leaf, or "lost"."""
    level, node = (0, src) if tree.w[0] > 1 else (1, next(iter(net[0, src]))[1])
    visited = [(level, node)]
    hops = [port for port in ports if port != -1]
    for hop, port in enumerate(hops, start=1):
        arrives = level == 0 and port == 0
        if not arrives:
            step = neighbour(tree, net, level, node, port)
            if step is None:
                return [*visited, "lost"]
            level, node = step
            arrives = level == 0 and tree.w[0] == 1
        if arrives:
            return [*visited, "end", node] if hop == len(hops) else [*visited, "lost"]
        visited.append((level, node))
    return visited


def every_pair(tree, self_pairs=True):
    src, dst = np.divmod(np.arange(tree.leaves**2), tree.leaves)
    keep = (src != dst) | self_pairs
    return src[keep], dst[keep]


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
