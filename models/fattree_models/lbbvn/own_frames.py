"""Frames of a user's own: the shifts of a permutation, and what the paper asks of any frame."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from fattree_models.common.checks import (
    BoolArray,
    Int32Array,
    Int64Array,
    check_integers,
    check_slots,
    levels_of,
)
from fattree_models.lbbvn.capacity import lower_bound
from fattree_models.lbbvn.frame import fits_each
from fattree_models.lbbvn.load import channel_loads, level_max
from fattree_models.lbbvn.permutation import cyclic_shifts, inverse


def shifts(sigma: npt.ArrayLike) -> Int32Array:
    """Return the frame of the circular shifts of a permutation, Section III.

    Parameters
    ----------
    sigma : int array [N]
        A permutation of 0 ... N-1.

    Returns
    -------
    int32 array [N, N]
        Row i-1 is sigma_i(x) = (sigma(x) + i) mod N, i = 1 ... N; the last row is sigma itself.

    Notes
    -----
    Their matrices sum to the all-ones matrix, whatever sigma is, Eq. (1).

    Examples
    --------
    >>> shifts([1, 0])
    array([[0, 1],
           [1, 0]], dtype=int32)
    """
    perm = inverse(inverse(check_integers("sigma", sigma)))
    levels_of("sigma", perm.size)
    if perm.ndim != 1 or (perm < 0).any():
        raise ValueError("sigma: has an idle leaf, or several rows; allowed is a permutation")
    return cyclic_shifts(perm, first=1)


@dataclass(frozen=True, eq=False)
class Assessment:
    """What the paper asks of a frame, answered.

    Attributes
    ----------
    slots : int
        Of the frame.
    unmet : (input, output, times) or None
        The first pair that the frame does not connect exactly once; None: its matrices sum to the
        all-ones matrix, Eq. (1).
    uniform : bool array [slots]
        Which slots have the uniform mapping property, Definition 3.
    uneven : (slot, j, k, l, count) or None
        The first slot that has not, and where: so many of the leaves of S(j, k) send into
        S(n-j, l), and not one.
    fitting : bool array [slots]
        Which slots fit the lanes of Lemma 1.
    up, down : int64 arrays [n + 1]
        Lanes that each level needs, each way; entry 0 is 0.
    """

    slots: int
    unmet: tuple[int, int, int] | None
    uniform: BoolArray
    uneven: tuple[int, int, int, int, int] | None
    fitting: BoolArray
    up: Int64Array
    down: Int64Array


def assess(frame: npt.ArrayLike) -> Assessment:
    """Answer what the paper asks of a frame.

    Parameters
    ----------
    frame : int array [slots, N]
        Destinations, -1 = idle; a slot with an idle leaf is not a permutation, and does not map
        uniformly.

    Notes
    -----
    S(j, k) sends one packet into each S(n-j, l) exactly if the first j bits of x with the first
    n - j bits of its destination are n bits that take every value once.  O(slots N n) time.

    Examples
    --------
    >>> found = assess([[0, 1], [1, 0], [1, 0]])
    >>> found.unmet, found.uniform.tolist(), found.up.tolist()
    ((0, 1, 2), [True, True, True], [0, 1])
    >>> assess([[0, 1, 2, 3]]).uneven
    (0, 1, 0, 0, 2)
    """
    array, n = check_slots(frame, "frame")
    leaves, sends = array.shape[1], array >= 0
    source = np.broadcast_to(np.arange(leaves), array.shape)[sends]
    met = np.bincount(source * leaves + array[sends], minlength=leaves**2)
    wrong = np.flatnonzero(met != 1)[:1]
    pairs = [(int(p) // leaves, int(p) % leaves, int(met[p])) for p in wrong]
    uniform = np.ones(len(array), np.bool_)
    for j in range(1, n + 1):
        uniform &= (np.sort(_both_bits(array, n, j), axis=1) == np.arange(leaves)).all(axis=1)
    up, down = (level_max(loads, n) for loads in channel_loads(array, n))
    bad = np.flatnonzero(~uniform)
    return Assessment(
        slots=len(array),
        unmet=pairs[0] if pairs else None,
        uniform=uniform,
        uneven=_uneven(int(bad[0]), array[bad[0]], n) if bad.size else None,
        fitting=fits_each(array, lower_bound(n)),
        up=up,
        down=down,
    )


def _both_bits(dst: Int32Array, n: int, j: int) -> Int32Array:
    """Return the first j bits of x before the first n - j of its destination; -1 for idle ones."""
    x = np.arange(dst.shape[-1], dtype=np.int32)
    return np.where(dst >= 0, x >> (n - j) << (n - j) | dst >> j, np.int32(-1))


def _uneven(slot: int, row: Int32Array, n: int) -> tuple[int, int, int, int, int] | None:
    """Return the first j, k, l for which a slot breaks Definition 3, behind its number."""
    for j in range(1, n + 1):
        both = _both_bits(row, n, j)
        counts = np.bincount(both[both >= 0], minlength=row.size)
        for place in np.flatnonzero(counts != 1)[:1]:
            k, other = divmod(int(place), 1 << (n - j))
            return slot, j, k, other, int(counts[place])
    return None
