"""Loads against the enumeration of every packet's path."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fattree_models import lbbvn
from fattree_models.common.tree import FatTree
from tests.models.refused import refused


def loads_by_paths(n, messages):
    """Count the channels of each message's unique path, one by one."""
    tree = FatTree(n)
    loads = np.zeros((2, 2 * tree.leaves), dtype=int)
    for src, dst in messages:
        for level, index, direction in tree.path(src, dst).tolist():
            loads[direction, 2**level + index] += 1
    return loads.tolist()


@settings(max_examples=100)
@given(st.integers(1, 6), st.integers(0, 4), st.integers(0, 2**32 - 1), st.floats(0, 1))
def test_channel_loads(n, slots, seed, load):
    dst = lbbvn.random_messages(np.random.default_rng(seed), slots, 2**n, load)
    up, down = lbbvn.channel_loads(dst, n)
    assert up.dtype == down.dtype == np.int32
    assert up.shape == down.shape == (slots, 2 ** (n + 1))
    for s, row in enumerate(dst.tolist()):
        messages = [(x, y) for x, y in enumerate(row) if y >= 0]
        assert [up[s].tolist(), down[s].tolist()] == loads_by_paths(n, messages)


@pytest.mark.parametrize("dtype", [np.int8, np.int16, np.int64, np.uint8])
def test_any_integer_type(dtype):
    dst = lbbvn.rotators(4)[3:5].astype(dtype)
    expected = lbbvn.channel_loads(lbbvn.rotators(4)[3:5], 4)
    for loads, reference in zip(lbbvn.channel_loads(dst, 4), expected, strict=True):
        assert loads.tolist() == reference.tolist()
    strided = np.repeat(dst, 2, axis=1)[:, ::2]
    assert lbbvn.channel_loads(strided, 4)[0].tolist() == expected[0].tolist()


def test_arguments_are_not_changed():
    dst = lbbvn.random_messages(np.random.default_rng(0), 3, 8, 0.5)
    before = dst.copy()
    lbbvn.channel_loads(dst, 3)
    lbbvn.predict(dst, lbbvn.lower_bound(3))
    assert dst.tolist() == before.tolist()


@pytest.mark.parametrize("n", range(1, 8))
def test_level_max(n):
    rng = np.random.default_rng(n)
    loads = lbbvn.channel_loads(lbbvn.random_messages(rng, 5, 2**n), n)[1]
    expected = [0] + [int(loads[:, 2**j : 2 ** (j + 1)].max()) for j in range(1, n + 1)]
    assert lbbvn.level_max(loads, n).tolist() == expected
    assert lbbvn.level_max(loads[0], n).shape == (n + 1,)
    assert lbbvn.level_max(loads[:0], n).tolist() == [0] * (n + 1)


def test_a_lost_message_is_seen():
    dst = lbbvn.random_messages(np.random.default_rng(1), 1, 16, 1.0)
    messages = list(enumerate(dst[0].tolist()))
    messages.remove(next((x, y) for x, y in messages if x != y))
    up, down = lbbvn.channel_loads(dst, 4)
    assert [up[0].tolist(), down[0].tolist()] != loads_by_paths(4, messages)


test_errors = refused(
    (lambda: lbbvn.channel_loads([[0, 1]], 2), "dst: has 2 leaves; allowed are 4 with n = 2"),
    (lambda: lbbvn.channel_loads([[0, -2]], 1), "dst: holds -2; allowed are -1 … 1"),
    (lambda: lbbvn.channel_loads([0, 1], 1), "dst: has 1 axes; allowed are 2"),
    (lambda: lbbvn.level_max([0, 0, 1], 1), r"loads: has shape \(3,\); allowed is \[..., 4\]"),
)
