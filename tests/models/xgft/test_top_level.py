"""Whether the top level can be left out (slides, foil 1): what its switches choose, and carry."""

from collections import Counter
from itertools import pairwise

import networkx as nx
import pytest

from fattree_models.xgft import Xgft, kary, routes, walk
from tests.models.xgft.brute_xgft import every_pair, graph

HALVES = [kary(2, 2), kary(2, 3), kary(2, 4), Xgft((4, 4, 2), (1, 4, 4)), Xgft((3, 2), (1, 1))]
MORE = [kary(3, 2), kary(4, 2), kary(4, 3), Xgft((2, 2, 4), (1, 2, 2))]


def visited(tree):
    """The nodes that a packet of each pair visits under D-mod-k, leaves included."""
    src, dst = every_pair(tree, self_pairs=False)
    way = walk(tree, src, routes(tree, src, dst, "DMODK"))
    for row in range(len(src)):
        switches = zip(way.level[row].tolist(), way.node[row].tolist(), strict=True)
        inner = [(level, node) for level, node in switches if level > 0]
        yield [(0, int(src[row])), *inner, (0, int(dst[row]))]


def tops(net):
    """The switches of the top level."""
    highest = max(level for level, _ in net)
    return [node for node in net if node[0] == highest]


def choices(tree):
    """Outputs from which an input of a switch of this tree's top level chooses, at most."""
    net = graph(tree)
    return max(net.degree(node) - 1 for node in net if node[0] == len(tree.m))


def without_top(net):
    """The links that met in a switch of the top level are joined two by two: how many where."""
    bare = nx.MultiGraph(net.edges)
    for node in tops(net):
        ends = sorted(bare[node])
        bare.remove_node(node)
        bare.add_edges_from(zip(ends[::2], ends[1::2], strict=False))
    return Counter(tuple(sorted(edge[:2])) for edge in bare.edges)


@pytest.mark.parametrize("tree", [*HALVES, *MORE], ids=str)
def test_without_its_top_level(tree, record):
    net = graph(tree)
    links, ways = without_top(net), list(visited(tree))
    top = set(tops(net))
    kept, before, joined = 0, Counter(), Counter()
    for way in ways:
        assert all(net.has_edge(*pair) for pair in pairwise(way))
        short = [node for node in way if node not in top]
        kept += all(tuple(sorted(pair)) in links for pair in pairwise(short))
        if len(short) < len(way):
            before.update(pair for pair in pairwise(way) if top & set(pair))
            joined.update(pair for pair in pairwise(short) if pair[0][0] == pair[1][0] > 0)
    room = {pair: links[tuple(sorted(pair))] for pair in joined}
    busiest = max(-(-count // max(1, room[pair])) for pair, count in joined.items())
    record(pairs=len(ways), pairs_without_top=kept, children_of_top=tree.m[-1])
    record(busiest_at_top=max(before.values()), busiest_without_top=busiest)
    choice = choices(tree)
    record(outputs_at_top=choice)
    assert choice == tree.m[-1] - 1
    assert (kept == len(ways)) == (choice == 1)
    if choice == 1:
        assert busiest == max(before.values())


@pytest.mark.parametrize("tree", HALVES, ids=str)
def test_the_top_of_a_tree_that_grows(tree, record):
    """As half of a greater tree its switches have links up, and a choice."""
    net = graph(Xgft((*tree.m, 2), (*tree.w, 2)))
    grown = max(net.degree(node) - 1 for node in net if node[0] == tree.height)
    record(outputs_if_grown=grown)
    assert grown == 3
