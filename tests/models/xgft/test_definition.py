"""The survey's definition of a fat-tree, to the letter: what it builds, and what it does not.

A vertex is a fat-tree and its root.  Vertices connected in any manner to the roots of fat-trees
make a fat-tree, whose roots they are.
"""

import networkx as nx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fattree_models.xgft import violations
from tests.models.xgft.brute_xgft import FAMILIES, graph, small_trees


def is_fat_tree(net, rank):
    """Whether the definition builds it, adding the vertices of the highest rank last.

    So they are its roots, are not linked to each other, and their links lead to roots of what is
    left without them, part by part.
    """
    if len(net) == 1:
        return True
    highest = max(rank[node] for node in net)
    roots = {node for node in net if rank[node] == highest}
    if net.subgraph(roots).number_of_edges():
        return False
    below = net.subgraph(set(net) - roots)
    for part in map(below.subgraph, nx.connected_components(below)):
        top = max(rank[node] for node in part)
        linked = {node for root in roots for node in net[root] if node in part}
        if any(rank[node] < top for node in linked) or not is_fat_tree(part, rank):
            return False
    return bool(len(below))


@st.composite
def built(draw, steps=4):
    """A graph as the definition builds it, and in which step each vertex came."""
    net, rank, trees = nx.Graph(), {}, []
    for step in range(draw(st.integers(1, steps))):
        for _ in range(draw(st.integers(1, 3))):
            vertex = len(net)
            net.add_node(vertex)
            rank[vertex] = 0
            trees.append({vertex})
        count = draw(st.integers(1, len(trees)))
        joined, trees = trees[:count], trees[count:]
        new = [len(net) + i for i in range(draw(st.integers(1, 3)))]
        for tree in joined:
            links = [(one, root) for one in new for root in sorted(tree)]
            chosen = draw(st.lists(st.sampled_from(links), min_size=1, unique=True))
            net.add_edges_from(chosen)
        net.add_nodes_from(new)
        rank |= dict.fromkeys(new, step + 1)
        trees.insert(0, set(new))
    roots = trees[0]
    part = set().union(*(nx.node_connected_component(net, root) for root in roots))
    return net.subgraph(part), rank


@settings(max_examples=200)
@given(built())
def test_what_the_definition_builds_is_a_fat_tree(made):
    assert is_fat_tree(*made)


@settings(max_examples=50)
@given(small_trees())
def test_any_xgft_is_one(tree):
    net = graph(tree)
    assert is_fat_tree(net, {node: node[0] for node in net})


@pytest.mark.parametrize("tree", FAMILIES, ids=str)
def test_a_link_to_what_is_no_root_is_seen(tree):
    """Inside a rank, and past a rank: in every tree, from the highest rank down."""
    net = graph(tree)
    rank = {node: node[0] for node in net}
    assert is_fat_tree(net, rank)
    for level in range(tree.height + 1):
        own = [node for node in net if node[0] == level]
        wrong = [(own[0], own[1])] if len(own) > 1 else []
        wrong += [(own[0], node) for node in net if node[0] == level - 2][:1]
        for one, other in wrong:
            more = net.copy()
            more.add_edge(one, other)
            assert not is_fat_tree(more, rank)


@pytest.mark.parametrize(
    "links",
    [
        ["ra", "rb", "a0", "a1", "a2", "b3"],  # trees of three leaves and of one
        ["ra", "rb", "sb", "a0", "b1"],  # a second root joins one of the trees
        ["ra", "rb", "a0", "b0", "b1"],  # a leaf with two parents
    ],
)
def test_in_any_manner(links):
    """Shapes that the definition has, and the rules for XGFTs, which ask for alike nodes, not."""
    net = nx.Graph(tuple(link) for link in links)
    rank = {node: {"r": 2, "s": 2, "a": 1, "b": 1}.get(node, 0) for node in net}
    assert is_fat_tree(net, rank)
    assert violations(net, [node for node in net if node.isdigit()])
