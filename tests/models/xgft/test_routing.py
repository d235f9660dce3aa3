"""Routes against the formula, shortest paths and an enumeration of all legal hop lists."""

import itertools
import time

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fattree_models.xgft import (
    Xgft,
    hop_count,
    kary,
    legal,
    nca_level,
    path_count,
    routes,
    turn_level,
    up_port,
    walk,
)
from tests.models.refused import refused
from tests.models.xgft.brute_xgft import FAMILIES, RandomUp, every_pair, follow, graph, small_trees

ROUTINGS = ["DMODK", "SMODK", "RANDOM"]


def rule(tree, routing, seed=1):
    return RandomUp(tree, np.random.default_rng(seed)) if routing == "RANDOM" else routing


def switch_distance(tree, net):
    """Switches on a shortest path of every pair, by breadth-first search."""
    endpoints = 1 if tree.w[0] == 1 else -1  # leaves are no switches, or both of them are
    for src, lengths in nx.all_pairs_shortest_path_length(net):
        if src[0] == 0:
            for dst, length in lengths.items():
                if dst[0] == 0:
                    # To itself a packet turns in the first switch.
                    yield src[1], dst[1], length - endpoints if src != dst else 1


def check_routes(tree, routing):
    net = graph(tree)
    src, dst = every_pair(tree)
    ports = routes(tree, src, dst, rule(tree, routing))
    assert ports.dtype == np.int16
    assert legal(tree, src, dst, ports).all()
    steps = walk(tree, src, ports)
    assert steps.end.tolist() == dst.tolist()
    distance = {(s, d): hops for s, d, hops in switch_distance(tree, net)}
    expected = [distance[pair] for pair in zip(src.tolist(), dst.tolist(), strict=True)]
    assert (ports >= 0).sum(axis=1).tolist() == expected
    assert hop_count(tree, src, dst).tolist() == expected
    return src, dst, ports, net


@pytest.mark.parametrize("routing", ROUTINGS)
@pytest.mark.parametrize("tree", FAMILIES, ids=str)
def test_every_pair_is_served_minimally(tree, routing):
    check_routes(tree, routing)


@settings(max_examples=40)
@given(small_trees(leaves=24), st.sampled_from(ROUTINGS))
def test_any_tree(tree, routing):
    src, _, ports, net = check_routes(tree, routing)
    seen = walk(tree, src, ports)
    for pair in range(0, src.size, 7):
        nodes = list(zip(seen.level[pair].tolist(), seen.node[pair].tolist(), strict=True))
        visited = [node for node in nodes if node != (-1, -1)]
        expected = follow(tree, net, int(src[pair]), ports[pair].tolist())
        assert [*visited, "end", seen.end[pair]] == expected


@pytest.mark.parametrize("routing", ROUTINGS)
@pytest.mark.parametrize("tree", FAMILIES, ids=str)
def test_every_pair_over_the_top(tree, routing):
    src, dst = every_pair(tree)
    ports = routes(tree, src, dst, rule(tree, routing), climb="TOP")
    assert legal(tree, src, dst, ports, climb="TOP").all()
    assert (ports >= 0).all()
    steps = walk(tree, src, ports)
    assert steps.end.tolist() == dst.tolist()
    assert (steps.level.max(axis=1) == tree.height).all()
    below_top = turn_level(tree, src, dst) < tree.height
    assert (legal(tree, src, dst, ports) == ~below_top).all()


@pytest.mark.parametrize("tree", FAMILIES, ids=str)
def test_the_formula(tree):
    src, dst = every_pair(tree)
    for level in range(tree.height):
        span = int(np.prod(tree.w[:level]))
        for routing, leaf in (("DMODK", dst), ("SMODK", src)):
            expected = [value // span % tree.w[level] for value in leaf.tolist()]
            assert up_port(tree, routing, level, src, dst).tolist() == expected


@pytest.mark.parametrize(
    "tree",
    [Xgft((3,), (1,)), Xgft((2, 3), (1, 2)), Xgft((2, 2), (2, 2)), Xgft((2, 1, 2), (1, 2, 2))],
    ids=str,
)
@pytest.mark.parametrize("climb", ["NCA", "TOP"])
def test_legal_is_exact(tree, climb):
    """Of all hop lists, those that climb, turn once at the right level and arrive are legal."""
    net = graph(tree)
    hops = 2 * (tree.height - tree.first) + 1
    most = max(tree.radix(level) for level in range(tree.height + 1))
    lists = [
        (*ports, *[-1] * (hops - length))
        for length in range(hops + 1)
        for ports in itertools.product(range(most + 1), repeat=length)
    ]
    if len(lists) > 4000:
        lists = lists[:: len(lists) // 4000 + 1]
        lists += routes(tree, *every_pair(tree), "DMODK", climb).tolist()
    for s, d in np.argwhere(np.ones((tree.leaves, tree.leaves)))[:: tree.leaves - 1].tolist():
        turn = int(turn_level(tree, s, d, climb))
        lengths = nx.shortest_path_length(net, (0, s), (0, d)) if climb == "NCA" else None
        expected = []
        for ports in lists:
            visited = follow(tree, net, s, ports)
            levels = [node[0] for node in visited if isinstance(node, tuple)]
            climbs = [*range(tree.first, turn), *range(turn, tree.first - 1, -1)]
            expected.append(visited[-2:] == ["end", d] and levels == climbs)
            if expected[-1] and lengths and s != d:
                assert len(levels) == lengths + (1 if tree.first == 0 else -1)
        count = len(lists)
        found = legal(tree, [s] * count, [d] * count, lists, climb)
        assert found.tolist() == expected
        assert any(expected)


@pytest.mark.parametrize("tree", FAMILIES, ids=str)
def test_path_count(tree):
    net = graph(tree)
    for d in range(tree.leaves):
        minimal = len(list(nx.all_shortest_paths(net, (0, 0), (0, d)))) if d else 1
        assert path_count(tree, 0, d) == minimal
    assert path_count(tree, 0, 0, "TOP") == np.prod(tree.w)


def test_nca_level():
    tree = Xgft((4, 4, 3), (1, 2, 2))
    digits = tree.digits(0, np.arange(48))
    src, dst = every_pair(tree)
    differs = digits[src] != digits[dst]
    expected = [max(np.flatnonzero(row) + 1, default=0) for row in differs]
    assert nca_level(tree, src, dst).tolist() == expected


def test_dmodk_uses_the_digits_of_a_kary_tree():
    """On a k-ary n-tree the up port of level l is the destination's digit l, counted from 1."""
    tree = kary(4, 3)
    ports = routes(tree, [0] * 64, np.arange(64), "DMODK", climb="TOP")
    digits = tree.digits(0, np.arange(64))
    assert (ports[:, :2] == 4 + digits[:, :2]).all()


@pytest.mark.parametrize("change", ["up for down", "wrong digit", "one hop less", "no such port"])
def test_wrong_routes_are_seen(change):
    tree = Xgft((4, 4, 3), (1, 2, 2))
    ports = routes(tree, [0], [47], "DMODK")
    if change == "up for down":
        ports[0, 3] = 4
    elif change == "wrong digit":
        ports[0, 4] = (ports[0, 4] + 1) % 4
    elif change == "one hop less":
        ports[0, 4] = -1
    else:
        ports[0, 1] = 6
    assert not legal(tree, [0], [47], ports).any()
    assert walk(tree, [0], ports).end != 47


def test_a_port_after_the_end_is_no_route():
    tree = Xgft((4, 4), (1, 2))
    assert legal(tree, [0], [3], [[3, -1, -1, -1]]).all() and legal(tree, [0], [3], [[3]]).all()
    assert not legal(tree, [0], [15], routes(tree, [0], [15], "DMODK")[:, :2]).any()
    assert not legal(tree, [0], [3], [[3, 3]]).any()
    assert not legal(tree, [0], [3], [[-1, 3, -1]]).any()
    assert walk(tree, [0], [[3, 3]]).end.tolist() == [-1]
    assert walk(tree, [0], [[4]]).end.tolist() == [-1]


test_bad_arguments = refused(
    (lambda t: routes(t, [0], [16], "DMODK"), "dst: holds 16; allowed are 0 … 15"),
    (lambda t: routes(t, [-1], [0], "DMODK"), "src: holds -1; allowed are 0 … 15"),
    (lambda t: routes(t, 0, 0, "DMODK"), r"src, dst: have shape \(\); allowed is \[pairs\]"),
    (lambda t: routes(t, [0], [9], "ADAPTIVE"), "routing: is 'ADAPTIVE'; allowed are DMODK"),
    (lambda t: routes(t, [0], [9], "DMODK", "MAX"), "climb: is 'MAX'; allowed are NCA, TOP"),
    (lambda t: up_port(t, "DMODK", 2, 0, 1), "level: is 2; allowed are integers 0 … 1"),
    (lambda t: legal(t, [0], [1], [1]), r"ports: have shape \(1,\); allowed is \[1, hops\]"),
    given=lambda: kary(4, 2),
)


def test_legal_takes_about_as_long_as_routes():
    """It took three times as long; the best of several runs, in CPU time."""
    tree, rng = kary(8, 3), np.random.default_rng(1)
    src, dst = rng.integers(0, tree.leaves, (2, 200_000))
    ports = routes(tree, src, dst, "DMODK")

    def seconds(call):
        begin = time.process_time()
        call()
        return time.process_time() - begin

    making = min(seconds(lambda: routes(tree, src, dst, "DMODK")) for _ in range(9))
    assert min(seconds(lambda: legal(tree, src, dst, ports)) for _ in range(9)) < 2 * making
