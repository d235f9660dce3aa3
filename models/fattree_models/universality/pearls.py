"""Two strings of pearls are halved by two cuts (Lemma 6)."""

from collections.abc import Sequence

import numpy as np
from numba import njit

from fattree_models.common.checks import Int64Array

Piece = tuple[int, int]
Strings = tuple[Piece, Piece]


def divide(one: Sequence[bool], other: Sequence[bool]) -> tuple[Strings, Strings]:
    """Divide two strings of pearls into two sets, each of at most two strings.

    Parameters
    ----------
    one, other : sequences of bool
        The strings, True for black; together an even number of pearls of each colour.

    Returns
    -------
    (a, rest) : pairs of pieces (begin, end)
        Positions on the line of `one` followed by `other`; begin = end: no pearls.

    Raises
    ------
    ValueError
        If there is an odd number of pearls of a colour.

    Examples
    --------
    >>> divide([True, True, False, False], [])
    (((1, 3), (4, 4)), ((0, 1), (3, 4)))
    """
    line = np.array([*one, *other], dtype=np.bool_)
    black = np.flatnonzero(line).astype(np.int64)
    for colour, count in (("black", black.size), ("white", line.size - black.size)):
        if count % 2:
            raise ValueError(f"pearls: {count} are {colour}; allowed are even numbers")
    a, b, c, d, *rest = halve(black, 0, len(one), len(one), line.size)
    w, x, y, z = rest
    return ((a, b), (c, d)), ((w, x), (y, z))


@njit(cache=True)
def halve(
    black: Int64Array, a0: int, a1: int, b0: int, b1: int
) -> tuple[int, int, int, int, int, int, int, int]:
    """Return the four pieces of two halves of the strings [a0, a1) and [b0, b1).

    Parameters
    ----------
    black : int64 array
        Positions of the black pearls, ascending.

    Returns
    -------
    eight ints
        begin, end of the two pieces of one half, then those of the other.

    Notes
    -----
    The long string L and the short one S lie in a circle.  A, half of all pearls, begins as the end
    of L; it moves on into S pearl by pearl until it has all of S (its head and tail are then one
    piece of L and S); then its part of L slides to the beginning of L.  It ends as the complement
    of what it was at first, and no move changes its black pearls by more than one, so at some place
    it has half of them: found by bisection.  O(lg pearls lg black) time.
    """
    if a1 - a0 < b1 - b0:
        a0, a1, b0, b1 = b0, b1, a0, a1
    short = b1 - b0
    half = (a1 - a0 + short) // 2
    need = _blacks(black, a0, a1, b0, b1) // 2
    low, high = 0, short + half
    place = _place(low, a0, a1, b0, b1, half)
    first = _blacks(black, place[0], place[1], place[2], place[3]) - need
    excess = first
    while excess != 0:
        move = (low + high) // 2
        if move == low:
            move = high
        place = _place(move, a0, a1, b0, b1, half)
        excess = _blacks(black, place[0], place[1], place[2], place[3]) - need
        if (excess > 0) == (first > 0):
            low = move
        else:
            high = move
    return place


@njit(cache=True)
def _place(
    move: int, a0: int, a1: int, b0: int, b1: int, half: int
) -> tuple[int, int, int, int, int, int, int, int]:
    """Return A and its complement after so many moves."""
    short = b1 - b0
    if move <= short:
        cut, other = a1 - half + move, b0 + move
        return cut, a1, b0, other, a0, cut, other, b1
    begin = a0 + half - (move - short)
    end = begin + half - short
    return begin, end, b0, b1, a0, begin, end, a1


@njit(cache=True)
def _blacks(black: Int64Array, a0: int, a1: int, b0: int, b1: int) -> int:
    """Count the black pearls of two pieces."""
    first = np.searchsorted(black, a1) - np.searchsorted(black, a0)
    return int(first + np.searchsorted(black, b1) - np.searchsorted(black, b0))
