"""Counts and latency, against graphs and by hand."""

import networkx as nx
import pytest
from hypothesis import given, settings

from fattree_models.xgft import (
    Xgft,
    bisection,
    counts,
    ftree_mn,
    hop_count,
    kary,
    zero_load_latency,
)
from tests.models.refused import refused
from tests.models.xgft.brute_xgft import FAMILIES, graph, small_trees


def cut(net, group, others):
    """Fewest links that part two groups of nodes, by a maximum flow."""
    flow = nx.DiGraph(net)
    nx.set_edge_attributes(flow, 1, "capacity")
    flow.add_edges_from(("from", node) for node in group)  # no capacity: without limit
    flow.add_edges_from((node, "to") for node in others)
    return nx.maximum_flow_value(flow, "from", "to")


def check_counts(tree):
    net, found = graph(tree), counts(tree)
    switches = [node for node in net if node[0] > 0]
    leaves = [(0, leaf) for leaf in range(tree.leaves)]
    assert found.leaves == tree.leaves and found.switches == len(switches)
    assert found.links == net.number_of_edges()
    assert found.ports == sum(net.degree(node) for node in switches)
    lengths = nx.single_source_shortest_path_length(net, (0, 0))
    assert found.diameter == max(lengths[leaf] for leaf in leaves)
    farthest = next(leaf for leaf in leaves if lengths[leaf] == found.diameter)
    paths = len(list(nx.all_shortest_paths(net, (0, 0), farthest)))
    assert found.paths == paths
    check_bisection(tree, net, leaves, found.bisection)


def check_bisection(tree, net, leaves, expected):
    if tree.leaves == 1:
        assert expected == 0
        return
    top = max(level for level, m in enumerate(tree.m, start=1) if m > 1)
    half = tree.m[top - 1] // 2 * tree.subtree_leaves(top - 1)
    assert expected == cut(net, leaves[:half], leaves[half:])


@pytest.mark.parametrize("tree", FAMILIES, ids=str)
def test_counts(tree):
    check_counts(tree)


@settings(max_examples=50)
@given(small_trees(leaves=24, nodes=40))
def test_counts_of_any_tree(tree):
    check_counts(tree)


def test_bisection_of_known_networks():
    """Full bisection: half the leaves; and a neck below the top, which the top does not show."""
    assert bisection(kary(4, 3)) == 32 and bisection(ftree_mn(8, 3)) == 64
    assert bisection(Xgft((4, 4, 4), (1, 4, 2))) == 16
    assert bisection(Xgft((4, 4, 4), (1, 1, 8))) == 8


@pytest.mark.parametrize(
    ("hops", "flits", "stages", "clocks"),
    [
        (1, 1, 1, 3),  # interface, switch, link
        (1, 1, 3, 5),
        (1, 4, 1, 6),  # three flits more, three clocks more
        (5, 1, 1, 11),
        (5, 16, 3, 36),
    ],
)
def test_zero_load_latency(hops, flits, stages, clocks):
    assert zero_load_latency(hops, flits, stages) == clocks


def test_zero_load_latency_of_routes():
    tree = kary(4, 3)
    found = zero_load_latency(hop_count(tree, 0, [1, 5, 63]), [[1], [16]], 1)
    assert found.tolist() == [[3, 7, 11], [18, 22, 26]]


test_bad_arguments = refused(
    (lambda: zero_load_latency(0, 1, 1), "hops: holds 0"),
    (lambda: zero_load_latency(1, 0, 1), "flits: holds 0"),
)
