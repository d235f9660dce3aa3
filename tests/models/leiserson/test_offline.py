"""Schedules against paths walked one by one and the theorems' bounds, and what one may ask for."""

from fractions import Fraction
from itertools import pairwise
from math import ceil

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fattree_models.leiserson.capacity import least_root, nonblocking, universal
from fattree_models.leiserson.load import bound, channel_loads, load_factor
from fattree_models.leiserson.measure import time_schedulers
from fattree_models.leiserson.message_sets import channel_load, k_relation, local, uniform
from fattree_models.leiserson.offline import SCHEDULERS, Schedule, schedule
from fattree_models.leiserson.schedules import compact
from tests.models.leiserson.brute_schedule import EVERYWHERE, path


def check(result, src, dst, cap):
    """Check a schedule without any of the library's own means."""
    n = 2 ** (len(cap) - 1)
    loads = {}
    for m, (source, target) in enumerate(zip(src.tolist(), dst.tolist(), strict=True)):
        for channel in path(source, target, n):
            key = int(result.cycle[m]), *channel
            loads[key] = loads.get(key, 0) + 1
    assert all(load <= cap[v.bit_length() - 1] for (_, _, v), load in loads.items())
    assert sorted(set(result.cycle.tolist())) == list(range(result.cycles))
    assert result.load_factor == load_factor(src, dst, cap)
    assert result.cycles >= ceil(result.load_factor)


def level_factors(src, dst, cap):
    """Return lambda(Q) of the busiest group Q of each level, from "above the root" on."""
    n = 2 ** (len(cap) - 1)
    groups = {}
    for source, target in zip(src.tolist(), dst.tolist(), strict=True):
        used = path(source, target, n)
        top = min(v for _, v in used)
        groups.setdefault((top // 2, source < target), []).append((source, target))
    factors = {}
    for (node, _), messages in groups.items():
        factor = load_factor(*np.array(messages).T, cap)
        factors[node.bit_length()] = max(factor, factors.get(node.bit_length(), Fraction(0)))
    return [factors[level] for level in sorted(factors)]


@st.composite
def problems(draw, most=6):
    """Random message sets, also with the outside, on universal trees and arbitrary ones."""
    h = draw(st.integers(1, most))
    n = 2**h
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    cap = draw(
        st.sampled_from(
            [
                universal(n, least_root(n)),
                universal(n, (least_root(n) + n) // 2),
                nonblocking(n),
                np.ones(h + 1, dtype=np.int64),
                rng.integers(1, 6, h + 1),
                rng.integers(1, 6, h + 1) + h,
            ]
        )
    )
    count = draw(st.integers(0, 3 * n))
    kind = draw(st.sampled_from(["inside", "outside", "local", "channel", "relation"]))
    if kind == "local":
        src, dst = local(n, count, rng, 0.7)
    elif kind == "channel":
        src, dst = channel_load(n, draw(st.integers(1, 2 * n - 1)), count, rng, draw(st.booleans()))
    elif kind == "relation":
        src, dst = k_relation(n, draw(st.integers(0, 4)), rng)
    else:
        src, dst = uniform(n, count, rng, kind == "outside")
    return src, dst, cap


# All schedulers --------------------------------------------------------------------------------


@settings(max_examples=150)
@given(problems(), st.sampled_from(EVERYWHERE))
def test_every_schedule_is_one(problem, scheduler):
    result = schedule(*problem, scheduler.lower())
    assert result.scheduler == scheduler
    check(result, *problem)
    result.verify(*problem)


@settings(max_examples=50)
@given(problems(most=4))
def test_rows_hold_every_message_once(problem):
    src, dst, cap = problem
    n, ports = 2 ** (len(cap) - 1), int(cap[-1])
    result = schedule(*problem, "GREEDY")
    destinations, messages = result.rows(src, dst, ports, n, cap)
    assert messages.shape == (result.cycles, n * ports + cap[0])
    rows, columns = np.nonzero(messages >= 0)
    found = messages[rows, columns]
    assert sorted(found.tolist()) == list(range(src.size))
    assert (result.cycle[found] == rows).all()
    assert (destinations[rows, columns] == dst[found]).all()
    assert (np.minimum(columns // ports, n) == src[found]).all()
    assert ((destinations >= 0) == (messages >= 0)).all()
    # The wires of a source are taken from 0 on, in the order of the message set.
    for row in messages:
        for wires in (*row[: n * ports].reshape(n, ports), row[n * ports :]):
            used = wires[wires >= 0]
            assert (wires[: used.size] >= 0).all()
            assert all(a < b for a, b in pairwise(used))


@settings(max_examples=100)
@given(problems(most=4), st.integers(0, 2**32 - 1))
def test_verify_agrees_with_paths(problem, seed):
    """Of random assignments it accepts exactly those without an overload."""
    src, dst, cap = problem
    factor = load_factor(*problem)
    cycles = ceil(factor) + 1
    cycle, cycles = compact(np.random.default_rng(seed).integers(0, cycles, src.size))
    result = Schedule(cycle, cycles, "TEST", None, factor)
    fits = all(load_factor(src[cycle == c], dst[cycle == c], cap) <= 1 for c in range(cycles))
    try:
        result.verify(*problem)
        assert fits
    except ValueError as error:
        assert not fits
        assert "not a one-cycle message set" in str(error) or "fewer than the load" in str(error)


@settings(max_examples=100)
@given(problems())
def test_theorem1_bounds(problem):
    src, dst, cap = problem
    h, factor = len(cap) - 1, load_factor(src, dst, cap)
    result, exact = schedule(*problem, "THEOREM1"), schedule(*problem, "PER_LEVEL")
    if factor <= 1:
        assert result.cycles == exact.cycles == min(1, src.size)
        return
    levels = h + bool((np.maximum(src, dst) == 2**h).any())
    assert result.bound == int(2 * factor * levels)
    assert exact.bound == ceil(factor) * levels
    # Not only the bounds: what the proof gives for this message set, level by level.
    factors = level_factors(*problem)
    assert result.cycles <= sum(2 ** (ceil(f) - 1).bit_length() for f in factors)
    assert exact.cycles == sum(ceil(f) for f in factors)
    assert exact.cycles <= result.bound
    assert schedule(*problem, "ITERATED").cycles <= schedule(*problem, "GREEDY").cycles
    assert schedule(*problem, "BALANCED").cycles <= schedule(*problem, "ITERATED").cycles


def test_halves_on_every_channel():
    """Section III: load(Q_2k, c) <= ceil(load(Q_k, c) / 2), for what turns at the root."""
    rng = np.random.default_rng(11)
    n = 32
    for _ in range(100):
        count = int(rng.integers(1, 200))
        src, dst = rng.integers(0, n // 2, count), rng.integers(n // 2, n, count)
        # With one wire less than the load on the narrowest channel two parts are needed.
        loads = np.maximum(*channel_loads(src, dst, n))
        cap = np.array(
            [max(1, (int(loads[n >> j : 2 * n >> j].max()) + 1) // 2) for j in range(5, -1, -1)]
        )
        result = schedule(src, dst, cap, "THEOREM1")
        assert result.cycles <= 2
        for half in (result.cycle == 0, result.cycle == 1):
            assert (np.maximum(*channel_loads(src[half], dst[half], n)) <= -(-loads // 2)).all()


def test_parts_of_a_level():
    """lambda(Q) = 64/13 at the root makes 8 parts, or 5 exactly; what turns below fits in one."""
    src = np.array([0] * 64 + [0] * 32)
    dst = np.array([2] * 64 + [1] * 32)
    cap = [1, 13, 96]
    assert schedule(src, dst, cap, "THEOREM1").cycles == 8 + 1
    assert schedule(src, dst, cap, "PER_LEVEL").cycles == 5 + 1
    assert schedule(src, dst, cap, "THEOREM1").bound == int(4 * Fraction(64, 13))


@pytest.mark.parametrize("scheduler", ["THEOREM1", "PER_LEVEL"])
def test_groups_are_split_apart(scheduler):
    """Nodes of a level and both directions share cycles, and each takes as many as it needs."""
    # Out of the tree and into it; left to right and back at the root; below its two children.
    src = np.array([0, 8, 8, 8, 0, 4, 4, 4, 4, 0, 5, 5])
    dst = np.array([8, 1, 1, 1, 4, 1, 1, 1, 1, 2, 7, 7])
    cap = [9, 9, 9, 1]
    result = schedule(src, dst, cap, scheduler)
    assert result.cycles == 3 + 4 + 2
    first = result.cycle[[0, 4, 9]]
    assert first.tolist() == [0, min(result.cycle[5:9]), min(result.cycle[10:])]
    assert max(result.cycle[1:4]) < first[1]
    assert max(result.cycle[5:9]) < first[2]


@settings(max_examples=100)
@given(problems())
def test_corollary2(problem):
    src, dst, cap = problem
    h = len(cap) - 1
    if cap.min() <= h:
        with pytest.raises(
            ValueError, match=r"^CAPACITY: level \d has \d+ wires; Corollary 2 needs"
        ):
            schedule(*problem, "COROLLARY2")
        cap = cap + h
    result = schedule(src, dst, cap, "COROLLARY2")
    check(result, src, dst, cap)
    factor, fictitious = load_factor(src, dst, cap), load_factor(src, dst, cap - h)
    if factor <= 1:
        assert result.cycles == min(1, src.size)
    else:
        # The smallest power of two >= lambda', which is at most a / (a-1) lambda.
        assert result.cycles <= 2 ** (ceil(fictitious) - 1).bit_length()
        assert result.bound == ceil(2 * fictitious) - 1
        assert fictitious <= factor * Fraction(int(cap.min()), int(cap.min()) - h)


def test_corollary2_of_wide_channels():
    """With at least 2 lg n wires everywhere the paper promises 4 lambda(M)."""
    n = 256
    cap = universal(n, n) + 15
    src, dst = uniform(n, 256 * 100, np.random.default_rng(2))
    result = schedule(src, dst, cap, "COROLLARY2")
    check(result, src, dst, cap)
    assert result.cycles <= 4 * result.load_factor


@settings(max_examples=100)
@given(problems(), st.integers(1, 3), st.integers(0, 2))
def test_edge_colouring_is_optimal(problem, ports, spare):
    src, dst, cap = problem
    wide = ports * nonblocking(2 ** (len(cap) - 1))
    wide[:-1] += spare
    result = schedule(src, dst, wide, "COLOURING")
    check(result, src, dst, wide)
    assert result.cycles == bound(src, dst, wide)


def test_edge_colouring_needs_wide_channels():
    with pytest.raises(
        ValueError, match=r"^CAPACITY: level 1 has 3 wires; edge colouring needs at"
    ):
        schedule([0], [1], [8, 3, 2, 1], "COLOURING")


# Large sets ------------------------------------------------------------------------------------


@pytest.mark.parametrize("scheduler", [*EVERYWHERE, "COLOURING"])
def test_large_sets(scheduler):
    n = 2**12
    rng = np.random.default_rng(5)
    src, dst = uniform(n, 5 * 10**4, rng)
    cap = nonblocking(n) if scheduler == "COLOURING" else universal(n, least_root(n))
    result = schedule(src, dst, cap, scheduler)  # verified by itself
    order, starts = result.order
    assert (np.sort(order) == np.arange(src.size)).all()
    for cycle in (0, result.cycles - 1):
        part = order[starts[cycle] : starts[cycle + 1]]
        assert load_factor(src[part], dst[part], cap) <= 1
        assert (result.cycle[part] == cycle).all()
    if scheduler == "BALANCED":
        assert result.cycles == ceil(result.load_factor)


def test_times_are_taken():
    names = [name for name in SCHEDULERS if name != "COROLLARY2"]
    runs = time_schedulers(64, 64, [100, 1000], names, seed=3)
    assert [(run.messages, run.scheduler) for run in runs] == [
        (size, name) for size in (100, 1000) for name in names
    ]
    assert all(0 < run.least <= run.cycles and 0 <= run.seconds < 10 for run in runs)


# Determinism, arguments ------------------------------------------------------------------------


@pytest.mark.parametrize("scheduler", ["ITERATED", "BALANCED"])
def test_seed(scheduler):
    src, dst = k_relation(64, 8, np.random.default_rng(6))
    cap = universal(64, 32)
    first = schedule(src, dst, cap, scheduler, seed=1)
    assert (schedule(src, dst, cap, scheduler, seed=1).cycle == first.cycle).all()
    others = [schedule(src, dst, cap, scheduler, seed=seed).cycle for seed in range(2, 5)]
    assert any((other != first.cycle).any() for other in others)


@pytest.mark.parametrize("scheduler", [*EVERYWHERE, "COLOURING"])
def test_arguments_are_not_changed(scheduler):
    src, dst = k_relation(16, 5, np.random.default_rng(7))
    cap = nonblocking(16)
    before = src.copy(), dst.copy(), cap.copy()
    schedule(src, dst, cap, scheduler)
    for now, then in zip((src, dst, cap), before, strict=True):
        assert (now == then).all()
    # Lists and other integer types do as well.
    again = schedule(src.tolist(), dst.astype(np.uint8), cap.tolist(), scheduler)
    assert (again.cycle == schedule(src, dst, cap, scheduler).cycle).all()


@pytest.mark.parametrize("scheduler", SCHEDULERS)
def test_nothing_to_send(scheduler):
    result = schedule([], [], np.array([4, 2, 1]) * 3, scheduler)
    assert result.cycles == 0
    assert result.cycle.dtype == np.int32


@pytest.mark.parametrize("scheduler", SCHEDULERS)
def test_bad_arguments(scheduler):
    with pytest.raises(ValueError, match=r"^CAPACITY: level 1 has 0 wires"):
        schedule([0], [1], [4, 0, 9], scheduler)
    with pytest.raises(ValueError, match=r"^dst: message 0 goes from 1 \(a processor\) to itself"):
        schedule([1], [1], [12, 12, 12], scheduler)


def test_unknown_scheduler():
    with pytest.raises(
        ValueError, match=r"^SCHEDULER: is 'BEST'; allowed are THEOREM1, COROLLARY2, "
    ):
        schedule([0], [1], [1, 1], "BEST")
