"""Tables without rows of hosts, as of large fabrics, against those that have all; limits."""

from itertools import pairwise

import numpy as np
import pytest
from scipy.sparse import csr_array
from scipy.sparse.csgraph import dijkstra

from fattree_models import topology
from fattree_models.common.fat_tree import ranks
from fattree_models.topology import Ranked, Routes
from fattree_models.topology import routes as tables
from fattree_models.topology.shifts import some_shifts
from fattree_models.xgft import Xgft, all_pairs_loads, kary
from tests.models.topology.fabrics import Cables, cables, fabric, scrambled
from tests.models.topology.test_made_routes import broken, carried, ranked_of

TREES = [  # of the last hosts have two links, and keep their rows
    (kary(4, 3), ()), (Xgft((6, 6), (1, 3)), ()), (Xgft((4, 4, 4), (1, 4, 4)), (1, 1, 2)),
    (Xgft((3, 2), (2, 3)), (1, 2)),
]  # fmt: skip
MAKERS = (topology.dmodk_routes, topology.left_routes, topology.balanced_routes)


def judged(routes: Routes, ranked: Ranked) -> list[object]:
    """All that is found of routes, to be compared."""
    paths, shifts = topology.follow(routes, ranked), topology.shift_loads(routes)
    number = topology.rising(paths)
    assert number is not None and topology.falls(routes, number) is None
    faults = {fate: (count, tuple(first)) for fate, (count, first) in paths.faults.items()}
    arrays = paths.loads, paths.waits, paths.hops, shifts.busiest, shifts.total
    return [*(each.tolist() for each in arrays), faults, topology.worst(routes)[0]]


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize(("tree", "parallel"), TREES)
def test_rows_of_hosts_change_nothing(
    tree: Xgft, parallel: tuple[int, ...], seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    links = scrambled(cables(tree, parallel), seed)
    host = next(x for x in range(len(links)) if "h" in links[x][0][0] + links[x][2][0])
    of = broken(links if seed % 2 else links[:host] + links[host + 1 :], 0.1, seed)
    ranked = ranked_of(of)
    numbers = of, ranked, *topology.numbered(of, ranked)
    whole = [make(*numbers) for make in MAKERS]
    monkeypatch.setattr(tables, "MANY", 0)
    for make, want in zip(MAKERS, whole, strict=True):
        few = make(*numbers)
        kept = few.rows >= 0
        assert len(few.out) == kept.sum() and kept[~of.host].all()
        assert (few.out == want.out[kept]).all()
        assert judged(few, ranked) == judged(want, ranked)
        for source, goal in ((0, 1), (1, 0), (2, -1)):
            ends = int(few.order[source]), int(few.order[goal])
            assert topology.way(few, *ends) == topology.way(want, *ends)


def test_loads_of_more_hosts_than_have_rows() -> None:
    """8192: against the numbers of the tree, and a certificate that is checked."""
    tree = Xgft((16, 16, 32), (1, 16, 16))
    of = fabric(cables(tree))
    ranked = ranked_of(of)
    found = topology.match(of, ranked)
    assert found is not None
    routes = topology.dmodk_routes(of, ranked, found.nodes(0), found.index)
    assert len(routes.out) == of.switches
    paths = topology.follow(routes, ranked)
    assert paths.delivered == paths.pairs == 8192 * 8191 and not paths.faults
    want = all_pairs_loads(tree, "DMODK")
    arrays = [array.ravel() for array in (*want.up, *want.down[1:])]
    assert sorted(paths.loads.tolist()) == sorted(np.concatenate(arrays).tolist())
    number = topology.rising(paths)
    assert number is not None and topology.falls(routes, number) is topology.circle(paths) is None
    shifts, best = topology.shift_loads(routes), topology.ideal(routes, ranked)
    assert shifts.busiest.max() == best.shifts.max() == 1 and shifts.shift.size == 255


def test_all_shifts_of_few_hosts_and_some_of_many() -> None:
    assert some_shifts(4096).tolist() == list(range(1, 4096))
    some = some_shifts(1 << 16).tolist()
    assert len(some) == 255 and some[:127] == list(range(1, 128)) and sorted(set(some)) == some


@pytest.mark.parametrize("seed", range(8))
def test_distances_by_bits_are_those_of_a_search(seed: int) -> None:
    rng = np.random.default_rng(seed)
    size = int(rng.integers(5, 40))
    pairs = [(k, int(rng.integers(k))) for k in range(1, size)]  # a tree, and more
    pairs += [(int(a), int(b)) for a, b in rng.integers(0, size, (size // 2, 2)) if a != b]
    ends = np.array(sorted({*pairs, *((b, a) for a, b in pairs)}))
    graph = csr_array((np.ones(len(ends)), (*ends.T,)), shape=(size, size))
    nodes = np.sort(rng.choice(size, int(rng.integers(2, size)), replace=False))
    want = dijkstra(graph, indices=nodes, unweighted=True)[:, nodes]
    np.fill_diagonal(want, 2)
    assert (ranks._apart(graph, nodes) == want).all()


def star() -> Routes:
    """To x0 … x3, all of leaf1's one host climbs to s0; of leaf2's four hosts the packets to x0.

    So eight pairs, of five sources and four destinations, share s0 → leafx; only two fit into a
    permutation.  Three of leaf2's do on the way to s1.
    """
    homes = {"leafx": 4, "leaf1": 1, "leaf2": 4}
    hosts = {f"h{leaf[-1]}{k}": leaf for leaf, n in homes.items() for k in range(n)}
    links: Cables = [(host, -1, leaf, -1) for host, leaf in hosts.items()]
    links += [(leaf, -1, spine, -1) for leaf in homes for spine in ("s0", "s1")]
    of = fabric(links)
    number = {name: k for k, name in enumerate(of.names)}
    entries = []
    for node in (*homes, "s0", "s1"):
        for goal, home in hosts.items():
            out = goal if home == node else home
            if node in homes and home != node:
                by_s0 = "leaf1" in (home, node if home == "leafx" else "")
                by_s0 |= goal in ("h20", "h21", "hx0")
                out = "s0" if by_s0 else "s1"
            own = of.leaving[number[node]]
            channel = next(c for c in own if of.head[c] == number[out])
            entries.append((number[node], number[goal], channel))
    return topology.table_routes(of, of.hosts, entries)


def test_the_worst_is_not_on_the_link_that_looks_worst() -> None:
    """It is looked at first, for its sources and destinations are most: yet two packets fit."""
    routes = star()
    of, order = routes.fabric, routes.order.tolist()
    users: dict[tuple[str, ...], list[tuple[int, int]]] = {}
    for source in order:
        for goal in (x for x in order if x != source):
            names = [of.names[x] for x in topology.way(routes, source, goal)]
            for pair in pairwise(names[1:-1]):
                users.setdefault(pair, []).append((source, goal))
    ends = {
        pair: [len(set(side)) for side in zip(*uses, strict=True)] for pair, uses in users.items()
    }
    first = max(ends, key=lambda pair: min(ends[pair]))
    assert first == ("s0", "leafx") and ends[first] == [5, 4]
    packets, channel, destination = topology.worst(routes)
    assert packets == 3 == carried(routes, destination.tolist())[channel]
    assert of.channel_name(channel) != "s0 → leafx"
