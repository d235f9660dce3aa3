"""Schedules of ceil(lambda) cycles wherever they can be found (ours).

If first-fit does not do it by chance, start from the split of all messages into k = ceil(lambda)
cycles that is even at every processor and in every subtree, for the sources and for the
destinations.  Then the processors' channels fit, and the others nearly so: the split does not know
where in the tree a message turns.  Mend the rest two cycles at a time.  Where both cycles have a
message from the same processor these two are mates, and likewise those to the same processor;
messages hang together in chains, which alternate between the two cycles (Kempe chains).  Exchanging
the cycles along a whole chain leaves the processors' loads alone and moves load elsewhere; keep
what does not add to the overload.

Not every message set has a schedule of ceil(lambda) cycles, so this can fail; iterated greedy then
gives a schedule, and chains are tried with the first numbers of cycles in between.  If the messages
are few, all schedules with fewer cycles than were found are tried in the end.
"""

from typing import NamedTuple, Self

import numpy as np
import numpy.typing as npt
from numba import njit

from fattree_models.common.checks import (
    Int8Array,
    Int32Array,
    Int64Array,
    UInt64Array,
    check_integer,
)
from fattree_models.leiserson.first_fit import greedy, iterated_greedy
from fattree_models.leiserson.schedules import Schedule
from fattree_models.leiserson.theorem import Groups, Problem, ceiling, top_levels

EXCHANGES = 4000
"""Pairs of cycles that are tried at most for each number of cycles, or 40 for each cycle ..."""
STEPS = 10**8
"""... and messages of such pairs at most; but 50 pairs in any case."""
TRIES = 4
"""Numbers of cycles that are tried, from ceil(lambda) on."""
FEW = 24
"""Sets of at most so many messages are searched exactly, ..."""
PLACES = 10**6
"""... unless a message was put into a cycle so often for a number of cycles."""
FIRST_FIT = 10**9
"""First-fit is tried before if it looks at messages in a cycle at most so often."""


def balanced(src: npt.ArrayLike, dst: npt.ArrayLike, cap: npt.ArrayLike, seed: int = 0) -> Schedule:
    """Schedule by an even split that is mended along Kempe chains (ours).

    Parameters
    ----------
    seed : int
        Of the random choices; the same seed gives the same schedule.

    Returns
    -------
    Schedule
        Mostly d = ceil(lambda); never longer than `iterated_greedy`'s; of a dozen messages as
        short as can be.  Without a bound.

    Notes
    -----
    The split takes O(messages lg lambda lg(lambda messages)); an exchange walks the paths of two
    cycles' messages a few times.  Linear memory.  A million messages take seconds if first-fit
    will do, half a minute otherwise, and minutes if no such schedule is found.

    Examples
    --------
    >>> balanced([0, 1, 1, 2, 2], [3, 0, 2, 0, 3], [2, 1, 1]).cycles  # lambda = 2, but 3 it takes
    3
    """
    seed = check_integer("seed", seed, 0)
    problem = Problem.of(src, dst, cap)
    if problem.factor <= 1:
        return problem.one_cycle("BALANCED", None)
    fewest = ceiling(problem.factor)
    if problem.src.size * fewest <= FIRST_FIT:
        quick = greedy(src, dst, cap)
        if quick.cycles == fewest:
            return problem.schedule("BALANCED", quick.cycle, None)
    groups = Groups.of(problem, np.zeros_like(problem.src))
    cycle = _mended(problem, groups, fewest, seed)
    if cycle is None:
        other = iterated_greedy(src, dst, cap, seed)
        tries = range(fewest + 1, min(fewest + TRIES, other.cycles))
        found = (_mended(problem, groups, cycles, seed) for cycles in tries)
        cycle = next((c for c in found if c is not None), other.cycle)
        if cycle.size <= FEW:
            searched = (_searched(problem, d) for d in range(fewest, int(cycle.max()) + 1))
            cycle = next((c for c in searched if c is not None), cycle)
    return problem.schedule("BALANCED", cycle, None)


def _searched(problem: Problem, cycles: int) -> Int32Array | None:
    """Return any schedule of so many cycles, or None if none was found."""
    split = _Split.of(problem, np.full_like(problem.src, -1), cycles, 0)
    split = split._replace(loads=np.zeros((cycles, 2, 2 * problem.n), dtype=np.int32))
    order = np.argsort(split.top, kind="stable")
    return split.cycle if _search(split, order, PLACES) else None


def _mended(problem: Problem, groups: Groups, cycles: int, seed: int) -> Int32Array | None:
    """Return an even split into so many cycles, mended, or None if some overload remains."""
    cycle = groups.split(problem, np.array([cycles], dtype=np.int64))
    affordable = STEPS * cycles // (2 * cycle.size)
    pairs = max(50, min(affordable, max(EXCHANGES, 40 * cycles)))
    left = _mend(_Split.of(problem, cycle, cycles, seed), pairs)
    return cycle if left == 0 else None


class _Split(NamedTuple):
    """Messages in cycles, and what else mending needs, as the compiled code wants it."""

    src: Int32Array  # [messages]
    dst: Int32Array
    top: Int8Array  # [messages]: level at which the highest channels of a path lie
    cap: Int64Array
    cycle: Int32Array  # [messages], changed in place
    first: Int32Array  # [cycles]: the messages of each cycle as a linked list, ...
    following: Int32Array  # ... [messages], with -1 at the end
    overload: Int64Array  # [cycles]
    loads: Int32Array  # [2 cycles, 2 ways, 2n], all 0 between exchanges
    open_end: Int32Array  # [2 ways, n + 1], all -1 between exchanges
    mate: Int32Array  # [2 ways, messages]
    seen: Int8Array  # [messages]
    pair: Int32Array  # [messages]: those of the two cycles
    chain: Int32Array  # [messages]
    state: UInt64Array  # of the random numbers

    @classmethod
    def of(cls, problem: Problem, cycle: Int32Array, cycles: int, seed: int) -> Self:
        """Return the tables for messages whose cycles are given; nothing is in a list yet."""
        messages = cycle.size
        return cls(
            src=problem.src,
            dst=problem.dst,
            top=top_levels(problem.src, problem.dst, problem.n),
            cap=problem.cap,
            cycle=cycle,
            first=np.full(cycles, -1, dtype=np.int32),
            following=np.empty(messages, dtype=np.int32),
            overload=np.zeros(cycles, dtype=np.int64),
            loads=np.zeros((2, 2, 2 * problem.n), dtype=np.int32),
            open_end=np.full((2, problem.n + 1), -1, dtype=np.int32),
            mate=np.empty((2, messages), dtype=np.int32),
            seen=np.zeros(messages, dtype=np.int8),
            pair=np.empty(messages, dtype=np.int32),
            chain=np.empty(messages, dtype=np.int32),
            # xorshift never leaves 0.
            state=np.random.SeedSequence(seed).generate_state(1, np.uint64) | np.uint64(1),
        )


@njit(cache=True)
def _mend(split: _Split, pairs: int) -> int:
    """Exchange messages between pairs of cycles, in place; return the overload that is left."""
    cycles = split.first.size
    for e in range(split.cycle.size):
        _insert(e, split)
    total = 0
    for c in range(cycles):
        split.overload[c] = _list_shift(c, 1, split, 0)
        _list_shift(c, -1, split, 0)
        total += split.overload[c]
    for _ in range(pairs):
        if total == 0:
            break
        # One overloaded cycle, in proportion to its overload, and any other one.
        ticket = _random(split.state, total)
        a = 0
        while ticket >= split.overload[a]:
            ticket -= split.overload[a]
            a += 1
        b = (a + 1 + _random(split.state, cycles - 1)) % cycles
        total += _exchange(a, b, split)
    return total


@njit(cache=True)
def _exchange(a: int, b: int, split: _Split) -> int:
    """Exchange chains between cycles a and b; return by how much their overload grows, <= 0."""
    pair, chain, overload = split.pair, split.chain, split.overload
    size = 0
    for side, c in enumerate((a, b)):
        _list_shift(c, 1, split, side)
        e = split.first[c]
        while e >= 0:
            pair[size] = e
            size += 1
            e = split.following[e]
        split.first[c] = -1
    for i in range(size - 1, 0, -1):
        j = _random(split.state, i + 1)
        pair[i], pair[j] = pair[j], pair[i]
    _find_mates(pair[:size], split)
    before = overload[a] + overload[b]
    for start in pair[:size]:
        if split.seen[start]:
            continue
        length = _collect_chain(start, split)
        change = 0
        for e in chain[:length]:
            change += _swap(e, a, b, split)
        if change > 0:
            for e in chain[:length]:
                _swap(e, a, b, split)
    for e in pair[:size]:
        _insert(e, split)
    # Taking all messages away lowers the overload to 0.
    for side, c in enumerate((a, b)):
        overload[c] = -_list_shift(c, -1, split, side)
    return int(overload[a] + overload[b] - before)


@njit(cache=True)
def _insert(e: int, split: _Split) -> None:
    """Put a message in front of the list of its cycle."""
    split.following[e] = split.first[split.cycle[e]]
    split.first[split.cycle[e]] = e


# Most of the time goes here.  Inlined, because a call that hands over a tuple of arrays costs more
# than what is done with it: so mending takes about 0.6 of the time, and compiling it 1.6 times as
# long, as with every array an argument.


@njit(cache=True, inline="always")
def _list_shift(c: int, step: int, split: _Split, side: int) -> int:
    """Do `_shift` for all messages of cycle c."""
    change = 0
    e = split.first[c]
    while e >= 0:
        change += _shift(e, step, split, side)
        e = split.following[e]
    return change


@njit(cache=True, inline="always")
def _swap(e: int, a: int, b: int, split: _Split) -> int:
    """Move a message to the other one of cycles a and b; return by how much the overload grows."""
    side = 0 if split.cycle[e] == a else 1
    split.cycle[e] = b if side == 0 else a
    return _shift(e, -1, split, side) + _shift(e, 1, split, 1 - side)


@njit(cache=True, inline="always")
def _shift(e: int, step: int, split: _Split, side: int) -> int:
    """Add a message's path to the loads of a cycle, or (step -1) take it away.

    Returns
    -------
    int
        By how much the messages beyond the capacities, summed over all channels, grow.
    """
    cap, loads = split.cap, split.loads[side]
    n = loads.shape[1] // 2
    levels = cap.size - 1
    change = 0
    for way in range(2):
        place = split.src[e] if way == 0 else split.dst[e]
        if place == n:
            continue
        for level in range(split.top[e], levels + 1):
            v = (n + place) >> (levels - level)
            # The message at stake is the last one in, before or after.
            if step > 0:
                change += loads[way, v] >= cap[level]
            else:
                change -= loads[way, v] > cap[level]
            loads[way, v] += step
    return change


@njit(cache=True)
def _search(split: _Split, order: Int64Array, places: int) -> bool:
    """Give every message per cycle with room for it, by backtracking; return whether there are any.

    Messages are placed in the given order, each in a cycle of those before it or in the next one:
    empty cycles are all alike.
    """
    cycles = split.first.size
    used = np.zeros(order.size + 1, dtype=np.int64)
    i = 0
    while 0 <= i < order.size and places > 0:
        e = order[i]
        c = int(split.cycle[e])
        if c >= 0:
            _shift(e, -1, split, c)
        c += 1
        last = min(int(used[i]), cycles - 1)
        while c <= last:
            places -= 1
            if _shift(e, 1, split, c) == 0:
                break
            _shift(e, -1, split, c)
            c += 1
        if c <= last:
            split.cycle[e] = c
            used[i + 1] = max(used[i], c + 1)
            i += 1
        else:
            split.cycle[e] = -1
            i -= 1
    return i == order.size


@njit(cache=True)
def _find_mates(pair: Int32Array, split: _Split) -> None:
    """Match messages of different cycles with a processor in common, as they come."""
    open_end, mate = split.open_end, split.mate
    n = open_end.shape[1] - 1
    for e in pair:
        split.seen[e] = 0
        for way in range(2):
            mate[way, e] = -1
            place = split.src[e] if way == 0 else split.dst[e]
            other = open_end[way, place]
            if place == n:
                continue
            if other < 0:
                open_end[way, place] = e
            elif split.cycle[other] != split.cycle[e]:
                mate[way, e] = other
                mate[way, other] = e
                open_end[way, place] = -1
    for e in pair:
        open_end[0, split.src[e]] = open_end[1, split.dst[e]] = -1


@njit(cache=True)
def _collect_chain(start: int, split: _Split) -> int:
    """Write down in `chain` the messages that hang together with `start`; return how many."""
    mate, seen, chain = split.mate, split.seen, split.chain
    chain[0] = start
    seen[start] = 1
    length = 1
    for first_way in range(2):
        e, way = np.int64(start), first_way
        while True:
            e = np.int64(mate[way, e])
            if e < 0 or seen[e]:
                break
            seen[e] = 1
            chain[length] = e
            length += 1
            way = 1 - way
    return length


@njit(cache=True)
def _random(state: UInt64Array, below: int) -> int:
    """Step a 64-bit xorshift generator; return a number 0 ... below-1."""
    x = state[0]
    x ^= x << np.uint64(13)
    x ^= x >> np.uint64(7)
    x ^= x << np.uint64(17)
    state[0] = x
    return int(np.int64(x >> np.uint64(11)) % below)
