"""Checks that items bring along: fair shares, even choices, queues as deep as they should be."""

from collections.abc import Iterable
from itertools import cycle, islice

import numpy as np
import pytest

from fattree_bench.bench import faults as kind
from fattree_bench.bench.links.flit.packets import Check
from fattree_bench.bench.wormhole.equal import as_with_one_clock, full_rate
from fattree_bench.bench.wormhole.plan import WormholePlan
from fattree_bench.bench.wormhole.promises import even_choice, fair_shares, filled_queues, shares
from fattree_bench.bench.wormhole.routes import encode_hops
from fattree_bench.bench.wormhole.traffic import backlog
from fattree_models.traffic import Packets
from tests.tb.bench.wormhole.software import item_of, kary, plan_of

EACH = 24  # packets of a leaf


def names(found: Iterable[tuple[str, str]]) -> list[str]:
    return [name for name, _ in found]


# ---- shares --------------------------------------------------------------------------------------


def all_to_0() -> WormholePlan:
    return plan_of(kary(), item_of(backlog(kary(), np.zeros(4, np.int64), EACH, 1)))


def test_shares_by_hand() -> None:
    """Leaf 0's own switch serves leaves 0 and 1 and the link from above, which 2 and 3 share."""
    assert shares(all_to_0(), 0) == pytest.approx([1 / 3, 1 / 3, 1 / 6, 1 / 6])


@pytest.mark.parametrize("goal", range(8))
@pytest.mark.parametrize("routing", ["DMODK", "SMODK"])
def test_shares_are_a_whole(goal: int, routing: str) -> None:
    network = kary(LEVELS=3, ROUTING=routing)
    found = shares(plan_of(network, item_of(backlog(network, np.full(8, goal), 1, 1))), goal)
    assert found.sum() == pytest.approx(1)


def served(round_of: list[int]) -> WormholePlan:
    """Packets arrive in this order of sources, again and again; those left over come last."""
    plan = all_to_0()
    left = dict.fromkeys(range(4), EACH)
    order = [*islice(cycle(round_of), 1000), *(s for s in range(4) for _ in range(EACH))]
    for clock, source in enumerate(order):
        if left[source]:
            plan.seen.arrival[EACH * source + EACH - left[source]] = clock
            left[source] -= 1
    return plan


@pytest.mark.parametrize(
    ("round_of", "unfair"),
    [
        ([0, 1, 2, 0, 1, 3], 0),
        ([0, 1, 2, 3], 0),  # more than their share for those further away
        ([0, 1, 2, 0, 1, 2, 0, 1, 3], 0),  # two thirds of its share for leaf 3
        ([0, 1, 2], 1),
        ([0, 1], 2),
        ([2], 3),
    ],
)
def test_who_is_starved_is_named(round_of: list[int], unfair: int) -> None:
    assert names(fair_shares(served(round_of))) == [kind.UNFAIR] * unfair


# ---- choices -------------------------------------------------------------------------------------


def chosen(ports: list[list[int]], **variables: object) -> WormholePlan:
    """Leaves 0 and 1 send to leaf 2, one packet after the other, by these parents."""
    network = kary(**{"ROUTING": "RANDOM"} | variables)
    count = len(ports[0])
    plan = plan_of(
        network, item_of(Packets.of(np.repeat([0, 1], count), 2, np.tile(np.arange(count), 2)))
    )
    up = 2 + np.array(ports).ravel()
    hops = np.stack([up, np.ones_like(up), np.zeros_like(up)], axis=1)
    plan.seen.route[:] = encode_hops(hops, network.ways.hop_bits)
    return plan


def dice(seed: int, weight: float = 0.5) -> list[int]:
    return (np.random.default_rng(seed).random(300) < weight).astype(int).tolist()


@pytest.mark.parametrize("seed", range(20))
def test_dice_are_even(seed: int) -> None:
    assert not names(even_choice(chosen([dice(seed), dice(seed + 100)])))


def test_taking_turns_is_even() -> None:
    assert not names(even_choice(chosen([[0, 1] * 150, [1, 0] * 150])))


@pytest.mark.parametrize("weight", [0.0, 0.25, 0.75, 1.0])
def test_a_favourite_is_named(weight: float) -> None:
    found = list(even_choice(chosen([dice(1, weight), dice(2, weight)])))
    assert kind.UNEVEN in names(found)
    assert "level 1 switch 0: " in found[0][1]


@pytest.mark.parametrize(
    ("variables", "named"),
    [
        ({"VCS": 2}, True),
        ({"VCS": 1, "ROUTING": "TWO"}, True),
        ({"VCS": 2, "ROUTING": "TWO"}, False),  # of several virtual channels at once
    ],
)
def test_following_the_one_before_is_named(variables: dict[str, object], named: bool) -> None:
    """As often by one as by the other, but many in a row by the same."""
    found = list(even_choice(chosen([[0] * 150 + [1] * 150, dice(2)], **variables)))
    output = (kind.UNEVEN, "298 of 299 packets of leaf 0 follow the one before")
    assert found == [output] * named


# ---- queues --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("variables", "begun", "found"),
    [
        ({}, 32, []),  # three switches and the receiver, 8 each
        ({}, 31, [kind.DEPTH]),
        ({}, 33, [kind.DEPTH]),
        ({"VCS": 3, "DEPTH": 5}, 60, []),
        ({"VCS": 4, "CLASSES": 2, "DEPTH": 1}, 8, []),
        ({"VCS": 4, "CLASSES": 2, "DEPTH": 1}, 16, [kind.DEPTH]),
        ({"VCS": 4, "VC_MODE": "KEEP"}, 32, []),
    ],
)
def test_so_many_flits_fit(variables: dict[str, object], begun: int, found: list[str]) -> None:
    network = kary(**variables)
    plan = plan_of(network, item_of(backlog(network, np.array([3, -1, -1, -1]), 100, 1)))
    plan.seen.injected[:begun] = 5
    assert names(filled_queues(plan)) == found


# ---- clocks of equal periods ---------------------------------------------------------------------


SYNC = 2
MOST = ((as_with_one_clock, 10 + 4 * (SYNC + 2)), (full_rate, 3 + 4 * 2))  # four crossings


@pytest.mark.parametrize(("check", "most"), MOST)
@pytest.mark.parametrize("late", [0, 1])
def test_what_takes_longer_than_crossings_explain_is_named(
    check: Check, most: int, late: int
) -> None:
    plan = plan_of(kary(ASYNC="LINKS", SYNC=SYNC, CLOCKS=10), item_of(Packets.of(0, 3, [0], 4)))
    plan.seen.arrival[:] = [0, 1, 2, most + late]
    assert [name for name, *_ in check(plan)] == [kind.LATE] * late
