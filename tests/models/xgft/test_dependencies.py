"""Channel-dependency graphs: no cycle in any legal routing, a cycle where one was planted."""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings

from fattree_models.benes import benes_tables
from fattree_models.xgft import (
    Channel,
    Fate,
    Tables,
    Xgft,
    cycle,
    dependency_graph,
    dmodk_tables,
    fates,
    hop_dependencies,
    kary,
    mlid_tables,
    opensm_tables,
    relabelled,
    routes,
    slid_tables,
    smodk_tables,
    table_routes,
)
from tests.models.xgft.brute_xgft import FAMILIES, every_pair, follow, graph, small_trees


def slow_edges(tree, src, ports):
    """Pairs of channels in a row on any route, by following each."""
    net, found = graph(tree), set()
    for s, hops in zip(src.tolist(), ports.tolist(), strict=True):
        visited = [node for node in follow(tree, net, s, hops) if isinstance(node, tuple)]
        channels = [(*node, port) for node, port in zip(visited, hops, strict=False)]
        found |= set(itertools.pairwise(channels))
    return found


def every_turn(tree, climb):
    """Pairs of channels in a row on any legal route, by listing every choice of up ports."""
    found = set()
    choices = [()]
    for w in tree.w:
        choices = [(*rest, c) for rest in choices for c in range(w)]

    class Fixed:
        def up_port(self, level, src, dst):
            return np.full(src.shape, self.ups[level])

    src, dst = every_pair(tree)
    for ups in choices:
        rule = Fixed()
        rule.ups = ups
        found |= slow_edges(tree, src, routes(tree, src, dst, rule, climb))
    return found


@pytest.mark.parametrize("climb", ["NCA", "TOP"])
@pytest.mark.parametrize("routing", ["DMODK", "SMODK"])
@pytest.mark.parametrize("tree", FAMILIES, ids=str)
def test_deterministic_routings(tree, routing, climb):
    found = dependency_graph(tree, routing, climb)
    src, dst = every_pair(tree)
    assert set(found.edges) == slow_edges(tree, src, routes(tree, src, dst, routing, climb))
    assert cycle(found) is None


@pytest.mark.parametrize("climb", ["NCA", "TOP"])
@pytest.mark.parametrize(
    "tree", [tree for tree in FAMILIES if tree.leaves * np.prod(tree.w) <= 200], ids=str
)
def test_every_turn_of_an_adaptive_route(tree, climb):
    found = dependency_graph(tree, "ADAPTIVE", climb)
    assert set(found.edges) == every_turn(tree, climb)
    assert cycle(found) is None


@settings(max_examples=40, deadline=None)
@given(small_trees())
def test_adaptive_routing_of_any_tree(tree):
    for climb in ("NCA", "TOP"):
        found = dependency_graph(tree, "ADAPTIVE", climb)
        assert cycle(found) is None
        fixed = relabelled(tree, "D", np.random.default_rng(1))
        if tree.leaves <= 16:
            for routing in ("DMODK", fixed):
                assert dependency_graph(tree, routing, climb).edges <= found.edges


@pytest.mark.parametrize(
    "tables",
    [
        dmodk_tables(kary(4, 3)),
        smodk_tables(Xgft((3, 2, 4), (1, 3, 2))),
        smodk_tables(Xgft((3, 2), (2, 3))),
        opensm_tables(Xgft((6, 6), (1, 4))),
        mlid_tables(8, 3),
        slid_tables(4, 3),
        benes_tables(4, 3),
        benes_tables(8, 2),
    ],
    ids=lambda tables: f"{tables.tree} {tables.paths}",
)
def test_tables(tables):
    found = dependency_graph(tables.tree, tables)
    assert cycle(found) is None
    src, dst = every_pair(tables.tree)
    used = hop_dependencies(tables.tree, src, table_routes(tables, src, dst))
    assert used.edges and used.edges <= found.edges


def round_about():
    """Tables of XGFT(2; 2,4; 1,2) that deliver everything, and can still deadlock.

    A packet for lower switch j that is in switch j - 2 goes by way of switch j - 1: up, down, and
    up again.
    """
    tree = Xgft((2, 4), (1, 2))
    ports = [array.copy() for array in dmodk_tables(tree).ports]
    for leaf in range(8):
        j = leaf // 2
        detour = (j - 2) % 2  # the root by which to switch j - 1; from there, the other
        for switch in range(4):
            if switch != j:
                ports[1][switch, leaf] = 2 + (detour if switch == (j - 2) % 4 else 1 - detour)
        ports[2][detour, leaf], ports[2][1 - detour, leaf] = (j - 1) % 4, j
    return Tables(tree, tuple(ports))


def test_tables_that_deliver_and_can_deadlock():
    tables = round_about()
    src, dst = every_pair(tables.tree)
    assert (fates(tables, src, dst) == Fate.DELIVERED).all()
    found = dependency_graph(tables.tree, tables)
    for graph_of in (found, hop_dependencies(tables.tree, src, table_routes(tables, src, dst))):
        round_trip = cycle(graph_of)
        assert round_trip is not None
        assert all(isinstance(channel, Channel) for channel in round_trip)
        following = zip(round_trip, [*round_trip[1:], round_trip[0]], strict=True)
        assert all(pair in graph_of.edges for pair in following)
        # Such a cycle turns up after it went down.
        ups = [channel.level == 1 and channel.port >= 2 for channel in round_trip]
        assert any(ups) and not all(ups)
    assert not found.edges <= dependency_graph(tables.tree, "ADAPTIVE").edges


def test_a_loop_is_a_cycle():
    tables = dmodk_tables(kary(2, 3))
    ports = [array.copy() for array in tables.ports]
    ports[3][3, 7] = 0
    found = cycle(dependency_graph(tables.tree, Tables(tables.tree, tuple(ports))))
    assert found is not None and set(found) == {Channel(3, 3, 0), Channel(2, 1, 3)}


def test_entries_without_a_port_ask_for_nothing():
    tables = dmodk_tables(kary(2, 2))
    ports = [np.full_like(array, -1) for array in tables.ports]
    assert not dependency_graph(tables.tree, Tables(tables.tree, tuple(ports))).edges
    for nothing in (-1, 9):
        ports = [*tables.ports[:2], np.full_like(tables.ports[2], nothing)]
        assert not dependency_graph(tables.tree, Tables(tables.tree, tuple(ports))).edges
    ports = [np.full_like(array, 9) for array in tables.ports]
    assert not dependency_graph(tables.tree, Tables(tables.tree, tuple(ports))).edges


def test_a_larger_tree():
    """256 leaves, 2048 channels: every turn of it."""
    found = dependency_graph(kary(4, 4), "ADAPTIVE")
    assert found.number_of_nodes() == 2 * 3 * 256 + 256
    assert cycle(found) is None


@pytest.mark.parametrize(
    ("call", "text"),
    [
        (lambda t: dependency_graph(t, "XY"), "routing: is 'XY'; allowed are DMODK, SMODK"),
        (lambda t: dependency_graph(t, "ADAPTIVE", "UP"), "climb: is 'UP'; allowed are NCA, TOP"),
        (lambda t: dependency_graph(t, dmodk_tables(kary(2, 3))), "tables: are those of Xgft"),
        (lambda t: hop_dependencies(t, [4], [[0, 0, 0]]), "src: holds 4"),
    ],
)
def test_bad_arguments(call, text):
    with pytest.raises(ValueError, match=text):
        call(kary(2, 2))
