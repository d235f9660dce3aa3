"""Schedules whose lengths are known: by exhaustive search, from a table, from a theorem."""

import numpy as np
import pytest

from fattree_models.leiserson import mending
from fattree_models.leiserson.capacity import universal
from fattree_models.leiserson.load import load_factor
from fattree_models.leiserson.measure import mean_ratios
from fattree_models.leiserson.message_sets import all_to_one, uniform
from fattree_models.leiserson.offline import schedule
from tests.models.leiserson.brute_schedule import EVERYWHERE, fewest_cycles

COUNTEREXAMPLE = np.array([0, 1, 1, 2, 2]), np.array([3, 0, 2, 0, 3])


def test_counterexample():
    """ceil(lambda) is not always enough; in general."""
    cap = [1, 1, 1]
    assert load_factor(*COUNTEREXAMPLE, cap) == 2
    assert fewest_cycles(*COUNTEREXAMPLE, cap) == 3
    for scheduler in EVERYWHERE:
        assert schedule(*COUNTEREXAMPLE, cap, scheduler).cycles >= 3
    assert schedule(*COUNTEREXAMPLE, cap).cycles == 3
    assert schedule(*COUNTEREXAMPLE, [4, 2, 1], "COLOURING").cycles == 2


def test_against_exhaustive_search():
    rng = np.random.default_rng(4)
    missed = 0
    for i in range(150):
        src, dst = uniform(4, int(rng.integers(1, 8)), rng, outside=i % 3 == 0)
        cap = rng.integers(1, 3, 3)
        fewest = fewest_cycles(src, dst, cap)
        lengths = {name: schedule(src, dst, cap, name).cycles for name in EVERYWHERE}
        assert min(lengths.values()) >= fewest
        missed += lengths["BALANCED"] > fewest
    assert missed == 0


@pytest.mark.parametrize(
    ("step", "count"), [(7, 6), pytest.param(1, 50, marks=pytest.mark.nightly)]
)
def test_sets_of_four_processors(step, count):
    """BALANCED finds the optimum of all 4095 sets of different messages; some are above lambda."""
    pairs = np.array([(a, b) for a in range(4) for b in range(4) if a != b])
    above = 0
    for number in range(1, 1 << len(pairs), step):
        src, dst = pairs[(number >> np.arange(len(pairs)) & 1) == 1].T
        found = schedule(src, dst, [1, 1, 1]).cycles
        if found > load_factor(src, dst, [1, 1, 1]):
            above += 1
            assert found == fewest_cycles(src, dst, [1, 1, 1]), (src, dst)
    assert above == count


def test_a_search_that_is_given_up_keeps_what_was_found(monkeypatch):
    messages = [0, 0, 0, 1, 2, 2, 2, 3], [1, 2, 3, 3, 0, 1, 3, 1], [1, 1, 1]
    assert schedule(*messages).cycles == 3
    monkeypatch.setattr(mending, "PLACES", 7)
    assert schedule(*messages).cycles == 4


@pytest.mark.parametrize(
    ("n", "w", "known"),
    [
        (16, 7, {"THEOREM1": 2.24, "PER_LEVEL": 1.89, "GREEDY": 1.24, "ITERATED": 1.05}),
        (64, 16, {"THEOREM1": 2.33, "PER_LEVEL": 1.90, "GREEDY": 1.13, "ITERATED": 1.00}),
        pytest.param(
            *(64, 64, {"THEOREM1": 3.45, "PER_LEVEL": 2.90, "GREEDY": 1.35, "ITERATED": 1.13}),
            marks=pytest.mark.nightly,
        ),
    ],
)
def test_known_means(n, w, known):
    """Mean d / ceil(lambda) on random 8-relations; its message sets are not known, so +- 6 %."""
    seed = 20
    means = mean_ratios(n, w, 25, [*known, "BALANCED"], seed)
    print(f"seed {seed}: {means}")
    for scheduler, mean in known.items():
        assert means[scheduler] == pytest.approx(mean, rel=0.06), scheduler
    assert means["ITERATED"] <= (1.05 if w < n else 1.15)
    assert means["BALANCED"] <= 1.01


@pytest.mark.parametrize("h", [6, 12])
def test_a_hypercube(h):
    """A message along every edge, each way: a cycle for each dimension, by any scheduler."""
    src = np.tile(np.arange(1 << h), h)
    dst = src ^ np.repeat(1 << np.arange(h), 1 << h)
    cap = universal(1 << h, 1 << h)
    assert load_factor(src, dst, cap) == h
    for scheduler in ("THEOREM1", "GREEDY", "BALANCED"):
        assert schedule(src, dst, cap, scheduler).cycles == h


@pytest.mark.parametrize("scheduler", EVERYWHERE)
def test_all_to_one_takes_one_cycle_a_message(scheduler):
    src, dst = all_to_one(64, 5)
    result = schedule(src, dst, universal(64, 16), scheduler)
    assert result.cycles >= 63
    if scheduler not in ("THEOREM1", "PER_LEVEL"):  # they do the levels one after the other
        assert result.cycles == 63
