"""Resets of the flit link: several clocks, pulses, and what is on the links in them."""

from collections.abc import Iterator, Sequence
from typing import Any
from zlib import crc32

import numpy as np

from fattree_bench.bench import faults as kind
from fattree_bench.bench.links.flit.recorder import Recorded
from fattree_bench.bench.links.resets import LONGEST
from fattree_models.traffic import Packets

NEVER = np.iinfo(np.int64).max
BITS = 16  # of a shape: reset_shape of flit_player.v
NEAR, FAR = 2, 8  # clocks between two pulses: next to each other, or packets begin there


def shape_of(packets: Packets) -> int:
    """A shape that depends on what is sent alone, so that a run repeats.

    Bit k is set if the reset is held k clocks after its first clock: 1 to 5 clocks; two times out
    of three a second pulse.
    """
    sent = (packets.source, packets.destination, packets.release)
    rng = np.random.default_rng(crc32(np.stack(sent).astype(np.int64).tobytes()))
    first = int(rng.integers(1, LONGEST + 1))
    shape = (1 << first) - 1
    if most := int(rng.choice([0, NEAR, FAR])):
        begin = first + int(rng.integers(1, most + 1))
        end = int(rng.integers(begin + 1, min(begin + LONGEST, BITS) + 1))
        shape |= (1 << end) - (1 << begin)
    return shape


def pulses(clocks: Sequence[int]) -> list[tuple[int, int]]:
    """First and last clock of each pulse."""
    at = set(clocks)
    first = [clock for clock in clocks if clock - 1 not in at]
    return list(zip(first, [clock for clock in clocks if clock + 1 not in at], strict=True))


def whole(clocks: Sequence[int], now: int, cycles: int) -> int:
    """Clocks of a burst from `now` on: it ends before a reset that it would not hold to its end."""
    cut = clocks and now < clocks[0] < now + cycles <= clocks[-1]
    return clocks[0] - now if cut else cycles


def after_reset(plan: Any) -> Iterator[tuple[str, str, int]]:
    """Nothing arrives of packets that were on their way when a reset came: the next behind each."""
    sent, seen, clocks = plan.sent, plan.seen, np.array([*plan.item.resets, NEVER])
    reset = clocks[np.searchsorted(clocks[:-1], seen.injected)]
    late = np.repeat(seen.gone, sent.flits) & (seen.arrival > np.repeat(reset, sent.flits))
    for i in np.flatnonzero(np.add.reduceat(late, sent.first_flit[:-1])) if late.any() else ():
        yield (
            kind.SPURIOUS,
            f"{sent.name(i)} arrived although a reset came in clock {reset[i]}",
            int(i),
        )


def noisy(wire: str, width: str) -> str:
    """An input that is all ones from the second clock of a reset on: it must not count."""
    return f"{wire} | {{{width}{{again}}}}"


def shown(seen: Recorded, row: int, links: int, ours: Sequence[bool]) -> int | None:
    """A link on which a row is not silent: a flit on one of the first, a credit on one of ours."""
    loud = (seen.side[row, :links] != 0) | ((seen.credits[row, : len(ours)] != 0) & ours)[:links]
    return int(np.argmax(loud)) if loud.any() else None
