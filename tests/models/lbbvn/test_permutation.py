"""Permutations against their definitions, spelt out on strings of bits."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fattree_models import lbbvn
from tests.models.lbbvn.frames import is_permutation, sums_to_ones
from tests.models.refused import refused

SIZES = range(1, 8)


def bits(n, x):
    return format(x, f"0{n}b")


@pytest.mark.parametrize("n", SIZES)
def test_definitions(n):
    size = 2**n
    reverse = [int(bits(n, x)[::-1], 2) for x in range(size)]
    assert lbbvn.bit_reverse(n).tolist() == reverse
    frames = {  # frame: entry (row, x)
        "shifts": (lbbvn.bit_reverse_shifts(n), lambda t, x: (reverse[x] + t + 1) % size),
        "xors": (lbbvn.bit_reverse_xors(n), lambda t, x: reverse[x] ^ t),
        "rotators": (lbbvn.rotators(n), lambda t, x: (x + t) % size),
        "tdm": (lbbvn.symmetric_tdm(n), lambda t, x: (t - x) % size),
        "xor": (lbbvn.xor_frame(n), lambda t, x: x ^ t),
    }
    for r in (0, 1, n // 2, n - 1, n, -1):
        places = r % n
        rotated = [int(bits(n, x)[places:] + bits(n, x)[:places], 2) for x in range(size)]
        assert lbbvn.bit_rotation(n, r).tolist() == rotated
        shift, xor = (lbbvn.bit_rotation_frame(n, r, how) for how in ("shift", "xor"))
        frames[f"rotation {r} shift"] = (shift, lambda t, x, p=rotated: (p[x] + t) % size)
        frames[f"rotation {r} xor"] = (xor, lambda t, x, p=rotated: p[x] ^ t)
    for frame, entry in frames.values():
        assert frame.dtype == np.int32
        assert frame.tolist() == [[entry(t, x) for x in range(size)] for t in range(size)]
        assert is_permutation(frame).all()
        assert sums_to_ones(frame)


@pytest.mark.parametrize("n", SIZES)
def test_involutions(n):
    for frame in (lbbvn.symmetric_tdm(n), lbbvn.xor_frame(n), lbbvn.bit_reverse(n)):
        assert lbbvn.inverse(frame).tolist() == frame.tolist()


@given(st.integers(1, 7), st.integers(0, 5), st.integers(0, 2**32 - 1), st.floats(0, 1))
def test_inverse(n, slots, seed, load):
    rng = np.random.default_rng(seed)
    frame = lbbvn.partial(rng, lbbvn.random_permutations(rng, slots, 2**n), load)
    back = lbbvn.inverse(frame)
    assert back.dtype == np.int32
    for row, inverse in zip(frame.tolist(), back.tolist(), strict=True):
        assert inverse == [row.index(y) if y in row else -1 for y in range(2**n)]


@given(st.integers(1, 6), st.integers(0, 5), st.integers(0, 2**32 - 1))
def test_is_permutation(n, slots, seed):
    rng = np.random.default_rng(seed)
    frame = lbbvn.random_permutations(rng, slots, 2**n)
    assert frame.dtype == np.int32
    assert is_permutation(frame).tolist() == [True] * slots
    for wrong in (-1, 2**n, frame[:, 0]):
        planted = frame.copy()
        planted[:, -1] = wrong
        assert is_permutation(planted).tolist() == [False] * slots


def test_random_permutations_are_uniform():
    """All 24 permutations of 4 leaves, each within five standard deviations of its share."""
    frame = lbbvn.random_permutations(np.random.default_rng(2), 24000, 4)
    _, count = np.unique(frame, axis=0, return_counts=True)
    assert count.size == 24
    assert abs(count - 1000).max() < 5 * np.sqrt(1000)


def test_loads_and_seeds():
    rng = np.random.default_rng(3)
    for frame in (
        lbbvn.partial(rng, lbbvn.random_permutations(rng, 500, 64), 0.7),
        lbbvn.random_messages(rng, 500, 64, 0.7),
    ):
        assert frame.dtype == np.int32
        assert 0.68 < (frame >= 0).mean() < 0.72
        assert (frame.min(), frame.max()) == (-1, 63)
    full = lbbvn.random_messages(rng, 500, 64)
    assert (full >= 0).all()
    assert (full == np.arange(64)).any()
    assert not is_permutation(full).any()
    assert abs(np.bincount(full.ravel()) - 500).max() < 5 * np.sqrt(500)
    one, two = (lbbvn.random_messages(np.random.default_rng(9), 3, 8, 0.5) for _ in range(2))
    assert one.tolist() == two.tolist()
    frame = lbbvn.rotators(3)
    lbbvn.partial(rng, frame, 0.0)
    assert frame.tolist() == lbbvn.rotators(3).tolist()


test_errors = refused(
    (lambda rng: lbbvn.bit_reverse(0), "n: is 0; allowed are integers 1 … 20"),
    (lambda rng: lbbvn.bit_rotation_frame(2, 1, "add"), "how: is 'add'; allowed are 'shift', "),
    (lambda rng: lbbvn.random_permutations(rng, 1, 6), "leaves: has 6 leaves; allowed are 2"),
    (lambda rng: lbbvn.random_messages(rng, -1, 8), "slots: is -1; allowed are integers from 0"),
    (lambda rng: lbbvn.random_messages(rng, 1, 8, 1.5), "load: is 1.5; allowed are 0 … 1"),
    (lambda rng: lbbvn.partial(rng, [[0]], -0.1), "load: is -0.1; allowed are 0 … 1"),
    (lambda rng: lbbvn.inverse([[0, 0]]), "frame: has a row with one destination twice"),
    (lambda rng: lbbvn.inverse([[0, 2]]), "frame: holds 2; allowed are -1 … 1"),
    (lambda rng: lbbvn.inverse(3), r"frame: has shape \(\); allowed is \[..., leaves\]"),
    given=lambda: np.random.default_rng(0),
)
