"""Whether a frame fits a tree: no channel gets more packets than it has lanes.

And what the paper asks of frames: `assess`.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from fattree_models.common.checks import BoolArray, Int32Array, Int64Array, check_slots
from fattree_models.common.tree import FatTree
from fattree_models.lbbvn.capacity import check_capacity, lower_bound
from fattree_models.lbbvn.load import channel_loads, level_max


def fits_each(frame: npt.ArrayLike, c: npt.ArrayLike) -> BoolArray:
    """Tell for each slot whether no channel and no leaf gets more packets than it has lanes.

    Parameters
    ----------
    frame : int array [slots, N]
        Destinations, -1 = idle.
    c : int array [n + 1]
        Capacity vector.

    Returns
    -------
    bool array [slots]

    Examples
    --------
    >>> fits_each([[0, 2, 1, 3], [2, 3, 0, 1]], [0, 1, 1])
    array([ True, False])
    """
    array, n = check_slots(frame, "frame")
    lanes = FatTree(n).channel_lanes(check_capacity(n, c))
    up, down = channel_loads(array, n)
    within = (up <= lanes).all(axis=1) & (down <= lanes).all(axis=1)
    loop = array == np.arange(array.shape[1], dtype=np.int32)
    return np.asarray(within & (down[:, array.shape[1] :] + loop <= 1).all(axis=1))


def fits(frame: npt.ArrayLike, c: npt.ArrayLike) -> bool:
    """Tell whether all slots are free of conflicts on a tree with capacities c.

    Parameters
    ----------
    frame : int array [slots, N]
        Destinations, -1 = idle.
    c : int array [n + 1]
        Capacity vector.

    Returns
    -------
    bool

    Notes
    -----
    In a tree the path is unique, so loads within the capacities are sufficient as well: at
    each node any free lane will do.

    Examples
    --------
    >>> fits([[0, 2, 1, 3]], [0, 1, 1]), fits([[2, 3, 0, 1]], [0, 1, 1])
    (True, False)
    """
    return bool(fits_each(frame, c).all())


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
