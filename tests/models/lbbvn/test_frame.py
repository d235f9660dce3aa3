"""The paper's lemmas and facts about frames, by exhaustion where it can be had."""

import itertools
import math

import numpy as np
import pytest

from fattree_models import lbbvn
from tests.models.lbbvn.frames import fits_exactly, has_uniform_mapping, sums_to_ones

SIZES = range(1, 8)


def fitting_frames(n):
    """The frames that fit Lemma 1's lanes."""
    frames = [lbbvn.bit_reverse_shifts(n), lbbvn.bit_reverse_xors(n)]
    frames += [lbbvn.bit_rotation_frame(n, n // 2, how) for how in ("shift", "xor")]
    return frames + [lbbvn.inverse(frame) for frame in frames]


def members(n, j, k):
    return set(range(k << (n - j), (k + 1) << (n - j)))


def maps_uniformly(n, perm, j):
    """Definition 3, set by set."""
    for k, other in itertools.product(range(2**j), range(2 ** (n - j))):
        image = {perm[x] for x in members(n, j, k)}
        if len(image & members(n, n - j, other)) != 1:
            return False
    return True


@pytest.mark.parametrize("n", SIZES)
def test_lemma_4(n):
    frame = lbbvn.bit_reverse_shifts(n)
    assert has_uniform_mapping(frame).tolist() == [True] * 2**n
    if n <= 4:
        for row in frame.tolist():
            assert all(maps_uniformly(n, row, j) for j in range(1, n))


@pytest.mark.parametrize("n", [2, 3, 4])
def test_definition_3(n):
    rng = np.random.default_rng(n)
    rows = np.concatenate((lbbvn.random_permutations(rng, 40, 2**n), lbbvn.bit_reverse_xors(n)))
    # Half-good rows: destinations of two leaves exchanged.
    rows[-2:, [0, 1]] = rows[-2:, [1, 0]]
    everywhere = np.ones(len(rows), dtype=bool)
    for j in range(1, n):
        expected = [maps_uniformly(n, row, j) for row in rows.tolist()]
        assert has_uniform_mapping(rows, j).tolist() == expected
        everywhere &= expected
    assert has_uniform_mapping(rows).tolist() == everywhere.tolist()
    assert 0 < everywhere.sum() < len(rows)


@pytest.mark.parametrize("n", SIZES)
def test_lemma_5_and_corollary_6(n):
    bound = lbbvn.lower_bound(n)
    for frame in fitting_frames(n):
        assert sums_to_ones(frame)
        assert fits_exactly(frame)
        assert lbbvn.fits(frame, bound)
        for loads in lbbvn.channel_loads(frame, n):
            for j in range(1, n + 1):
                load = loads[:, 2**j : 2 ** (j + 1)]
                if j <= n // 2:
                    assert (load == (2**j - 1) * 2 ** (n - 2 * j)).all()
                else:
                    assert np.isin(load, (2 ** (n - j) - 1, 2 ** (n - j))).all()


@pytest.mark.parametrize("n", range(1, 8))
def test_no_lane_can_be_spared(n):
    frame = lbbvn.bit_reverse_shifts(n)
    for level in range(1, n + 1):
        less = lbbvn.lower_bound(n)
        less[level] -= 1
        if less[level] >= 1:
            assert not lbbvn.fits(frame, less)


@pytest.mark.parametrize("n", range(2, 8))
def test_frames_that_need_the_nonblocking_tree(n):
    full = lbbvn.nonblocking(n)
    for frame in (lbbvn.rotators(n), lbbvn.symmetric_tdm(n), lbbvn.xor_frame(n)):
        assert sums_to_ones(frame)
        assert not fits_exactly(frame)
        assert not lbbvn.fits(frame, lbbvn.lower_bound(n))
        assert lbbvn.fits(frame, full)
        for loads in lbbvn.channel_loads(frame, n):
            assert lbbvn.level_max(loads, n).tolist() == full.tolist()


@pytest.fixture(scope="module")
def eight():
    """All 40320 permutations of 8 leaves."""
    return np.array(list(itertools.permutations(range(8))), dtype=np.int32)


def test_counts_for_eight_leaves(eight):
    uniform = has_uniform_mapping(eight)
    at_1, at_2 = has_uniform_mapping(eight, 1), has_uniform_mapping(eight, 2)
    exact = np.array([fits_exactly(row[None]) for row in eight])
    fits = lbbvn.fits_each(eight, lbbvn.lower_bound(3))
    assert len(eight) == math.factorial(8)
    assert np.count_nonzero(uniform) == np.count_nonzero(at_1 & at_2) == 4096
    assert np.count_nonzero(exact) == 20736
    # A single permutation may keep more packets inside than the criterion says: s of 4 stay in
    # C(4, s)^2 4!^2 permutations, 20736 for s = 2, and 9216 and 576 for s = 3 and 4.
    assert np.count_nonzero(fits) == 20736 + 9216 + 576
    stay = np.array([[(row[:4] < 4).sum(), (row[4:] >= 4).sum()] for row in eight])
    assert (fits == (stay >= 2).all(axis=1)).all()
    assert (exact == (stay == 2).all(axis=1)).all()
    assert (exact | ~uniform).all()


@pytest.mark.parametrize("n", [1, 2])
def test_criterion_on_every_frame(n):
    """All sets of permutations that sum to ones: the criterion is exact; involutions fail."""
    bound = lbbvn.lower_bound(n)
    rows = list(itertools.permutations(range(2**n)))
    found = 0
    for frame in itertools.combinations(rows, 2**n):
        if not sums_to_ones(frame):
            continue
        found += 1
        assert lbbvn.fits(frame, bound) == fits_exactly(frame)
        if n == 2 and (lbbvn.inverse(frame) == np.array(frame)).all():
            assert not lbbvn.fits(frame, bound)
    # One for each Latin square, up to the order of its rows.
    assert found == {1: 1, 2: 24}[n]


@pytest.mark.parametrize("n", range(2, 9, 2))
def test_involutions_cannot_fit(n):
    """Frames of involutions, leaves renamed at random: none fits when n is even."""
    for frame in (lbbvn.symmetric_tdm(n), lbbvn.xor_frame(n)):
        relabelled = lbbvn.random_permutations(np.random.default_rng(n), 5, 2**n)
        for label in relabelled:
            conjugate = label[frame[:, lbbvn.inverse(label)]]
            assert sums_to_ones(conjugate)
            assert (lbbvn.inverse(conjugate) == conjugate).all()
            assert not lbbvn.fits(conjugate, lbbvn.lower_bound(n))


@pytest.mark.parametrize("n", range(1, 8))
def test_static_upper_half_carries_what_maps_uniformly(n):
    bound = lbbvn.lower_bound(n)
    for frame in (lbbvn.bit_reverse_shifts(n), lbbvn.bit_reverse_xors(n)):
        for both in (frame, lbbvn.inverse(frame)):
            assert lbbvn.predict(both, bound, static_upper=True).delivered.all()
    if n > 1:
        for frame in (lbbvn.rotators(n), lbbvn.symmetric_tdm(n), lbbvn.xor_frame(n)):
            result = lbbvn.predict(frame, bound, static_upper=True)
            assert not result.delivered.all()
            assert result.conflicts_up[:, n // 2].sum() > 0


def test_the_static_upper_half_asks_for_more_than_lanes():
    """A slot that meets the exact criterion, but sends 2 packets where there is one wire."""
    packets = [[1, 1, 2, 0], [1, 1, 0, 2], [2, 0, 1, 1], [0, 2, 1, 1]]
    room = [iter(range(4 * other, 4 * other + 4)) for other in range(4)]
    slot = [[next(room[y]) for row in packets for y, count in enumerate(row) for _ in range(count)]]
    bound = lbbvn.lower_bound(4)
    assert fits_exactly(slot)
    assert lbbvn.predict(slot, bound).delivered.all()
    result = lbbvn.predict(slot, bound, static_upper=True)
    assert result.conflicts_up[0].tolist() == [0, 0, 4, 0, 0, 0]


def test_planted_faults():
    frame = lbbvn.bit_reverse_shifts(4)
    for row, pair in ((3, [0, 2]), (0, [2, 9])):
        planted = frame.copy()
        planted[row, pair] = planted[row, pair[::-1]]
        assert not sums_to_ones(planted)
        assert not has_uniform_mapping(planted)[row]
    planted = frame.copy()
    planted[5, 0] = planted[5, 1]
    assert not sums_to_ones(planted)
    assert not has_uniform_mapping(planted)[5]
    assert not fits_exactly(planted)
    assert not lbbvn.fits(planted, lbbvn.nonblocking(4))
    assert not sums_to_ones(frame[:-1])
    assert not sums_to_ones(np.concatenate((frame[1:], frame[1:2])))
    assert not sums_to_ones(lbbvn.partial(np.random.default_rng(0), frame, 0.5))
    loop_meets_packet = [[0, 0, -1, -1]]
    assert not lbbvn.fits(loop_meets_packet, lbbvn.nonblocking(2))
    assert lbbvn.fits_each(frame, lbbvn.lower_bound(4)).tolist() == [True] * 16


def test_errors():
    message = "^CAPACITY: level 1 has 2 lanes; allowed are 1 … 1"
    with pytest.raises(ValueError, match=message):
        lbbvn.fits([[0, 1]], [0, 2])
