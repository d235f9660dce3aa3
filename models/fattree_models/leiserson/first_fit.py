"""First-fit schedules: no theorem, fewer cycles.

A message goes in the first delivery cycle that has room for it on its whole path.  The cycles are
filled one after the other, which gives the same schedule as placing message by message: whether a
message fits into a cycle depends only on the messages before it that got there.  So loads of one
cycle at a time are kept, and memory is linear.
"""

import numpy as np
import numpy.typing as npt
from numba import njit

from fattree_models.common.checks import Int8Array, Int32Array, Int64Array, check_integer
from fattree_models.leiserson.schedules import Schedule
from fattree_models.leiserson.theorem import Problem, ceiling, top_levels

PASSES = 1000
WORK = 2 * 10**8
"""Iterated greedy makes at most so many passes, and looks at a message in a cycle so often."""
_TURNS = (0, 1, 2, 1, 3, 1)


def greedy(src: npt.ArrayLike, dst: npt.ArrayLike, cap: npt.ArrayLike) -> Schedule:
    """Schedule first-fit, messages that turn nearer the root first (ours).

    Parameters
    ----------
    src, dst : int arrays [messages]
        Processors 0 ... n-1, or n: from or to the outside; these come first of all.

    Returns
    -------
    Schedule
        Without a bound.

    Notes
    -----
    O(messages d + messages lg n) time, linear memory.

    Examples
    --------
    >>> greedy([0, 1, 1, 2, 2], [3, 0, 2, 0, 3], [1, 1, 1]).cycles
    3
    """
    problem = Problem.of(src, dst, cap)
    return problem.schedule("GREEDY", _Filler(problem).first(), None)


def iterated_greedy(
    src: npt.ArrayLike, dst: npt.ArrayLike, cap: npt.ArrayLike, seed: int = 0
) -> Schedule:
    """Improve a schedule by refilling its cycles in other orders (ours).

    Parameters
    ----------
    seed : int
        Of the random orders; the same seed gives the same schedule.

    Returns
    -------
    Schedule
        Never longer than what `greedy` finds.  Without a bound.

    Notes
    -----
    First-fit on whole cycles, whatever their order, never needs more of them: the messages of the
    i-th cycle fit at worst into the i-th (Culberson's iterated greedy colouring).  Orders: reverse,
    emptiest first, fullest first, and random ones in between.  It ends when d = ceil(lambda), after
    PASSES passes, or when WORK is used up, but not before two passes.

    Examples
    --------
    >>> iterated_greedy([0, 1, 1, 2, 2], [3, 0, 2, 0, 3], [1, 1, 1]).cycles
    3
    """
    problem = Problem.of(src, dst, cap)
    fewest = ceiling(problem.factor)
    rng = np.random.default_rng(check_integer("seed", seed, 0))
    filler = _Filler(problem)
    cycle = filler.first()
    cycles = int(cycle.max(initial=-1)) + 1
    passes = min(PASSES, max(2, WORK // max(1, cycle.size * cycles)))
    for i in range(passes):
        if cycles == fewest:
            break
        fullness = np.bincount(cycle, minlength=cycles)
        by = (np.arange(cycles)[::-1], rng.permutation(cycles), fullness, -fullness)
        order = np.argsort(by[_TURNS[i % len(_TURNS)]], kind="stable")
        cycle = filler.fill(_blocks(cycle, order))
        cycles = int(cycle.max()) + 1
    return problem.schedule("ITERATED", cycle, None)


class _Filler:
    """What first-fit needs to know about a message set, made once for all passes."""

    def __init__(self, problem: Problem) -> None:
        self.problem = problem
        self.top = top_levels(problem.src, problem.dst, problem.n)
        self.loads = np.zeros((2, 2 * problem.n), dtype=np.int32)

    def first(self) -> Int32Array:
        """Return the cycle of each message if those that turn nearer the root come first."""
        return self.fill(np.argsort(self.top, kind="stable").astype(np.int32))

    def fill(self, order: Int32Array) -> Int32Array:
        """Return the cycle of each message if they come in the given order, which is used up."""
        problem = self.problem
        cycle = np.empty(order.size, dtype=np.int32)
        placed = np.empty(order.size, dtype=np.int32)
        _fill(problem.src, problem.dst, self.top, problem.cap, order, placed, self.loads, cycle)
        return cycle


def _blocks(cycle: Int32Array, order: Int64Array) -> Int32Array:
    """Return the messages cycle by cycle, cycles in the given order."""
    rank = np.empty(order.size, dtype=np.int64)
    rank[order] = np.arange(order.size)
    return np.argsort(rank[cycle], kind="stable").astype(np.int32)


@njit(cache=True)
def _fill(
    src: Int32Array,
    dst: Int32Array,
    top: Int8Array,
    cap: Int64Array,
    order: Int32Array,
    placed: Int32Array,
    loads: Int32Array,
    cycle: Int32Array,
) -> None:
    """Fill cycle after cycle with what fits.

    `order` is the list of the messages to place and shrinks from cycle to cycle; `placed` has room
    for as many.  `loads` int32 [2, 2n] is all 0 before and after.
    """
    n = loads.shape[1] // 2
    levels = cap.size - 1
    left = order.size
    number = 0
    while left > 0:
        kept = done = 0
        for i in range(left):
            e = order[i]
            v, w = n + src[e], n + dst[e]
            up, down = src[e] < n, dst[e] < n
            # The processors' own channels are the first to fill where w is large, the channels
            # near the root where it is small.
            fits = not (up and loads[0, v] >= cap[levels])
            fits = fits and not (down and loads[1, w] >= cap[levels])
            level = int(top[e])
            while fits and level < levels:
                rise = levels - level
                fits = not (up and loads[0, v >> rise] >= cap[level])
                fits = fits and not (down and loads[1, w >> rise] >= cap[level])
                level += 1
            if not fits:
                order[kept] = e
                kept += 1
                continue
            cycle[e] = number
            placed[done] = e
            done += 1
            for rise in range(levels - top[e] + 1):
                if up:
                    loads[0, v >> rise] += 1
                if down:
                    loads[1, w >> rise] += 1
        for i in range(done):
            e = placed[i]
            for rise in range(levels - top[e] + 1):
                if src[e] < n:
                    loads[0, (n + src[e]) >> rise] = 0
                if dst[e] < n:
                    loads[1, (n + dst[e]) >> rise] = 0
        left = kept
        number += 1
