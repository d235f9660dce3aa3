"""Which channel may wait for which: no cycle in any legal routing, a cycle where one was planted.

A channel is an output port of a switch, (level, node, port); a packet that holds one may wait for
the next of its route.
"""

import itertools

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings

from fattree_models.benes import benes_tables
from fattree_models.common.structure import dependency_cycle
from fattree_models.xgft import (
    Fate,
    Tables,
    Xgft,
    dmodk_tables,
    fates,
    kary,
    mlid_tables,
    opensm_tables,
    routes,
    slid_tables,
    table_routes,
    walk,
)
from tests.models.xgft.brute_xgft import FAMILIES, RandomUp, every_pair, small_trees


def dependencies(tree, src, ports):
    """The graph of all pairs of channels in a row on these routes."""
    visited = walk(tree, src, ports)
    channels = np.stack((visited.level, visited.node, ports), axis=2).tolist()
    pairs = itertools.chain.from_iterable(map(itertools.pairwise, channels))
    return nx.DiGraph(
        (tuple(one), tuple(other)) for one, other in pairs if min(one[0], other[0]) >= tree.first
    )


def every_turn(tree, climb):
    """The graph of all legal routes, by every choice of up ports."""

    class Fixed:
        def up_port(self, level, src, dst):
            return np.full(src.shape, self.ups[level])

    src, dst = every_pair(tree)
    rule, found = Fixed(), nx.DiGraph()
    for rule.ups in itertools.product(*map(range, tree.w)):
        found.update(dependencies(tree, src, routes(tree, src, dst, rule, climb)))
    return found


@pytest.mark.parametrize("climb", ["NCA", "TOP"])
@pytest.mark.parametrize("tree", FAMILIES, ids=str)
def test_routings(tree, climb):
    src, dst = every_pair(tree)
    for routing in ("DMODK", "SMODK", RandomUp(tree, np.random.default_rng(1))):
        found = dependencies(tree, src, routes(tree, src, dst, routing, climb))
        assert found.edges or tree.height == 1
        assert dependency_cycle(found) is None


@pytest.mark.parametrize("climb", ["NCA", "TOP"])
@pytest.mark.parametrize(
    "tree", [tree for tree in FAMILIES if tree.leaves * np.prod(tree.w) <= 200], ids=str
)
def test_every_turn_of_an_adaptive_route(tree, climb):
    assert dependency_cycle(every_turn(tree, climb)) is None


@settings(max_examples=20)
@given(small_trees(leaves=12, nodes=24))
def test_adaptive_routing_of_any_tree(tree):
    for climb in ("NCA", "TOP"):
        assert dependency_cycle(every_turn(tree, climb)) is None


@pytest.mark.parametrize(
    "tables",
    [
        dmodk_tables(kary(4, 3)),
        opensm_tables(Xgft((6, 6), (1, 4))),
        mlid_tables(8, 3),
        slid_tables(4, 3),
        benes_tables(4, 3),
        benes_tables(8, 2),
    ],
    ids=lambda tables: f"{tables.tree} {tables.paths}",
)
def test_tables(tables):
    src, dst = every_pair(tables.tree)
    found = dependencies(tables.tree, src, table_routes(tables, src, dst))
    assert found.edges and dependency_cycle(found) is None


def test_tables_that_deliver_and_can_deadlock():
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
    tables = Tables(tree, tuple(ports))
    src, dst = every_pair(tree)
    assert (fates(tables, src, dst) == Fate.DELIVERED).all()
    graph = dependencies(tree, src, table_routes(tables, src, dst))
    found = dependency_cycle(graph)
    assert all(pair in graph.edges for pair in zip(found, [*found[1:], found[0]], strict=True))
    # Such a cycle turns up after it went down.
    ups = [level == 1 and port >= 2 for level, _, port in found]
    assert any(ups) and not all(ups)
    assert not graph.edges <= every_turn(tree, "NCA").edges
