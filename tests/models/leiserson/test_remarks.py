"""What the paper remarks of schedules without a proof: figures for its claims, and bounds."""

import itertools
import math

import numpy as np
import pytest

from fattree_models.common.tree import bit_lengths
from fattree_models.leiserson import message_sets, partition
from fattree_models.leiserson.capacity import least_root, nonblocking, universal
from fattree_models.leiserson.load import channel_loads, load_factor
from fattree_models.leiserson.networks import mesh
from fattree_models.leiserson.offline import schedule
from fattree_models.leiserson.serial_tree import SerialTree


def record(record_property, **values):
    for name, value in values.items():
        record_property(name, float(value))


@pytest.mark.parametrize("lg", range(1, 21))
def test_a_delivery_cycle_takes_6_lg_n_clocks_besides_data(lg, record_property):
    tree = SerialTree(nonblocking(2**lg))
    clocks = tree.cycle_ticks - tree.data_bits
    record(record_property, lg_n=lg, clocks_besides_data=clocks)
    assert clocks == 6 * lg


@pytest.mark.parametrize("n", [2, 4, 8])
def test_all_permutations_are_one_cycle_sets_with_as_many_wires_as_processors(n, record_property):
    good = count = 0
    for row in itertools.permutations(range(n)):
        dst = np.array(row)
        moved = dst != np.arange(n)
        good += load_factor(np.flatnonzero(moved), dst[moved], universal(n, n)) <= 1
        count += 1
    record(record_property, permutations=count, in_one_cycle=good)
    assert good == count == math.factorial(n)


@pytest.mark.parametrize("k", [1, 2, 4, 8, 16, 32])
def test_cycles_near_the_load_factor_with_2_lg_n_wires(k, record_property):
    """Section III, after Corollary 2: 2 lambda + o(lambda) cycles."""
    messages = message_sets.k_relation(16, 8 * k, np.random.default_rng(k))
    cap = [8] * 5
    found = schedule(*messages, cap)
    record(record_property, load_factor=found.load_factor, cycles=found.cycles)
    assert found.cycles <= math.ceil(found.load_factor) + 1


@pytest.mark.parametrize("lg", [3, 4, 5, 6])
def test_error_of_repeated_halving(lg, record_property):
    """Corollary 2: parts of what turns at the root differ by lg n at most in any channel."""
    n, worst = 2**lg, 0.0
    rng = np.random.default_rng(lg)
    for halvings in (1, 2, 3):
        count = 40 * n
        src = rng.integers(0, n // 2, count).astype(np.int32)
        dst = rng.integers(n // 2, n, count).astype(np.int32)
        ends = [np.argsort(side, kind="stable").astype(np.int32) for side in (src, dst)]
        all_of = np.array([0, count])
        parts = partition.split_groups(
            *(ends[0], all_of, ends[1], all_of),
            *(src, dst, np.array([1 << halvings]), bit_lengths(lg)),
        )
        whole = np.maximum(*channel_loads(src, dst, n))
        for part in range(1 << halvings):
            own = np.maximum(*channel_loads(src[parts == part], dst[parts == part], n))
            worst = max(worst, float(np.abs(own - whole / (1 << halvings)).max()))
    record(record_property, lg_n=lg, error=worst)
    assert worst <= lg


@pytest.mark.parametrize("n", [64, 256, 1024])
def test_planar_sets_need_no_more_than_the_least_root(n, record_property):
    """Section I: finite elements leave a hypercube's bandwidth idle; random messages do not."""
    rng = np.random.default_rng(n)
    sets = {"planar": mesh(n, 16 * n, rng), "random": message_sets.k_relation(n, 8, rng)}
    found = {"processors": n}
    for name, messages in sets.items():
        for root, w in (("least", least_root(n)), ("greatest", n)):
            found[f"{name}_{root}"] = schedule(*messages, universal(n, w), "GREEDY").cycles
    record(record_property, **found)
    assert found["planar_least"] <= 1.1 * found["planar_greatest"]
    assert found["random_least"] > found["random_greatest"]


@pytest.mark.parametrize("level", range(1, 7))
@pytest.mark.parametrize("change", [-1, 1])
def test_a_wire_more_or_less_at_a_level(level, change, record_property):
    """Section VII: no cliff where a capacity is another one."""
    n = 256
    messages = message_sets.k_relation(n, 8, np.random.default_rng(1))
    cap = universal(n, 41)
    other = cap.copy()
    other[level] += change
    usual, changed = (schedule(*messages, c, "GREEDY").cycles for c in (cap, other))
    record(
        record_property,
        wires=cap[level],
        wires_changed=other[level],
        cycles=usual,
        cycles_changed=changed,
    )
    factor = max(cap[level], other[level]) / min(cap[level], other[level])
    assert max(usual, changed) <= factor * min(usual, changed) + 1
