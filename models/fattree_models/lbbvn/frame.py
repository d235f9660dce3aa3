"""Frames: Eq. (1), the uniform mapping property, and whether a frame fits a tree."""

import numpy as np
import numpy.typing as npt

from fattree_models.common.checks import (
    BoolArray,
    check_integer,
    check_integers,
    check_range,
    check_slots,
    levels_of,
)
from fattree_models.common.tree import FatTree
from fattree_models.lbbvn.capacity import check_capacity
from fattree_models.lbbvn.load import channel_loads
from fattree_models.lbbvn.permutation import is_permutation


def sums_to_ones(frame: npt.ArrayLike) -> bool:
    """Tell whether the rows are N permutations whose matrices sum to all ones, Eq. (1).

    Parameters
    ----------
    frame : int array [slots, N]
        Destinations by slot and leaf.

    Returns
    -------
    bool
        False, too, if there are more or fewer than N slots or a row is no permutation.

    Notes
    -----
    Entry (x, y) of the sum counts the slots in which x sends to y, so the sum is all ones
    exactly if the columns of the array are permutations as well.

    Examples
    --------
    >>> sums_to_ones([[0, 1], [1, 0]]), sums_to_ones([[0, 1], [0, 1]])
    (True, False)
    """
    array, _ = check_slots(frame, "frame")
    if array.shape[0] != array.shape[1]:
        return False
    return bool(is_permutation(array).all() and is_permutation(array.T).all())


def has_uniform_mapping(perm: npt.ArrayLike, j: int | None = None) -> BoolArray:
    """Tell whether permutations have the uniform mapping property, Definition 3, Eq. (11).

    Parameters
    ----------
    perm : int array [..., N]
        Permutations.
    j : int or None
        The level, 1 ... n-1; None: all of them.

    Returns
    -------
    bool array [...]
        Whether |perm(S(j, k)) ∩ S(n-j, l)| = 1 for all k and l; False for rows that are no
        permutations. A numpy bool for one row.

    Notes
    -----
    k and l are the first j bits of x and the first n-j bits of perm(x): together n bits, and
    the property says that each pair occurs once, that is, that the pair is a permutation of x.  The
    property holds for all permutations at j = 0 and j = n, so those levels are not asked for.

    Examples
    --------
    Bit reversal has it, the identity has not:

    >>> has_uniform_mapping([[0, 2, 1, 3], [0, 1, 2, 3]])
    array([ True, False])
    """
    array = check_integers("perm", perm)
    n = levels_of("perm", array.shape[-1] if array.ndim else 0)
    check_range("perm", array, -1, array.shape[-1] - 1)
    result = np.asarray(is_permutation(array))
    x = np.arange(array.shape[-1])
    for level in range(1, n) if j is None else (check_integer("j", j, 1, n - 1),):
        pair = (x >> (n - level) << (n - level)) | (array.astype(np.int64) >> level)
        result = result & is_permutation(pair)
    return result[()]


def fits_exactly(frame: npt.ArrayLike) -> bool:
    """Tell whether a frame meets the exact criterion for Lemma 1's lanes (ours).

    Parameters
    ----------
    frame : int array [slots, N]
        Permutations.

    Returns
    -------
    bool
        Whether in every slot |row(S(j, k)) ∩ S(j, k)| = 2^(n-2j) for all k and 1 <= j <=
        floor(n/2); False if a row is no permutation.

    Notes
    -----
    For a frame that sums to ones (Eq. (1)) this is necessary and sufficient for `fits(frame,
    lower_bound(n))`: over the frame 2^(2n-2j) packets stay in S(j, k), 2^(n-2j) a slot on the
    average, and no slot can do with fewer.  A single permutation may fit with more of them staying:
    the identity does, and does not meet this criterion.  The uniform mapping property implies the
    criterion (Eq. (21)) and not the reverse.

    Examples
    --------
    >>> fits_exactly([[0, 2, 1, 3], [1, 3, 0, 2]]), fits_exactly([[0, 1, 2, 3]])
    (True, False)
    """
    array, n = check_slots(frame, "frame")
    if not is_permutation(array).all():
        return False
    slots, leaves = array.shape
    x = np.arange(leaves, dtype=np.int32)
    for j in range(1, n // 2 + 1):
        stays = array >> (n - j) == x >> (n - j)
        count = np.count_nonzero(stays.reshape(slots, 1 << j, leaves >> j), axis=2)
        if (count != 1 << (n - 2 * j)).any():
            return False
    return True


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
