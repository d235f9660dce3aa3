"""Slow cables and the loads that they count for, against a walk and a count by hand."""

from fractions import Fraction
from math import ceil

import numpy as np
import pytest

from fattree_models import topology
from fattree_models.topology import Fabric
from fattree_models.xgft import kary
from tests.models.refused import refused
from tests.models.topology.fabrics import cables, fabric

TREE = fabric(cables(kary(2, 3), ports=True))


def routes_of(of: Fabric) -> tuple[topology.Routes, topology.Ranked]:
    ranked = topology.rank(of)
    assert ranked is not None
    found = topology.match(of, ranked)
    assert found is not None
    return topology.dmodk_routes(of, ranked, found.nodes(0), found.index), ranked


def test_the_slowest_comes_first_and_each_level_has_its_own_peers() -> None:
    ranked = topology.rank(TREE)
    assert ranked is not None
    ends = TREE.links[:, [0, 2]]
    level = np.array([max(ranked.rank[a], ranked.rank[b]) for a, b in ends.tolist()])
    speeds = np.where(level == 1, 50.0, 100.0)  # links of hosts are slower, all of them
    slow = np.flatnonzero(level == 2)[[1, 5]]
    speeds[slow] = (40.0, 20.0)
    speeds[np.flatnonzero(level == 3)[0]] = 0.0  # not stated
    found = topology.slow(TREE, ranked, speeds.tolist())
    assert [breach.nodes for breach in found] == [tuple(ends[k].tolist()) for k in slow[::-1]]
    assert "runs at 20 Gb/s, 6 of its 7 peers at 100" in found[0].text
    assert topology.slow(TREE, ranked, []) == []
    assert len(topology.slow(TREE, None, speeds.tolist())) == 10  # all are peers


def test_of_as_many_slow_as_fast_ones_the_slow_are_named() -> None:
    ranked = topology.rank(TREE)
    speeds = np.where(np.arange(len(TREE.links)) % 2, 25.0, 50.0).tolist()
    assert len(topology.slow(TREE, ranked, speeds)) == len(TREE.links) // 2


@pytest.mark.parametrize("seed", range(4))
def test_loads_count_a_slow_cable_as_often_as_it_is_slower(seed: int) -> None:
    rng = np.random.default_rng(seed)
    ratio = rng.choice([1, 1, 1, 2, 5], len(TREE.links)).astype(np.int64)
    of = TREE.of_speeds(ratio)
    routes, ranked = routes_of(of)
    shifts, n = topology.shift_loads(routes), routes.order.size
    for shift in range(1, n):
        load = np.zeros(of.tail.size, np.int64)
        for source in range(n):
            node, goal = int(routes.order[source]), (source + shift) % n
            while node != int(routes.order[goal]):
                channel = int(routes.out[node, goal])
                load[channel] += ratio[channel // 2]
                node = int(of.head[channel])
        assert shifts.busiest[shift - 1] == load.max()
    assert topology.ideal(routes, ranked).all_pairs.tolist() == by_hand(of, routes, ranked)
    assert (topology.ideal(routes, ranked).shifts <= shifts.busiest).all()


def by_hand(of: Fabric, routes: topology.Routes, ranked: topology.Ranked) -> list[int]:
    """What must leave each subtree, over the sum of the speeds of the links that leave it."""
    n, bounds = routes.order.size, []
    for rank in range(3):
        most = 0
        for top in (x for x in range(len(of.names)) if ranked.rank[x] == rank):
            inside, fresh = {top}, [top]
            while fresh:  # down, and from below up to the same rank
                node = fresh.pop()
                near = [x for x in of.beside[node] if ranked.rank[x] <= rank and x not in inside]
                inside |= set(near)
                fresh += near
            size = sum(bool(of.host[x]) for x in inside)
            ways = sum(
                (
                    Fraction(1, int(of.ratio[k]))
                    for k, (a, _, b, _) in enumerate(of.links.tolist())
                    if (a in inside) != (b in inside)
                ),
                Fraction(0),
            )
            if ways and size < n:
                most = max(most, ceil(Fraction(size * (n - size)) / ways))
        bounds.append(most)
    return [*bounds, 0]


def test_links_of_one_speed_have_no_ratio() -> None:
    assert topology.ratios([], 3).tolist() == [1, 1, 1]
    assert topology.ratios([14.0, 14.0], 2).tolist() == [1, 1]
    assert topology.ratios([0.3, 0.1], 2).tolist() == [1, 3]  # 0.3 / 0.1 is not quite 3


test_speeds_that_are_none = refused(
    (lambda: topology.ratios([1.0], 2), "speeds: are 1; allowed is one for each of 2 links"),
    (lambda: topology.ratios([-1.0], 1), "speeds: holds -1.0; allowed are numbers from 0"),
    (lambda: topology.ratios([float("inf")], 1), "speeds: holds inf; allowed are numbers from 0"),
)
