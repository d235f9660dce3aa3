"""Whether a frame fits a tree: no channel gets more packets than it has lanes."""

import numpy as np
import numpy.typing as npt

from fattree_models.common.checks import BoolArray, check_slots
from fattree_models.common.tree import FatTree
from fattree_models.lbbvn.capacity import check_capacity
from fattree_models.lbbvn.load import channel_loads


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
    frame, c : as of `fits_each`.

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
