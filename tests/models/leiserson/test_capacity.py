"""Capacities against exact arithmetic and known numbers."""

from fractions import Fraction

import numpy as np
import pytest

from fattree_models.leiserson.capacity import (
    check_capacity,
    height,
    least_root,
    nonblocking,
    processors_of,
    universal,
)
from tests.models.refused import refused


def ceil_scaled(w, level):
    """Return ceil(w / 2^(2 level / 3)) by trying one number after the other."""
    c = 0
    while Fraction(c) ** 3 * 4**level < w**3:
        c += 1
    return c


@pytest.mark.parametrize(
    ("n", "w", "expected"),
    [
        (64, 16, [16, 11, 7, 4, 3, 2, 1]),
        (64, 32, [32, 21, 13, 8, 4, 2, 1]),
        (64, 64, [64, 32, 16, 8, 4, 2, 1]),
        (256, 41, [41, 26, 17, 11, 7, 5, 3, 2, 1]),
        (2, 2, [2, 1]),
    ],
)
def test_universal_known(n, w, expected):
    assert universal(n, w).tolist() == expected


@pytest.mark.parametrize("h", range(1, 9))
def test_universal_exact(h):
    n = 2**h
    for w in range(least_root(n), n + 1):
        cap = universal(n, w)
        assert cap.dtype == np.int64
        assert cap.tolist() == [min(n >> k, ceil_scaled(w, k)) for k in range(h + 1)]
        assert cap[0] == w
        assert cap[h] == 1


@pytest.mark.parametrize(("n", "w", "level", "wires"), [(512, 77, 7, 4), (1024, 102, 7, 5)])
def test_universal_just_above_a_cube(n, w, level, wires):
    """w^3 / 4^level lies between a cube and the next integer."""
    assert (wires - 1) ** 3 == w**3 // 4**level
    assert universal(n, w)[level] == wires == ceil_scaled(w, level)


def test_exact_powers_have_no_noise():
    # 2^18 / 4^(9/3) = 2^12: a floating-point ceiling easily gives one more.
    cap = universal(2**20, 2**18)
    assert [int(cap[k]) for k in range(0, 19, 3)] == [
        min(2**20 >> k, 2**18 >> (2 * k // 3)) for k in range(0, 19, 3)
    ]


@pytest.mark.parametrize("h", range(1, 21))
def test_least_root(h):
    w = least_root(2**h)
    assert w**3 >= 4**h > (w - 1) ** 3
    assert universal(2**h, w)[0] == w
    for wrong in (w - 1, 2**h + 1):
        with pytest.raises(ValueError, match=rf"^w: is {wrong}; allowed are {w} … {2**h} "):
            universal(2**h, wrong)


def test_nonblocking():
    for h in range(1, 12):
        assert nonblocking(2**h).tolist() == universal(2**h, 2**h).tolist()
        assert nonblocking(2**h).tolist() == [2 ** (h - k) for k in range(h + 1)]


def test_check_capacity():
    cap = np.array([1, 9, 4], dtype=np.uint8)
    checked = check_capacity(4, cap)
    assert checked.dtype == np.int64
    assert checked.tolist() == [1, 9, 4]
    checked[0] = 7
    assert cap[0] == 1
    assert processors_of(cap) == 4
    assert height(4) == 2


test_errors = refused(
    (lambda: check_capacity(4, [4, 0, 1]), "CAPACITY: level 1 has 0 wires; allowed are 1 …"),
    (lambda: check_capacity(4, [4, 2, -1]), "CAPACITY: level 2 has -1 wires; allowed are 1 …"),
    (
        lambda: check_capacity(4, np.array([2**64 - 1, 1, 1], dtype=np.uint64)),
        "CAPACITY: holds 18446744073709551615; allowed are 0 … 9223372036854775807",
    ),
    (lambda: check_capacity(4, [4, 2]), r"CAPACITY: has shape \(2,\); allowed is \(3,\), one"),
    (lambda: check_capacity(4, [[4, 2, 1]]), r"CAPACITY: has shape \(1, 3\); allowed is \(3,\)"),
    (
        lambda: check_capacity(6, [4, 2, 1]),
        "processors: is 6; allowed are powers of two, 2 … 1048576",
    ),
    (lambda: height(1), "processors: is 1; allowed are powers of two, 2 … 1048576"),
    (lambda: height(2**21), "processors: is 2097152; allowed are powers of two, 2 … 1048576"),
    (lambda: height(True), "processors: is True; allowed are powers"),
    (lambda: height(0), "processors: is 0; allowed are powers"),
    (lambda: height(4.0), "processors: is 4.0; allowed are powers"),
    (lambda: universal(64, 16.5), "w: is 16.5; allowed are 16 … 64"),
    (lambda: universal(24, 16), "processors: is 24; allowed are powers"),
    (lambda: processors_of([4]), r"CAPACITY: has shape \(1,\); allowed is \(h \+ 1,\)"),
)
