"""Who waits for whom in a network of virtual channels that does not move any more."""

from collections.abc import Callable, Hashable, Iterator
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from fattree_models.common.structure import Structure

Wait: TypeAlias = tuple[Hashable, Hashable]
FLITS, HOLDS = 1, 2  # bits of a queue's state
PORT, PORT_BITS, VCS = 2, 9, 11  # from these bits on: the output, and VCs there, one bit each


def waits(
    structure: Structure,
    state: npt.NDArray[np.uint16],
    allowed: Callable[[int], int],
    replies: int | None = None,
) -> Iterator[Wait]:
    """What each queue that holds a flit waits for; for `structure.cycle`.

    A queue is its number in `structure.queues`; the replies that are to go out at a leaf are
    ("replies", leaf).

    Parameters
    ----------
    state : uint16 [queues]: flits wait; the packet has a virtual channel (VC) at its output; the
        output (9 bits); that VC, one-hot.
    allowed : VCs that the packets of an input's VC may get at an output, one bit each.
    replies : VCs of replies, one bit each, if receivers are to answer; None: they only take.
    """
    number = np.zeros(int(structure.lanes.sum()), np.int64)
    number[structure.queues] = np.arange(len(structure.queues))

    def behind(link: int, vcs: int) -> list[int]:
        """The queues to which VCs of a link lead."""
        first = int(structure.first_lane[link])
        return [int(number[first + vc]) for vc in range(structure.lanes[link]) if vcs >> vc & 1]

    for at in np.flatnonzero(state & FLITS).tolist():
        lane, word = int(structure.queues[at]), int(state[at])
        link = int(structure.lane_link[lane])
        node, port = int(structure.head[link]), word >> PORT & (1 << PORT_BITS) - 1
        if not word & HOLDS:  # for all that hold a VC of that output which it may have
            may = allowed(lane - int(structure.first_lane[link]))
            near = structure.arriving[node]
            for other in (q for k in near[near >= 0].tolist() for q in behind(k, -1)):
                held = int(state[other])
                same = held & HOLDS and held >> PORT & (1 << PORT_BITS) - 1 == port
                if other != at and same and held >> VCS & may:
                    yield at, other
            continue
        out = int(structure.leaving[node, port])
        there = int(structure.head[out])
        if structure.level[there] > 0:  # for a credit: for the queue at the other end
            yield from ((at, other) for other in behind(out, word >> VCS))
        elif replies is not None:  # for a receiver, and that for a place for its reply
            leaf = int(structure.number[there])
            yield at, ("replies", leaf)
            entry = int(structure.leaving[structure.senders[leaf], 0])
            yield from ((("replies", leaf), other) for other in behind(entry, replies))


def tell(cycle: list[Hashable], place: Callable[[int], str]) -> list[str]:
    """A cycle of waits, one line each."""

    def call(one: Hashable) -> str:
        return place(one) if isinstance(one, int) else f"the queue of replies at leaf {one[1]}"  # type: ignore[index]

    pairs = zip(cycle, [*cycle[1:], *cycle[:1]], strict=True)
    return [f"{call(one)} waits for {call(two)}" for one, two in pairs]
