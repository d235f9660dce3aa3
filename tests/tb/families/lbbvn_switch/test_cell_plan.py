"""The expectation of a frame: the model runs along, whatever the frames and wherever the resets."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fattree_bench.families.lbbvn_switch.cells import CellFrame
from fattree_bench.families.lbbvn_switch.network import LbbvnSwitch
from fattree_bench.families.lbbvn_switch.plan import CellPlan, Predictor
from fattree_bench.families.lbbvn_switch.settings import COUNTERS
from fattree_models import lbbvn_switch
from fattree_models.common.checks import BoolArray, Int32Array
from fattree_models.lbbvn_switch import PLACES
from tests.tb.families.lbbvn_switch.software import random_cells, switch

SHORT = (
    switch(SCHEME="BASIC", MIDDLE=2),
    switch(SCHEME="UFS", INGRESS=8, MIDDLE=2),
    switch(SCHEME="FOFF", INGRESS=8, MIDDLE=4, RESEQUENCER=2),
    switch(SCHEME="PADDED", INGRESS=8, MIDDLE=2, THRESHOLD=2),
    switch(SCHEME="MAILBOX", INGRESS=2, MIDDLE=2, TRIES=1),
)
FIRST = 1000  # number of the first slot


def runs_of(held: BoolArray) -> list[tuple[int, int]]:
    """The slots between resets."""
    edges = [-1, *np.flatnonzero(held).tolist(), len(held)]
    return [(a + 1, b) for a, b in pairwise(edges)]


class Fresh:
    """What a fresh model makes of each run between resets, put together."""

    def __init__(self, network: LbbvnSwitch, dst: Int32Array, held: BoolArray) -> None:
        self.source = np.full(dst.shape, -1, np.int32)
        self.arrival = np.full(dst.shape, -1, np.int64)
        self.backlog = np.zeros(len(dst), np.int64)
        self.dropped: list[tuple[int, int, int, int]] = []  # slot, place, arrival, source
        self.lost = np.zeros(len(dst), np.bool_)  # a cell or fake was dropped since the reset
        for begin, end in runs_of(held):
            self.model = lbbvn_switch.Switch(network.shape)
            found = self.model.run(dst[begin:end])
            self.source[begin:end], self.backlog[begin:end] = found.source, found.backlog
            base = FIRST + begin
            self.arrival[begin:end] = np.where(found.source >= 0, found.arrival + base, -1)
            drops = found.drops
            for slot, place, came, source in zip(
                *(x.tolist() for x in (drops.slot, drops.place, drops.arrival, drops.source)),
                strict=True,
            ):
                self.lost[begin + slot : end] = True
                if came >= 0:
                    self.dropped.append((base + slot, place, came + base, source))


def check_plans(
    network: LbbvnSwitch, dst: Int32Array, held: BoolArray, cuts: list[int]
) -> list[CellPlan]:
    """Compare the plans of frames that end at `cuts` with what fresh models say."""
    predict, plans = Predictor(network), []
    for begin, end in zip([0, *cuts], [*cuts, len(dst)], strict=True):
        item = CellFrame(dst[begin:end], "any", held[begin:end])
        item.sequence = FIRST + begin
        clear = predict(item)
        plan: CellPlan = item.plan
        plans.append(plan)
        fresh = Fresh(network, dst[:end], held[:end])
        before = Fresh(network, dst[:begin], held[:begin])
        rows = slice(begin, end)
        for name in ("source", "arrival", "backlog"):
            assert np.array_equal(getattr(plan, name), getattr(fresh, name)[rows]), name
        there = plan.source >= 0
        number, source = network.layout.payload.named(plan.words[there])
        assert np.array_equal(number, plan.arrival[there])
        assert np.array_equal(source, plan.source[there])
        assert not plan.words[~there].any()
        dropped = sorted(zip(*(x.tolist() for x in plan.dropped), strict=True))
        want = [d for d in fresh.dropped if FIRST + begin <= d[0]]
        assert dropped == sorted(d[1:] for d in want)
        assert plan.sent == np.count_nonzero(dst[rows][~held[rows]] >= 0)
        assert plan.delivered == np.count_nonzero(there)
        assert plan.inside == fresh.model.inside
        # What comes is accounted for.
        accounted = plan.delivered + len(dropped) + plan.discarded + plan.inside
        assert accounted == before.model.inside + plan.sent
        assert plan.clear == (held[end - 1] or not fresh.lost[end - 1])
        assert plan.always_clear == clear
        # A flag that is up when the frame begins comes down in its first slot at the earliest.
        assert clear == (not fresh.lost[rows].any() and not before.lost[-1:].any())
        check_counters(network, plan, fresh.model.counters)
    return plans


def check_counters(network: LbbvnSwitch, plan: CellPlan, counters: lbbvn_switch.Counters) -> None:
    """The layout of lbbvn_switch_bench.v: words, then three flags a line card."""
    assert plan.counters.shape == (network.layout.counters,)
    dropped = [getattr(counters, f"dropped_{place}").tolist() for place in PLACES]
    words = plan.counters.tolist()
    assert words[:COUNTERS] == [
        *map(sum, dropped),
        sum(counters.fakes),
        sum(counters.refused),
        sum(counters.skipped),
        max(counters.largest_resequencer),
        0,
    ]
    flags = sum(word << 32 * i for i, word in enumerate(words[COUNTERS:]))
    for place, cards in enumerate(dropped):
        for card, count in enumerate(cards):
            assert flags >> (place * network.leaves + card) & 1 == (count > 0)
    assert flags >> 3 * network.leaves == 0


RESETS = {
    "none": [],
    "first": [0],
    "last": [59],
    "first of a frame": [20],
    "last of a frame": [19],
    "two frames": [19, 20],
    "whole frame": [*range(20, 40)],
    "back to back": [30, 32, 34, 35, 36],
    "all": [*range(60)],
}


@pytest.mark.parametrize("network", SHORT, ids=lambda network: network.scheme)
@pytest.mark.parametrize("rows", RESETS.values(), ids=RESETS)
def test_resets_anywhere(network: LbbvnSwitch, rows: list[int]) -> None:
    dst = random_cells(np.random.default_rng(3), network, 60, 0.9)
    held = np.zeros(60, np.bool_)
    held[rows] = True
    check_plans(network, dst, held, [20, 40])


@settings(max_examples=60)
@given(st.sampled_from(SHORT), st.integers(0, 2**32 - 1), st.data())
def test_any_frames_and_any_resets(network: LbbvnSwitch, seed: int, data: st.DataObject) -> None:
    rng = np.random.default_rng(seed)
    slots = data.draw(st.integers(1, 80))
    dst = random_cells(rng, network, slots, data.draw(st.sampled_from([0.2, 0.7, 1.0])))
    held = rng.random(slots) < data.draw(st.sampled_from([0.0, 0.05, 0.5]))
    cuts = data.draw(st.sets(st.integers(1, slots - 1), max_size=4) if slots > 1 else st.just([]))
    check_plans(network, dst, held, sorted(cuts))


@pytest.mark.parametrize("leaves", [4, 8, 16, 32, 64])
def test_flags_of_all_line_cards(leaves: int) -> None:
    """Of up to 64: six words."""
    network = switch(N=leaves, SCHEME="FOFF", INGRESS=2 * leaves, MIDDLE=2, RESEQUENCER=2)
    rng = np.random.default_rng(1)
    dst = rng.integers(0, 2, (20 * leaves, leaves)).astype(np.int32) * (leaves - 1)
    plan = check_plans(network, dst, np.zeros(len(dst), np.bool_), [])[0]
    assert len(plan.counters) == COUNTERS + -(-3 * leaves // 32)
    assert all(plan.counters[:3])  # cells were dropped everywhere


def test_fakes_that_are_dropped_raise_a_flag_but_are_no_cells() -> None:
    network = switch(SCHEME="PADDED", INGRESS=8, MIDDLE=2, THRESHOLD=1)
    dst = np.full((200, 4), -1, np.int32)
    dst[::4, :] = 1
    plan = check_plans(network, dst, np.zeros(200, np.bool_), [])[0]
    assert plan.counters[1] > len(plan.dropped.place)
    assert not plan.clear
