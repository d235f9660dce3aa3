"""Routes, what becomes of packets, and loads, against xgft's models and a walk packet by packet."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fattree_models import topology
from fattree_models.topology import Fate, Routes, dmodk_routes, follow, ideal, match, rank
from fattree_models.xgft import Xgft, all_pairs_loads, dmodk_tables, edges, kary
from tests.models.topology.fabrics import Cables, cables, fabric, scrambled

TREES = [Xgft((4, 4, 4), (1, 4, 4)), Xgft((6, 6), (1, 4)), Xgft((3, 2, 2), (1, 3, 2))]


def routed(links: Cables) -> tuple[Routes, topology.Ranked]:
    of = fabric(links)
    ranked = rank(of)
    assert ranked is not None
    known = match(of, ranked)
    order = of.hosts if known is None else known.nodes(0)
    return dmodk_routes(of, ranked, order), ranked


def entries(of: topology.Fabric, *output: tuple[str, str, str]) -> list[tuple[int, int, int]]:
    """(switch, host, next node) by name as entries."""
    number = {name: k for k, name in enumerate(of.names)}
    return [
        (number[a], number[d], next(c for c in of.leaving[number[a]] if of.head[c] == number[b]))
        for a, d, b in output
    ]


@pytest.mark.parametrize("tree", TREES)
def test_dmodk_is_that_of_the_tables(tree: Xgft) -> None:
    of = fabric(scrambled(cables(tree), 3))
    ranked = rank(of)
    assert ranked is not None
    known = match(of, ranked)
    assert known is not None
    routes = dmodk_routes(of, ranked, known.nodes(0), known.index)
    links, want = edges(tree), dmodk_tables(tree)
    rows = [known.nodes(level) for level in range(tree.height + 1)]
    port = {}
    columns = (links.level, links.lower, links.upper, links.up_port, links.down_port)
    for level, low, high, up, down in zip(*(x.tolist() for x in columns), strict=True):
        if level:
            port[rows[level][low], rows[level + 1][high]] = tree.down_ports(level) + up
        port[rows[level + 1][high], rows[level][low]] = down
    for level in range(1, tree.height + 1):
        seen = [
            [port[node, of.head[channel]] for channel in routes.out[node].tolist()]
            for node in rows[level].tolist()
        ]
        assert seen == want.ports[level].tolist()


@pytest.mark.parametrize("tree", [*TREES, Xgft((3, 2), (2, 3))])
def test_loads_are_those_of_all_pairs(tree: Xgft) -> None:
    routes, ranked = routed(cables(tree))
    paths = follow(routes, ranked)
    assert paths.delivered == paths.pairs and not paths.faults
    want = all_pairs_loads(tree, "DMODK")
    arrays = [*want.up, *want.down[1:]]  # without links to endpoints of leaves that are switches
    expected = Counter(np.concatenate([array.ravel() for array in arrays]).tolist())
    assert Counter(paths.loads.tolist()) == expected
    assert (topology.shift_loads(routes).total == paths.loads).all()


@pytest.mark.parametrize(
    ("tree", "parallel", "most"),
    [
        (kary(4, 3), (), 1), (Xgft((3, 2, 10), (1, 3, 2)), (), 1), (Xgft((6, 6), (1, 4)), (), 2),
        (Xgft((4, 4), (1, 2)), (1, 2), 1), (Xgft((4, 4, 4), (1, 2, 2)), (), 4),
    ],
)  # fmt: skip
def test_shifts_and_the_ideal(tree: Xgft, parallel: tuple[int, ...], most: int) -> None:
    """Zahavi: with full bisection no two packets of a shift share a link, nor of parallel ones."""
    routes, ranked = routed(cables(tree, parallel))
    shifts, best = topology.shift_loads(routes), ideal(routes, ranked)
    assert shifts.busiest.max() == best.shifts.max() == most
    assert (shifts.busiest >= best.shifts).all()
    assert follow(routes, ranked).loads.max() >= best.all_pairs.max()


def test_the_ideal_by_counting_cuts() -> None:
    """Of every shift and subtree, packet by packet."""
    tree = Xgft((3, 2, 2), (1, 2, 2))
    routes, ranked = routed(cables(tree))
    n, found = tree.leaves, []
    for shift in range(1, n):
        least = 1
        for level in (1, 2):
            size = tree.subtree_leaves(level)
            for first in range(0, n, size):
                inside = range(first, first + size)
                out = sum((leaf + shift) % n not in inside for leaf in inside)
                least = max(least, -(-out // tree.w_span(level + 1)))
        found.append(least)
    assert ideal(routes, ranked).shifts.tolist() == found


def test_round_a_missing_cable() -> None:
    links = [x for x in cables(kary(4, 3)) if x[::2] != ("leaf1", "agg2")]
    routes, ranked = routed(links)
    paths = follow(routes, ranked)
    assert paths.delivered == paths.pairs == 64 * 63 and not paths.faults
    assert topology.circle(paths) is None
    shifts, best = topology.shift_loads(routes), ideal(routes, ranked)
    assert (shifts.busiest >= best.shifts).all() and best.all_pairs[1] == 80


@settings(max_examples=60)
@given(st.integers(0, 2**32 - 1), st.floats(0, 0.3))
def test_any_tables_packet_by_packet(seed: int, share: float) -> None:
    """Entries that are changed at random: fates, loads and hops."""
    rng = np.random.default_rng(seed)
    routes, ranked = routed(cables(Xgft((2, 2, 2), (1, 2, 2))))
    of = routes.fabric
    for node in range(len(of.names)):
        for column in range(routes.order.size):
            if not of.host[node] and rng.random() < share:
                routes.out[node, column] = rng.choice([-1, *of.leaving[node]])
    paths = follow(routes, ranked)
    fates: Counter[Fate] = Counter()
    loads, hops = np.zeros(of.tail.size, np.int64), Counter[int]()
    for column, goal in enumerate(routes.order.tolist()):
        for source in routes.order.tolist():
            if source == goal:
                continue
            here, met, way, fell, up_again = source, {source}, [], False, False
            while True:
                channel = int(routes.out[here, column])
                if channel < 0:
                    fates[Fate.NO_ENTRY] += 1
                    break
                there = int(of.head[channel])
                way.append(channel)
                up_again |= fell and ranked.rank[there] > ranked.rank[here]
                fell |= ranked.rank[there] < ranked.rank[here]
                here = there
                if of.host[here]:
                    if here == goal:
                        hops[len(way)] += 1
                        loads[way] += 1
                    else:
                        fates[Fate.WRONG_HOST] += 1
                    break
                if here in met:
                    fates[Fate.LOOP] += 1
                    break
                met.add(here)
            fates[Fate.DOWN_UP] += up_again
    assert {fate: count for fate, (count, _) in paths.faults.items() if fate != Fate.DOWN_UP} == {
        fate: count for fate, count in fates.items() if count and fate != Fate.DOWN_UP
    }
    # A packet that loops is followed until that is sure: it may have turned up again by then.
    assert paths.faults.get(Fate.DOWN_UP, (0, []))[0] >= fates[Fate.DOWN_UP]
    assert (paths.loads == loads).all()
    assert {k: n for k, n in enumerate(paths.hops.tolist()) if n} == dict(hops)


@pytest.mark.parametrize("switches", [2, 3, 4, 7])
def test_links_inside_a_rank_lead_to_everyone(switches: int) -> None:
    """A ring, or two that are joined twice: up to a root and down, without a cycle."""
    links: Cables = [(f"s{k}", -1, f"s{(k + 1) % switches}", -1) for k in range(switches)]
    of = fabric(links + [(f"h{k}", -1, f"s{k // 2}", -1) for k in range(2 * switches)])
    ranked = rank(of)
    assert ranked is not None
    for make in (topology.left_routes, topology.balanced_routes):
        paths = follow(make(of, ranked, *topology.numbered(of, ranked)), ranked)
        assert paths.delivered == paths.pairs and topology.circle(paths) is None


def test_a_circle_is_named() -> None:
    """Four switches in a ring, everything sent clockwise."""
    links = [(f"s{k}", -1, f"s{(k + 1) % 4}", -1) for k in range(4)]
    of = fabric(links + [(f"h{k}", -1, f"s{k}", -1) for k in range(4)])
    ranked = rank(of)
    assert ranked is not None
    output = [
        (f"s{k}", f"h{d}", f"h{d}" if d == k else f"s{(k + 1) % 4}")
        for k in range(4)
        for d in range(4)
    ]
    paths = follow(topology.table_routes(of, of.hosts, entries(of, *output)), ranked)
    assert paths.delivered == paths.pairs
    found = topology.circle(paths)
    assert found is not None
    names = {of.channel_name(channel) for channel in found}
    assert names == {f"s{k} → s{(k + 1) % 4}" for k in range(4)}
