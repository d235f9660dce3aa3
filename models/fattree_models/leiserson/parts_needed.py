"""How many parts a set of messages needs, so that none is above the capacity of a channel."""

import numpy as np
from numba import njit

from fattree_models.common.checks import Int8Array, Int32Array, Int64Array

_DEEPEST = 64  # a stack of nested subtrees (<= 20)


@njit(cache=True)
def parts_needed(
    ends: Int32Array,
    starts: Int64Array,
    leaf: Int32Array,
    tops: Int64Array,
    narrowest: Int64Array,
    bit_length: Int8Array,
) -> Int64Array:
    """Return for each group ceil(max over the subtrees of load / capacity) of one side.

    Parameters
    ----------
    ends : int32 array
        Strings by group, within a group by the leaf of their end.
    starts : int64 array [groups + 1]
        Group g is ends[starts[g] : starts[g + 1]].
    leaf : int32 array [strings]
        Where the end is.
    tops : int64 array [groups]
        Height of the highest channel that counts (leaf channels: 0).
    narrowest : int64 array [heights, heights]
        Entry [a, b]: the least capacity of a channel of heights a ... b.
    bit_length : int8 array [n]
        Bit lengths of 0 ... n-1.
    """
    groups = starts.size - 1
    need = np.zeros(groups, dtype=np.int64)
    count_of = np.empty(_DEEPEST, dtype=np.int64)
    height_of = np.empty(_DEEPEST, dtype=np.int64)
    for g in range(groups):
        most = 0
        depth = count = last = 0
        for i in range(starts[g], starts[g + 1] + 1):
            if i == starts[g + 1]:
                meet = tops[g] + 1
            elif i == starts[g]:
                meet = 0
            else:
                meet = int(bit_length[last ^ leaf[ends[i]]])
            if meet > 0:
                # The path from here up to below `meet` carries these ends, and more at each join.
                at = 0
                while True:
                    joins = depth > 0 and height_of[depth - 1] < meet
                    upper = height_of[depth - 1] if joins else meet
                    if upper > at:
                        wires = narrowest[at, upper - 1]
                        most = max(most, (count + wires - 1) // wires)
                    if not joins:
                        break
                    depth -= 1
                    count += count_of[depth]
                    at = upper
                count_of[depth] = count
                height_of[depth] = meet
                depth += 1
                count = 0
            if i < starts[g + 1]:
                count += 1
                last = leaf[ends[i]]
        need[g] = most
    return need
