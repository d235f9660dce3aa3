"""One pass over the slots of a frame, compiled: what its packets and channels were seen to do."""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from numba import njit

from fattree_models.common.checks import BoolArray, Int8Array, Int32Array, Int64Array
from fattree_models.common.tree import bit_lengths


class Outcome(NamedTuple):
    """What became of a frame, as in its plan; of the losses no slot if there are none."""

    used_up: Int32Array
    used_down: Int32Array
    lost_level: Int8Array
    lost_down: BoolArray


class Seen(NamedTuple):
    """How often in a frame.

    Attributes
    ----------
    turns : int64 [n + 1, 3], by level of the common ancestor: to the right, left, looped back.
    used : int64 [n + 2, 2, room], channels by level, up / down, lanes in use; level n + 1: outputs
        of the leaves, by packets that want them.
    crowded, asked : the same, of the channels that lose packets, by lanes in use and by requests.
    bundles : int64 [room], bundles of the static upper half, by packets that want a wire.
    """

    turns: Int64Array
    used: Int64Array
    crowded: Int64Array
    asked: Int64Array
    bundles: Int64Array


def look(
    dst: Int32Array, outcome: Outcome, top: int, room: int, pairs: Int64Array, times: int
) -> Seen:
    """Count a frame, in histograms with room for so many lanes or requests.

    Only to `pairs`, packets by source and destination, it is added at once, `times` times: another
    table of N^2 would cost more than the counting.
    """
    n = dst.shape[1].bit_length() - 1
    turns, bundles = np.zeros((n + 1, 3), np.int64), np.zeros(room, np.int64)
    used, crowded, asked = np.zeros((3, n + 2, 2, room), np.int64)
    seen = Seen(turns, used, crowded, asked, bundles)
    _look(dst, bit_lengths(n), outcome, top, pairs, times, seen)
    return seen


@njit(cache=True)
def _look(
    dst: Int32Array,
    height: Int8Array,
    outcome: Outcome,
    top: int,
    pairs: Int64Array,
    times: int,
    seen: Seen,
) -> None:
    turns, used, crowded, asked, bundles = seen
    up, down, lost_level, lost_down = outcome
    slots, leaves = dst.shape
    n, nodes = turns.shape[0] - 1, 1 << top
    gone = np.empty(leaves, np.int64)
    lost = np.zeros((2, 2 * leaves), np.int32)  # packets lost at each channel in this slot
    wires = np.zeros((nodes, nodes), np.int32)  # packets that want each bundle
    outputs = used[n + 1, 1]
    for s in range(slots):
        for level in range(max(1, top), n + 1):
            for v in range(1 << level, 2 << level):
                used[level, 0, up[s, v]] += 1
                used[level, 1, down[s, v]] += 1
        count = 0
        for x in range(leaves):
            y = dst[s, x]
            if y < 0:
                continue
            pairs[x, y] += times
            level = n - height[x ^ y]
            turns[level, 2 if x == y else int(x > y)] += 1
            if x == y:
                alone = down[s, leaves + y]
                outputs[alone] -= 1
                outputs[alone + 1] += 1
            stop, way = (lost_level[s, x], lost_down[s, x]) if lost_level.size else (0, False)
            if top and level < top and (way or stop <= top):
                wires[x >> n - top, y >> n - top] += 1
            if 0 < stop <= n:
                gone[count], count = x, count + 1
        for x in gone[:count]:
            stop, way = lost_level[s, x], int(lost_down[s, x])
            lost[way, leaves + (dst[s, x] if way else x) >> n - stop] += 1
        for x in gone[:count]:
            stop, way = lost_level[s, x], int(lost_down[s, x])
            v = leaves + (dst[s, x] if way else x) >> n - stop
            if lost[way, v]:
                lanes = down[s, v] if way else up[s, v]
                crowded[stop, way, lanes] += 1
                asked[stop, way, lanes + lost[way, v]] += 1
                lost[way, v] = 0
        if top:
            for k in range(nodes):
                for to in range(nodes):
                    if k != to:
                        bundles[wires[k, to]] += 1
                    wires[k, to] = 0
    outputs += used[n, 1]


@njit(cache=True)
def lay_out(
    source: Int32Array,
    words: npt.NDArray[np.unsignedinteger],
    laid: npt.NDArray[np.unsignedinteger],
    receives: npt.NDArray[np.unsignedinteger],
    mask: np.unsignedinteger,
) -> None:
    """Put the words of the sources where they arrive, and `mask` with them; else leave the 0."""
    slots, leaves = source.shape
    for s in range(slots):
        for y in range(leaves):
            x = source[s, y]
            if x >= 0:
                laid[s, y], receives[s, y] = words[s, x], mask
