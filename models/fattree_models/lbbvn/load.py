"""Loads: how many packets want each channel, in each direction, if none is lost.

With sources, destinations and lowest common ancestors counted at their nodes, a packet uses the up
channel of node v exactly if its source is in v's subtree and its common ancestor is not, so

    load_up(v) = sources in the subtree of v - common ancestors in the subtree of v,

and likewise down with destinations.  Three counts and one sum from the bottom up give all loads
(ours).
"""

import numpy as np
import numpy.typing as npt

from fattree_models.common.checks import (
    Int32Array,
    Int64Array,
    check_integers,
    check_levels,
    check_slots,
)
from fattree_models.common.tree import bit_lengths, subtree_sums


def channel_loads(dst: npt.ArrayLike, n: int) -> tuple[Int32Array, Int32Array]:
    """Return the load of every channel in every slot.

    Parameters
    ----------
    dst : int array [slots, N]
        Destination of the packet of leaf x, -1 = idle; many-to-one is allowed.
    n : int
        log2 N.

    Returns
    -------
    (up, down) : int32 arrays [slots, 2N]
        Packets that want the channel of a heap index; entries 0 and 1 are 0.

    Notes
    -----
    O(slots N) time and memory, some 20 ns per packet.  Loop-backs cancel: their common ancestor
    is the leaf.

    Examples
    --------
    Bit reversal of 4 leaves moves 1 and 2, through the root:

    >>> up, down = channel_loads([[0, 2, 1, 3]], 2)
    >>> up
    array([[0, 0, 1, 1, 0, 1, 1, 0]], dtype=int32)
    """
    array, own = check_slots(dst)
    n = check_levels(n)
    if own != n:
        raise ValueError(f"dst: has {array.shape[1]} leaves; allowed are {2**n} with n = {n}")
    leaves = array.shape[1]
    injects = array >= 0
    turns = _turn_counts(array, injects, n)
    up = -turns
    up[:, leaves:] += injects
    down = -turns
    down[:, leaves:] += _rows_bincount(array + np.int32(1), leaves + 1)[:, 1:]
    return subtree_sums(up, n), subtree_sums(down, n)


def level_max(loads: npt.ArrayLike, n: int) -> Int64Array:
    """Return the load of the busiest channel of each level.

    Parameters
    ----------
    loads : int array [..., 2N]
        One direction, by heap index.
    n : int
        log2 N.

    Returns
    -------
    int64 array [n + 1]
        Entry j for level j; entry 0 is 0, and so are all if there are no slots.

    Examples
    --------
    >>> level_max(channel_loads([[0, 2, 1, 3]], 2)[0], 2)
    array([0, 1, 1])
    """
    array = check_integers("loads", loads)
    n = check_levels(n)
    width = 2 << n
    if array.ndim == 0 or array.shape[-1] != width:
        raise ValueError(f"loads: has shape {array.shape}; allowed is [..., {width}] with n = {n}")
    busiest = array.reshape(array.size // width, width).max(axis=0, initial=0)
    most = [0] + [int(busiest[1 << j : 2 << j].max()) for j in range(1, n + 1)]
    return np.array(most, dtype=np.int64)


def _turn_counts(dst: Int32Array, injects: npt.NDArray[np.bool_], n: int) -> Int32Array:
    """Count the packets that turn at each node, [slots, 2N]; idle leaves count nowhere."""
    leaves = dst.shape[1]
    x = np.arange(leaves, dtype=np.int32)
    # An idle leaf's -1 must not reach the table as a negative number; its entry is masked below.
    height = bit_lengths(n).take((dst ^ x) & np.int32(leaves - 1))
    turns = _rows_bincount(((x + np.int32(leaves)) >> height) * injects, 2 * leaves)
    turns[:, 0] = 0
    return turns


def _rows_bincount(values: Int32Array, bins: int) -> Int32Array:
    """Return the counts of 0 ... bins-1 in each row, [rows, bins]."""
    rows = values.shape[0]
    offset = np.arange(rows, dtype=np.int64)[:, None] * bins
    counts = np.bincount((values + offset).ravel(), minlength=rows * bins)
    return counts.reshape(rows, bins).astype(np.int32)
