"""Which packet is on which lane of each channel (ours): what a picture of a slot shows.

`selfroute` and `schedule` say who arrives; the lanes follow from the orders that their notes give.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from fattree_models.common.checks import BoolArray, Int32Array, Int64Array, check_slots
from fattree_models.common.tree import FatTree
from fattree_models.lbbvn.capacity import static_upper_half
from fattree_models.lbbvn.schedule import Settings, walk
from fattree_models.lbbvn.selfroute import SelfPrediction


class Lanes(NamedTuple):
    """The packets on the lanes.

    Attributes
    ----------
    up, down : dict of int32 arrays [slots, 2^j, c_j] by level j
        Source of the packet on each lane of the channel above node (j, k), -1 = none.  Levels
        without channels are missing.
    """

    up: dict[int, Int32Array]
    down: dict[int, Int32Array]


def occupied(dst: npt.ArrayLike, outcome: SelfPrediction, c: Int64Array, static: bool) -> Lanes:
    """Return who is on which lane under SELF control.

    Parameters
    ----------
    dst : int array [slots, N]
        Destination of the packet of leaf x, -1 = idle.
    outcome : SelfPrediction
        What `predict` says of them.
    c : int64 array [n + 1]
        Capacity vector.
    static : bool
        UPPER_HALF = STATIC.

    Notes
    -----
    The lane of a packet is its rank among those that pass the channel, in the order of the notes of
    `predict`: up by source, down by (place, source).  On fixed wires a group of lanes is given by
    the two nodes, and the place in it is the rank by source.

    Examples
    --------
    >>> from fattree_models.lbbvn.selfroute import predict
    >>> dst, c = [[2, 3, -1, 3]], np.array([0, 1, 1])
    >>> lanes = occupied(dst, predict(dst, c), c, False)
    >>> lanes.up[1].tolist(), lanes.down[2].tolist()
    ([[[0], [-1]]], [[[-1], [-1], [0], [-1]]])
    """
    array, n = check_slots(dst)
    slots, leaves = array.shape
    top = static_upper_half(n)[0] if static else 0
    slot, source = np.nonzero(array >= 0)
    goal = array[slot, source]
    turn = FatTree(n).lca_level(source, goal).astype(np.int64)
    lost, falls = (a[slot, source] for a in (outcome.lost_level, outcome.lost_down))
    crosses = turn < top
    here, there = source >> n - top, goal >> n - top
    place = np.where(crosses, here ^ there, (1 << top) + turn)
    up: dict[int, Int32Array] = {}
    down: dict[int, Int32Array] = {}
    for level in range(max(1, top), n + 1):
        rises = (turn < level) & ((lost == 0) | falls | (lost < level))
        passes = ((turn < level) & ((lost == 0) | (falls & (lost > level)))) & (turn < n)
        if level == top:
            rises &= crosses
            passes &= crosses
        width = int(c[level])
        group = width // ((1 << top) - 1) if level == top and top else 0
        part = (place - 1) * group if group else np.zeros(len(slot), np.int64)
        for found, who, ends, key in ((up, rises, source, part), (down, passes, goal, place)):
            grid = np.full((slots, 1 << level, width), -1, np.int32)
            at = np.flatnonzero(who)
            channel = slot[at] * (1 << level) + (ends[at] >> n - level)
            order = np.lexsort((source[at], key[at], channel))
            at, channel = at[order], channel[order]
            series = channel * leaves + part[at]  # lanes are counted within a group
            lane = part[at] + np.arange(len(at)) - np.searchsorted(series, series)
            grid.reshape(-1, width)[channel, lane] = source[at]
            found[level] = grid
    return Lanes(up, down)


def scheduled(settings: Settings, valid: BoolArray) -> Lanes:
    """Return who is on which lane under given settings.

    Parameters
    ----------
    settings : Settings
        What the nodes do in these slots.
    valid : bool array [slots, N]
        Which leaves inject a packet.

    Examples
    --------
    >>> from fattree_models.lbbvn.schedule import compile_settings
    >>> settings = compile_settings([[0, 2, 1, 3]], [0, 1, 1])
    >>> scheduled(settings, np.array([[True, True, False, True]])).down[2].tolist()
    [[[-1], [-1], [1], [-1]]]
    """
    rising, falling = walk(settings, valid)
    return Lanes({j: lanes for j, lanes in rising.items() if j}, falling)
