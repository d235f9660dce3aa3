"""Random message sets that one delivery cycle can carry, and not one message more."""

import numpy as np
import numpy.typing as npt
from numba import njit

from fattree_models.common.checks import BoolArray, Int32Array, Int64Array
from fattree_models.leiserson.capacity import check_capacity, check_processors
from fattree_models.leiserson.networks import Messages

FloatArray = npt.NDArray[np.float64]


def one_cycle(
    processors: int, cap: npt.ArrayLike, rng: np.random.Generator, outside: bool = False
) -> Messages:
    """Return a random one-cycle message set to which no message can be added.

    Parameters
    ----------
    outside : bool
        If set, messages from and to the outside take part.

    Returns
    -------
    (src, dst) : int32 arrays [messages]
        Every further message would overload a channel (one from or to the outside only if `outside`
        is set).

    Notes
    -----
    Wires of processors take turns in random order; each takes a destination that can still be
    reached, far ones as likely as if all could be.  O(n cap[h] lg n) time.

    Examples
    --------
    >>> src, dst = one_cycle(8, [4, 4, 2, 1], np.random.default_rng(0))
    >>> np.bincount(src), np.bincount(dst)
    (array([1, 1, 1, 1, 1, 1, 1, 1]), array([1, 1, 1, 1, 1, 1, 1, 1]))
    """
    n = check_processors(processors)
    wires = check_capacity(n, cap)
    tickets = np.repeat(np.arange(n, dtype=np.int32), wires[-1])
    if outside:
        tickets = np.append(tickets, np.full(int(wires[0]), n, dtype=np.int32))
    rng.shuffle(tickets)
    luck = rng.random((tickets.size, 2))
    dst = np.empty_like(tickets)
    loads = np.zeros((2, 2 * n), dtype=np.int64)
    _reach(tickets, dst, wires, outside, luck, loads, np.ones(2 * n, dtype=np.bool_))
    sent = dst >= 0
    return tickets[sent], dst[sent]


@njit(cache=True)
def _reach(
    src: Int32Array,
    dst: Int32Array,
    cap: Int64Array,
    outside: bool,
    luck: FloatArray,
    loads: Int64Array,
    open_down: BoolArray,
) -> None:
    """Give each source in turn a destination that it can still reach, or -1.

    `luck` float64 [sources, 2] is random in [0, 1); `loads` int64 [2, 2n] is all 0 at first;
    `open_down` bool [2n], all set at first: the down channel of v has room, and so has one below
    it, and so on to a leaf.
    """
    n = loads.shape[1] // 2
    levels = cap.size - 1
    for i in range(src.size):
        dst[i] = -1
        w, level = 1, 0
        if src[i] < n:
            turn = _turn(src[i], cap, outside, luck[i, 0], loads, open_down)
            if turn < 0:
                continue
            v, level = n + src[i], levels
            while v != turn:
                loads[0, v] += 1
                w = v ^ 1
                v >>= 1
                level -= 1
            level += 1
            if turn == 0:
                dst[i] = n
                continue
        elif not open_down[1]:
            continue
        loads[1, w] += 1
        share = luck[i, 1]
        while w < n:
            bit = 1 if share >= 0.5 else 0
            share = 2 * share - bit
            w = 2 * w + bit
            if not open_down[w]:
                w ^= 1
            level += 1
            loads[1, w] += 1
        dst[i] = w - n
        while w > 0:
            below = w >= n or open_down[2 * w] or open_down[2 * w + 1]
            open_down[w] = below and loads[1, w] < cap[level]
            w >>= 1
            level -= 1


@njit(cache=True)
def _turn(
    source: int,
    cap: Int64Array,
    outside: bool,
    share: float,
    loads: Int64Array,
    open_down: BoolArray,
) -> int:
    """Return the node where a message turns, 0 for the outside, -1 if it cannot get anywhere.

    Nodes weigh as much as the wires of the leaves that they lead to, the outside as its channel.
    """
    n = loads.shape[1] // 2
    levels = cap.size - 1
    v, level = n + source, levels
    chosen, total = -1, 0.0
    while v > 0 and loads[0, v] < cap[level]:
        reached = open_down[v ^ 1] if v > 1 else outside
        if reached:
            weight = float(cap[levels] << (levels - level)) if v > 1 else float(cap[0])
            # The newcomer takes its share of the choice from those before; what is left of the
            # random number within the share is as random.
            total += weight
            mark = share * total
            if mark < weight:
                chosen = v >> 1
                share = mark / weight
            else:
                share = (mark - weight) / (total - weight)
        v >>= 1
        level -= 1
    return chosen
