"""Other networks that deliver message sets, to compare fat-trees with (Section VI).

Messages are stored and forwarded; a link carries one a step, each way.

========= ========================== ==================================================
host      processors                 route
========= ========================== ==================================================
MESH      a square, or two of them   along x, then along y
MULTIGRID the base grid of a pyramid up to a grid where the rest is short, across, down
TREE      leaves                     up, down
CUBE      a hypercube                the lowest bit that differs first
========= ========================== ==================================================

Processors of arrays stand in the order of a Z: a subtree of the leaves of a fat-tree is a square,
or two of them.
"""

from typing import NamedTuple

import numpy as np
from numba import njit

from fattree_models.common.checks import Int32Array, Int64Array, check_integers, check_word
from fattree_models.leiserson.capacity import check_processors, height

HOSTS = ("MESH", "MULTIGRID", "TREE", "CUBE")
MESH, MULTIGRID, TREE, CUBE = range(4)
PORTS = 32  # room for the links of a node


class Delivered(NamedTuple):
    """What a host took for a message set."""

    steps: int
    load: int  # most messages of a link


def deliver(host: str, src: Int32Array, dst: Int32Array, n: int) -> Delivered:
    """Deliver a message set, the longest way first.

    Parameters
    ----------
    host : str
        One of HOSTS.
    src, dst : int32 arrays [messages]
        Processors 0 … n - 1, source and destination of each message.
    n : int
        Processors, a power of two.

    Notes
    -----
    In a multigrid all messages leave a grid for the next one, of half as many rows and columns, if
    their way across is longer than some power of two: the one that takes the fewest steps.
    O(messages steps) time.

    Examples
    --------
    >>> everybody = np.arange(16, dtype=np.int32)
    >>> [deliver(host, everybody, 15 - everybody, 16) for host in HOSTS[2:]]
    [Delivered(steps=15, load=8), Delivered(steps=4, load=1)]
    """
    check_word("host", host, *HOSTS)
    h, n, kind = height(n), check_processors(n), HOSTS.index(host)
    at = check_integers("src", src, 0, n - 1).astype(np.int64)
    to = check_integers("dst", dst, 0, n - 1).astype(np.int64)
    if at.ndim != 1 or at.shape != to.shape:
        raise ValueError(f"dst: has shape {to.shape}, src {at.shape}; allowed is one for both")
    if kind == TREE:
        at, to = at + n, to + n
    elif kind != CUBE:
        at, to = _place(at, h), _place(to, h)
    found = []
    for near in range(h // 2 + 1) if kind == MULTIGRID else [h]:
        load = np.zeros(PORTS * (h + 2) << h, dtype=np.int32)
        hops = _walk(kind, h, 4 << near, at, to, load)
        order = np.argsort(-hops, kind="stable")
        steps = _run(kind, h, 4 << near, at[order], to[order])
        found.append(Delivered(int(steps), int(load.max())))
    return min(found)


def _place(leaf: Int64Array, h: int) -> Int64Array:
    """Return row 2^16 + column: bits of a leaf in turn, the highest to the column if h is odd."""
    row, column = np.zeros_like(leaf), np.zeros_like(leaf)
    for bit in range(h):
        (row if bit & 1 else column)[:] |= (leaf >> bit & 1) << (bit >> 1)
    return row << 16 | column


@njit(cache=True)
def _next(kind, near, at, to):  # type: ignore[no-untyped-def]
    """Return the next node of a message, and the port to it."""
    if kind == CUBE:
        low = (at ^ to) & -(at ^ to)
        bit = 0
        while low >> bit > 1:
            bit += 1
        return at ^ low, bit
    if kind == TREE:
        down = to
        while down >> 1 > at:
            down >>= 1
        return (down, 1 + (down & 1)) if down >> 1 == at else (at >> 1, 0)
    # A node of a pyramid is level 2^32 + row 2^16 + column.
    level, row, column = at >> 32, at >> 16 & 0xFFFF, at & 0xFFFF
    y, x = (to >> 16 & 0xFFFF) >> level, (to & 0xFFFF) >> level
    if row == y and column == x:
        below = level - 1
        y, x = (to >> 16 & 0xFFFF) >> below, (to & 0xFFFF) >> below
        return below << 32 | y << 16 | x, 5 + (y & 1) * 2 + (x & 1)
    if kind == MULTIGRID and abs(row - y) + abs(column - x) > near:
        return (level + 1) << 32 | (row >> 1) << 16 | column >> 1, 4
    if column != x:
        return (at + 1, 0) if x > column else (at - 1, 1)
    return (at + 65536, 2) if y > row else (at - 65536, 3)


@njit(cache=True)
def _link(kind, h, at, port):  # type: ignore[no-untyped-def]
    """Return the number of a link."""
    if kind in (MESH, MULTIGRID):
        row, column = at >> 16 & 0xFFFF, at & 0xFFFF
        at = (at >> 32 << h) + (row << ((h + 1) // 2)) + column
    return at * PORTS + port


@njit(cache=True)
def _walk(kind, h, near, at, to, load):  # type: ignore[no-untyped-def]
    """Return the links on the way of each message; count the messages of each link."""
    hops = np.zeros(at.size, dtype=np.int64)
    for i in range(at.size):
        here = at[i]
        while here != to[i]:
            there, port = _next(kind, near, here, to[i])
            load[_link(kind, h, here, port)] += 1
            here = there
            hops[i] += 1
    return hops


@njit(cache=True)
def _run(kind, h, near, at, to):  # type: ignore[no-untyped-def]
    """Return the steps until all are there."""
    here = at.copy()
    waiting = np.flatnonzero(here != to)
    taken = np.zeros(PORTS * (h + 2) << h, dtype=np.int32)
    steps = 0
    while waiting.size:
        steps += 1
        left = 0
        for i in waiting:
            there, port = _next(kind, near, here[i], to[i])
            link = _link(kind, h, here[i], port)
            if taken[link] != steps:
                taken[link] = steps
                here[i] = there
            if here[i] != to[i]:
                waiting[left] = i
                left += 1
        waiting = waiting[:left]
    return steps
