"""Labels, links and counts of XGFTs against the definition, two ways."""

import math

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings

from fattree_models.xgft import Xgft, benes, edges, ftree_mn, gft, kary
from tests.models.refused import refused
from tests.models.xgft.brute_xgft import FAMILIES, graph, labels, recursive_edges, small_trees


def link_set(tree):
    links = edges(tree)
    return set(zip(links.level.tolist(), links.lower.tolist(), links.upper.tolist(), strict=True))


def check_graph(tree):
    links = edges(tree)
    columns = (links.level, links.lower, links.upper, links.up_port, links.down_port)
    fast = set(zip(*(column.tolist() for column in columns), strict=True))
    slow = graph(tree).edges(data=True)
    ends = ((*sorted(nodes), data) for *nodes, data in slow)
    assert fast == {(low[0], low[1], up[1], data["c"], data["q"]) for low, up, data in ends}
    assert len(fast) == len(slow) == tree.links == links.level.size
    assert link_set(tree) == recursive_edges(tree)


def check_labels(tree):
    for level in range(tree.height + 1):
        expected = list(labels(tree, level))
        flat = np.arange(tree.level_size(level))
        assert len(expected) == flat.size
        assert list(map(tuple, tree.digits(level, flat).tolist())) == expected
        assert tree.index(level, tree.digits(level, flat)).tolist() == flat.tolist()


def check_ports(tree):
    """Each port of a switch is used once, and up and down are inverse."""
    for level in range(tree.height):
        ports = tree.up_ports(level)
        lower, c = np.divmod(np.arange(tree.level_size(level) * ports), ports)
        upper, q = tree.up(level, lower, c)
        assert tree.down(level + 1, upper, q).tolist() == lower.tolist()
        assert tree.arrival(level + 1, upper).tolist() == c.tolist()
        used = upper * tree.down_ports(level + 1) + q
        assert sorted(used.tolist()) == list(range(used.size))
        assert used.size == tree.level_size(level + 1) * tree.down_ports(level + 1)


@pytest.mark.parametrize("tree", FAMILIES, ids=str)
def test_families(tree):
    check_graph(tree)
    check_labels(tree)
    check_ports(tree)


@settings(max_examples=60)
@given(small_trees())
def test_any_tree(tree):
    check_graph(tree)
    check_labels(tree)
    check_ports(tree)


def test_the_two_constructions_can_differ():
    """The comparison above fails for trees that are not the same."""
    assert link_set(Xgft((4, 2), (1, 2))) != recursive_edges(Xgft((2, 4), (1, 2)))
    assert link_set(Xgft((2, 2, 2), (1, 2, 1))) != recursive_edges(Xgft((2, 2, 2), (1, 1, 2)))


def test_counts():
    tree = Xgft((4, 4, 3), (1, 2, 2))
    assert [tree.level_size(level) for level in range(4)] == [48, 12, 6, 4]
    assert [tree.subtree_leaves(level) for level in range(4)] == [1, 4, 16, 48]
    assert [tree.w_span(level) for level in range(4)] == [1, 1, 2, 4]
    assert [tree.radix(level) for level in range(4)] == [1, 6, 6, 3]
    assert (tree.switches, tree.routers, tree.links, tree.first) == (22, 22, 48 + 24 + 12, 1)
    tree = gft(2, 4, 2)
    assert [tree.level_size(level) for level in range(3)] == [16, 8, 4]
    assert (tree.switches, tree.routers, tree.first, tree.radix(0)) == (12, 28, 0, 3)


@pytest.mark.parametrize(("k", "n"), [(2, 1), (2, 5), (4, 3), (3, 4)])
def test_kary(k, n):
    tree = kary(k, n)
    assert tree.leaves == k**n and tree.switches == n * k ** (n - 1)
    assert {tree.radix(level) for level in range(1, n)} <= {2 * k}
    assert tree.radix(n) == k


@pytest.mark.parametrize("make", [ftree_mn, benes])
@pytest.mark.parametrize(("ports", "levels"), [(4, 1), (4, 2), (4, 3), (8, 3), (6, 2)])
def test_ftree_mn(make, ports, levels):
    tree, half = make(ports, levels), ports // 2
    assert tree.leaves == 2 * half**levels
    assert tree.switches == (2 * levels - 1) * half ** (levels - 1)
    assert {tree.radix(level) for level in range(1, levels + 1)} == {ports}


@pytest.mark.parametrize("tree", FAMILIES, ids=str)
def test_common_ancestors(tree):
    """A switch of level l is above prod m_i leaves, and leaves meet in prod w_i of them."""
    net = graph(tree)
    up = nx.DiGraph((a, b) if a[0] < b[0] else (b, a) for a, b in net.edges)
    for level in range(tree.height + 1):
        for flat in range(tree.level_size(level)):
            below = nx.ancestors(up, (level, flat)) | {(level, flat)}
            leaves = sorted(node for where, node in below if where == 0)
            size = tree.subtree_leaves(level)
            first = flat // tree.w_span(level) * size
            assert leaves == list(range(first, first + size))
            above = nx.descendants(up, (level, flat))
            assert sum(where == tree.height for where, _ in above | {(level, flat)}) == math.prod(
                tree.w[level:]
            )


def test_a_million_leaves():
    tree = kary(32, 4)
    assert tree.leaves == 1 << 20
    node = np.array([0, 12345, tree.level_size(2) - 1])
    above, port = tree.up(2, node, [0, 5, 31])
    assert tree.down(3, above, port).tolist() == node.tolist()


test_what_is_no_tree = refused(
    (lambda: Xgft((4, 4), (1,)), "w: has 1 entries, m has 2; allowed is the same number"),
    (lambda: Xgft((), ()), "m: has 0 entries; allowed are 1 … 20"),
    (lambda: Xgft((4, 0), (1, 1)), "m: is 0; allowed are integers from 1"),
    (lambda: Xgft((4, True), (1, 2)), "m: is True; allowed are integers from 1"),
    (lambda: Xgft("44", (1, 2)), "m: is '44'; allowed is one integer a level"),
    (lambda: Xgft((1 << 11, 1 << 10), (1, 1)), "m, w: level 0 has 2097152 nodes"),
    (lambda: Xgft((2, 2), (1, 1 << 20)), "level 2 has 1048576 nodes|has 1048578 ports"),
    (lambda: Xgft((1 << 15,), (1,)), "m, w: a node of level 1 has 32768 ports"),
    (lambda: kary(2, 21), "n: is 21; allowed are integers 1 … 20"),
    (lambda: gft(0, 2, 2), "h: is 0; allowed are integers 1 … 20"),
    (lambda: ftree_mn(5, 2), "ports: is 5; allowed are even numbers"),
    (lambda: ftree_mn(0, 2), "ports: is 0; allowed are integers from 2"),
    (lambda: benes(4, 0), "levels: is 0; allowed are integers 1 … 20"),
    (lambda: kary(4, 2).level_size(3), "level: is 3; allowed are integers 0 … 2"),
    (lambda: kary(4, 2).digits(1, 4), "index: holds 4; allowed are 0 … 3"),
    (lambda: kary(4, 2).index(1, [[0, 4]]), "digit 2: holds 4; allowed are 0 … 3"),
    (lambda: kary(4, 2).index(1, [0]), "labels: have shape"),
    (lambda: kary(4, 2).up(1, 0, 4), "up port: holds 4; allowed are 0 … 3"),
    (lambda: kary(4, 2).up(2, 0, 0), "level: is 2; allowed are integers 0 … 1"),
    (lambda: kary(4, 2).down(0, 0, 0), "level: is 0; allowed are integers 1 … 2"),
    (lambda: kary(4, 2).down(1, 0, 4), "down port: holds 4; allowed are 0 … 3"),
    (lambda: kary(4, 2).arrival(0, 0), "level: is 0; allowed are integers 1 … 2"),
)
