"""FT(m, n) in InfiniBand's labels is the XGFT; MLID and SLID tables."""

import itertools

import numpy as np
import pytest

from fattree_models.xgft import (
    ftree_mn,
    legal,
    mlid_tables,
    route_loads,
    routes,
    slid_tables,
    table_routes,
)
from tests.models.refused import refused
from tests.models.xgft.brute_xgft import every_pair
from tests.models.xgft.labels import neighbour, node_label, node_number, switch_label, switch_number

SIZES = [(4, 1), (4, 2), (4, 3), (4, 4), (6, 2), (8, 2), (8, 3), (2, 3)]


def all_labels(ports, levels, ib_level):
    """Every <w_0 ... w_{n-2}> of an InfiniBand level, by the survey's Eq. (7) as corrected."""
    half = ports // 2
    if levels == 1:
        return [()]
    first = half if ib_level == 0 else ports
    return list(itertools.product(range(first), *[range(half)] * (levels - 2)))


@pytest.mark.parametrize(("ports", "levels"), SIZES)
def test_labels_are_one_to_one(ports, levels):
    tree, half = ftree_mn(ports, levels), ports // 2
    leaves = np.arange(tree.leaves)
    label = node_label(ports, levels, leaves)
    assert sorted(map(tuple, label.tolist())) == list(
        itertools.product(range(ports), *[range(half)] * (levels - 1))
    )
    weights = half ** np.arange(levels - 1, -1, -1)
    assert (label @ weights).tolist() == leaves.tolist()
    assert node_number(ports, levels, label).tolist() == leaves.tolist()
    for level in range(1, levels + 1):
        switches = np.arange(tree.level_size(level))
        label = switch_label(ports, levels, level, switches)
        assert switch_number(ports, levels, level, label).tolist() == switches.tolist()
        expected = all_labels(ports, levels, levels - level)
        assert sorted(map(tuple, label.tolist())) == expected


@pytest.mark.parametrize(("ports", "levels"), SIZES)
def test_the_paper_s_wiring_is_the_xgft_s(ports, levels):
    """Every port of every switch, by the rule of the paper and by the digits."""
    tree = ftree_mn(ports, levels)
    for level in range(1, levels + 1):
        for node in range(tree.level_size(level)):
            label = tuple(switch_label(ports, levels, level, node).tolist())
            for port in range(ports):
                found, ib_level, arrives = neighbour(ports, levels, label, levels - level, port)
                if ib_level == levels:
                    other, expected = node_number(ports, levels, found), 0
                else:
                    other = switch_number(ports, levels, levels - ib_level, found)
                if port >= tree.down_ports(level):
                    above, expected = tree.up(level, node, port - tree.down_ports(level))
                    assert (ib_level, other) == (levels - level - 1, above)
                else:
                    assert (levels - ib_level, other) == (level - 1, tree.down(level, node, port))
                    if level > 1:
                        expected = tree.arrival(level, node) + tree.down_ports(level - 1)
                assert arrives == expected


@pytest.mark.parametrize(("ports", "levels"), SIZES)
def test_mlid(ports, levels):
    """Claim 8: every pair is delivered, minimally, and it is S-mod-k."""
    tree = ftree_mn(ports, levels)
    tables = mlid_tables(ports, levels)
    src, dst = every_pair(tree)
    hops = table_routes(tables, src, dst)
    assert legal(tree, src, dst, hops).all()
    assert (hops == routes(tree, src, dst, "SMODK")).all()
    assert tables.paths == (ports // 2) ** (levels - 1)


@pytest.mark.parametrize(("ports", "levels"), [(4, 3), (8, 2), (8, 3)])
def test_every_lid_of_every_node_works(ports, levels):
    """Not only the LIDs that sources choose: from every leaf, all of a node's."""
    tables = mlid_tables(ports, levels)
    tree = tables.tree
    src, dst = every_pair(tree)
    for rank in range(tables.paths):
        fixed = type(tables)(tree, tables.ports, tables.paths, lambda t, s, d, r=rank: s * 0 + r)
        assert legal(tree, src, dst, table_routes(fixed, src, dst)).all()


def test_mlid_ranks_by_hand():
    """FT(4, 3): from P(000) and P(101) to P(100) = 4 and P(310) = 14; four LIDs a node."""
    tables = mlid_tables(4, 3)
    assert tables.address([0, 5, 5, 7], [4, 14, 4, 4]).tolist() == [16, 57, 16, 17]


def levels_of(loads):
    """The set of loads of each level's links, up from level 1 and down to level 1."""
    up = [set(array.ravel().tolist()) for array in loads.up[1:-1]]
    return up, [set(array.ravel().tolist()) for array in loads.down[2:]]


@pytest.mark.parametrize(
    ("ports", "levels", "expected"), [(4, 2, [{6}]), (4, 3, [{14}, {12}]), (8, 3, [{124}, {112}])]
)
def test_mlid_loads_every_link_of_a_level_alike(ports, levels, expected):
    tree = ftree_mn(ports, levels)
    src, dst = every_pair(tree, self_pairs=False)
    loads = route_loads(tree, src, table_routes(mlid_tables(ports, levels), src, dst))
    assert levels_of(loads) == (expected, expected)


def test_slid_uses_one_root():
    """One LID a node: all pairs arrive, but everything that climbs takes the first up port."""
    tree = ftree_mn(4, 3)
    src, dst = every_pair(tree, self_pairs=False)
    hops = table_routes(slid_tables(4, 3), src, dst)
    assert legal(tree, src, dst, hops).all()
    loads = route_loads(tree, src, hops)
    assert loads.up[1].tolist() == [[28, 0]] * 8
    assert loads.up[2].tolist() == [[48, 0], [0, 0]] * 4
    assert loads.busiest == 48


test_bad_arguments = refused(
    (lambda: node_label(4, 2, 8), "index: holds 8; allowed are 0 … 7"),
    (lambda: node_number(4, 2, [4, 0]), "digit 2: holds 4; allowed are 0 … 3"),
    (lambda: switch_number(4, 3, 1, [0]), r"label: has shape \(1,\); allowed is \[..., 2\]"),
    (lambda: switch_number(4, 3, 3, [2, 0]), "digit 2: holds 2; allowed are 0 … 1"),
    (lambda: neighbour(4, 3, (0, 0), 0, 4), "port: is 4; allowed are 0 … 3"),
    (lambda: mlid_tables(4, 0), "levels: is 0"),
)
