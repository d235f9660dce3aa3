"""Permutations of the leaves, the frames made of them, and random traffic.

A permutation is an int32 array [N], entry x the destination of leaf x; a frame is an int32 array
[slots, N], one row a slot.  -1 stands for an idle leaf.
"""

from typing import Literal

import numpy as np
import numpy.typing as npt

from fattree_models.common.checks import (
    Int32Array,
    IntegerArray,
    check_integer,
    check_integers,
    check_levels,
    check_range,
    check_real,
    levels_of,
)


def bit_reverse(n: int) -> Int32Array:
    """Return the bit-reverse permutation pi, Definition 2, Eq. (9).

    Returns
    -------
    int32 array [N]
        pi(x): the n bits of x in reverse order.

    Examples
    --------
    >>> bit_reverse(3)
    array([0, 4, 2, 6, 1, 5, 3, 7], dtype=int32)
    """
    n = check_levels(n)
    reverse = np.zeros(1, dtype=np.int32)
    for _ in range(n):
        reverse = np.concatenate((2 * reverse, 2 * reverse + 1))
    return reverse


def bit_reverse_shifts(n: int) -> Int32Array:
    """Return the paper's frame: the N cyclic shifts of bit reversal, Eq. (10).

    Returns
    -------
    int32 array [N, N]
        Row i-1 is pi_i(x) = (pi(x) + i) mod N, i = 1 ... N; the last row is pi itself.

    Notes
    -----
    Corollary 6: on the lanes of `lower_bound` every row is free of conflicts.

    Examples
    --------
    >>> bit_reverse_shifts(2)
    array([[1, 3, 2, 0],
           [2, 0, 3, 1],
           [3, 1, 0, 2],
           [0, 2, 1, 3]], dtype=int32)
    """
    return cyclic_shifts(bit_reverse(n), first=1)


def bit_reverse_xors(n: int) -> Int32Array:
    """Return the frame pi(x) XOR t, t = 0 ... N-1 (ours): it needs no adder and fits as well.

    Returns
    -------
    int32 array [N, N]
        Row t is pi(x) XOR t.

    Examples
    --------
    >>> bit_reverse_xors(1)
    array([[0, 1],
           [1, 0]], dtype=int32)
    """
    return _xors(bit_reverse(n))


def rotators(n: int) -> Int32Array:
    """Return the frame of the rotators x + t mod N, which needs the nonblocking lanes.

    Returns
    -------
    int32 array [N, N]
        Row t is (x + t) mod N, t = 0 ... N-1.

    Examples
    --------
    >>> rotators(2)[1]
    array([1, 2, 3, 0], dtype=int32)
    """
    return cyclic_shifts(_identity(n), first=0)


def symmetric_tdm(n: int) -> Int32Array:
    """Return the frame of symmetric TDM, t - x mod N: every row is an involution.

    Returns
    -------
    int32 array [N, N]
        Row t is (t - x) mod N, t = 0 ... N-1.

    Examples
    --------
    >>> symmetric_tdm(2)[1]
    array([1, 0, 3, 2], dtype=int32)
    """
    identity = _identity(n)
    return cyclic_shifts(-identity % identity.size, first=0)


def xor_frame(n: int) -> Int32Array:
    """Return the frame x XOR t, which needs the nonblocking lanes.

    Returns
    -------
    int32 array [N, N]
        Row t is x XOR t, t = 0 ... N-1.

    Examples
    --------
    >>> xor_frame(2)[3]
    array([3, 2, 1, 0], dtype=int32)
    """
    return _xors(_identity(n))


def bit_rotation(n: int, r: int) -> Int32Array:
    """Return the permutation that rotates the n bits of x left by r.

    Parameters
    ----------
    n : int
        Bits, 1 ... 20.
    r : int
        Places to the left, taken modulo n; negative: to the right.

    Returns
    -------
    int32 array [N]

    Examples
    --------
    >>> bit_rotation(3, 1)
    array([0, 2, 4, 6, 1, 3, 5, 7], dtype=int32)
    """
    n, x = check_levels(n), _identity(n)
    r = check_integer("r", r) % n
    return ((x << r) & (x.size - 1)) | (x >> (n - r))


def bit_rotation_frame(n: int, r: int, how: Literal["shift", "xor"] = "shift") -> Int32Array:
    """Return the frame of a bit rotation followed by + i or XOR i (ours).

    Parameters
    ----------
    n, r : int
        As for `bit_rotation`.
    how : "shift" or "xor"
        What follows the rotation.

    Returns
    -------
    int32 array [N, N]
        Row i is (rotation(x) + i) mod N, or rotation(x) XOR i, i = 0 ... N-1.

    Examples
    --------
    >>> bit_rotation_frame(2, 1, "xor")[1]
    array([1, 3, 0, 2], dtype=int32)
    """
    if how == "shift":
        return cyclic_shifts(bit_rotation(n, r), first=0)
    if how == "xor":
        return _xors(bit_rotation(n, r))
    raise ValueError(f"how: is {how!r}; allowed are 'shift', 'xor'")


def inverse(frame: npt.ArrayLike) -> Int32Array:
    """Return the inverse of each row: who sends to leaf y.

    Parameters
    ----------
    frame : int array [..., N]
        Rows are permutations, perhaps partial (-1 = idle).

    Returns
    -------
    int32 array [..., N]
        Entry y is the x with frame[x] = y, -1 if there is none.

    Raises
    ------
    ValueError
        If a destination is not a leaf, or two leaves of a row have the same one.

    Notes
    -----
    The inverses of a frame that fits are a frame that fits: up and down loads change places.

    Examples
    --------
    >>> inverse([[1, 2, -1, 0]])
    array([[ 3,  0,  1, -1]], dtype=int32)
    """
    array = check_integers("frame", frame)
    rows, leaves = _rows("frame", array)
    check_range("frame", array, -1, leaves - 1)
    row, src = np.nonzero(rows >= 0)
    result = np.full(rows.shape, -1, dtype=np.int32)
    result[row, rows[row, src]] = src
    if np.count_nonzero(result >= 0) != row.size:
        raise ValueError("frame: has a row with one destination twice; allowed is once")
    return result.reshape(array.shape)


def random_permutations(rng: np.random.Generator, slots: int, leaves: int) -> Int32Array:
    """Return independent, uniformly random permutations.

    Parameters
    ----------
    rng : numpy.random.Generator
        Source of randomness.
    slots, leaves : int
        Shape; leaves = 2^n.

    Returns
    -------
    int32 array [slots, leaves]

    Examples
    --------
    >>> np.sort(random_permutations(np.random.default_rng(1), 2, 4)).tolist()
    [[0, 1, 2, 3], [0, 1, 2, 3]]
    """
    frame = np.empty(_shape(slots, leaves), dtype=np.int32)
    frame[:] = np.arange(leaves, dtype=np.int32)
    return rng.permuted(frame, axis=1, out=frame)


def partial(rng: np.random.Generator, frame: npt.ArrayLike, load: float) -> Int32Array:
    """Return a copy of `frame` in which each leaf is idle with probability 1 - load.

    Parameters
    ----------
    rng : numpy.random.Generator
        Source of randomness.
    frame : int array [..., N]
        Destinations, -1 = idle.
    load : float
        Probability that a packet stays, 0 ... 1.

    Returns
    -------
    int32 array [..., N]

    Examples
    --------
    >>> partial(np.random.default_rng(1), [[1, 0]], 0.0)
    array([[-1, -1]], dtype=int32)
    """
    array = check_integers("frame", frame)
    _, leaves = _rows("frame", array)
    check_range("frame", array, -1, leaves - 1)
    array = array.astype(np.int32)
    _idle(rng, array, load)
    return array


def random_messages(
    rng: np.random.Generator, slots: int, leaves: int, load: float = 1.0
) -> Int32Array:
    """Return independent, uniformly random destinations: many-to-one and loop-backs included.

    Parameters
    ----------
    rng : numpy.random.Generator
        Source of randomness.
    slots, leaves : int
        Shape; leaves = 2^n.
    load : float
        Probability that a leaf injects in a slot, 0 ... 1.

    Returns
    -------
    int32 array [slots, leaves]
        Destinations, -1 = idle.

    Examples
    --------
    >>> random_messages(np.random.default_rng(1), 2, 4, 0.5).shape
    (2, 4)
    """
    dst = rng.integers(0, leaves, size=_shape(slots, leaves), dtype=np.int32)
    _idle(rng, dst, load)
    return dst


def _idle(rng: np.random.Generator, dst: Int32Array, load: float) -> None:
    """Make each leaf idle, in place, with probability 1 - load."""
    if check_real("load", load, 0, 1) < 1.0:
        dst[rng.random(dst.shape, dtype=np.float32) >= load] = -1


def _shape(slots: int, leaves: int) -> tuple[int, int]:
    """Return the shape if there can be such a frame."""
    return check_integer("slots", slots, 0), 1 << levels_of("leaves", leaves)


def _rows(name: str, array: IntegerArray) -> tuple[IntegerArray, int]:
    """Return `array` [..., N] as [rows, N], and N."""
    if array.ndim == 0 or array.shape[-1] == 0:
        raise ValueError(f"{name}: has shape {array.shape}; allowed is [..., leaves], leaves >= 1")
    leaves = array.shape[-1]
    return array.reshape(array.size // leaves, leaves), leaves


def _identity(n: int) -> Int32Array:
    """Return 0 ... N-1."""
    return np.arange(1 << check_levels(n), dtype=np.int32)


def cyclic_shifts(perm: Int32Array, first: int) -> Int32Array:
    """Return (perm + i) mod N in row i - first: the circular shifts of Section III."""
    shift = np.arange(first, first + perm.size, dtype=np.int32)
    return (perm[None, :] + shift[:, None]) & np.int32(perm.size - 1)


def _xors(perm: Int32Array) -> Int32Array:
    """Return perm XOR t in row t."""
    return perm[None, :] ^ np.arange(perm.size, dtype=np.int32)[:, None]
