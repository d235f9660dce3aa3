"""The schedules that come with a theorem: each of them splits sets of strings into equal parts.

The messages that turn at one node in one direction (left to right or right to left) make a group Q.
Messages to the outside and messages from it make two more groups, which turn above the root, at
"level -1".  Groups of one level share no channel in the same direction, so they can share delivery
cycles; groups of different levels get in each other's way.  Unused cycles are left out.
"""

from dataclasses import dataclass
from fractions import Fraction

import numpy as np
import numpy.typing as npt

from fattree_models.common.checks import Int8Array, Int32Array, Int64Array, IntegerArray
from fattree_models.common.tree import bit_lengths
from fattree_models.leiserson.capacity import check_capacity, height, processors_of
from fattree_models.leiserson.load import check_messages, common_ancestors, load_factor
from fattree_models.leiserson.partition import split_groups
from fattree_models.leiserson.parts_needed import parts_needed
from fattree_models.leiserson.schedules import Schedule, compact


def theorem1(src: npt.ArrayLike, dst: npt.ArrayLike, cap: npt.ArrayLike) -> Schedule:
    """Schedule as the proof of Theorem 1 does: at most 2 lambda lg n delivery cycles.

    Returns
    -------
    Schedule
        Level by level from the top.  A one-cycle message set goes in one cycle (the theorem needs
        lambda > 1).  Otherwise d <= 2 lambda lg n, or 2 lambda (lg n + 1) with messages from or to
        the outside, which take one level more.

    Notes
    -----
    Each group is halved until its parts are one-cycle message sets: r = the smallest power of two
    >= lambda(Q) parts, fewer than 2 lambda(Q) if lambda(Q) > 1.  O(messages lg lambda) time and
    linear memory.

    Examples
    --------
    >>> theorem1([0, 1, 1, 2, 2], [3, 0, 2, 0, 3], [1, 1, 1]).cycles
    3
    """
    problem = Problem.of(src, dst, cap)
    if problem.factor <= 1:
        return problem.one_cycle("THEOREM1")
    groups = Groups.of(problem)
    parts = _power_of_two(groups.parts_needed(problem))
    bound = problem.levels_used * 2 * problem.factor
    return problem.schedule("THEOREM1", groups.by_level(problem, parts), int(bound))


def per_level(src: npt.ArrayLike, dst: npt.ArrayLike, cap: npt.ArrayLike) -> Schedule:
    """Schedule level by level, each as short as it can be: at most lg n ceil(lambda) cycles (ours).

    Returns
    -------
    Schedule
        As `theorem1`, but with exactly ceil(lambda(Q)) parts for each group Q, the least there can
        be.  d <= lg n ceil(lambda), or (lg n + 1) ceil(lambda) with messages from or to the
        outside.

    Notes
    -----
    O(messages lg lambda lg(lambda messages)) time, see `fattree_models.leiserson.partition`.

    Examples
    --------
    >>> per_level([0, 0, 1, 1, 1], [2, 3, 2, 3, 2], [2, 2, 1]).cycles
    3
    """
    problem = Problem.of(src, dst, cap)
    if problem.factor <= 1:
        return problem.one_cycle("PER_LEVEL")
    groups = Groups.of(problem)
    parts = groups.parts_needed(problem)
    bound = problem.levels_used * ceiling(problem.factor)
    return problem.schedule("PER_LEVEL", groups.by_level(problem, parts), bound)


def corollary2(src: npt.ArrayLike, dst: npt.ArrayLike, cap: npt.ArrayLike) -> Schedule:
    """Schedule as the proof of Corollary 2 does, where every channel has more than lg n wires.

    Parameters
    ----------
    cap : int array [h + 1]
        Capacity vector of the tree; every level, the processors' too, more than lg n wires.

    Returns
    -------
    Schedule
        d <= r, the smallest power of two >= lambda'(M), the load factor for the fictitious
        capacities cap' = cap - lg n.  `bound` is the most that r can be: 1 if lambda' <= 1, else
        ceil(2 lambda') - 1; lambda' <= a / (a - 1) lambda for a = min cap / lg n.

    Raises
    ------
    ValueError
        If a level has no more than lg n wires, or the messages or the capacities are malformed.

    Notes
    -----
    Every group is split into the same r parts, and part i of all groups goes in cycle i.  On a
    channel of level k messages of at most k groups meet, k + 1 with those of the outside, and of
    each a cycle has less than load(Q) / r + 1; so less than cap' + k + 1 in all, hence at most cap'
    + lg n = cap.  This holds with messages of the outside without a further allowance.

    Examples
    --------
    >>> corollary2([0, 1] * 3, [2, 3] * 3, [8, 4, 3]).cycles
    4
    >>> corollary2([0, 1], [2, 3], [8, 4, 2])
    Traceback (most recent call last):
    ...
    ValueError: CAPACITY: level 2 has 2 wires; Corollary 2 needs more than lg n = 2
    """
    problem = Problem.of(src, dst, cap)
    narrow = np.flatnonzero(problem.cap <= problem.height)
    if narrow.size:
        raise ValueError(
            f"CAPACITY: level {narrow[0]} has {problem.cap[narrow[0]]} wires; "
            f"Corollary 2 needs more than lg n = {problem.height}"
        )
    if problem.factor <= 1:
        return problem.one_cycle("COROLLARY2")
    fictitious = load_factor(problem.src, problem.dst, problem.cap - problem.height)
    groups = Groups.of(problem)
    parts = np.full(groups.key.size, ceiling(fictitious), dtype=np.int64)
    part = groups.split(problem, _power_of_two(parts))
    return problem.schedule("COROLLARY2", part, ceiling(2 * fictitious) - 1)


def edge_colouring(src: npt.ArrayLike, dst: npt.ArrayLike, cap: npt.ArrayLike) -> Schedule:
    """Schedule in exactly ceil(lambda) cycles where only the processors' own channels can be short.

    Parameters
    ----------
    cap : int array [h + 1]
        Capacity vector of the tree in which no channel has fewer wires than the processors below it
        together, cap[k] >= cap[h] n / 2^k; so w = n of the universal fat-trees.

    Returns
    -------
    Schedule
        d = ceil(lambda), the least there can be.

    Notes
    -----
    König's edge colouring of the bipartite graph of senders and receivers: all messages are one
    group, whose ends are split evenly at every processor.  Messages of the outside lack an end.
    O(messages lg lambda lg(lambda messages)) time.

    Examples
    --------
    >>> edge_colouring([0, 1, 1, 2, 2], [3, 0, 2, 0, 3], [4, 2, 1]).cycles
    2
    """
    problem = Problem.of(src, dst, cap)
    below = wires_below(problem.cap)
    narrow = np.flatnonzero(problem.cap < below)
    if narrow.size:
        level = narrow[0]
        raise ValueError(
            f"CAPACITY: level {level} has {problem.cap[level]} wires; edge colouring needs "
            f"at least {below[level]}, those of the processors below"
        )
    if problem.factor <= 1:
        return problem.one_cycle("COLOURING")
    groups = Groups.of(problem, np.zeros_like(problem.src))
    colours = ceiling(problem.factor)
    part = groups.split(problem, np.array([colours], dtype=np.int64))
    return problem.schedule("COLOURING", part, colours)


def wires_below(cap: Int64Array) -> Int64Array:
    """Return the wires that all processors below a channel of each level have together.

    Parameters
    ----------
    cap : int64 array [h + 1]
        Capacity vector.

    Returns
    -------
    int64 array [h + 1]
        cap[h] n / 2^k.

    Examples
    --------
    >>> wires_below(np.array([4, 3, 2]))
    array([8, 4, 2])
    """
    return np.asarray(cap[-1] << np.arange(cap.size - 1, -1, -1))


def top_levels(src: Int32Array, dst: Int32Array, n: int) -> Int8Array:
    """Return the level of the highest channel that each message uses, int8 [messages].

    It is one below the common ancestor's; with the outside it is 0, the external channel.

    Examples
    --------
    >>> top_levels(np.int32([0, 0, 2]), np.int32([1, 3, 4]), 4)
    array([2, 1, 0], dtype=int8)
    """
    # The bit length of a heap index is its level plus one.
    return np.frexp(common_ancestors(src, dst, n).astype(np.float64))[1].astype(np.int8)


@dataclass(frozen=True, eq=False)
class Problem:
    """A checked message set on a checked tree."""

    src: Int32Array
    dst: Int32Array
    cap: Int64Array
    factor: Fraction

    @classmethod
    def of(cls, src: npt.ArrayLike, dst: npt.ArrayLike, cap: npt.ArrayLike) -> "Problem":
        """Check a message set and a capacity vector, or raise `ValueError`."""
        n = processors_of(cap)
        wires = check_capacity(n, cap)
        x, y = check_messages(src, dst, n)
        return cls(x, y, wires, load_factor(x, y, wires))

    @property
    def n(self) -> int:
        """Processors."""
        return processors_of(self.cap)

    @property
    def height(self) -> int:
        """lg n."""
        return height(self.n)

    @property
    def levels_used(self) -> int:
        """lg n, one more if there are messages from or to the outside."""
        outside = bool((np.maximum(self.src, self.dst) == self.n).any())
        return self.height + outside

    def schedule(self, scheduler: str, cycle: IntegerArray, bound: int | None) -> Schedule:
        """Return a proved schedule; cycles may have gaps."""
        numbers, cycles = compact(cycle)
        result = Schedule(numbers, cycles, scheduler, bound, self.factor)
        result.verify(self.src, self.dst, self.cap)
        return result

    def one_cycle(self, scheduler: str, bound: int | None = 1) -> Schedule:
        """Return the schedule of a one-cycle message set."""
        return self.schedule(scheduler, np.zeros_like(self.src), bound)


@dataclass(frozen=True, eq=False)
class Groups:
    """The groups of a message set, their strings sorted on both sides.

    Attributes
    ----------
    key : int64 array [groups]
        2 v + (source right of destination) for turns at node v, v = 0 above the root; rising.
    left, right : int32 arrays
        Messages with a source (left) or a destination (right) in the tree, by group and processor.
    left_starts, right_starts : int64 arrays [groups + 1]
        Where the groups begin.
    """

    key: Int64Array
    left: Int32Array
    left_starts: Int64Array
    right: Int32Array
    right_starts: Int64Array

    @classmethod
    def of(cls, problem: Problem, key: Int32Array | None = None) -> "Groups":
        """Sort a message set into groups: by `key` [messages], otherwise by node and direction."""
        src, dst = problem.src, problem.dst
        if key is None:
            # The outside is n, right of all processors: down-only messages have key 1, up-only 0.
            key = 2 * common_ancestors(src, dst, problem.n) + (src > dst)
        present = np.zeros(2 * problem.n, dtype=bool)
        present[key] = True
        keys = np.flatnonzero(present)
        left, left_starts = cls._sorted(src, key, keys, problem.n)
        right, right_starts = cls._sorted(dst, key, keys, problem.n)
        return cls(keys, left, left_starts, right, right_starts)

    @staticmethod
    def _sorted(
        leaf: Int32Array, key: Int32Array, keys: Int64Array, n: int
    ) -> tuple[Int32Array, Int64Array]:
        inside = np.flatnonzero(leaf < n).astype(np.int32)
        both = key[inside] * np.int64(n) + leaf[inside]
        order = np.argsort(both, kind="stable")
        edges = np.append(keys, 2 * n) * np.int64(n)
        return inside[order], np.searchsorted(both[order], edges)

    def parts_needed(self, problem: Problem) -> Int64Array:
        """Return ceil(lambda(Q)) of every group, int64 [groups]."""
        levels = problem.height
        by_height = problem.cap[::-1]
        narrowest = np.zeros((levels + 1, levels + 1), dtype=np.int64)
        for low in range(levels + 1):
            narrowest[low, low:] = np.minimum.accumulate(by_height[low:])
        table = bit_lengths(levels)
        # Channels below the node: up to one level beneath it.
        tops = levels - self._levels() - 1
        need = [
            parts_needed(self.left, self.left_starts, problem.src, tops, narrowest, table),
            parts_needed(self.right, self.right_starts, problem.dst, tops, narrowest, table),
        ]
        return np.maximum(*need)

    def split(self, problem: Problem, parts: Int64Array) -> Int32Array:
        """Return the part of each message in its group, int32 [messages]."""
        return split_groups(
            self.left.copy(),
            self.left_starts,
            self.right.copy(),
            self.right_starts,
            problem.src,
            problem.dst,
            parts,
            bit_lengths(problem.height),
        )

    def by_level(self, problem: Problem, parts: Int64Array) -> Int64Array:
        """Return the cycle of each message, levels one after the other, int64 [messages]."""
        level = self._levels() + 1
        longest = np.zeros(problem.height + 2, dtype=np.int64)
        np.maximum.at(longest[1:], level, parts)
        first = np.cumsum(longest)[level]
        start = np.zeros(problem.src.size, dtype=np.int64)
        for ends, starts in ((self.left, self.left_starts), (self.right, self.right_starts)):
            start[ends] = np.repeat(first, np.diff(starts))
        return start + self.split(problem, parts)

    def _levels(self) -> Int64Array:
        """Return the level of each group's node, -1 above the root."""
        return np.frexp((self.key >> 1).astype(np.float64))[1].astype(np.int64) - 1


def ceiling(value: Fraction) -> int:
    """Return the smallest integer that is not below a fraction.

    Examples
    --------
    >>> ceiling(Fraction(7, 3))
    3
    """
    return -(-value.numerator // value.denominator)


def _power_of_two(numbers: Int64Array) -> Int64Array:
    """Return the smallest powers of two >= the numbers, which are >= 1."""
    return np.int64(1) << np.frexp(numbers.astype(np.float64) - 1)[1].astype(np.int64)
