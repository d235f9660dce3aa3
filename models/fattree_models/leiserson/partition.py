"""The partition of Theorem 1's proof, matching and tracing, and what it grows into.

A *string* is a message of one node and one direction: its source end lies in the left tree, its
destination end in the right one (the two subtrees of the node, or what stands for them).  Strings
may lack an end: messages to the outside have none on the right, messages from it none on the left.
The load of a subtree is the number of ends in it.

*Halving* (Leiserson 1985, Section III).  Match the ends of a side pairwise in every leaf, then in
every subtree of two leaves, of four ..., so that no subtree keeps more than one end without a mate.
Trace along strings and mates and put the strings alternately into two halves.  Mates are apart, so
each half has at most ceil(load / 2) and at least floor(load / 2) ends in every subtree.

*Splitting into k parts* with floor(load / k) ... ceil(load / k) ends of every subtree in each part
(ours; the families of subtrees of the two sides are laminar, so such a partition exists, and this
finds it by halving alone).  Even k: halve, go on with k/2.  Odd k: round one part out, go on with
k-1, after Alon's matching of a regular bipartite graph ("A simple algorithm for edge-coloring
bipartite multigraphs", 2003), carried over from vertices to subtrees:

 - Let 2^t >= k u for u ends on either side, 2^t = alpha k + beta, 0 < beta < k.  Every string
   gets the weight alpha, about 2^t / k.
 - Every subtree whose load is a multiple of k must get exactly load / k, but weighs beta load / k
   too little.  A dummy string with one end there, and in no smaller subtree, makes up for what the
   dummies further down do not.
 - t times: halve the strings of odd weight; one half is rounded up, the other down, and all weights
   are halved.  Of the two ways to do it take the one that leaves the dummies less weight.

A subtree's weight, between 2^t floor(load / k) and 2^t ceil(load / k) at first (this is where 2^t
>= k u is needed), stays between the halves of these bounds each time.  All dummies together weigh
less than 2 u <= 2^t and at least halve each time, so none is left at the end, when every string
weighs 0 or 1: those with 1 are the part.

All arrays are flat, and every kernel is linear in the strings it is given; splitting is O(u log k)
for a power of two and O(u log k log(k u)) for any k.
"""

import numpy as np
from numba import njit

from fattree_models.common.checks import Int8Array, Int32Array, Int64Array

UNMARKED, FIRST, SECOND = 0, 1, 2
_DEEPEST = 64  # a stack of nested subtrees (<= 20) or of pending segments (<= 2 a bit of k)
_ABOVE = 127  # higher than any tree: closes all subtrees


def split_groups(
    left: Int32Array,
    left_starts: Int64Array,
    right: Int32Array,
    right_starts: Int64Array,
    left_leaf: Int32Array,
    right_leaf: Int32Array,
    parts: Int64Array,
    bit_length: Int8Array,
) -> Int32Array:
    """Split each group of strings into equal parts, see the module's text.

    Parameters
    ----------
    left, right : int32 arrays
        Strings with an end on that side, by group, within a group by leaf; put in order of groups
        and parts.
    left_starts, right_starts : int64 arrays [groups + 1]
        Group g is left[left_starts[g] : left_starts[g + 1]], and so on the right.
    left_leaf, right_leaf : int32 arrays [strings]
        Where the ends are.
    parts : int64 array [groups]
        Parts of each group, at least 1.
    bit_length : int8 array [n]
        Bit lengths of 0 ... n-1.

    Returns
    -------
    int32 array [strings]
        The part of each string within its group, 0 ... parts-1.
    """
    strings = left_leaf.size
    ends = int((np.diff(left_starts) + np.diff(right_starts)).max(initial=0))
    # A dummy makes up for at least k >= 3 ends of its side that no other one covers.
    dummies = ends // 3 + 1
    # Numbered from left to right, neighbours lie together in memory: a million take a third less.
    number = np.full(strings, -1, dtype=np.int32)
    number[left] = np.arange(left.size, dtype=np.int32)
    number[number < 0] = np.arange(left.size, strings, dtype=np.int32)
    place = np.zeros((2, strings + dummies), dtype=np.int32)
    place[0, number], place[1, number] = left_leaf, right_leaf
    part = np.zeros(strings, dtype=np.int32)
    _split_groups(
        number[left],
        left_starts,
        number[right],
        right_starts,
        parts,
        part,
        place,
        np.zeros(strings + dummies, dtype=np.int8),
        np.ones(strings + dummies, dtype=np.int64),
        np.empty((2, strings + dummies), dtype=np.int32),
        np.zeros(strings + dummies, dtype=np.int8),
        np.empty((2, ends + dummies), dtype=np.int32),
        np.empty((2 * _DEEPEST, 6), dtype=np.int64),
        bit_length,
    )
    return part[number]


@njit(cache=True)
def _split_groups(
    left: Int32Array,
    left_starts: Int64Array,
    right: Int32Array,
    right_starts: Int64Array,
    parts: Int64Array,
    part: Int32Array,
    place: Int32Array,
    tall: Int8Array,
    weight: Int64Array,
    mate: Int32Array,
    mark: Int8Array,
    scratch: Int32Array,
    pending: Int64Array,
    bit_length: Int8Array,
) -> None:
    """Fill `part`.

    Parameters
    ----------
    place : int32 array [2, strings + dummies]
        Leaf of each end, left and right.
    tall : int8 array [strings + dummies]
        Height of the node above that leaf that the end hangs on, 0 but for dummies.
    weight : int64 array [strings + dummies]
        All 1.
    mate : int32 array [2, strings + dummies]
        The string whose end is matched with this one's, or -1.
    mark : int8 array [strings + dummies]
        FIRST or SECOND half.
    scratch : int32 array [2, ends + dummies]
        Copies of the sides of a segment.
    pending : int64 array [any, 6]
        Stack of segments: the ranges in `left` and `right`, parts, and the first part's number.
    """
    for g in range(parts.size):
        pending[0, 0], pending[0, 1] = left_starts[g], left_starts[g + 1]
        pending[0, 2], pending[0, 3] = right_starts[g], right_starts[g + 1]
        pending[0, 4], pending[0, 5] = parts[g], 0
        depth = 1
        while depth > 0:
            depth -= 1
            lefts = left[pending[depth, 0] : pending[depth, 1]]
            rights = right[pending[depth, 2] : pending[depth, 3]]
            k, base = pending[depth, 4], pending[depth, 5]
            if k == 1:
                for s in lefts:
                    part[s] = base
                for s in rights:
                    part[s] = base
                continue
            if lefts.size + rights.size == 0:
                continue
            first = 1
            if k % 2 == 0:
                first = k // 2
                _halve(lefts, rights, place, tall, weight, mate, mark, bit_length)
            else:
                _round_one_part(
                    lefts,
                    rights,
                    k,
                    part.size,
                    place,
                    tall,
                    weight,
                    mate,
                    mark,
                    scratch,
                    bit_length,
                )
            middle = pending[depth, 0] + _first_half_first(lefts, mark, scratch[0])
            centre = pending[depth, 2] + _first_half_first(rights, mark, scratch[0])
            pending[depth + 1, 0], pending[depth + 1, 1] = middle, pending[depth, 1]
            pending[depth + 1, 2], pending[depth + 1, 3] = centre, pending[depth, 3]
            pending[depth + 1, 4], pending[depth + 1, 5] = k - first, base + first
            pending[depth, 1], pending[depth, 3], pending[depth, 4] = middle, centre, first
            depth += 2


@njit(cache=True)
def _halve(
    left: Int32Array,
    right: Int32Array,
    place: Int32Array,
    tall: Int8Array,
    weight: Int64Array,
    mate: Int32Array,
    mark: Int8Array,
    bit_length: Int8Array,
) -> None:
    """Mark the strings of odd weight FIRST or SECOND so that every subtree is halved."""
    for s in left:
        mate[0, s] = mate[1, s] = -1
        mark[s] = UNMARKED
    for s in right:
        mate[0, s] = mate[1, s] = -1
        mark[s] = UNMARKED
    single = _match(left, place[0], tall, weight, mate[0], bit_length)
    _match(right, place[1], tall, weight, mate[1], bit_length)
    # The proof starts at the end without a mate on the left; the rest are loops, unless strings
    # lack an end.
    if single >= 0:
        _trace(single, mate, mark)
    for s in left:
        if weight[s] & 1 and mark[s] == UNMARKED:
            _trace(s, mate, mark)
    for s in right:
        if weight[s] & 1 and mark[s] == UNMARKED:
            _trace(s, mate, mark)


@njit(cache=True)
def _match(
    ends: Int32Array,
    leaf: Int32Array,
    tall: Int8Array,
    weight: Int64Array,
    mate: Int32Array,
    bit_length: Int8Array,
) -> int:
    """Match the ends of odd weight on one side; return the string left over, or -1.

    An end hangs on the node of height tall[s] above leaf[s]; `ends` is sorted so that every subtree
    is contiguous.  The stack holds what is unmatched in the subtrees still open, each with the
    height at which it meets what follows.
    """
    waiting = np.empty(_DEEPEST, dtype=np.int32)
    meets = np.empty(_DEEPEST, dtype=np.int64)
    depth = 0
    single = np.int32(-1)
    last = np.int32(-1)
    for s in ends:
        if not weight[s] & 1:
            continue
        if last >= 0:
            meet = np.int64(bit_length[leaf[last] ^ leaf[s]])
            meet = max(meet, np.int64(tall[last]), np.int64(tall[s]))
            while depth > 0 and meets[depth - 1] <= meet:
                depth -= 1
                if single < 0:
                    single = waiting[depth]
                else:
                    mate[single] = waiting[depth]
                    mate[waiting[depth]] = single
                    single = np.int32(-1)
            if single >= 0:
                waiting[depth] = single
                meets[depth] = meet
                depth += 1
        single = last = s
    while depth > 0:
        depth -= 1
        if single < 0:
            single = waiting[depth]
        else:
            mate[single] = waiting[depth]
            mate[waiting[depth]] = single
            single = np.int32(-1)
    return int(single)


@njit(cache=True)
def _trace(start: int, mate: Int32Array, mark: Int8Array) -> None:
    """Mark the strings that hang together with `start` alternately, beginning with FIRST."""
    mark[start] = FIRST
    for first_side in (1, 0):
        s, side, half = np.int64(start), first_side, FIRST
        while True:
            s = np.int64(mate[side, s])
            if s < 0 or mark[s] != UNMARKED:
                break
            half = FIRST + SECOND - half
            mark[s] = half
            side = 1 - side


@njit(cache=True)
def _round_one_part(
    left: Int32Array,
    right: Int32Array,
    k: int,
    strings: int,
    place: Int32Array,
    tall: Int8Array,
    weight: Int64Array,
    mate: Int32Array,
    mark: Int8Array,
    scratch: Int32Array,
    bit_length: Int8Array,
) -> None:
    """Mark one part of k FIRST, all others SECOND; the weights are 1 before and after.

    Dummies have the numbers from `strings` on.
    """
    halvings = 1
    while (1 << halvings) < k * max(left.size, right.size):
        halvings += 1
    alpha, beta = (1 << halvings) // k, (1 << halvings) % k
    dummy = strings
    both = np.empty(2, dtype=np.int64)
    for side in range(2):
        ends = left if side == 0 else right
        both[side], dummy = _add_dummies(
            ends, k, beta, dummy, place[side], tall, weight, scratch[side], bit_length
        )
        for s in ends:
            weight[s] = alpha
    lefts, rights = scratch[0, : both[0]], scratch[1, : both[1]]
    for _ in range(halvings):
        _halve(lefts, rights, place, tall, weight, mate, mark, bit_length)
        surplus = 0
        for s in range(strings, dummy):
            if weight[s] & 1:
                surplus += 1 if mark[s] == FIRST else -1
        rounded_up = SECOND if surplus > 0 else FIRST
        # A string with two ends is met twice; `mark` remembers that it is done.
        for ends in (lefts, rights):
            for s in ends:
                if weight[s] >= 0:
                    up = (weight[s] & 1) == 1 and mark[s] == rounded_up
                    weight[s] = ~((weight[s] >> 1) + (1 if up else 0))
        for ends in (lefts, rights):
            for s in ends:
                if weight[s] < 0:
                    weight[s] = ~weight[s]
    for ends in (left, right):
        for s in ends:
            mark[s] = FIRST if weight[s] == 1 else SECOND
    for ends in (left, right):
        for s in ends:
            weight[s] = 1


@njit(cache=True)
def _add_dummies(
    ends: Int32Array,
    k: int,
    beta: int,
    dummy: int,
    leaf: Int32Array,
    tall: Int8Array,
    weight: Int64Array,
    out: Int32Array,
    bit_length: Int8Array,
) -> tuple[int, int]:
    """Copy one side to `out` with a dummy behind every subtree that needs one.

    Returns
    -------
    (int, int)
        Ends written, and the next free number of a dummy.
    """
    count_of = np.empty(_DEEPEST, dtype=np.int64)
    covered_of = np.empty(_DEEPEST, dtype=np.int64)
    meets = np.empty(_DEEPEST, dtype=np.int64)
    written = depth = count = covered = 0
    last = np.int32(0)
    for i in range(ends.size + 1):
        if i == ends.size:
            meet = _ABOVE
        elif i == 0:
            meet = 0
        else:
            meet = int(bit_length[last ^ leaf[ends[i]]])
        if meet > 0 and count > 0:
            at = 0
            while True:
                if count % k == 0 and count > covered:
                    place = dummy
                    leaf[place] = last
                    tall[place] = at
                    weight[place] = (count - covered) // k * beta
                    out[written] = place
                    dummy += 1
                    written += 1
                    covered = count
                if depth == 0 or meets[depth - 1] >= meet:
                    break
                depth -= 1
                count += count_of[depth]
                covered += covered_of[depth]
                at = meets[depth]
            count_of[depth] = count
            covered_of[depth] = covered
            meets[depth] = meet
            depth += 1
            count = covered = 0
        if i < ends.size:
            out[written] = ends[i]
            written += 1
            count += 1
            last = leaf[ends[i]]
    return written, dummy


@njit(cache=True)
def _first_half_first(ends: Int32Array, mark: Int8Array, scratch: Int32Array) -> int:
    """Move the strings marked FIRST to the front, order kept; return how many there are."""
    front = others = 0
    for s in ends:
        if mark[s] == FIRST:
            ends[front] = s
            front += 1
        else:
            scratch[others] = s
            others += 1
    for i in range(others):
        ends[front + i] = scratch[i]
    return front
