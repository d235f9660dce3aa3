"""Lanes per channel: Lemma 1's bound, nonblocking, the static upper half, and what they cost.

A capacity vector is an int64 array c of length n + 1: c[j] lanes in each direction on every channel
of level j, c[0] = 0 because the root has no parent.
"""

import numpy as np
import numpy.typing as npt

from fattree_models.common.checks import Int64Array, check_integers, check_levels


def lower_bound(n: int) -> Int64Array:
    """Return the least lanes per channel with which a frame can fit, Lemma 1's upward degree.

    Parameters
    ----------
    n : int
        Levels below the root, 1 ... 20.

    Returns
    -------
    int64 array [n + 1]
        c[j] = ceil(2^(n-j) - 2^(n-2j)) for j = 1 ... n; c[0] = 0.

    Notes
    -----
    By Lemma 1 no N permutations that sum to the all-ones matrix do with less; by Lemmas 4 and
    5 the cyclic shifts of bit reversal need no more.  2^(n-2j) is an integer up to j = n/2 and in
    (0, 1) beyond, so the ceiling is 2^(n-j) minus the integer part: exact in integers.

    Examples
    --------
    >>> lower_bound(6)
    array([ 0, 16, 12,  7,  4,  2,  1])
    """
    n = check_levels(n)
    lanes = nonblocking(n)
    for level in range(1, n // 2 + 1):
        lanes[level] -= 1 << (n - 2 * level)
    return lanes


def nonblocking(n: int) -> Int64Array:
    """Return the lanes with which every permutation fits, Eq. (6).

    Returns
    -------
    int64 array [n + 1]
        c[j] = 2^(n-j) for j = 1 ... n; c[0] = 0.

    Examples
    --------
    >>> nonblocking(4)
    array([0, 8, 4, 2, 1])
    """
    n = check_levels(n)
    lanes = np.int64(1) << np.arange(n, -1, -1, dtype=np.int64)
    lanes[0] = 0
    return lanes


def static_upper_half(n: int) -> tuple[int, int, int]:
    """Return the dimensions of the static upper half (ours): its level, its lanes, its group.

    Parameters
    ----------
    n : int
        Levels below the root, 1 ... 20.

    Returns
    -------
    (h, c_h, g) : int, int, int
        h = floor(n/2); every node of level h has c_h = (2^h - 1) 2^(n-2h) lanes up, in 2^h - 1
        groups of g = 2^(n-2h), one group of fixed wires to each other node of level h.  n = 1: h =
        c_h = 0, nothing is static.

    Notes
    -----
    A frame that fits sends exactly g packets from each S(h, k) to each S(h, l) in every slot
    if it has the uniform mapping property (Eq. (21)), so the levels above h need no switch.  c_h is
    Lemma 1's bound at level h.

    Examples
    --------
    >>> static_upper_half(5)
    (2, 6, 2)
    """
    n = check_levels(n)
    h = n // 2
    group = 1 << (n - 2 * h)
    return h, ((1 << h) - 1) * group, group


def check_capacity(
    n: int, c: npt.ArrayLike, static_upper: bool = False, name: str = "CAPACITY"
) -> Int64Array:
    """Check a capacity vector and return it as int64 with c[0] = 0.

    Parameters
    ----------
    n : int
        Levels below the root, 1 ... 20.
    c : int array [n + 1]
        Lanes per channel by level; c[0] must be 0.
    static_upper : bool
        With the static upper half level h = floor(n/2) has exactly (2^h - 1) 2^(n-2h) lanes; levels
        1 ... h-1 have no channels: their entries may be anything and are returned as 0.
    name : str
        What error messages call it.

    Returns
    -------
    int64 array [n + 1]
        A new array.

    Examples
    --------
    >>> check_capacity(4, [0, 4, 3, 2, 1])
    array([0, 4, 3, 2, 1])
    >>> check_capacity(4, [0, 4, 3, 5, 1])
    Traceback (most recent call last):
    ...
    ValueError: CAPACITY: level 3 has 5 lanes; allowed are 1 … 2
    """
    n = check_levels(n)
    lanes = check_integers(name, c).astype(np.int64)
    if lanes.shape != (n + 1,):
        raise ValueError(
            f"{name}: has shape {lanes.shape}; allowed is ({n + 1},), "
            f"0 for the root and one entry for each of the levels 1 … {n}"
        )
    if lanes[0] != 0:
        raise ValueError(f"{name}: level 0 has {lanes[0]} lanes; allowed are 0, no channel there")
    first = 1
    if static_upper:
        first = _check_static(n, lanes, name)
    for level in range(first, n + 1):
        most = 1 << (n - level)
        if not 1 <= lanes[level] <= most:
            raise ValueError(
                f"{name}: level {level} has {lanes[level]} lanes; allowed are 1 … {most}"
            )
    return lanes


def _check_static(n: int, lanes: Int64Array, name: str) -> int:
    """Check level h against the wires, clear the levels above; return the first level to check."""
    h, wires, _ = static_upper_half(n)
    if h > 0 and lanes[h] != wires:
        raise ValueError(
            f"{name}: level {h} has {lanes[h]} lanes; allowed are {wires} (static upper half)"
        )
    lanes[:h] = 0
    return max(h, 1)


def links(c: npt.ArrayLike) -> int:
    """Return the number of links of the tree, both directions: the sum of 2 · 2^j c_j.

    Parameters
    ----------
    c : int array [n + 1]
        Capacity vector.

    Returns
    -------
    int
        One-way links, each one packet wide.

    Examples
    --------
    >>> links(nonblocking(4)), links(lower_bound(4))
    (128, 104)
    """
    lanes = check_integers("CAPACITY", c)
    lanes = check_capacity(lanes.size - 1, lanes)
    return 2 * sum(int(lane) << level for level, lane in enumerate(lanes))


def crosspoints(c: npt.ArrayLike, static_upper: bool = False) -> int:
    """Return the crosspoints of all nodes, U-turns left out.

    Parameters
    ----------
    c : int array [n + 1]
        Capacity vector.
    static_upper : bool
        If set, the levels above h = floor(n/2) are wires and cost nothing.

    Returns
    -------
    int
        Sum over the nodes of 2 c'^2 + 4 c c', with c = c_j lanes to the parent (0 at the root) and
        c' = c_(j+1) lanes to each child.

    Notes
    -----
    A node switches each child's lanes to the other child (c' by c', twice), to the parent (c'
    by c, twice) and the parent's lanes to each child (c by c', twice).  Ours; the paper counts
    links only.

    Examples
    --------
    >>> crosspoints(nonblocking(4)), crosspoints(lower_bound(4)), crosspoints(lower_bound(4), True)
    (688, 372, 208)
    """
    lanes = check_integers("CAPACITY", c)
    n = lanes.size - 1
    up = [int(lane) for lane in check_capacity(n, lanes, static_upper)]
    top = static_upper_half(n)[0] if static_upper else 0
    return sum((2 * up[j + 1] ** 2 + 4 * up[j] * up[j + 1]) << j for j in range(top, n))
