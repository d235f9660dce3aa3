"""Forwarding tables against routes; and faulty ones, by what becomes of packets."""

import numpy as np
import pytest
from hypothesis import given, settings

from fattree_models.xgft import (
    Fate,
    Tables,
    Xgft,
    dmodk_tables,
    fates,
    kary,
    legal,
    routes,
    table_routes,
)
from tests.models.xgft.brute_xgft import FAMILIES, every_pair, small_trees


def check_tables(tree):
    tables = dmodk_tables(tree)
    src, dst = every_pair(tree)
    expected = routes(tree, src, dst, "DMODK")
    assert (fates(tables, src, dst) == Fate.DELIVERED).all()
    found = table_routes(tables, src, dst)
    assert found.dtype == np.int16 and (found == expected).all()
    for level in range(tree.first, tree.height + 1):
        entries = tables.ports[level]
        assert entries.shape == (tree.level_size(level), tree.leaves * tables.paths)
        assert entries.min() >= 0 and entries.max() < tree.radix(level)


@pytest.mark.parametrize("tree", FAMILIES, ids=str)
def test_tables_are_the_routing(tree):
    check_tables(tree)


@settings(max_examples=40)
@given(small_trees(leaves=20, nodes=40))
def test_tables_of_any_tree(tree):
    check_tables(tree)


def faulty(change):
    """D-mod-k on a 2-ary 3-tree with one entry changed; what must become of 0 -> 7."""
    tables = dmodk_tables(kary(2, 3))
    ports = [array.copy() for array in tables.ports]
    level, node, address, port = change
    ports[level][node, address] = port
    return Tables(tables.tree, tuple(ports))


@pytest.mark.parametrize(
    ("change", "fate"),
    [
        ((1, 0, 7, 2), Fate.DELIVERED),  # checks at the end do not report another way up
        ((1, 0, 7, 1), Fate.MISDELIVERED),
        ((3, 3, 7, 0), Fate.LOOPS),  # back to where it came from, which sends it up again
        ((3, 3, 7, 2), Fate.NO_PORT),
        ((2, 1, 7, -1), Fate.NO_PORT),
        ((1, 3, 7, 4), Fate.NO_PORT),
        ((1, 3, 7, 2), Fate.LOOPS),
    ],
)
def test_faulty_tables(change, fate):
    tables = faulty(change)
    assert fates(tables, [0], [7]).tolist() == [fate]
    if fate != Fate.DELIVERED:
        text = f"1 of 2 packets are not delivered, the first from 0 to 7: {fate.name}"
        with pytest.raises(ValueError, match=text):
            table_routes(tables, [4, 0], [0, 7])


def test_a_long_loop_is_seen_and_a_long_way_is_not_a_loop():
    """Down and up through every second-level switch of a tree of four, round or to the end."""
    tree = Xgft((2, 4), (1, 2))
    tables = dmodk_tables(tree)
    ports = [array.copy() for array in tables.ports]
    # For leaf 7: switch i of level 1 sends up by port i mod 2; root r sends on to the next switch.
    for switch in range(4):
        ports[1][switch, 7] = 2 + switch % 2
    ports[2][0, 7], ports[2][1, 7] = 1, 2
    # 0 -> root 0 -> 1 -> root 1 -> 2 -> root 0: round for ever.
    assert fates(Tables(tree, tuple(ports)), [0], [7]).tolist() == [Fate.LOOPS]
    ports[1][2, 7], ports[2][1, 7], ports[1][3, 7] = 3, 3, 1
    # 0 -> root 0 -> 1 -> root 1 -> 3 -> leaf 7: five switches where three would do.
    long_way = Tables(tree, tuple(ports))
    assert fates(long_way, [0], [7]).tolist() == [Fate.DELIVERED]
    hops = table_routes(long_way, [0], [7])
    assert hops.tolist() == [[2, 1, 3, 3, 1]]
    assert not legal(tree, [0], [7], hops).any()


@pytest.mark.parametrize(
    ("change", "text"),
    [
        (lambda ports: ports[:-1], "ports: have 2 levels; allowed are 3"),
        (lambda ports: [ports[0], ports[1][:1], ports[2]], "ports: level 1 is int16"),
        (lambda ports: [ports[0], ports[1].astype(int), ports[2]], "ports: level 1 is int64"),
    ],
)
def test_bad_tables(change, text):
    ports = list(dmodk_tables(kary(2, 2)).ports)
    with pytest.raises(ValueError, match=text):
        Tables(kary(2, 2), tuple(change(ports)))


def test_bad_leaves():
    tables = dmodk_tables(kary(2, 2))
    with pytest.raises(ValueError, match="dst: holds 4; allowed are 0 … 3"):
        tables.address(0, 4)
    with pytest.raises(ValueError, match="src: holds 9"):
        table_routes(tables, [9], [0])
