"""What the coverage of the bufferless tree counts, against the literal walk of the rules."""

from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from pyuvm import uvm_root

from fattree_bench.bench.groups import Group, against_width
from fattree_bench.bench.links.slot.frame import SlotFrame
from fattree_bench.bench.scenario import crowded
from fattree_bench.families.lbbvn import cover, coverage
from fattree_bench.families.lbbvn.counting import Outcome
from fattree_bench.families.lbbvn.network import Lbbvn
from fattree_bench.families.lbbvn.plan import make_plan
from fattree_models.common.checks import Int32Array
from tests.models.lbbvn.brute_walk import walk_slot

NETWORKS: list[dict[str, str]] = [
    {"N": "2"},
    {"N": "4"},
    {"N": "8", "CAPACITY": "4,2,1"},
    {"N": "16", "CAPACITY": "1,3,1,1"},
    {"N": "4", "UPPER_HALF": "STATIC"},
    {"N": "8", "UPPER_HALF": "STATIC"},
    {"N": "16", "UPPER_HALF": "STATIC"},
]


def literally(network: Lbbvn, dst: Int32Array) -> dict[str, Group]:
    """Count packet by packet and channel by channel."""
    groups = {group.name: group for group in cover.groups(network)}
    n, top, c = network.n, network.top_level, network.lanes.tolist()
    over = groups[cover.LANES].shape[-1] - 1

    def hit(name: str, *bins: int) -> None:
        groups[name].hits[tuple(map(int, bins))] += 1

    def asked(level: int, way: int, requests: int, width: int) -> None:
        hit(cover.REQUESTS, level, way, int(against_width(np.array(requests), width)))

    for row in dst.tolist():
        walk = walk_slot(row, c, network.static_upper)
        hit(cover.CONFLICT, bool(walk.lost))
        bundles: dict[tuple[int, int], int] = {}
        wanted: dict[tuple[int, int], int] = {}  # of the leaves' outputs
        gone: dict[tuple[int, int, int], int] = {}  # packets lost by level, way, index
        for x, y in enumerate(row):
            if y < 0:
                continue
            turn = max(j for j in range(n + 1) if x >> n - j == y >> n - j)
            hit(cover.PAIRS, x, y)
            hit(cover.TURNS, turn, 2 if x == y else x > y)
            level, down = walk.lost.get(x, (n + 1, True))
            if turn < top and (down or level <= top):
                bundle = x >> n - top, y >> n - top
                bundles[bundle] = bundles.get(bundle, 0) + 1
            if x in walk.lost and level <= n:
                place = level, int(down), (y if down else x) >> n - level
                gone[place] = gone.get(place, 0) + 1
            elif level == n + 1:
                wanted[n, y] = wanted.get((n, y), 0) + 1
        for j in range(max(1, top), n + 1):
            for k in range(1 << j):
                for way, lanes in enumerate((walk.used_up, walk.used_down)):
                    used, lost = lanes.get((j, k), 0), gone.get((j, way, k), 0)
                    hit(cover.LANES, j, way, over if lost else used)
                    if (j, way) != (n, 0) and not (network.static_upper and j == top):
                        asked(j, way, used + lost, c[j])
        for y in range(network.leaves):
            asked(n + 1, 1, wanted.get((n, y), 0), 1)
        if network.static_upper:
            nodes = range(1 << top)
            for pair in ((k, to) for k in nodes for to in nodes if k != to):
                asked(top, 0, bundles.get(pair, 0), 1 << n - 2 * top)
    for now, later in pairwise(dst >= 0):
        loads = [int(a.any()) + int(a.all()) for a in (now, later)]
        hit(cover.SLOTS, *loads)
        for one, other in zip(now.tolist(), later.tolist(), strict=True):
            hit(cover.LEAF, one, other)
    return groups


def differing(values: dict[str, str]) -> list[str]:
    """Groups in which the coverage of some crowded slots, played three times, is another."""
    network = Lbbvn.from_variables(values)
    dst = crowded(np.random.default_rng(1), 60, network.leaves, network.leaves)
    dst[-1] = np.arange(network.leaves)  # full, and all of them loop-backs
    uvm_root().clear_children()
    found = coverage.SlotCoverage("coverage", None, network)
    item = SlotFrame(dst)
    item.plan = make_plan(network, item.dst)
    assert item.plan.conflicts.any()
    for _ in range(3):
        found.write(item)
    found.fold()
    want = literally(network, dst)
    return [name for name in want if (found.groups[name].hits != 3 * want[name].hits).any()]


@pytest.mark.parametrize("values", NETWORKS, ids=str)
def test_counts_are_those_of_the_walk(values: dict[str, str]) -> None:
    assert differing(values) == []


def test_a_wrong_count_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    plain = coverage.look

    def sees_no_loss(dst: Int32Array, outcome: Outcome, *rest: Any) -> Any:
        nobody = outcome.lost_level[:0], outcome.lost_down[:0]
        return plain(dst, Outcome(outcome.used_up, outcome.used_down, *nobody), *rest)

    monkeypatch.setattr(coverage, "look", sees_no_loss)
    assert differing(NETWORKS[2]) == [cover.LANES, cover.REQUESTS]
