"""What the model says of any frame, against the paper's definitions, set by set."""

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fattree_models import lbbvn
from fattree_models.traffic import read_frame


def subtree(n, j, k):
    """S(j, k), Eq. (2)."""
    return set(range(k << (n - j), (k + 1) << (n - j)))


def matrix(row):
    """P of Eq. (1), for a slot in which inputs may be idle."""
    made = np.zeros((len(row), len(row)), int)
    for source, output in enumerate(row):
        made[source, output] += output >= 0
    return made


def breaches(n, row):
    """j, k, l and the count wherever Definition 3 is broken: |row(S(j, k)) ∩ S(n-j, l)| != 1."""
    for j in range(1, n + 1):
        for k, other in itertools.product(range(2**j), range(2 ** (n - j))):
            image = {row[x] for x in subtree(n, j, k)}
            if (count := len(image & subtree(n, n - j, other))) != 1:
                yield j, k, other, count


def crossing(n, row, j, k, up):
    """Packets out of, or into, S(j, k)."""
    inside = subtree(n, j, k)
    pairs = [(x, y) if up else (y, x) for x, y in enumerate(row) if y >= 0]
    return sum(x in inside and y not in inside for x, y in pairs)


def needed(n, rows, j, up):
    return max(crossing(n, row, j, k, up) for row in rows for k in range(2**j))


@st.composite
def frames(draw):
    """Frames of 2 … 16 leaves: permutations, shifts, the paper's; some with two rows exchanged."""
    n = draw(st.integers(1, 4))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    kind = draw(st.sampled_from(["random", "shifts", "paper", "exchanged", "idle"]))
    if kind == "random":
        return n, lbbvn.random_permutations(rng, draw(st.integers(1, 6)), 2**n)
    if kind == "shifts":
        return n, lbbvn.shifts(rng.permutation(2**n))
    rows = lbbvn.bit_reverse_shifts(n)
    if kind == "exchanged":
        slot, (a, b) = rng.integers(2**n), rng.integers(2**n, size=2)
        rows[slot, [a, b]] = rows[slot, [b, a]]
    return n, lbbvn.partial(rng, rows, 0.9) if kind == "idle" else rows


@given(frames())
def test_the_answers_are_the_paper_s(made):
    n, rows = made
    found, listed = lbbvn.assess(rows), rows.tolist()
    total = sum(matrix(row) for row in listed)
    assert (found.unmet is None) == bool((total == 1).all())
    if found.unmet is not None:
        source, output, times = found.unmet
        assert total[source, output] == times != 1
    broken = [list(breaches(n, row)) for row in listed]
    assert found.uniform.tolist() == [not each for each in broken]
    if found.uneven is None:
        assert not any(broken)
    else:
        slot, *where = found.uneven
        assert tuple(where) == broken[slot][0] and not any(broken[:slot])
    levels = range(1, n + 1)
    assert found.up.tolist() == [0, *(needed(n, listed, j, True) for j in levels)]
    assert found.down.tolist() == [0, *(needed(n, listed, j, False) for j in levels)]
    bound = [-(-(4**n - 2 ** (2 * n - j)) // 2 ** (n + j)) for j in levels]  # Eq. (8)
    fits = [
        all(
            needed(n, [row], j, up) <= most
            for j, most in zip(levels, bound, strict=True)
            for up in (0, 1)
        )
        for row in listed
    ]
    assert found.fitting.tolist() == fits


def test_up_and_down_may_need_other_lanes():
    """Both inputs leave S(2, 0), for two other subtrees of level 2; each gets one packet."""
    found = lbbvn.assess([[4, 6, -1, -1, -1, -1, -1, -1]])
    assert (found.up.tolist(), found.down.tolist()) == ([0, 2, 2, 1], [0, 2, 1, 1])


def test_shifts_of_a_permutation_are_those_of_section_3():
    sigma = [0, 4, 2, 6, 1, 5, 3, 7]
    assert (lbbvn.shifts(sigma) == lbbvn.bit_reverse_shifts(3)).all()
    for sigma in itertools.permutations(range(4)):
        rows = lbbvn.shifts(list(sigma))
        expected = [[(y + i) % 4 for y in sigma] for i in range(1, 5)]
        assert rows.tolist() == expected and lbbvn.assess(rows).unmet is None


@pytest.mark.parametrize("sigma", [[0, 0], [0, -1], [0, 1, 2], [0, 2], [[0, 1]]])
def test_what_is_not_a_permutation_is_refused(sigma):
    with pytest.raises(ValueError):
        lbbvn.shifts(sigma)


def test_the_example():
    """examples/frame-8.csv: it sums to ones, two slots do not map uniformly, one does not fit."""
    rows = read_frame("examples/frame-8.csv", 8)
    found = lbbvn.assess(rows)
    assert found.unmet is None and found.uneven == (2, 1, 0, 0, 2)
    assert np.flatnonzero(~found.uniform).tolist() == [2, 7]
    assert np.flatnonzero(~found.fitting).tolist() == [7]
    assert found.up.tolist() == found.down.tolist() == [0, 3, 2, 1]
