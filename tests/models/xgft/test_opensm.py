"""OpenSM's counting: D-mod-k where a tree divides evenly, out of balance where it does not."""

import numpy as np
import pytest
from hypothesis import given, settings

from fattree_models.xgft import (
    Xgft,
    all_pairs_loads,
    ftree_mn,
    gft,
    kary,
    legal,
    link_loads,
    opensm_tables,
    route_loads,
    routes,
    table_routes,
    walk,
)
from tests.models.xgft.brute_xgft import FAMILIES, every_pair, small_trees

SINGLE = [tree for tree in FAMILIES if tree.first == 1]


def divides(tree):
    return all(
        tree.subtree_leaves(level) % tree.w_span(level + 1) == 0 for level in range(tree.height)
    )


def check_every_entry(tree, tables):
    """From every switch, also those that no host's packet meets, each entry leads to the leaf."""
    for level in range(1, tree.height + 1):
        for node in range(tree.level_size(level)):
            where = [(level, node)] * tree.leaves
            for leaf in range(tree.leaves):
                at, hops = where[leaf], 0
                while at != (0, leaf):
                    port = int(tables.ports[at[0]][at[1], leaf])
                    downs = tree.down_ports(at[0])
                    up = port >= downs
                    # Never up after down, so at most 2h hops.
                    step = tree.up(*at, port - downs)[0] if up else tree.down(*at, port)
                    at, hops = (at[0] + (1 if up else -1), int(step)), hops + 1
                    assert hops <= 2 * tree.height


def check_opensm(tree):
    tables = opensm_tables(tree)
    src, dst = every_pair(tree)
    hops = table_routes(tables, src, dst)
    assert legal(tree, src, dst, hops).all()
    if divides(tree):
        assert (hops == routes(tree, src, dst, "DMODK")).all()
    return tables


@pytest.mark.parametrize("tree", SINGLE, ids=str)
def test_every_pair_is_served_minimally(tree):
    check_every_entry(tree, check_opensm(tree))


@settings(max_examples=60)
@given(small_trees(leaves=36).filter(lambda tree: tree.first == 1))
def test_any_tree(tree):
    check_opensm(tree)


@pytest.mark.parametrize(
    "tree",
    [kary(4, 3), ftree_mn(8, 3), Xgft((4, 4, 3), (1, 2, 2)), Xgft((3, 2, 10), (1, 3, 2))],
    ids=str,
)
def test_dmodk_where_every_level_divides(tree):
    assert divides(tree)
    check_opensm(tree)
    assert not divides(Xgft((3, 4), (1, 2)))


@pytest.mark.parametrize(
    ("m", "w", "opensm", "dmodk"),
    [
        ((3, 4), (1, 2), [(9, 18)], [(12, 15)]),
        ((6, 6), (1, 4), [(30, 60)], [(42, 48)]),
        ((5, 4, 3), (1, 3, 2), [(55, 110), (80, 160)], [(90, 95), (120, 140)]),
    ],
)
def test_balance_where_a_level_does_not_divide(m, w, opensm, dmodk):
    """Least and most packets on the up links of each level, all pairs: every switch of OpenSM
    starts again with its first port, D-mod-k continues where the switch before it stopped."""
    tree = Xgft(m, w)
    src, dst = every_pair(tree, self_pairs=False)
    loads = route_loads(tree, src, table_routes(opensm_tables(tree), src, dst))
    for found, expected in ((loads, opensm), (all_pairs_loads(tree, "DMODK"), dmodk)):
        assert [(up.min(), up.max()) for up in found.up[1:-1]] == expected


@pytest.mark.parametrize("tree", [kary(4, 3), ftree_mn(4, 3), Xgft((3, 2, 10), (1, 3, 2))], ids=str)
def test_shifts_have_no_contention(tree):
    """What the algorithm is for: every cyclic shift, one packet a link."""
    tables, source = opensm_tables(tree), np.arange(tree.leaves)
    for i in range(1, tree.leaves):
        hops = table_routes(tables, source, (source + i) % tree.leaves)
        assert route_loads(tree, source, hops).busiest == 1


def test_shifts_of_a_tree_that_does_not_divide():
    """(6,6; 1,4): at best 2, ratio 1.5; OpenSM and D-mod-k both reach it."""
    tree = Xgft((6, 6), (1, 4))
    tables, source = opensm_tables(tree), np.arange(tree.leaves)
    shifts = [(source + i) % tree.leaves for i in range(1, tree.leaves)]
    worst = [
        max(route_loads(tree, source, table_routes(tables, source, dst)).busiest for dst in shifts),
        max(link_loads(tree, source, dst, "DMODK").busiest for dst in shifts),
    ]
    assert worst == [2, 2]


def test_the_first_port_takes_the_surplus():
    """Three hosts a switch, two up links: hosts 0 and 2 of each go over root 0, host 1 over 1."""
    tree = Xgft((3, 4), (1, 2))
    src, dst = np.full(9, 0), np.arange(3, 12)
    roots = walk(tree, src, table_routes(opensm_tables(tree), src, dst)).node[:, 1]
    assert roots.tolist() == [0, 1, 0] * 3
    roots = walk(tree, src, routes(tree, src, dst, "DMODK")).node[:, 1]
    assert roots.tolist() == [1, 0, 1, 0, 1, 0, 1, 0, 1]


def test_leaves_with_several_links():
    with pytest.raises(ValueError, match="tree: w_1 is 2; allowed is 1"):
        opensm_tables(gft(2, 2, 2))
