"""Single deviations from a sound network that carries a few packets, and their names."""

from collections.abc import Callable

import numpy as np

from fattree_bench.bench import faults as kind
from fattree_models.traffic import Packets
from tests.tb.bench.wormhole.software import HEAD, HOPS, TAIL, VC, Seen, kary

NETWORK = kary()
# source, destination, clock, flits: far, near, of one flit, two of a pair
PACKETS = ((0, 3, 0, 4), (1, 0, 0, 3), (2, 2, 5, 1), (3, 0, 40, 1), (3, 0, 40, 1))
FAR, NEAR, HERE, FIRST, SECOND = range(5)
Fault = Callable[[Seen], None]


def packets(rows: tuple[tuple[int, int, int, int], ...] = PACKETS, kinds: int = 0) -> Packets:
    source, destination, release, flits = np.array(rows).T
    return Packets.of(source, destination, release, flits, kinds)


def nothing(seen: Seen) -> None:
    pass


def lose_tail(seen: Seen) -> None:
    seen.lose(FAR, 3)


def lose_head(seen: Seen) -> None:
    seen.lose(FAR, 0)


def lose_packet(seen: Seen) -> None:
    seen.lose(HERE, 0)


def flip(seen: Seen) -> None:
    seen.data[seen.at(FAR, 2)] ^= np.uint64(1 << 7)


def flip_source(seen: Seen) -> None:
    seen.data[seen.at(FAR, 0)] ^= np.uint64(1 << NETWORK.words.address_bits)


def flip_address(seen: Seen) -> None:
    seen.data[seen.at(FAR, 0)] ^= np.uint64(1)


def flip_class(seen: Seen) -> None:
    seen.data[seen.at(FAR, 0)] ^= np.uint64(
        1 << NETWORK.words.address_bits + NETWORK.words.node_bits
    )


def flip_two(seen: Seen) -> None:
    """Two neighbours, each in bits of its own."""
    seen.data[seen.at(FAR, 1)] ^= np.uint64(3)
    seen.data[seen.at(FAR, 2)] ^= np.uint64(1 << 31)


def blank(seen: Seen) -> None:
    """Nothing of the word is left, but it comes when it is this flit's turn."""
    seen.data[seen.at(FAR, 2)] = 0


def flip_astray(seen: Seen) -> None:
    """Damaged, and at another leaf."""
    clock = seen.at(FAR, 2)[0]
    seen.lose(FAR, 2)
    seen.put(FAR, 2, clock, leaf=1)
    seen.data[clock, 1] ^= np.uint64(1 << 9)


def invent(seen: Seen) -> None:
    seen.side[200, 1], seen.data[200, 1] = 1 << TAIL | 1 << VC, 0xDEADBEEF


def unsent(seen: Seen) -> None:
    """A packet arrives that its sender has not begun."""
    seen.begun[:, 2] = False


def repeat_flit(seen: Seen) -> None:
    seen.put(FAR, 2, int(seen.clock[FAR][3]) + 5)


def repeat_packet(seen: Seen) -> None:
    seen.put(HERE, 0, 100)


def elsewhere(seen: Seen) -> None:
    seen.move(NEAR, 0, leaf=1)


def also_elsewhere(seen: Seen) -> None:
    """Copied, in the same clock."""
    seen.put(HERE, 0, seen.at(HERE, 0)[0], leaf=1)


def late(seen: Seen) -> None:
    seen.move(NEAR, 1)


def early(seen: Seen) -> None:
    seen.move(NEAR, -1)


def shuffle(seen: Seen) -> None:
    """Two flits of a packet change places."""
    one, two = seen.at(FAR, 1)[0], seen.at(FAR, 2)[0]
    seen.put(FAR, 2, one)
    seen.put(FAR, 1, two)


def overtake(seen: Seen) -> None:
    one, two = seen.at(FIRST, 0)[0], seen.at(SECOND, 0)[0]
    seen.put(SECOND, 0, one)
    seen.put(FIRST, 0, two)


def detour(seen: Seen) -> None:
    """By the other parent: a legal way, but not D-mod-k's."""
    seen.side[seen.at(FAR, 0)] ^= np.uint64((3 ^ 4) << HOPS + 2 * NETWORK.ways.hop_bits)


def no_way(seen: Seen) -> None:
    seen.side[seen.at(FAR, 0)] &= np.uint64((1 << HOPS) - 1)


def unmark_tail(seen: Seen) -> None:
    seen.side[seen.at(FAR, 3)] ^= np.uint64(1 << TAIL)


def mark_tail(seen: Seen) -> None:
    seen.side[seen.at(FAR, 1)] ^= np.uint64(1 << TAIL)


def unmark_head(seen: Seen) -> None:
    """Read as another flit, its word says nothing; but it is the one that was to come."""
    seen.side[seen.at(FAR, 0)] ^= np.uint64(1 << HEAD)


# Each, and the failures the scoreboard must find: their names and counts.
DEVIATIONS = [
    (nothing, {}),
    (lose_tail, {kind.LOST: 1}),
    (lose_head, {kind.LOST: 1}),
    (lose_packet, {kind.LOST: 1}),
    (flip, {kind.CORRUPTED: 1}),
    (flip_source, {kind.CORRUPTED: 1}),
    (flip_address, {kind.CORRUPTED: 1}),
    (flip_class, {kind.CORRUPTED: 1}),
    (flip_two, {kind.CORRUPTED: 2}),
    (blank, {kind.CORRUPTED: 1}),
    (flip_astray, {kind.CORRUPTED: 1, kind.MISDELIVERED: 1}),
    (invent, {kind.SPURIOUS: 1}),
    (unsent, {kind.SPURIOUS: 1, kind.LOST: 1}),
    (repeat_flit, {kind.DUPLICATED: 1}),
    (repeat_packet, {kind.DUPLICATED: 1}),
    (elsewhere, {kind.MISDELIVERED: 1}),
    (also_elsewhere, {kind.MISDELIVERED: 1, kind.DUPLICATED: 1}),
    (late, {kind.LATE: 1}),
    (early, {kind.EARLY: 1}),
    (shuffle, {kind.REORDERED: 1}),
    (detour, {kind.ROUTE: 1}),
    (no_way, {kind.ROUTE: 1, kind.LATE: 1}),  # one switch at least, it says
    (unmark_tail, {kind.MARKS: 1}),
    (mark_tail, {kind.MARKS: 1}),
    (unmark_head, {kind.MARKS: 1}),
]


def other_channel(seen: Seen) -> None:
    seen.side[seen.at(0, 1)] ^= np.uint64(3 << VC)


def all_in_the_other(seen: Seen) -> None:
    for index in range(4):
        seen.side[seen.at(0, index)] ^= np.uint64(3 << VC)
