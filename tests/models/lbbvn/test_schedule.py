"""The compiler of settings against a literal replay, and the replay against planted faults."""

import dataclasses
import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fattree_models import lbbvn


def deliveries(dst):
    """Who arrives where if nothing is lost."""
    return lbbvn.inverse(dst)


def assert_carries(dst, c, static_upper=False):
    compiled = lbbvn.compile_settings(dst, c, static_upper)
    dst = np.asarray(dst)
    check_form(compiled, dst.shape[0], c, static_upper)
    arrived = lbbvn.replay(compiled, dst >= 0)
    assert arrived.tolist() == deliveries(dst).tolist()
    assert arrived.tolist() == lbbvn.predict(dst, c, static_upper).arrived.tolist()
    return compiled


def check_form(compiled, slots, c, static_upper):
    """Shapes, ranges, and no input on two lanes of the same port."""
    n = len(c) - 1
    h = n // 2 if static_upper else 0
    c = [0, *c[1:]]
    assert len(compiled.up) == len(compiled.down) == n
    for j in range(n):
        if j < h:
            assert compiled.up[j] is None
            assert compiled.down[j] is None
            continue
        assert compiled.up[j].shape == (slots, 2**j, c[j])
        assert compiled.down[j].shape == (slots, 2**j, 2, c[j + 1])
        assert compiled.up[j].dtype == compiled.down[j].dtype == np.int32
        for word, inputs in ((compiled.up[j], 2 * c[j + 1]), (compiled.down[j], c[j] + c[j + 1])):
            assert word.size == 0 or (word.min() >= -1 and word.max() < inputs)
            ordered = np.sort(word, axis=-1)
            assert not ((ordered[..., 1:] == ordered[..., :-1]) & (ordered[..., 1:] >= 0)).any()


def slots_of(n):
    """All slots without many-to-one of a small tree."""
    rows = itertools.product(range(-1, 2**n), repeat=2**n)
    return [row for row in rows if len({y for y in row if y >= 0}) == sum(y >= 0 for y in row)]


@pytest.mark.parametrize(
    ("c", "static_upper"), [((0, 1, 1), False), ((0, 2, 1), False), ((0, 1, 1), True)]
)
def test_all_slots_of_four_leaves(c, static_upper):
    rows = slots_of(2)
    clean = lbbvn.predict(rows, c, static_upper)
    free = (clean.lost_level == 0).all(axis=1)
    assert_carries([row for row, ok in zip(rows, free, strict=True) if ok], c, static_upper)
    for row in (row for row, ok in zip(rows, free, strict=True) if not ok):
        with pytest.raises(ValueError, match="slot 0: channel"):
            lbbvn.compile_settings([row], c, static_upper)


def test_two_leaves():
    for static_upper in (False, True):
        assert_carries(slots_of(1), [0, 1], static_upper)


@pytest.mark.parametrize("n", range(1, 8))
@pytest.mark.parametrize("static_upper", [False, True])
def test_frames_on_the_lower_bound(n, static_upper):
    frames = [
        lbbvn.bit_reverse_shifts(n),
        lbbvn.bit_reverse_xors(n),
        lbbvn.inverse(lbbvn.bit_reverse_shifts(n)),
    ]
    frames += [lbbvn.bit_rotation_frame(n, n // 2, how) for how in ("shift", "xor")]
    for frame in frames:
        assert_carries(frame, lbbvn.lower_bound(n), static_upper)
        rng = np.random.default_rng(n)
        assert_carries(lbbvn.partial(rng, frame, 0.6), lbbvn.lower_bound(n), static_upper)


@settings(max_examples=100)
@given(st.integers(1, 7), st.integers(0, 3), st.integers(0, 2**32 - 1), st.floats(0, 1))
def test_permutations_on_the_nonblocking_tree(n, slots, seed, load):
    rng = np.random.default_rng(seed)
    dst = lbbvn.partial(rng, lbbvn.random_permutations(rng, slots, 2**n), load)
    assert_carries(dst, lbbvn.nonblocking(n))


@settings(max_examples=100)
@given(st.integers(2, 6), st.integers(0, 2**32 - 1), st.booleans(), st.sampled_from([0.2, 0.5, 1]))
def test_what_self_control_delivers_can_be_scheduled(n, seed, static_upper, load):
    """The survivors of any traffic, on any capacities, are slots without conflict."""
    rng = np.random.default_rng(seed)
    c = np.array([0] + [rng.integers(1, 2 ** (n - j) + 1) for j in range(1, n + 1)])
    h, wires, _ = lbbvn.static_upper_half(n)
    if static_upper:
        c[h] = wires
    dst = lbbvn.random_messages(rng, 3, 2**n, load)
    result = lbbvn.predict(dst, c, static_upper)
    survivors = np.where(result.delivered, dst, -1)
    compiled = assert_carries(survivors, c, static_upper)
    silent = rng.random(dst.shape) < 0.5
    arrived = lbbvn.replay(compiled, result.delivered & ~silent)
    assert arrived.tolist() == lbbvn.inverse(np.where(silent, -1, survivors)).tolist()


@pytest.mark.parametrize(
    ("direction", "level"),
    [("up", 1), ("up", 2), ("up", 3), ("down", 0), ("down", 1), ("down", 2), ("down", 3)],
)
def test_a_wrong_setting_is_seen(direction, level):
    dst = lbbvn.bit_reverse_shifts(4)
    compiled = lbbvn.compile_settings(dst, lbbvn.lower_bound(4))
    words = list(getattr(compiled, direction))
    used = np.argwhere(words[level] >= 0)[7]
    for wrong in (-1, (int(words[level][tuple(used)]) + 1) % 2):
        changed = words[level].copy()
        if changed[tuple(used)] == wrong:
            continue
        changed[tuple(used)] = wrong
        planted = dataclasses.replace(
            compiled, **{direction: (*words[:level], changed, *words[level + 1 :])}
        )
        arrived = lbbvn.replay(planted, dst >= 0)
        assert arrived.tolist() != deliveries(dst).tolist()


def test_a_wrong_loop_is_seen():
    dst = np.array([[0, 2, 1, 3]])
    compiled = lbbvn.compile_settings(dst, [0, 1, 1])
    planted = dataclasses.replace(compiled, loop=~compiled.loop)
    assert lbbvn.replay(planted, dst >= 0).tolist() != deliveries(dst).tolist()


def test_conflicts_are_named():
    def refused(dst, c, message, static_upper=False):
        with pytest.raises(ValueError, match="^" + message + "$"):
            lbbvn.compile_settings(dst, c, static_upper)

    refused(
        [[0, 1, 2, 3], [3, 2, 1, 0]],
        [0, 1, 1],
        r"dst: slot 1: channel \(level 1, index 0, up\) has load 2; capacity is 1",
    )
    refused(
        [[-1, 0, 0, -1]],
        [0, 2, 1],
        r"dst: slot 0: channel \(level 2, index 0, down\) has load 2; capacity is 1",
    )
    refused(
        [[-1, 1, 1, -1]],
        [0, 2, 1],
        r"dst: slot 0: channel \(level 3, index 1, down\) has load 2; capacity is 1",
    )
    dst = np.full((3, 16), -1)
    dst[2, [4, 5]] = 8, 9
    refused(
        dst,
        lbbvn.lower_bound(4),
        r"dst: slot 2: channel \(level 2, index 1, up\), wires to node \(2, 2\), "
        r"has load 2; capacity is 1",
        static_upper=True,
    )


def test_errors():
    compiled = lbbvn.compile_settings([[0, 2, 1, 3]], [0, 1, 1])
    with pytest.raises(
        ValueError, match=r"^valid: has dtype int64, shape \(1, 4\); allowed is bool"
    ):
        lbbvn.replay(compiled, np.ones((1, 4), dtype=np.int64))
    with pytest.raises(ValueError, match=r"^valid: has dtype bool, shape \(2, 4\)"):
        lbbvn.replay(compiled, np.ones((2, 4), dtype=np.bool_))
    with pytest.raises(ValueError, match=r"^CAPACITY: level 1 has 3 lanes; allowed are 1 … 2$"):
        lbbvn.compile_settings([[0, 2, 1, 3]], [0, 3, 1])
