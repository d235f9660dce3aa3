"""Capacities against Lemma 1's formula in exact fractions and the published tables."""

import math
from fractions import Fraction

import numpy as np
import pytest

from fattree_models import lbbvn

TABLE = {  # n: links nonblocking, bound; crosspoints nonblocking, bound, static upper half
    4: (128, 104, 688, 372, 208),
    6: (768, 656, 11968, 6472, 2112),
    8: (4096, 3616, 195328, 105488, 18688),
    10: (20480, 18496, 3140608, 1695264, 156672),
}


@pytest.mark.parametrize("n", range(1, 21))
def test_lemma_1(n):
    one = Fraction(1)
    up = [math.ceil(2 ** (n - j) * (1 - one / 2**j)) for j in range(1, n + 1)]
    down = [2 * math.ceil(2 ** (n - j - 1) * (1 - one / 2 ** (j + 1))) for j in range(n)]
    assert lbbvn.lower_bound(n).tolist() == [0, *up]
    assert (2 * lbbvn.lower_bound(n)[1:]).tolist() == down  # both children together
    assert lbbvn.nonblocking(n).tolist() == [0] + [2 ** (n - j) for j in range(1, n + 1)]
    for c in (lbbvn.lower_bound(n), lbbvn.nonblocking(n)):
        assert c.dtype == np.int64
        assert lbbvn.check_capacity(n, c).tolist() == c.tolist()
    h, wires, group = lbbvn.static_upper_half(n)
    assert (h, group) == (n // 2, 2 ** (n - 2 * (n // 2)))
    assert wires == (2**h - 1) * group == (lbbvn.lower_bound(n)[h] if h else 0)


@pytest.mark.parametrize("n", range(1, 5))
def test_lemma_1_by_averaging(n):
    """Eq. (8) counted: packets of one frame that leave S(j, k), a slot on the average."""
    leaves = np.arange(2**n)
    for j in range(1, n + 1):
        inside = leaves >> (n - j) == 0
        leaving = int((inside[:, None] & ~inside[None, :]).sum())
        assert lbbvn.lower_bound(n)[j] == math.ceil(Fraction(leaving, 2**n))


@pytest.mark.parametrize(
    ("n", "c"),
    [
        (3, [2, 2, 1]),
        (4, [4, 3, 2, 1]),
        (5, [8, 6, 4, 2, 1]),
        (6, [16, 12, 7, 4, 2, 1]),
        (8, [64, 48, 28, 15, 8, 4, 2, 1]),
    ],
)
def test_published_capacities(n, c):
    assert lbbvn.lower_bound(n).tolist() == [0, *c]


@pytest.mark.parametrize("n", TABLE)
def test_published_costs(n):
    bound, full = lbbvn.lower_bound(n), lbbvn.nonblocking(n)
    assert TABLE[n] == (
        lbbvn.links(full),
        lbbvn.links(bound),
        lbbvn.crosspoints(full),
        lbbvn.crosspoints(bound),
        lbbvn.crosspoints(bound, static_upper=True),
    )
    assert lbbvn.links(full) == n * 2 ** (n + 1)


def count_crosspoints(c, top):
    """Count pairs of an input and an output lane of a node that are not on the same side."""
    n = len(c) - 1
    total = 0
    for j in range(top, n):
        sides = {"left": c[j + 1], "right": c[j + 1], "up": c[j]}
        pairs = [(a, b) for a in sides for b in sides if a != b]
        total += 2**j * sum(sides[a] * sides[b] for a, b in pairs)
    return total


@pytest.mark.parametrize("n", range(1, 11))
def test_crosspoints_by_counting(n):
    for c in (lbbvn.lower_bound(n), lbbvn.nonblocking(n)):
        assert lbbvn.crosspoints(c) == count_crosspoints([0, *c.tolist()[1:]], 0)
    c = lbbvn.lower_bound(n)
    assert lbbvn.crosspoints(c, static_upper=True) == count_crosspoints(c.tolist(), n // 2)


def test_static_clears_what_it_does_not_have():
    assert lbbvn.check_capacity(6, [0, 99, -5, 7, 4, 2, 1], static_upper=True).tolist() == [
        *(0, 0, 0, 7, 4, 2, 1)
    ]
    given = np.array([0, 1])
    assert lbbvn.check_capacity(1, given, static_upper=True) is not given


@pytest.mark.parametrize(
    ("n", "c", "static_upper", "message"),
    [
        (4, [0, 4, 3, 5, 1], False, "level 3 has 5 lanes; allowed are 1 … 2"),
        (4, [0, 4, 0, 2, 1], False, "level 2 has 0 lanes; allowed are 1 … 4"),
        (4, [0, 4, 3, 2, 0], False, "level 4 has 0 lanes; allowed are 1 … 1"),
        (4, [0, -4, 3, 2, 1], False, "level 1 has -4 lanes; allowed are 1 … 8"),
        (4, [1, 4, 3, 2, 1], False, "level 0 has 1 lanes; allowed are 0, no channel there"),
        (4, [0, 8, 4, 2, 1], True, r"level 2 has 4 lanes; allowed are 3 \(static upper half\)"),
        (4, [0, 4, 3, 0, 1], True, "level 3 has 0 lanes; allowed are 1 … 2"),
        (
            *(2, [0, 1], False),
            r"has shape \(2,\); allowed is \(3,\), 0 for the root and one entry for each of .*",
        ),
    ],
)
def test_errors(n, c, static_upper, message):
    with pytest.raises(ValueError, match=f"^CAPACITY: {message}$"):
        lbbvn.check_capacity(n, c, static_upper)


def test_costs_check_their_vector():
    for cost in (lbbvn.links, lbbvn.crosspoints):
        with pytest.raises(ValueError, match=r"^CAPACITY: level 1 has 3 lanes; allowed are 1 … 2$"):
            cost([0, 3, 1])
