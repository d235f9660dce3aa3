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
    """The node behind a port of a switch; None if there is no such port."""
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
