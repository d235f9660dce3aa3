"""What the paper says of degrees, up and down apart, and of the patterns behind them."""

import itertools
import math

import numpy as np
import pytest

from fattree_models import lbbvn
from tests.models.lbbvn.frames import sums_to_ones

FRAMES = (
    lbbvn.bit_reverse_shifts,
    lbbvn.bit_reverse_xors,
    lbbvn.rotators,
    lbbvn.symmetric_tdm,
    lbbvn.xor_frame,
)


def each_way(slots, n, level):
    """Loads of the channels of a level, up and down, [slots, 2^level] each."""
    channels = slice(1 << level, 2 << level)
    up, down = lbbvn.channel_loads(slots, n)
    return up[:, channels], down[:, channels]


def permutations(n):
    """All permutations of 2^n leaves."""
    return np.array(list(itertools.permutations(range(2**n))), dtype=np.int32)


def every_frame(n, rng):
    """Frames of the paper and ours; the same with slots, inputs, outputs renamed; all for n < 3."""
    known = [make(n) for make in FRAMES]
    names = [[rng.permutation(2**n) for _ in range(3)] for _ in range(20)]
    renamed = [p[frame[q][:, r]] for frame in known for p, q, r in names]
    whole = itertools.combinations(permutations(n), 2**n) if n < 3 else ()
    return [*known, *renamed, *(np.array(f) for f in whole if sums_to_ones(np.array(f)))]


@pytest.mark.parametrize(("n", "level"), [(n, j) for n in range(1, 7) for j in range(1, n + 1)])
def test_lemma_1_each_way(n, level, record_property):
    """Up and down alone: a frame's mean load, eq. (8), and so its greatest is Lemma 1's bound."""
    frames = every_frame(n, np.random.default_rng(n))
    bound = {"up": lbbvn.lower_bound(n)[level]}
    both = 2 * math.ceil(2 ** (n - level) * (1 - 2.0**-level))  # of the two children of a node
    bound["down"] = both // 2
    record_property("frames", len(frames))
    for place, way in enumerate(("up", "down")):
        loads = [each_way(frame, n, level)[place] for frame in frames]
        mean = 2.0 ** (n - level) * (1 - 2.0**-level)
        assert all(np.allclose(load.mean(axis=0), mean) for load in loads)
        least = min(int(load.max(axis=0).min()) for load in loads)
        record_property(f"least_{way}", least)
        record_property(f"bound_{way}", int(bound[way]))
        assert least == bound[way]


@pytest.mark.parametrize(("n", "level"), [(n, j) for n in (1, 2, 3) for j in range(1, n + 1)])
def test_all_permutations_each_way(n, level, record_property):
    """Eq. (6) and (7), necessary and sufficient: the most lanes that any of N! asks for."""
    every = permutations(n)
    up, down = (int(load.max()) for load in each_way(every, n, level))
    nonblocking = int(lbbvn.nonblocking(n)[level])
    for name, value in (("lanes_up", up), ("lanes_down", down), ("nonblocking", nonblocking)):
        record_property(name, value)
    record_property("permutations", len(every))
    assert up == down == nonblocking


@pytest.mark.parametrize("n", range(2, 11))
def test_patterns_of_a_node_below_the_root(n, record_property):
    """Which of 2^(n-1) inputs go left: C(2^(n-1), 2^(n-2)) ways; by counting up to n = 4."""
    inputs, left = 2 ** (n - 1), 2 ** (n - 2)
    formula = math.comb(inputs, left)
    assert formula == math.factorial(inputs) // math.factorial(left) ** 2
    if n <= 4:
        ways = range(1 << inputs)
        assert sum(way.bit_count() == left for way in ways) == formula
    if n <= 3:
        # By the packets that come from above to node (1, 0), in the order of their lanes.
        above = permutations(n)[:, inputs:]
        crossing = above[(above < inputs).all(axis=1)]
        assert len(np.unique(crossing < left, axis=0)) == formula
    record_property("lg_patterns", math.log2(formula))
    record_property("lg_printed", inputs)


@pytest.mark.parametrize("n", range(1, 8))
def test_shifts_of_any_permutation_sum_to_ones(n, record_property):
    """Section III: sigma and all its circular shifts; all permutations for n < 3, else some."""
    size = 2**n
    rng = np.random.default_rng(n)
    every = permutations(n) if n < 3 else lbbvn.random_permutations(rng, 200, size)
    shifts = np.arange(size)[:, None]
    good = sum(sums_to_ones((row + shifts) % size) for row in every)
    record_property("permutations", len(every))
    record_property("frames_of_ones", good)
    assert good == len(every)
    wrong = (every[0] + 2 * shifts) % size
    assert not sums_to_ones(wrong)
