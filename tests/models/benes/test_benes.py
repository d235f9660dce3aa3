"""The slides' unfolded drawing is the folded graph; their routing code, right and as printed."""

import networkx as nx
import numpy as np
import pytest

from fattree_models.benes.unfolded import benes_tables, fold, fold_port, routing_lookup
from fattree_models.xgft import Fate, benes, fates, hop_count, legal, route_loads, table_routes
from tests.models.benes.printed_benes import (
    benes_shuffle,
    routing_lookup_printed,
    routing_lookup_with_term,
)
from tests.models.refused import refused
from tests.models.xgft.brute_xgft import every_pair, graph

SIZES = [(n, levels) for n in (4, 6, 8) for levels in (1, 2, 3)]


def unfolded_links(ports, levels):
    """Every link of the drawing: ((stage, switch, port), (stage, switch, port) or node)."""
    half, d, stages = ports // 2, (ports // 2) ** (levels - 1), 2 * levels - 1
    for stage in range(stages - 1):
        right = np.arange(half * d)
        for one, other in enumerate(benes_shuffle(ports, levels, stage, right).tolist()):
            yield (
                (stage, one // half, one % half),
                (stage + 1, other // half, half + other % half),
            )
    for node in range(half * d):
        yield (0, node // half, half + node % half), node
        yield (stages - 1, node // half, node % half), half * d + node


@pytest.mark.parametrize(("ports", "levels"), [*SIZES, (2, 3), (4, 4)])
def test_the_drawing_is_the_folded_graph(ports, levels):
    """The explicit map takes switches one to one, links to links, and ports to the right ends."""
    tree = benes(ports, levels)
    net, seen, used = graph(tree), set(), set()
    names = {}
    for stage in range(2 * levels - 1):
        switch = np.arange((ports // 2) ** (levels - 1))
        level, index = fold(ports, levels, stage, switch)
        names |= {(stage, i): (level, node) for i, node in enumerate(index.tolist())}
    assert sorted(names.values()) == sorted(node for node in net if node[0] > 0)
    for one, other in unfolded_links(ports, levels):
        ends = []
        for end in (one, other):
            if isinstance(end, int):
                ends.append((0, end))
                continue
            node = names[end[:2]]
            port = int(fold_port(ports, levels, end[0], end[2]))
            assert (node, port) not in used
            used.add((node, port))
            ends.append(node)
        seen.add(frozenset(ends))
        low, high = sorted(ends)
        link = net.edges[low, high]
        both = [(low, tree.down_ports(low[0]) + link["c"])] if low[0] else []
        assert {*both, (high, link["q"])} <= used
    assert seen == {frozenset(edge) for edge in net.edges}


def test_another_shuffle_is_another_graph():
    """The map above fails if a stage is wired by the wrong shuffle."""
    ports, levels = 4, 3
    links = [
        (one[:2], other if isinstance(other, int) else other[:2])
        for one, other in unfolded_links(ports, levels)
    ]
    straight = [
        (one, other) if one[0] != 1 or isinstance(other, int) else (one, (2, one[1]))
        for one, other in links
    ]
    right, wrong = nx.Graph(links), nx.Graph(straight)
    folded = graph(benes(ports, levels))
    assert nx.is_isomorphic(right, folded)
    assert not nx.is_isomorphic(wrong, folded)


@pytest.mark.parametrize(("ports", "levels"), SIZES)
def test_shuffles_are_bijections(ports, levels):
    half_nodes = (ports // 2) ** levels
    for stage in range(2 * levels - 2):
        wired = benes_shuffle(ports, levels, stage, np.arange(half_nodes))
        assert sorted(wired.tolist()) == list(range(half_nodes))


@pytest.mark.parametrize(("ports", "levels"), [*SIZES, (4, 4)])
def test_corrected_routing_is_minimal(ports, levels):
    """Claim 9: every pair, itself included, over 2l + 1 switches on one side, S across."""
    tree = benes(ports, levels)
    src, dst = every_pair(tree)
    hops = table_routes(benes_tables(ports, levels), src, dst)
    assert legal(tree, src, dst, hops).all()
    count = (hops >= 0).sum(axis=1)
    assert count.tolist() == hop_count(tree, src, dst).tolist()
    across = (src < tree.leaves // 2) != (dst < tree.leaves // 2)
    assert set(count[across].tolist()) == {2 * levels - 1}


@pytest.mark.parametrize(
    ("ports", "levels", "least", "most"), [(4, 2, 6, 6), (4, 3, 12, 14), (8, 3, 112, 124)]
)
def test_all_to_all(ports, levels, least, most):
    """Packets on the links between switches, both ways."""
    tree = benes(ports, levels)
    src, dst = every_pair(tree, self_pairs=False)
    loads = route_loads(tree, src, table_routes(benes_tables(ports, levels), src, dst))
    between = np.concatenate([array.ravel() for array in (*loads.up[1:], *loads.down[2:])])
    assert (between.min(), between.max()) == (least, most)


@pytest.mark.parametrize(("ports", "levels"), [(4, 2), (4, 3), (8, 3)])
def test_a_destination_uses_every_spine_switch(ports, levels):
    """Unlike D-mod-k, under which a destination has one root."""
    tree, tables = benes(ports, levels), benes_tables(ports, levels)
    d = (ports // 2) ** (levels - 1)
    src = np.arange(tree.leaves // 2)
    for dst in (tree.leaves // 2, tree.leaves - 1):
        hops = table_routes(tables, src, np.full(src.shape, dst))
        ups = hops[:, : levels - 1] - ports // 2
        assert len({tuple(row) for row in ups.tolist()}) == d


def count_fates(ports, levels, lookup):
    tree = benes(ports, levels)
    found = fates(benes_tables(ports, levels, lookup), *every_pair(tree, self_pairs=False))
    return {fate.name: int((found == fate).sum()) for fate in Fate}


def test_the_last_term_at_two_levels():
    """The slides' last term: half of N = 4, L = 2 is lost, three quarters of N = 8."""
    counts = {"DELIVERED": 28, "MISDELIVERED": 0, "NO_PORT": 8, "LOOPS": 20}
    assert count_fates(4, 2, routing_lookup_with_term) == counts
    assert count_fates(8, 2, routing_lookup_with_term)["DELIVERED"] == 248


def test_the_code_to_the_letter_at_two_levels(record_property):
    """With the printed capital S four of the loops end at a wrong node."""
    counts = {"DELIVERED": 28, "MISDELIVERED": 4, "NO_PORT": 8, "LOOPS": 16}
    found = count_fates(4, 2, routing_lookup_printed)
    record_property("pairs", sum(found.values()))
    record_property("pairs_as_printed", found["DELIVERED"])
    record_property("loops_as_printed", found["LOOPS"])
    right = count_fates(4, 2, routing_lookup)
    record_property("loops_as_corrected", right["LOOPS"])
    assert found == counts and right["DELIVERED"] == sum(right.values())
    assert count_fates(8, 2, routing_lookup_printed)["DELIVERED"] == 248


@pytest.mark.parametrize("ports", [4, 6, 8])
@pytest.mark.parametrize("levels", [1, 3])
def test_the_code_as_printed_elsewhere(ports, levels):
    """The last term is 0; the capital S spreads packets otherwise, and loses none."""
    tree = benes(ports, levels)
    src, dst = every_pair(tree)
    right = table_routes(benes_tables(ports, levels), src, dst)
    with_term = table_routes(benes_tables(ports, levels, routing_lookup_with_term), src, dst)
    assert (with_term == right).all()
    printed = table_routes(benes_tables(ports, levels, routing_lookup_printed), src, dst)
    assert legal(tree, src, dst, printed).all()
    assert (printed == right).all() == (levels == 1)


def test_a_planted_fault_is_seen():
    """Tables with two ports exchanged in one stage do not deliver every pair."""

    def exchanged(ports, levels, stage, switch, node):
        found = routing_lookup(ports, levels, stage, switch, node)
        return found ^ 1 if stage == 2 else found

    tree = benes(4, 3)
    found = fates(benes_tables(4, 3, exchanged), *every_pair(tree))
    assert (found != Fate.DELIVERED).any()


test_bad_arguments = refused(
    (lambda: fold(4, 2, 3, 0), "stage: is 3; allowed are integers 0 … 2"),
    (lambda: fold(4, 2, 0, 2), "switch: holds 2; allowed are 0 … 1"),
    (lambda: benes_tables(5, 2), "ports: is 5; allowed are even numbers"),
)
