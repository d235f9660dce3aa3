"""The prediction of SELF control against the literal walk of its rules."""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fattree_models import lbbvn
from fattree_models.common.tree import FatTree
from tests.models.lbbvn import brute_walk


def assert_matches_walk(dst, c, static_upper=False):
    """Compare every field of the prediction with the walk, slot by slot."""
    dst = np.asarray(dst)
    c = [int(lanes) for lanes in c]
    n = len(c) - 1
    result = lbbvn.predict(dst, c, static_upper)
    for s, row in enumerate(dst.tolist()):
        walk = brute_walk.walk_slot(row, c, static_upper)
        lost = {
            x: (int(result.lost_level[s, x]), bool(result.lost_down[s, x]))
            for x in np.flatnonzero(result.lost_level[s]).tolist()
        }
        assert lost == walk.lost, (s, row, c)
        assert not result.lost_down[s][result.lost_level[s] == 0].any()
        arrived = {y: int(x) for y, x in enumerate(result.arrived[s]) if x >= 0}
        assert arrived == walk.arrived, (s, row, c)
        assert sorted(np.flatnonzero(result.delivered[s])) == sorted(arrived.values())
        for level in range(n + 2):
            for counts, down in ((result.conflicts_up, False), (result.conflicts_down, True)):
                expected = sum(loss == (level, down) for loss in walk.lost.values())
                assert counts[s, level] == expected
        for used, lanes in ((result.used_up, walk.used_up), (result.used_down, walk.used_down)):
            expected = np.zeros(2 * len(row), dtype=int)
            for (j, k), count in lanes.items():
                expected[2**j + k] = count
            assert used[s].tolist() == expected.tolist(), (s, row, c)


def capacity_vectors(n):
    """Every capacity vector of a tree with n levels."""
    ranges = [range(1, 2 ** (n - level) + 1) for level in range(1, n + 1)]
    return [(0, *lanes) for lanes in itertools.product(*ranges)]


@pytest.mark.parametrize(
    ("c", "static_upper"), [((0, 1, 1), False), ((0, 2, 1), False), ((0, 1, 1), True)]
)
def test_all_traffic_of_four_leaves(c, static_upper):
    assert set(capacity_vectors(2)) == {(0, 1, 1), (0, 2, 1)}
    assert_matches_walk(list(itertools.product(range(-1, 4), repeat=4)), c, static_upper)


def test_all_traffic_of_two_leaves():
    traffic = list(itertools.product(range(-1, 2), repeat=2))
    assert_matches_walk(traffic, [0, 1])
    assert_matches_walk(traffic, [0, 1], static_upper=True)


@pytest.mark.parametrize("c", capacity_vectors(3))
def test_eight_leaves_every_capacity(c):
    rng = np.random.default_rng(hash(c) % 2**32)
    dst = lbbvn.random_messages(rng, 40, 8, 0.9)
    assert_matches_walk(dst, c)
    assert_matches_walk(lbbvn.random_permutations(rng, 20, 8), c)
    if c[1] == 2:
        assert_matches_walk(dst, c, static_upper=True)


@st.composite
def traffic(draw):
    """A tree, capacities and a few slots with hot spots, loop-backs or idle leaves."""
    n = draw(st.integers(1, 6))
    leaves = 2**n
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    load = draw(st.sampled_from([0.1, 0.5, 1.0]))
    kind = draw(st.sampled_from(["messages", "permutations", "hot spots", "loops"]))
    slots = draw(st.integers(0, 4))
    if kind == "permutations":
        dst = lbbvn.partial(rng, lbbvn.random_permutations(rng, slots, leaves), load)
    else:
        dst = lbbvn.random_messages(rng, slots, leaves, load)
        if kind == "hot spots":
            dst = np.where(dst >= 0, dst % draw(st.integers(1, 4)), dst)
        if kind == "loops":
            dst = np.where(rng.random(dst.shape) < 0.5, np.arange(leaves), dst)
    static_upper = draw(st.booleans())
    c = np.array([0] + [draw(st.integers(1, 2 ** (n - j))) for j in range(1, n + 1)])
    h, wires, _ = lbbvn.static_upper_half(n)
    if static_upper:
        c[h] = wires
    return dst, c, static_upper


@settings(max_examples=250)
@given(traffic())
def test_random_traffic(case):
    assert_matches_walk(*case)


@settings(max_examples=100)
@given(traffic())
def test_books_balance(case):
    dst, c, static_upper = case
    result = lbbvn.predict(dst, c, static_upper)
    injected = (dst >= 0).sum(axis=1)
    lost = result.conflicts_up.sum(axis=1) + result.conflicts_down.sum(axis=1)
    assert (injected == result.delivered.sum(axis=1) + lost).all()
    assert ((result.arrived >= 0).sum(axis=1) == result.delivered.sum(axis=1)).all()
    lanes = FatTree(len(c) - 1).channel_lanes(c)
    assert (result.used_up <= lanes).all()
    assert (result.used_down <= lanes).all()


@pytest.mark.parametrize("n", [4, 5, 7, 8])
def test_larger_trees(n):
    rng = np.random.default_rng(n)
    dst = np.concatenate(
        (
            lbbvn.random_messages(rng, 2, 2**n),
            lbbvn.random_permutations(rng, 2, 2**n),
            lbbvn.rotators(n)[[1, 2 ** (n - 1)]],
        )
    )
    for static_upper in (False, True):
        assert_matches_walk(dst, lbbvn.lower_bound(n), static_upper)
    tight = np.maximum(lbbvn.nonblocking(n) // 3, 1) * (np.arange(n + 1) > 0)
    assert_matches_walk(dst, tight)


@pytest.mark.parametrize("n", range(1, 9))
def test_frames_pass_and_rotators_conflict_only_on_the_bound(n):
    for static_upper in (False, True):
        result = lbbvn.predict(lbbvn.bit_reverse_shifts(n), lbbvn.lower_bound(n), static_upper)
        assert result.delivered.all()
        assert lbbvn.inverse(lbbvn.bit_reverse_shifts(n)).tolist() == result.arrived.tolist()
    rotators = lbbvn.rotators(n)
    assert lbbvn.predict(rotators, lbbvn.nonblocking(n)).delivered.all()
    if n > 1:
        bound = lbbvn.predict(rotators, lbbvn.lower_bound(n))
        static = lbbvn.predict(rotators, lbbvn.lower_bound(n), static_upper=True)
        assert bound.conflicts_up.sum() > 0
        assert static.conflicts_up[:, n // 2].sum() > 0
        assert static.conflicts_up[:, : n // 2].sum() == 0
        assert static.conflicts_down[:, : n // 2 + 1].sum() == 0


def test_static_equals_switched_for_two_leaves():
    dst = list(itertools.product(range(-1, 2), repeat=2))
    one, two = (lbbvn.predict(dst, [0, 1], static) for static in (False, True))
    assert one.arrived.tolist() == two.arrived.tolist()
    assert one.used_up.tolist() == two.used_up.tolist()


def test_static_ignores_and_clears_the_levels_above():
    dst = lbbvn.random_messages(np.random.default_rng(5), 20, 64)
    c = lbbvn.lower_bound(6)
    without = c.copy()
    without[1:3] = 0
    one, two = lbbvn.predict(dst, c, True), lbbvn.predict(dst, without, True)
    assert one.lost_level.tolist() == two.lost_level.tolist()
    assert one.used_up[:, :8].sum() == one.used_down[:, :8].sum() == 0


def test_a_wrong_rule_is_seen():
    """The comparison itself can fail: a walk with a lane less, or with the children swapped."""
    dst = lbbvn.random_messages(np.random.default_rng(1), 20, 16)
    c = lbbvn.nonblocking(4)
    assert_matches_walk(dst, c)
    less = c.copy()
    less[2] = 3
    walk = [brute_walk.walk_slot(row, less.tolist()).lost for row in dst.tolist()]
    result = lbbvn.predict(dst, c)
    assert [len(lost) for lost in walk] != (result.lost_level > 0).sum(axis=1).tolist()
    mirrored = 15 - dst[:, ::-1]
    swapped = lbbvn.predict(mirrored, lbbvn.lower_bound(4))
    straight = lbbvn.predict(dst, lbbvn.lower_bound(4))
    assert swapped.delivered[:, ::-1].tolist() != straight.delivered.tolist()


def test_errors():
    with pytest.raises(ValueError, match=r"^dst: has 1 axes; allowed are 2, \[slots, leaves\]$"):
        lbbvn.predict([0, 1], [0, 1])
    with pytest.raises(ValueError, match=r"^dst: holds 2; allowed are -1 … 1$"):
        lbbvn.predict([[0, 2]], [0, 1])
    with pytest.raises(ValueError, match=r"^dst: has 3 leaves; allowed are 2\^n with n = 1 … 20$"):
        lbbvn.predict([[0, 1, 2]], [0, 1])
    with pytest.raises(ValueError, match=r"^CAPACITY: level 1 has 2 lanes; allowed are 1 \(static"):
        lbbvn.predict([[0, 1, 2, 3]], [0, 2, 1], static_upper=True)
