"""Capacities: universal fat-trees, nonblocking ones, and the check of any vector.

A capacity vector is an int64 array cap of length h + 1 for a tree of n = 2^h processors: cap[k]
wires, each way, on every channel of level k.  Level 0 is the external channel above the root, level
h the channels of the processors (Leiserson 1985, Section IV: a channel has the level of the node
beneath it).
"""

import numpy as np
import numpy.typing as npt

from fattree_models.common.checks import MAX_LEVELS, Int64Array, check_integers, whole

MAX_WIRES = 2**31 - 1
"""Most wires of a channel: counts of messages fit 32 bits."""


def height(processors: int) -> int:
    """Return h = lg n of a tree of n processors.

    Examples
    --------
    >>> height(64)
    6
    >>> height(12)
    Traceback (most recent call last):
    ...
    ValueError: processors: is 12; allowed are powers of two, 2 … 1048576
    """
    return check_processors(processors).bit_length() - 1


def check_processors(processors: int) -> int:
    """Return `processors` as an int if there can be a tree of so many.

    Examples
    --------
    >>> check_processors(np.uint8(64))
    64
    """
    h = (whole(processors) or 0).bit_length() - 1
    if not 1 <= h <= MAX_LEVELS or processors != 1 << h:
        most = 1 << MAX_LEVELS
        raise ValueError(f"processors: is {processors}; allowed are powers of two, 2 … {most}")
    return 1 << h


def universal(processors: int, w: int) -> Int64Array:
    """Return the capacities of the universal fat-tree of root capacity w (Section IV).

    Parameters
    ----------
    w : int
        Root capacity, n^(2/3) <= w <= n.

    Returns
    -------
    int64 array [h + 1]
        cap[k] = min(ceil(n / 2^k), ceil(w / 2^(2k/3))).

    Raises
    ------
    ValueError
        If `n` is not a power of two, or `w` is not an integer with w^3 >= n^2 and w <= n.

    Notes
    -----
    Exact: the second term is the smallest c with c^3 4^k >= w^3, in integers.  Floating-point
    powers are off by one where 4^(k/3) is exact.

    Examples
    --------
    >>> universal(64, 16), universal(64, 64)
    (array([16, 11,  7,  4,  3,  2,  1]), array([64, 32, 16,  8,  4,  2,  1]))
    """
    n = check_processors(processors)
    h, least = height(n), least_root(n)
    root = whole(w) or 0
    if not least <= root <= n:
        raise ValueError(f"w: is {w}; allowed are {least} … {n} (n^(2/3) <= w <= n, n = {n})")
    # -(-a >> b) is the ceiling of a / 2^b.
    cube = root**3
    wires = [min(1 << (h - k), _root_above(-(-cube >> 2 * k))) for k in range(h + 1)]
    return np.array(wires, dtype=np.int64)


def least_root(processors: int) -> int:
    """Return the smallest legal root capacity of a universal fat-tree, ceil(n^(2/3)).

    Examples
    --------
    >>> least_root(16), least_root(64), least_root(256)
    (7, 16, 41)
    """
    return _root_above(1 << (2 * height(processors)))


def nonblocking(processors: int) -> Int64Array:
    """Return the capacities n / 2^k: one wire a processor, no channel narrower than its leaves.

    Returns
    -------
    int64 array [h + 1]
        The universal fat-tree of root capacity n.

    Examples
    --------
    >>> nonblocking(8)
    array([8, 4, 2, 1])
    """
    h = height(processors)
    return np.int64(1) << np.arange(h, -1, -1, dtype=np.int64)


def check_capacity(processors: int, cap: npt.ArrayLike, name: str = "CAPACITY") -> Int64Array:
    """Check the capacity vector of a tree and return it as int64.

    Parameters
    ----------
    cap : int array [h + 1]
        Wires, each way, of every channel of a level; any integers from 1 to 2^31 - 1, in any
        order.
    name : str
        What error messages call it.

    Returns
    -------
    int64 array [h + 1]
        A new array.

    Examples
    --------
    >>> check_capacity(4, [4, 2, 1])
    array([4, 2, 1])
    >>> check_capacity(4, [4, 2, 0])
    Traceback (most recent call last):
    ...
    ValueError: CAPACITY: level 2 has 0 wires; allowed are 1 … 2147483647
    """
    h = height(processors)
    wires = check_integers(name, cap)
    if wires.shape != (h + 1,):
        raise ValueError(
            f"{name}: has shape {wires.shape}; allowed is ({h + 1},), "
            f"one entry for each of the levels 0 … {h}"
        )
    for level, number in enumerate(wires.tolist()):
        if not 1 <= number <= MAX_WIRES:
            raise ValueError(
                f"{name}: level {level} has {number} wires; allowed are 1 … {MAX_WIRES}"
            )
    return wires.astype(np.int64)


def processors_of(cap: npt.ArrayLike) -> int:
    """Return n, the processors of the tree that a capacity vector belongs to.

    Parameters
    ----------
    cap : int array [h + 1]
        Wires of every channel of a level; only the length counts.

    Examples
    --------
    >>> processors_of([4, 2, 1])
    4
    """
    shape = np.shape(cap)
    if len(shape) != 1 or not 2 <= shape[0] <= MAX_LEVELS + 1:
        raise ValueError(
            f"CAPACITY: has shape {shape}; allowed is (h + 1,), "
            f"one entry for each of the levels 0 … h, h = 1 … {MAX_LEVELS}"
        )
    return int(1 << (shape[0] - 1))


def _root_above(value: int) -> int:
    """Return the smallest c >= 0 with c^3 >= value, by bisection in integers."""
    low, high = 0, 1 << -(-value.bit_length() // 3)
    while low < high:
        middle = (low + high) // 2
        if middle**3 >= value:
            high = middle
        else:
            low = middle + 1
    return low
