"""Packets of one row, and packets of one client, in the order of time: compiled.

A packet of f flits whose head comes in clock t holds what it takes in t ... t + f - 1.
"""

import numpy as np
from numba import njit

from fattree_models.common.checks import BoolArray, Int64Array

LOST = -1


@njit(cache=True, nogil=True)
def climb(
    order: Int64Array,
    time: Int64Array,
    flits: Int64Array,
    column: Int64Array,
    busy: Int64Array,
    link: Int64Array,
) -> None:
    """Choose up links of one row: 0 unless held, else 1.  `busy` [columns]: when link 0 is free."""
    for p in order:
        link[p] = 0 if busy[column[p]] <= time[p] else 1
        if link[p] == 0:
            busy[column[p]] = time[p] + flits[p]


@njit(cache=True, nogil=True)
def descend(
    order: Int64Array,
    time: Int64Array,
    flits: Int64Array,
    place: Int64Array,
    turning: BoolArray,
    exact: bool,
    busy: Int64Array,
    lane: Int64Array,
) -> None:
    """Take lanes of one row, those of `lane` or, for packets that turn, the last or a free one.

    `place` is the number of router and side, `busy` [places, lanes] when each lane is free.  A
    packet that finds none gets the lane LOST.
    """
    lanes = busy.shape[1]
    for p in order:
        at, wanted = place[p], lane[p]
        if turning[p]:
            wanted = lanes - 1 if exact else 0
            while not exact and wanted < lanes - 1 and busy[at, wanted] > time[p]:
                wanted += 1
        if busy[at, wanted] > time[p]:
            lane[p] = LOST
        else:
            lane[p] = wanted
            busy[at, wanted] = time[p] + flits[p]


@njit(cache=True, nogil=True)
def serve(
    time: Int64Array,
    lane: Int64Array,
    flits: Int64Array,
    room: Int64Array,
    fifo: int,
    head: Int64Array,
    peak: Int64Array,
) -> None:
    """Serve one client, packets in the order in which they arrive.

    Fills `head` [packets]: the clock in which the head leaves, LOST if there was no room; `peak`
    [lanes]: flits and free places together that a FIFO needed to take what it was offered.
    """
    lanes, count = peak.size, time.size
    held = np.zeros(lanes, dtype=np.int64)  # flits of packets not yet begun
    first, last = np.full(lanes, -1), np.full(lanes, -1)
    following = np.full(count, -1)
    came, waiting, free, pointer, now = 0, 0, 0, 0, -1
    while True:
        if waiting == 0:
            if came == count:
                return
            free = max(free, time[came] + 1)
        while came < count and time[came] < free:
            q = lane[came]
            inside = held[q]
            if now >= 0 and lane[now] == q:
                inside += max(0, flits[now] - (time[came] - head[now]))
            peak[q] = max(peak[q], inside + room[came])
            if inside + room[came] > fifo:
                head[came] = LOST
            else:
                held[q] += flits[came]
                if first[q] < 0:
                    first[q] = came
                else:
                    following[last[q]] = came
                last[q] = came
                waiting += 1
            came += 1
        if waiting == 0:
            continue
        while first[pointer] < 0:
            pointer = (pointer + 1) % lanes
        now = first[pointer]
        first[pointer] = following[now]
        head[now] = free
        held[pointer] -= flits[now]
        free += flits[now]
        waiting -= 1
        pointer = (pointer + 1) % lanes
