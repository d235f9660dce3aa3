"""Every rule of the structural checker: kept by fat-trees, broken by a graph made for it."""

import itertools

import networkx as nx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fattree_models.xgft import Xgft, kary, violations
from tests.models.xgft.brute_xgft import FAMILIES, graph, small_trees


def leaves_of(tree):
    return [(0, leaf) for leaf in range(tree.leaves)]


def rules(net, tree, demands="FAT_TREE"):
    leaves = [leaf for leaf in leaves_of(tree) if leaf in net]
    return {found.rule for found in violations(net, leaves, demands)}


@pytest.mark.parametrize("tree", FAMILIES, ids=str)
def test_fat_trees(tree):
    net = graph(tree)
    assert violations(net, leaves_of(tree)) == []
    opensm = violations(net, leaves_of(tree), "OPENSM")
    assert [found.rule for found in opensm] == ([] if tree.height > 1 else ["RANKS"])


@settings(max_examples=50)
@given(small_trees())
def test_any_xgft(tree):
    assert violations(graph(tree), leaves_of(tree)) == []


@settings(max_examples=40)
@given(small_trees(leaves=16, nodes=24), st.data())
def test_one_link_less_or_more(tree, data):
    net = graph(tree)
    edge = data.draw(st.sampled_from(sorted(net.edges)))
    less = net.copy()
    less.remove_edge(*edge)
    assert rules(less, tree)
    absent = sorted(nx.non_edges(net))
    if absent:
        more = net.copy()
        more.add_edge(*data.draw(st.sampled_from(absent)))
        assert rules(more, tree)


def test_no_single_link_can_be_missing_or_added():
    """All of them, in one tree."""
    tree = Xgft((2, 2, 2), (1, 2, 2))
    net = graph(tree)
    for edge in net.edges:
        less = net.copy()
        less.remove_edge(*edge)
        assert rules(less, tree) & {"CONNECTED", "UP_PORTS"}
    for edge in nx.non_edges(net):
        more = net.copy()
        more.add_edge(*edge)
        assert rules(more, tree)


def mutilated(change):
    """A 2-ary 3-tree after a change; a multigraph, so that links can be parallel."""
    tree = kary(2, 3)
    net = nx.MultiGraph(graph(tree))
    change(net)
    return net, tree


def swap(net, one, other):
    """Exchange the upper ends of two links."""
    net.remove_edges_from([one, other])
    net.add_edges_from([(one[0], other[1]), (other[0], one[1])])


@pytest.mark.parametrize(
    ("change", "expected", "opensm"),
    [
        (lambda net: None, set(), set()),
        (lambda net: net.remove_edge((0, 3), (1, 1)), {"CONNECTED"}, {"CONNECTED"}),
        (lambda net: net.add_edge((1, 0), (1, 1)), {"SAME_RANK"}, {"SAME_RANK"}),
        (lambda net: net.add_edge((0, 0), (0, 1)), {"SAME_RANK"}, {"SAME_RANK"}),
        (lambda net: net.remove_node((3, 0)), {"UP_PORTS"}, {"UP_PORTS"}),
        (lambda net: net.remove_node((0, 5)), {"DOWN_PORTS"}, set()),
        (
            lambda net: net.remove_edge((1, 0), (2, 0)),
            {"UP_PORTS", "DOWN_PORTS", "SUBTREES"},
            {"UP_PORTS", "DOWN_PORTS"},
        ),
        (lambda net: net.add_edge((2, 0), (3, 0)), {"GROUP_SIZE"}, {"GROUP_SIZE"}),
        (
            # Two lower switches of different subtrees, cabled to each other's uppers.
            lambda net: swap(net, ((1, 0), (2, 0)), ((1, 2), (2, 2))),
            {"SUBTREES"},
            set(),
        ),
        (
            # A root above two switches of one subtree and none of the other.
            lambda net: swap(net, ((2, 1), (3, 1)), ((2, 2), (3, 0))),
            {"SUBTREES", "ONE_WAY_DOWN"},
            set(),
        ),
    ],
    ids=lambda value: " ".join(sorted(value)) or "none" if isinstance(value, set) else "change",
)
def test_each_rule(change, expected, opensm):
    net, tree = mutilated(change)
    assert rules(net, tree) == expected
    assert rules(net, tree, "OPENSM") == opensm


@pytest.mark.parametrize("level", [2, 3])
@pytest.mark.parametrize("tree", [kary(2, 3), kary(4, 3), Xgft((2, 2, 2), (1, 1, 1))], ids=str)
def test_a_leaf_too_high(tree, level):
    """A leaf on a switch of level 2 or 3 is named, and nothing but its former switch is."""
    net = graph(tree)
    net.remove_node((0, 0))
    net.add_edge((0, 0), (level, 0))
    found = violations(net, leaves_of(tree))
    assert [(each.rule, each.nodes) for each in found] == [
        ("LEAF_RANK", ((0, 0),)),
        ("DOWN_PORTS", ((1, 0),)),
    ]
    assert rules(net, tree, "OPENSM") == {"LEAF_RANK"}


def test_a_leaf_on_the_only_root():
    tree = Xgft((2, 4), (1, 1))
    net = graph(tree)
    net.add_edge((0, 8), (2, 0))
    found = violations(net, [*leaves_of(tree), (0, 8)])
    assert [(each.rule, each.nodes) for each in found] == [("LEAF_RANK", ((0, 8),))]


def test_both_ways():
    tree = {"r": "ab", "a": "r01", "b": "r23", "0": "a", "1": "a", "2": "b", "3": "b"}
    assert violations(tree, "0123") == []
    assert [f.rule for f in violations(tree | {"a": "01"}, "0123")] == ["BOTH_WAYS"]
    assert [f.rule for f in violations(tree | {"a": "r01x"}, "0123")] == ["BOTH_WAYS"]
    assert [f.rule for f in violations(tree | {"a": "rr01"}, "0123")] == ["BOTH_WAYS"]
    both = tree | {"a": "rr01", "r": "aab"}
    found = violations(both, "0123")
    assert [(each.rule, each.nodes) for each in found] == [
        ("GROUP_SIZE", ("b",)),
        ("GROUP_SIZE", ("r",)),
    ]


def test_parallel_links_everywhere_are_a_fat_tree():
    tree = {"r": "aabb", "a": "rr01", "b": "rr23", "0": "a", "1": "a", "2": "b", "3": "b"}
    assert violations(tree, "0123") == []
    assert violations(tree, "0123", "OPENSM") == []


def test_groups_mixed_alike_everywhere():
    """Two roots, one joined twice, one once, from every switch: no node is unlike another."""
    tree = {"r": "aabb", "s": "ab", "a": "rrs01", "b": "rrs23"} | dict.fromkeys("01", "a")
    found = violations(tree | dict.fromkeys("23", "b"), "0123")
    assert [(each.rule, each.nodes) for each in found] == [
        ("GROUP_SIZE", ("a", "b")),
        ("GROUP_SIZE", ("s",)),
    ]


def test_lists_of_lists_and_graphs_are_alike():
    net = nx.convert_node_labels_to_integers(graph(kary(2, 2)), ordering="sorted")
    net.remove_edge(4, 6)
    lists = [list(net[node]) for node in range(8)]
    assert violations(lists, range(4))
    assert violations(lists, range(4)) == violations(net, range(4))
    assert violations(lists, range(4)) == violations({n: net[n] for n in net}, range(4))


def test_texts():
    """One line that names the rank, what is usual, and the nodes."""
    net, tree = mutilated(lambda net: net.remove_node((3, 0)))
    (found,) = violations(net, leaves_of(tree))
    assert found.text == "rank 2: 2 neighbours up are usual, but 1 at (2, 0), (2, 2)"
    net = graph(kary(4, 2))
    net.remove_nodes_from([(1, 0), (1, 1)])
    (found,) = violations(net, leaves_of(kary(4, 2)))
    names = ", ".join(f"(0, {leaf})" for leaf in range(6))
    assert found.text == f"9 parts; apart from the largest: {names} and 2 more"


def test_too_many_ranks_for_opensm():
    tree = Xgft((2,) * 9, (1,) * 9)
    assert rules(graph(tree), tree) == set()
    assert rules(graph(tree), tree, "OPENSM") == {"RANKS"}


def test_networks_that_are_no_fat_trees():
    """A mesh, a ring and a complete graph of switches, each with two hosts a switch."""
    others = {
        "LEAF_RANK": [nx.grid_2d_graph(3, 3), nx.path_graph(4)],
        "SAME_RANK": [nx.cycle_graph(5), nx.complete_graph(4), nx.hypercube_graph(3)],
    }
    for rule, switches in ((rule, net) for rule, nets in others.items() for net in nets):
        net, hosts = nx.Graph(switches), []
        for switch, i in itertools.product(switches, range(2)):
            hosts.append(("host", switch, i))
            net.add_edge(switch, hosts[-1])
        assert rule in {found.rule for found in violations(net, hosts)}


@pytest.mark.parametrize(
    ("leaves", "demands", "text"),
    [
        ([], "FAT_TREE", "leaves: is empty; allowed are nodes of the graph"),
        ([0, 7], "FAT_TREE", "leaves: holds 7; allowed are nodes of the graph"),
        ([0], "TREE", "demands: is 'TREE'; allowed are FAT_TREE, OPENSM"),
    ],
)
def test_bad_arguments(leaves, demands, text):
    with pytest.raises(ValueError, match=text):
        violations([[1], [0]], leaves, demands)
