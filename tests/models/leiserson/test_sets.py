"""Message sets: that they are what they are called."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fattree_models.leiserson import message_sets as sets
from fattree_models.leiserson.capacity import least_root, nonblocking, universal
from fattree_models.leiserson.load import channel_loads, check_messages, load_factor
from fattree_models.leiserson.one_cycle_sets import one_cycle
from tests.models.refused import refused


def pairs(messages):
    src, dst = messages
    return list(zip(src.tolist(), dst.tolist(), strict=True))


def check(messages, n):
    """Legal, int32, contiguous."""
    src, dst = messages
    assert src.dtype == dst.dtype == np.int32
    assert check_messages(src, dst, n)[0] is src
    return src, dst


@pytest.mark.parametrize("n", [2, 4, 16, 256])
def test_permutation(n):
    rng = np.random.default_rng(0)
    for _ in range(10):
        src, dst = check(sets.permutation(n, rng), n)
        assert src.tolist() == sorted(dst.tolist()) == list(range(n))
    lengths = set()
    for _ in range(30):
        src, dst = check(sets.permutation(n, rng, fixed_points=True), n)
        assert np.sort(src).tolist() == np.sort(dst).tolist()
        lengths.add(src.size)
    assert len(lengths) > 1
    assert 1 not in lengths  # no permutation moves only one


def test_permutations_are_equally_likely():
    rng = np.random.default_rng(1)
    seen = {}
    for _ in range(3000):
        key = tuple(sets.permutation(4, rng)[1].tolist())
        seen[key] = seen.get(key, 0) + 1
    assert len(seen) == 9  # derangements of 4
    assert 250 < min(seen.values()) <= max(seen.values()) < 420


@pytest.mark.parametrize("k", [0, 1, 8])
def test_k_relation(k):
    src, dst = check(sets.k_relation(32, k, np.random.default_rng(2)), 32)
    assert np.bincount(src, minlength=32).tolist() == [k] * 32
    assert np.bincount(dst, minlength=32).tolist() == [k] * 32


@pytest.mark.parametrize("outside", [False, True])
def test_uniform(outside):
    n = 4
    src, dst = check(sets.uniform(n, 20000, np.random.default_rng(3), outside), n)
    places = n + outside
    counts = np.zeros((places, places), dtype=int)
    np.add.at(counts, (src, dst), 1)
    assert (np.diag(counts) == 0).all()
    share = 20000 / (places * (places - 1))
    others = counts[~np.eye(places, dtype=bool)]
    assert 0.85 * share < others.min() <= others.max() < 1.15 * share


def test_all_to_one_and_all_to_all():
    assert pairs(check(sets.all_to_one(8, 3), 8)) == [(x, 3) for x in range(8) if x != 3]
    expected = [(x, y) for x in range(8) for y in range(8) if x != y]
    assert sorted(pairs(check(sets.all_to_all(8), 8))) == expected


@pytest.mark.parametrize("decay", [0.25, 0.5, 1.0, 2.0])
def test_local(decay):
    n, count = 32, 40000
    src, dst = check(sets.local(n, count, np.random.default_rng(4), decay), n)
    rise = np.array([int(x).bit_length() for x in src ^ dst])
    share = np.bincount(rise, minlength=6)[1:] / count
    expected = decay ** np.arange(5)
    assert share == pytest.approx(expected / expected.sum(), abs=0.01)
    assert np.bincount(src).min() > 0.8 * count / n
    assert np.bincount(dst).min() > 0.8 * count / n


@settings(max_examples=100)
@given(st.integers(1, 6), st.data(), st.booleans(), st.integers(0, 2**32 - 1))
def test_channel_load(h, data, up, seed):
    n = 2**h
    channel, count = data.draw(st.integers(1, 2 * n - 1)), data.draw(st.integers(0, 100))
    rng = np.random.default_rng(seed)
    src, dst = check(sets.channel_load(n, channel, count, rng, up), n)
    assert src.size == count
    loads = channel_loads(src, dst, n)
    assert loads[0 if up else 1][channel] == count
    assert loads[1 if up else 0][channel] == 0
    # Evenly spread: no other channel at its level or below is used more than one too often.
    width = 1 << (channel.bit_length() - 1)
    ends = np.bincount(src if up else dst, minlength=n)[:n]
    inside = ends.reshape(width, -1)[channel - width]
    assert inside.sum() == count
    assert inside.max() - inside.min() <= 1


def rotate(x, by, h):
    bits = f"{x:0{h}b}"
    return int(bits[by:] + bits[:by], 2)


@pytest.mark.parametrize("h", range(1, 9))
def test_patterns(h):
    n = 2**h
    expected = {
        sets.bit_reversal: lambda x: int(f"{x:0{h}b}"[::-1], 2),
        sets.transpose: lambda x: rotate(x, h // 2, h),
        sets.shuffle: lambda x: rotate(x, 1, h),
    }
    for pattern, target in expected.items():
        found = pairs(check(pattern(n), n))
        assert found == [(x, target(x)) for x in range(n) if target(x) != x]


@settings(max_examples=80)
@given(st.integers(1, 4), st.booleans(), st.integers(0, 3), st.integers(0, 2**32 - 1))
def test_one_cycle_sets_are_maximal(h, outside, shape, seed):
    n = 2**h
    rng = np.random.default_rng(seed)
    cap = [
        universal(n, least_root(n)),
        nonblocking(n),
        rng.integers(1, 5, h + 1),
        np.ones(h + 1, dtype=np.int64),
    ][shape]
    src, dst = check(one_cycle(n, cap, rng, outside), n)
    assert load_factor(src, dst, cap) <= 1
    assert outside or max(src.max(initial=0), dst.max(initial=0)) < n
    for source in range(n + outside):
        for target in range(n + outside):
            if source != target:
                assert load_factor(np.append(src, source), np.append(dst, target), cap) > 1


def test_one_cycle_sets_are_large():
    n = 1024
    for outside in (False, True):
        cap = universal(n, 256)
        src, dst = one_cycle(n, cap, np.random.default_rng(6), outside)
        assert src.size > 0.9 * n
        up, down = channel_loads(src, dst, n)
        # Far destinations are taken while there is room.
        assert min(up[2:4].sum(), down[2:4].sum()) > 0.75 * 2 * cap[1]
        assert (up[1] > 0) == (down[1] > 0) == outside


# Networks --------------------------------------------------------------------------------------


@pytest.mark.parametrize("points", [0, 1, 5, 64, 100, 1000])
@pytest.mark.parametrize("n", [2, 16, 64])
def test_recursive_halving(points, n):
    place = np.random.default_rng(7).random((points, 2)) * [1, 3]
    owner = sets.recursive_halving(place, n)
    assert owner.shape == (points,)
    count = np.bincount(owner, minlength=n)
    assert count.size == n
    assert count.max() - count.min() <= 1
    if points > 1:  # the first cut is across the longer side
        left, right = place[owner < n // 2, 1], place[owner >= n // 2, 1]
        assert left.max() <= right.min()


def test_recursive_halving_of_a_grid():
    row, column = np.divmod(np.arange(16), 4)
    owner = sets.recursive_halving(np.stack((column, row), axis=1).astype(float), 4)
    assert owner.reshape(4, 4).tolist() == [[0, 0, 2, 2], [0, 0, 2, 2], [1, 1, 3, 3], [1, 1, 3, 3]]


@pytest.mark.parametrize(("n", "points"), [(4, 4), (4, 300), (64, 2000), (64, 30)])
def test_mesh(n, points):
    messages = check(sets.mesh(n, points, np.random.default_rng(8)), n)
    # A planar graph has at most 3 points - 6 edges, and each message stands for at least one.
    assert 0 < messages[0].size <= 2 * (3 * points - 6)
    reverse = {(y, x) for x, y in pairs(messages)}
    assert set(pairs(messages)) == reverse  # neighbours need each other
    again = sets.mesh(n, points, np.random.default_rng(8))
    assert pairs(again) == pairs(messages)


def test_mesh_by_hand():
    """Four corners of a square and its centre, two processors: left and right half."""
    place = np.array([[0, 0], [0, 1], [0.4, 0.5], [1, 0], [1, 1]])

    class Fixed:
        def random(self, shape):
            assert shape == (5, 2)
            return place

    # Left: vertices 0, 1, 2 (the centre is left of the middle).  Edges: the rim 0-1, 1-4, 4-3, 3-0
    # and the spokes.  The right half needs 0, 1, 2; the left one 3 and 4, however often.
    src, dst = sets.mesh(2, 5, Fixed())
    assert sorted(pairs((src, dst))) == [(0, 1)] * 3 + [(1, 0)] * 2


def test_mesh_surface():
    """Messages grow as the rim of the parts, not as the points."""
    rng = np.random.default_rng(9)
    few, many = (sets.mesh(16, points, rng)[0].size for points in (1000, 16000))
    assert 3 < many / few < 5.5


test_errors = refused(
    (lambda rng: sets.permutation(3, rng), "processors: is 3; allowed are powers of two"),
    (lambda rng: sets.k_relation(4, -1, rng), "k: is -1; allowed are integers 0 … 65536"),
    (lambda rng: sets.uniform(4, -1, rng), "count: is -1; allowed are integers from 0"),
    (lambda rng: sets.all_to_one(4, 4), "target: is 4; allowed are integers 0 … 3"),
    (lambda rng: sets.local(4, -1, rng), "count: is -1; allowed are integers from 0"),
    (lambda rng: sets.local(4, 1, rng, 0), "decay: is 0; allowed are numbers above 0"),
    (lambda rng: sets.channel_load(4, 8, 1, rng), "channel: is 8; allowed are integers 1 … 7"),
    (lambda rng: sets.channel_load(4, 0, 1, rng), "channel: is 0; allowed are integers 1 … 7"),
    (lambda rng: sets.channel_load(4, 1, -1, rng), "count: is -1; allowed are integers from 0"),
    (lambda rng: one_cycle(4, [1, 0, 1], rng), "CAPACITY: level 1 has 0 wires"),
    (lambda rng: sets.mesh(4, 3, rng), "points: is 3; allowed are integers from 4"),
    (lambda rng: sets.recursive_halving(np.zeros(3), 4), r"place: has shape \(3,\); allowed is"),
    given=lambda: np.random.default_rng(0),
)
