"""Permutations as traffic: who sends to whom, for any number of nodes.

A pattern is an int32 array [nodes], entry s the destination of node s; -1: s has no traffic.

After W. J. Dally, B. P. Towles, "Principles and practices of interconnection networks", 2004, and
the patterns of BookSim.  What they leave undefined, node numbers without a power of two, is ours.
"""

from collections.abc import Callable, Sequence
from math import isqrt, prod

import numpy as np

from fattree_models.common.checks import Int32Array, check_integer, whole
from fattree_models.traffic.words import check_nodes

Radix = int | Sequence[int] | None
"""Radix of the digits of node numbers, or one of each, least significant first."""


def complement(nodes: int) -> Int32Array:
    """Return d = N-1-s, which for N = 2^b complements the bits.

    Examples
    --------
    >>> complement(4)
    array([3, 2, 1, 0], dtype=int32)
    """
    return _numbers(nodes)[::-1].copy()


def bit_reversal(nodes: int) -> Int32Array:
    """Return d = the b bits of s in reverse order, b = ceil(log2 N); -1 where that is >= N (ours).

    Examples
    --------
    >>> bit_reversal(6)
    array([ 0,  4,  2, -1,  1,  5], dtype=int32)
    """
    return _bits_moved(nodes, lambda place, bits: bits - 1 - place)


def shuffle(nodes: int) -> Int32Array:
    """Return d = the b bits of s rotated left by one; -1 where that is >= N (ours).

    Examples
    --------
    >>> shuffle(8)
    array([0, 2, 4, 6, 1, 3, 5, 7], dtype=int32)
    """
    return _bits_moved(nodes, lambda place, bits: (place + 1) % bits)


def rotation(nodes: int) -> Int32Array:
    """Return d = the b bits of s rotated right by one; -1 where that is >= N (ours).

    Examples
    --------
    >>> rotation(8)
    array([0, 4, 1, 5, 2, 6, 3, 7], dtype=int32)
    """
    return _bits_moved(nodes, lambda place, bits: (place - 1) % bits)


def transpose(nodes: int, rows: int | None = None) -> Int32Array:
    """Return the transpose of a matrix of nodes stored by rows.

    Parameters
    ----------
    rows : int or None
        Divides `nodes`; None: the greatest divisor that makes no more rows than columns.

    Returns
    -------
    int32 array [nodes]
        d = (s mod C) R + s div C.  For N = 2^b, b even, the halves of the bits change places.

    Raises
    ------
    ValueError
        If `rows` does not divide N, or only a single row would (N is prime).

    Examples
    --------
    >>> transpose(6)
    array([0, 2, 4, 1, 3, 5], dtype=int32)
    """
    s, nodes = _numbers(nodes), int(nodes)
    if rows is None:
        rows = max(r for r in range(1, isqrt(nodes) + 1) if nodes % r == 0)
        if rows == 1:
            raise ValueError(f"transpose: {nodes} is prime; allowed are rows x columns nodes")
    rows = check_integer("rows", rows)
    if rows < 1 or nodes % rows:
        raise ValueError(f"transpose: has {rows} rows; allowed are divisors of {nodes}")
    columns = nodes // rows
    return s % columns * rows + s // columns


def tornado(nodes: int, radix: Radix = None) -> Int32Array:
    """Return d with every digit of s moved on by ceil(k/2) - 1, modulo its radix k.

    Parameters
    ----------
    radix : int, sequence of int, or None
        k, for k^n nodes; or one of each digit, least significant first (ours); None: all nodes are
        one digit.

    Raises
    ------
    ValueError
        If these are not the radices of `nodes` numbers, or every digit stays: all are below 3.

    Examples
    --------
    >>> tornado(8), tornado(9, 3)[:4]
    (array([3, 4, 5, 6, 7, 0, 1, 2], dtype=int32), array([4, 5, 3, 7], dtype=int32))
    """
    digits = _radices(nodes, radix)
    if max(digits) < 3:
        raise ValueError("tornado: every node would send to itself; allowed is a radix >= 3")
    return _digits_moved(nodes, digits, lambda k: (k + 1) // 2 - 1)


def neighbor(nodes: int, radix: Radix = None) -> Int32Array:
    """Return d with every digit of s moved on by 1, modulo its radix; arguments as `tornado`.

    Examples
    --------
    >>> neighbor(4), neighbor(4, 2)
    (array([1, 2, 3, 0], dtype=int32), array([3, 2, 1, 0], dtype=int32))
    """
    return _digits_moved(nodes, _radices(nodes, radix), lambda _: 1)


def shift(nodes: int, places: int) -> Int32Array:
    """Return d = s + places mod N.

    Examples
    --------
    >>> shift(4, -1)
    array([3, 0, 1, 2], dtype=int32)
    """
    return np.roll(_numbers(nodes), -check_integer("places", places) % int(nodes))


def random_permutation(nodes: int, seed: int) -> Int32Array:
    """Return a permutation that the seed alone decides, all equally likely.

    Examples
    --------
    >>> random_permutation(6, 2)
    array([3, 5, 2, 4, 0, 1], dtype=int32)
    """
    return np.random.default_rng(check_integer("seed", seed, 0)).permutation(_numbers(nodes))


def _numbers(nodes: int) -> Int32Array:
    return np.arange(check_nodes(nodes), dtype=np.int32)


def _bits_moved(nodes: int, to: Callable[[int, int], int]) -> Int32Array:
    """Move bit `place` of each number to bit `to(place, bits)`."""
    s = _numbers(nodes)
    bits = (s.size - 1).bit_length()
    d = np.zeros_like(s)
    for place in range(bits):
        d |= (s >> place & 1) << to(place, bits)
    d[d >= s.size] = -1
    return d


def _radices(nodes: int, radix: Radix) -> list[int]:
    """Return the radix of each digit, least significant first."""
    nodes = check_nodes(nodes)
    if radix is None:
        return [nodes]
    radix = whole(radix) or radix
    if isinstance(radix, (Sequence, np.ndarray)) and not isinstance(radix, str):
        digits = [check_integer("radix", each) for each in radix]
    else:
        digits = [check_integer("radix", radix, 2)]
        while prod(digits) < nodes:
            digits.append(digits[0])
    if min(digits, default=0) < 1 or prod(digits) != nodes:
        raise ValueError(f"radix: is {radix}; allowed are those whose digits number {nodes} nodes")
    return digits


def _digits_moved(nodes: int, digits: list[int], by: Callable[[int], int]) -> Int32Array:
    """Add `by(k)` to each digit, modulo its radix k."""
    rest = _numbers(nodes)
    d, weight = np.zeros_like(rest), 1
    for k in digits:
        d += (rest % k + by(k)) % k * weight
        rest, weight = rest // k, weight * k
    return d
