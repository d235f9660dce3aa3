"""Routes made for damaged trees, against whole ones, a search by hand, and published figures."""

import random
from itertools import permutations

import numpy as np
import pytest

from fattree_models import topology
from fattree_models.topology import Fabric, Fate, Ranked, Routes
from fattree_models.xgft import Xgft, kary
from tests.models.refused import refused
from tests.models.topology.fabrics import Cables, cables, fabric, scrambled

TREES = {
    "4-ary 3-tree": (kary(4, 3), ()),
    "slimmed": (Xgft((6, 6), (1, 3)), ()),
    "parallel": (Xgft((4, 4, 4), (1, 4, 4)), (1, 1, 2)),
    "hosts with two links": (Xgft((3, 2), (2, 3)), (1, 2)),
}
DAMAGED = [
    (Xgft((4, 4, 4), (1, 4, 4)), ()), (Xgft((8, 8, 4), (1, 4, 4)), ()),
    (Xgft((12, 24), (1, 12)), ()), (Xgft((12, 24), (1, 6)), (1, 2)), (Xgft((18, 82), (1, 18)), ()),
]  # fmt: skip


def ranked_of(of: Fabric) -> Ranked:
    found = topology.rank(of)
    assert found is not None
    return found


def broken(links: Cables, share: float, seed: int) -> Fabric:
    """Some cables between switches are missing; still in one piece."""
    rng = random.Random(seed)
    between = [k for k, (a, _, b, _) in enumerate(links) if "h" not in a[0] + b[0]]
    while True:
        dead = set(rng.sample(between, 1 + int(share * len(between))))
        found = fabric([link for k, link in enumerate(links) if k not in dead])
        if topology.rank(found) is not None:
            return found


@pytest.mark.parametrize(("tree", "parallel"), TREES.values(), ids=TREES)
def test_nothing_is_missing_so_nothing_changes(tree: Xgft, parallel: tuple[int, ...]) -> None:
    """Entry for entry D-mod-k; also with balancing, for no link has too many."""
    of = fabric(scrambled(cables(tree, parallel), 3))
    ranked = ranked_of(of)
    found = topology.match(of, ranked)
    assert found is not None
    numbers = of, ranked, found.nodes(0), found.index
    want = topology.dmodk_routes(*numbers).out
    assert (topology.left_routes(*numbers).out == want).all()
    assert (topology.balanced_routes(*numbers).out == want).all()


@pytest.mark.parametrize(("tree", "parallel"), TREES.values(), ids=TREES)
def test_an_order_from_the_top_is_as_good_as_the_trees(
    tree: Xgft, parallel: tuple[int, ...]
) -> None:
    """Shifts of the hosts in that order meet no more than those in the tree's own."""
    of = fabric(scrambled(cables(tree, parallel), 5))
    ranked = ranked_of(of)
    found = topology.match(of, ranked)
    assert found is not None
    own = topology.dmodk_routes(of, ranked, found.nodes(0), found.index)
    from_top = topology.left_routes(of, ranked, *topology.numbered(of, ranked))
    most = [int(topology.shift_loads(each).busiest.max()) for each in (own, from_top)]
    assert most[1] <= most[0]


def reached(of: Fabric, ranked: Ranked, source: int) -> set[int]:
    """Hosts that a packet can get to if it climbs first and then only descends."""
    seen, fresh = {(source, True)}, [(source, True)]
    while fresh:
        node, climbs = fresh.pop()
        for other in of.beside[node]:
            up = ranked.rank[other] > ranked.rank[node]
            down = ranked.rank[other] < ranked.rank[node]
            if of.host[node] and node != source:
                continue
            state = (other, climbs and up)
            if ((up and climbs) or down) and state not in seen:
                seen.add(state)
                fresh.append(state)
    return {node for node, _ in seen if of.host[node]} - {source}


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("make", [topology.left_routes, topology.balanced_routes])
def test_every_pair_with_a_way_is_routed_and_no_other(make: object, seed: int) -> None:
    of = broken(cables(Xgft((3, 3, 3), (1, 2, 3))), 0.35, seed)
    ranked = ranked_of(of)
    routes: Routes = make(of, ranked, *topology.numbered(of, ranked))  # type: ignore[operator]
    paths = topology.follow(routes, ranked)
    assert set(paths.faults) <= {Fate.NO_ENTRY}
    assert paths.delivered == sum(len(reached(of, ranked, x)) for x in routes.order.tolist())
    assert topology.circle(paths) is None


def worst_link(routes: Routes, ranked: Ranked) -> float:
    """The most that a link between switches carries of all pairs, over the bound of its level."""
    of, paths = routes.fabric, topology.follow(routes, ranked)
    between = ~of.host[of.tail] & ~of.host[of.head]
    rank = np.array([ranked.rank[node] for node in range(len(of.names))])
    low = np.minimum(rank[of.tail], rank[of.head])[between]
    load = (paths.loads * of.weight)[between]
    return float((load / topology.ideal(routes, ranked).all_pairs[low]).max())


@pytest.mark.parametrize(("tree", "parallel"), DAMAGED)
@pytest.mark.parametrize("share", [0.02, 0.04])
def test_a_damaged_tree_is_balanced(tree: Xgft, parallel: tuple[int, ...], share: float) -> None:
    """To 1.25 times the bound, where D-mod-k is worse; shifts meet no more packets than with it."""
    of = broken(scrambled(cables(tree, parallel), 1), share, 7)
    ranked = ranked_of(of)
    numbers = of, ranked, *topology.numbered(of, ranked)
    plain, made = topology.dmodk_routes(*numbers), topology.balanced_routes(*numbers)
    assert worst_link(made, ranked) <= 1.25 < worst_link(plain, ranked)
    paths = topology.follow(made, ranked)
    assert paths.delivered == paths.pairs and topology.circle(paths) is None
    shifts = [int(topology.shift_loads(routes).busiest.max()) for routes in (plain, made)]
    assert shifts[1] <= shifts[0]


def test_a_slow_cable_is_spared() -> None:
    whole = fabric(cables(Xgft((12, 24), (1, 12))))
    ratio = np.ones(len(whole.links), np.int64)
    ratio[np.flatnonzero(~whole.host[whole.links[:, 0]])[7]] = 4
    of = whole.of_speeds(ratio)
    ranked = ranked_of(of)
    numbers = of, ranked, *topology.numbered(of, ranked)
    slow = np.flatnonzero(of.weight == 4)
    plain, made = topology.dmodk_routes(*numbers), topology.balanced_routes(*numbers)
    assert worst_link(made, ranked) <= 1.25 < worst_link(plain, ranked)
    loads = [topology.follow(routes, ranked).loads[slow].max() for routes in (plain, made)]
    assert loads[1] < loads[0] / 2


def test_hosts_on_spines_reach_each_other_only_by_climbing_again() -> None:
    links = [*cables(kary(4, 3)), ("hx", -1, "spine0", -1), ("hy", -1, "spine1", -1)]
    of = fabric(links)
    ranked = ranked_of(of)
    assert {of.names[x] for x in ranked.misplaced} == {"hx", "hy"}
    numbers = of, ranked, *topology.numbered(of, ranked)
    paths = topology.follow(topology.left_routes(*numbers), ranked)
    assert paths.pairs - paths.delivered == paths.faults[Fate.NO_ENTRY][0] == 2
    for make in (topology.left_routes, topology.balanced_routes):
        paths = topology.follow(make(*numbers, reverse=1), ranked)
        assert paths.delivered == paths.pairs == 66 * 65
        assert {fate: count for fate, (count, _) in paths.faults.items()} == {Fate.DOWN_UP: 2}
        assert topology.circle(paths) is None
    plain, again = (topology.left_routes(*numbers, reverse=k).out for k in (0, 1))
    assert (again != plain).sum() < 2 * len(of.names)  # all others keep their ways


def test_no_other_host_may_climb_again() -> None:
    """Hosts of two leaves without a spine in common, and none hangs too high."""
    cut = (("leaf0", "agg0"), ("leaf1", "agg1"))
    of = fabric([link for link in cables(Xgft((2, 8), (1, 2))) if link[::2] not in cut])
    ranked = ranked_of(of)
    assert not ranked.misplaced
    routes = topology.left_routes(of, ranked, *topology.numbered(of, ranked), reverse=1)
    paths = topology.follow(routes, ranked)
    assert {fate: count for fate, (count, _) in paths.faults.items()} == {Fate.NO_ENTRY: 8}


# ---- what others can check -----------------------------------------------------------------------


def dmodk(tree: Xgft) -> tuple[Routes, Ranked]:
    of = fabric(cables(tree))
    ranked = ranked_of(of)
    found = topology.match(of, ranked)
    assert found is not None
    return topology.dmodk_routes(of, ranked, found.nodes(0), found.index), ranked


@pytest.mark.parametrize(
    ("tree", "packets"),
    [
        (kary(4, 2), 3), (kary(4, 3), 4), (Xgft((8, 8), (1, 8)), 7), (Xgft((16, 16), (1, 16)), 15),
        (Xgft((4, 4, 4), (1, 2, 2)), 12),
    ],
)  # fmt: skip
def test_worst_permutations_of_whole_trees(tree: Xgft, packets: int) -> None:
    """Figures that were computed elsewhere; the permutation puts them on that channel."""
    routes, _ = dmodk(tree)
    found, channel, destination = topology.worst(routes)
    assert found == packets
    assert sorted(destination.tolist()) == list(range(tree.leaves))
    assert carried(routes, destination.tolist())[channel] == packets


def carried(routes: Routes, destination: list[int]) -> list[int]:
    load = [0] * routes.fabric.tail.size
    for source, goal in enumerate(destination):
        node = int(routes.order[source])
        while node != int(routes.order[goal]):
            channel = int(routes.out[node, goal])
            load[channel] += 1
            node = int(routes.fabric.head[channel])
    return load


@pytest.mark.parametrize("seed", range(12))
def test_no_permutation_is_worse(seed: int) -> None:
    """All of six hosts, one by one; leaves choose links up at random."""
    of = broken(cables(Xgft((3, 2), (1, 3))), 0.2, seed)
    ranked = ranked_of(of)
    routes = topology.left_routes(of, ranked, *topology.numbered(of, ranked))
    between = ~of.host[of.tail] & ~of.host[of.head]
    rng = np.random.default_rng(seed)
    for node, goal in np.argwhere(routes.out >= 0).tolist():
        ups = [c for c in of.leaving[node] if ranked.rank[int(of.head[c])] > ranked.rank[node]]
        if routes.out[node, goal] in ups:
            able = [c for c in ups if routes.out[of.head[c], goal] >= 0 and not of.host[node]]
            routes.out[node, goal] = rng.choice(able or [routes.out[node, goal]])
    most = max(
        max(np.array(carried(routes, list(each)))[between]) for each in permutations(range(6))
    )
    assert topology.worst(routes)[0] == most


def test_a_certificate_rises_and_a_wrong_one_does_not() -> None:
    routes, ranked = dmodk(kary(4, 3))
    paths = topology.follow(routes, ranked)
    number = topology.rising(paths)
    assert number is not None and topology.falls(routes, number) is None
    used = np.flatnonzero(paths.loads)
    rng = np.random.default_rng(1)
    for channel in rng.choice(used, 20, replace=False).tolist():
        wrong = number.copy()
        wrong[channel] = 99 if wrong[channel] == 0 else 0  # before those that it waits for
        found = topology.falls(routes, wrong)
        assert (found is None) == (wrong[channel] == 99 and not followed(routes, channel))


def followed(routes: Routes, channel: int) -> bool:
    """Whether some packet takes another channel behind this one."""
    return not routes.fabric.host[routes.fabric.head[channel]]


def test_routes_that_can_deadlock_have_no_certificate() -> None:
    """A ring, each host to the one two further on."""
    ring = [(f"s{k}", 1, f"s{(k + 1) % 4}", 2) for k in range(4)]
    of = fabric([*ring, *((f"h{k}", -1, f"s{k}", 3) for k in range(4))])
    number = {name: node for node, name in enumerate(of.names)}
    entries = []
    for k in range(4):
        for goal in range(4):
            out = f"h{goal}" if goal == k else f"s{(k + 1) % 4}"
            own = of.leaving[number[f"s{k}"]]
            channel = next(c for c in own if of.head[c] == number[out])
            entries.append((number[f"s{k}"], number[f"h{goal}"], channel))
    routes = topology.table_routes(of, of.hosts, entries)
    paths = topology.follow(routes, ranked_of(of))
    assert topology.circle(paths) is not None and topology.rising(paths) is None
    assert topology.falls(routes, np.arange(of.tail.size)) is not None


TINY = fabric(cables(kary(2, 2)))
test_bad_arguments = refused(
    (lambda: topology.left_routes(TINY, ranked_of(TINY), TINY.hosts, None, -1),
     "reverse: is -1; allowed are integers 0 … 100"),
    (lambda: topology.balanced_routes(TINY, ranked_of(TINY), TINY.hosts, enough=0.5),
     "enough: is 0.5; allowed are numbers from 1"),
)  # fmt: skip
