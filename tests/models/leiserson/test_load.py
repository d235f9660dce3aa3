"""Loads and load factors against the enumeration of every message's path."""

from fractions import Fraction

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from fattree_models.leiserson.load import (
    bound,
    channel_loads,
    check_messages,
    common_ancestors,
    level_loads,
    load_factor,
)
from fattree_models.leiserson.message_sets import uniform
from tests.models.leiserson.brute_schedule import chain, path
from tests.models.refused import refused


def loads_by_paths(src, dst, n):
    loads = np.zeros((2, 2 * n), dtype=int)
    for source, target in zip(src.tolist(), dst.tolist(), strict=True):
        for channel in path(source, target, n):
            loads[channel] += 1
    return loads


@settings(max_examples=150)
@given(st.integers(1, 6), st.integers(0, 80), st.booleans(), st.integers(0, 2**32 - 1))
def test_loads(h, count, outside, seed):
    n = 2**h
    src, dst = uniform(n, count, np.random.default_rng(seed), outside)
    expected = loads_by_paths(src, dst, n)
    up, down = channel_loads(src, dst, n)
    assert up.dtype == down.dtype == np.int64
    assert [up.tolist(), down.tolist()] == expected.tolist()
    for loads, by_level in zip(expected, level_loads(src, dst, n), strict=True):
        assert by_level.tolist() == [loads[2**k : 2 ** (k + 1)].max() for k in range(h + 1)]
    cap = np.random.default_rng(seed).integers(1, 9, h + 1)
    level = [v.bit_length() - 1 for v in range(2 * n)]
    factor = max(
        Fraction(int(loads[v]), int(cap[level[v]])) for loads in expected for v in range(1, 2 * n)
    )
    assert load_factor(src, dst, cap) == factor
    assert bound(src, dst, cap) == int(np.ceil(float(factor)))


def test_common_ancestors():
    n = 8
    src, dst = np.divmod(np.arange(81, dtype=np.int32), 9)
    keep = src != dst
    found = common_ancestors(src[keep], dst[keep], n)
    for source, target, node in zip(src[keep], dst[keep], found, strict=True):
        common = set(chain(int(source), n)) & set(chain(int(target), n))
        assert node == max(common, default=0)


def test_external_channel_counts_only_if_used():
    cap = [1, 5, 5]
    inside = [0, 1, 2], [3, 2, 1]
    assert load_factor(*inside, cap) == Fraction(2, 5)
    assert load_factor([0, 1, 2, 3], [3, 2, 1, 4], cap) == 1
    assert load_factor([0, 1, 2, 3, 4, 4, 4], [3, 2, 1, 4, 0, 1, 2], cap) == 3


def test_load_factor_is_exact():
    # 10^6 / 3 and 333333 differ by a third; as floats lambda would still be fine, ceil not always.
    src, dst = np.zeros(10**6, dtype=int), np.ones(10**6, dtype=int)
    assert load_factor(src, dst, [1, 3]) == Fraction(10**6, 3)
    assert bound(src, dst, [1, 3]) == 333334
    assert bound(src[:999999], dst[:999999], [1, 3]) == 333333


def test_nothing_to_send():
    assert load_factor([], [], [1, 1]) == 0
    assert bound([], [], [1, 1]) == 0


def test_the_largest_tree():
    n = 2**20
    up, down = channel_loads([0, n - 1, n], [n - 1, n, 5], n)
    assert up.sum() + down.sum() == 20 + 20 + 21 + 21
    assert up[1] == down[1] == 1


def test_arguments_are_not_changed():
    src, dst = uniform(16, 50, np.random.default_rng(0))
    before = src.copy(), dst.copy()
    channel_loads(src, dst, 16)
    assert (src == before[0]).all()
    assert (dst == before[1]).all()
    x, _ = check_messages(src, dst, 16)
    assert x is src


test_errors = refused(
    (lambda: channel_loads([0], [0, 1], 4), r"dst: has shape \(2,\), src \(1,\)"),
    (lambda: channel_loads([[0]], [[1]], 4), r"dst: has shape \(1, 1\), src \(1, 1\)"),
    (lambda: channel_loads([5], [0], 4), "src: holds 5; allowed are 0 … 4"),
    (lambda: channel_loads([0], [-1], 4), "dst: holds -1; allowed are 0 … 4"),
    (lambda: channel_loads([0, 3], [1, 3], 4), r"dst: message 1 goes from 3 \(a processor\) to"),
    (lambda: channel_loads([4], [4], 4), r"dst: message 0 goes from 4 \(the outside\) to itsel"),
    (lambda: channel_loads([0], [1], 3), "processors: is 3; allowed are powers of two"),
    (lambda: load_factor([0], [1], [1, 0]), "CAPACITY: level 1 has 0 wires"),
    (lambda: load_factor([0], [3], [1, 1]), "dst: holds 3; allowed are 0 … 2"),
)
