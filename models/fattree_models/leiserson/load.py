"""Loads and load factors: what a message set asks of every channel (Leiserson 1985, Section III).

A message set is two int arrays src, dst [messages]: processors 0 ... n-1, or n for the world
outside, to which the external channel above the root leads.  A message goes up from its source to
the lowest common ancestor and down to its destination; one to the outside only goes up, through the
external channel, one from the outside only down.  Its lowest common ancestor is then said to be
node 0, above the root (level -1).

Channel v leads from node v (heap index) to its parent; channel 1 is the external one.  With
sources, destinations and lowest common ancestors counted at their nodes,

    load_up(v) = sources in the subtree of v - common ancestors in the subtree of v,

and likewise down with destinations; messages from or to the outside fall out right by themselves.
"""

from fractions import Fraction

import numpy as np
import numpy.typing as npt

from fattree_models.common.checks import Int32Array, Int64Array, check_integers, check_range
from fattree_models.common.tree import bit_lengths, subtree_sums
from fattree_models.leiserson.capacity import (
    check_capacity,
    check_processors,
    height,
    processors_of,
)


def check_messages(
    src: npt.ArrayLike, dst: npt.ArrayLike, processors: int
) -> tuple[Int32Array, Int32Array]:
    """Check a message set and return it as int32.

    Parameters
    ----------
    src, dst : int arrays [messages]
        Processors 0 ... n-1, or n: from or to the outside.  The same message may occur many times.

    Returns
    -------
    (src, dst) : int32 arrays [messages]
        Contiguous; not copied if they are already so.

    Raises
    ------
    ValueError
        If the lists differ in length, are not lists, hold what is neither a processor nor n, or a
        message goes from a place to itself.

    Examples
    --------
    >>> check_messages([0, 2], [1, 2], 2)
    Traceback (most recent call last):
    ...
    ValueError: dst: message 1 goes from 2 (the outside) to itself
    """
    n = check_processors(processors)
    x, y = check_integers("src", src), check_integers("dst", dst)
    if x.ndim != 1 or x.shape != y.shape:
        raise ValueError(f"dst: has shape {y.shape}, src {x.shape}; allowed is [messages] for both")
    if x.size >= 2**31:
        raise ValueError(f"src: has {x.size} messages; allowed are fewer than 2^31")
    check_range("src", x, 0, n)
    check_range("dst", y, 0, n)
    loop = x == y
    if loop.any():
        first = int(loop.argmax())
        place = "the outside" if x[first] == n else "a processor"
        raise ValueError(f"dst: message {first} goes from {x[first]} ({place}) to itself")
    return np.ascontiguousarray(x, dtype=np.int32), np.ascontiguousarray(y, dtype=np.int32)


def common_ancestors(src: Int32Array, dst: Int32Array, n: int) -> Int32Array:
    """Return the node where each message turns, 0 for messages from or to the outside.

    Parameters
    ----------
    src, dst : int32 arrays [messages]
        A checked message set.
    n : int
        Processors.

    Returns
    -------
    int32 array [messages]
        Heap indices 0 ... n-1.

    Examples
    --------
    >>> common_ancestors(np.int32([0, 0, 2, 4]), np.int32([1, 3, 4, 0]), 4)
    array([2, 1, 0, 0], dtype=int32)
    """
    # The table ends at n-1; what the outside finds there is not used.
    up = bit_lengths(height(n))[(src ^ dst) & np.int32(n - 1)]
    return np.where((src | dst) >= n, np.int32(0), (src + np.int32(n)) >> up)


def channel_loads(
    src: npt.ArrayLike, dst: npt.ArrayLike, processors: int
) -> tuple[Int64Array, Int64Array]:
    """Return load(M, c) of every channel c.

    Returns
    -------
    (up, down) : int64 arrays [2n]
        Messages that use the channel of a heap index: 1 = external, n + x = processor x; entry 0 is
        0.

    Notes
    -----
    O(messages + n): three counts and a sum over the tree.

    Examples
    --------
    >>> up, down = channel_loads([0, 0, 1, 4], [1, 2, 4, 3], 4)
    >>> up, down
    (array([0, 1, 2, 0, 2, 1, 0, 0]), array([0, 1, 0, 2, 0, 1, 1, 1]))
    """
    n = check_processors(processors)
    h = height(n)
    x, y = check_messages(src, dst, n)
    turns = np.bincount(common_ancestors(x, y, n), minlength=2 * n)
    up, down = -turns, -turns
    # The outside is counted at position n and cut off: it is in no subtree.
    up[n:] += np.bincount(x, minlength=n + 1)[:n]
    down[n:] += np.bincount(y, minlength=n + 1)[:n]
    for loads in (up, down):
        subtree_sums(loads, h)
        loads[0] = 0
    return up, down


def level_loads(
    src: npt.ArrayLike, dst: npt.ArrayLike, processors: int
) -> tuple[Int64Array, Int64Array]:
    """Return the load of the busiest channel of each level.

    Returns
    -------
    (up, down) : int64 arrays [h + 1]
        Entry k for level k; entry 0 is the external channel.

    Examples
    --------
    >>> level_loads([0, 0, 1, 4], [1, 2, 4, 3], 4)
    (array([1, 2, 2]), array([1, 2, 1]))
    """
    up, down = channel_loads(src, dst, processors)
    first = 1 << np.arange(height(processors) + 1)
    return np.maximum.reduceat(up, first), np.maximum.reduceat(down, first)


def load_factor(src: npt.ArrayLike, dst: npt.ArrayLike, cap: npt.ArrayLike) -> Fraction:
    """Return lambda(M), the most that any channel is asked for, in units of its capacity.

    Parameters
    ----------
    cap : int array [h + 1]
        Capacity vector of the tree.  With partial concentrators pass what they promise to carry,
        floor(alpha wires): the bounds of the schedules hold for those numbers.

    Returns
    -------
    Fraction
        max over the channels of load(M, c) / cap(c), exact; 0 for no messages.  The external
        channel counts like any other, so only if messages use it.

    Examples
    --------
    >>> load_factor([0, 0, 1], [2, 3, 2], [3, 2, 1])
    Fraction(2, 1)
    >>> load_factor([0, 0, 1], [2, 3, 2], [4, 2, 4])
    Fraction(3, 2)
    """
    n = processors_of(cap)
    wires = check_capacity(n, cap).tolist()
    busiest = np.maximum(*level_loads(src, dst, n)).tolist()
    return max(Fraction(load, c) for load, c in zip(busiest, wires, strict=True))


def bound(src: npt.ArrayLike, dst: npt.ArrayLike, cap: npt.ArrayLike) -> int:
    """Return ceil(lambda(M)): no schedule has fewer delivery cycles.

    Examples
    --------
    >>> bound([0, 0, 1], [2, 3, 2], [4, 2, 4])
    2
    """
    factor = load_factor(src, dst, cap)
    return -(-factor.numerator // factor.denominator)
