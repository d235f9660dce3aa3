"""Single deviations from what a sound switch shows, and their names."""

import numpy as np

from fattree_bench.bench import faults as kind
from tests.tb.families.lbbvn_switch.cell_streams import apart, lone
from tests.tb.families.lbbvn_switch.software import Stream


def nothing(seen: Stream) -> None:
    pass


def lose(seen: Stream) -> None:
    seen.take(seen.at(9))


def lose_last(seen: Stream) -> None:
    seen.take(lone(seen))


def late(seen: Stream) -> None:
    slot, output = lone(seen)
    seen.move((slot, output), (slot + 1, output))


def late_by_frames(seen: Stream) -> None:
    slot, output = lone(seen)
    seen.move((slot, output), (slot + 70, output))


def early(seen: Stream) -> None:
    slot, output = lone(seen)
    seen.move((slot, output), (slot - 1, output))


def early_by_a_frame(seen: Stream) -> None:
    """In the frame before the one in which it is due."""
    edges = np.cumsum([item.slots for item in seen.items])
    slot, output = next(
        (s, y)
        for s, y in np.argwhere(seen.valid).tolist()
        if s in edges and not seen.valid[s - 1, y] and seen.cell((s, y))[0] < s - 1
    )
    seen.move((slot, output), (slot - 1, output))


def before_it_came(seen: Stream) -> None:
    """So early that it had not been sent."""
    slot, output = lone(seen)
    word = seen.take((slot, output))
    seen.put((slot - 40, output), word)


def twice(seen: Stream) -> None:
    slot, output = lone(seen)
    seen.put((slot + 5, output), int(seen.data[slot, output]))


def misdeliver(seen: Stream) -> None:
    slot, output = lone(seen)
    seen.move((slot, output), (slot, output ^ 1))


def misdeliver_a_copy(seen: Stream) -> None:
    slot, output = lone(seen)
    seen.put((slot, output ^ 1), int(seen.data[slot, output]))


def corrupt(seen: Stream) -> None:
    seen.data[lone(seen)] ^= np.uint32(8)


def blank(seen: Stream) -> None:
    """Valid, but no payload."""
    seen.data[lone(seen)] = 0


def invent(seen: Stream) -> None:
    slot, output = lone(seen)
    seen.put((slot + 3, output), 0xDEADBEEF)


def bus_stuck(seen: Stream) -> None:
    """Valid where nothing should be, payload 0."""
    slot, output = lone(seen)
    seen.put((slot + 3, output), 0)


def leak(seen: Stream) -> None:
    slot, output = lone(seen)
    seen.data[slot + 3, output] = 1


def overtake(seen: Stream) -> None:
    seen.swap(*apart(seen))


# Each, and the failures the scoreboard must find: their names and counts.
DEVIATIONS = [
    (nothing, {}),
    (lose, {kind.LOST: 1}),
    (lose_last, {kind.LOST: 1}),
    (late, {kind.LATE: 1}),
    (late_by_frames, {kind.LATE: 1}),
    (early, {kind.EARLY: 1}),
    (early_by_a_frame, {kind.EARLY: 1}),
    (before_it_came, {kind.SPURIOUS: 1, kind.LOST: 1}),
    (twice, {kind.DUPLICATED: 1}),
    (misdeliver, {kind.MISDELIVERED: 1}),
    (misdeliver_a_copy, {kind.MISDELIVERED: 1}),
    (corrupt, {kind.CORRUPTED: 1}),
    (blank, {kind.CORRUPTED: 1}),
    (invent, {kind.SPURIOUS: 1}),
    (bus_stuck, {kind.SPURIOUS: 1}),
    (leak, {kind.IDLE_NOT_ZERO: 1}),
    (overtake, {kind.LATE: 1, kind.EARLY: 1}),
]
