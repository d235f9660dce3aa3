"""The partition of strings into even parts, counted in every subtree."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fattree_models.common.tree import bit_lengths
from fattree_models.leiserson.partition import split_groups


@settings(max_examples=300)
@given(
    st.integers(1, 6),
    st.integers(1, 90),
    st.integers(1, 40),
    st.sampled_from([0, 0.3, 1]),
    st.integers(0, 2**32 - 1),
)
def test_parts_are_even_in_every_subtree(h, count, parts, cut, seed):
    """Every part has floor or ceil of its share in every subtree; with 2 parts, the halving."""
    rng = np.random.default_rng(seed)
    leaves = rng.integers(0, 2**h, (2, count), dtype=np.int32)
    # Strings that lack an end, on the left or on the right.
    lot = rng.random(count)
    check_parts(h, leaves, [lot >= cut / 2, lot <= 1 - cut / 2], parts)


@pytest.mark.parametrize(
    "leaves",
    [
        ("003333333333355666777", "752640132020766313517"),
        ("22555555556666667777", "77062120072020047277"),
    ],
)
def test_dummies_stay_out_of_smaller_subtrees(leaves):
    """Cases that go wrong if a dummy is matched as if it hung on the neighbouring leaf."""
    leaves = np.array([[int(leaf) for leaf in side] for side in leaves], dtype=np.int32)
    check_parts(3, leaves, [np.ones(leaves.shape[1], dtype=bool)] * 2, 7)


def check_parts(h, leaves, present, parts):
    """Split strings and count their ends in every subtree; `present` tells which ends there are."""
    ends = [
        np.flatnonzero(has)[np.argsort(leaf[has], kind="stable")].astype(np.int32)
        for leaf, has in zip(leaves, present, strict=True)
    ]
    starts = [np.array([0, e.size]) for e in ends]
    part = split_groups(
        ends[0], starts[0], ends[1], starts[1], *leaves, np.array([parts]), bit_lengths(h)
    )
    assert part.min() >= 0
    assert part.max() < parts
    for leaf, has in zip(leaves, present, strict=True):
        for rise in range(h + 1):
            load = np.zeros((2**h >> rise, parts), dtype=int)
            np.add.at(load, (leaf[has] >> rise, part[has]), 1)
            total = load.sum(axis=1, keepdims=True)
            assert (load <= -(-total // parts)).all()
            assert (load >= total // parts).all()
