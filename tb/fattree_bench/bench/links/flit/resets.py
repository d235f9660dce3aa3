"""Resets of the flit link: several clocks, pulses, and what is on the links in them."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Protocol, SupportsIndex
from zlib import crc32

import numpy as np
import numpy.typing as npt

from fattree_bench.bench import faults as kind
from fattree_bench.bench.links.flit.recorder import Recorded
from fattree_bench.bench.links.resets import LONGEST
from fattree_models.common.checks import BoolArray, Int32Array, Int64Array
from fattree_models.traffic import Packets

NEVER = np.iinfo(np.int64).max
BITS = 16  # of a shape: reset_shape of flit_player.v
NEAR, FAR = 2, 8  # clocks between two pulses: next to each other, or packets begin there


class Reset(Protocol):
    """A PacketSet, with the clocks in which reset is held."""

    packets: Packets

    @property
    def resets(self) -> tuple[int, ...]: ...


class Side(Protocol):
    """What was captured of one, see FlitCaptured."""

    first: int

    @property
    def item(self) -> Reset: ...

    @property
    def side(self) -> npt.NDArray[np.unsignedinteger]: ...


class Arrived(Protocol):
    """What was seen of packets, see Seen."""

    injected: Int64Array
    arrival: Int32Array
    gone: BoolArray

    def tails(self) -> Int32Array: ...


class Packed(Protocol):
    """What packets must be, see Sent."""

    @property
    def flits(self) -> Int64Array: ...

    @property
    def first_flit(self) -> Int64Array: ...

    def name(self, i: SupportsIndex) -> str: ...


class Resetting(Protocol):
    """A FlitPlan."""

    seen: Arrived

    @property
    def item(self) -> Reset: ...

    @property
    def sent(self) -> Packed: ...


class Held(Protocol):
    """The port of a player, and the rows of the next burst in which reset is set."""

    held: tuple[int, ...]

    def set(self, name: str, value: int) -> None: ...


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


def spans(captured: Side) -> Iterable[tuple[int, int]]:
    """First clock, and the one behind the last: parted where pulses begin; -1: none began."""
    begin, end = captured.first, captured.first + len(captured.side)
    cuts = [x for x, _ in pulses(captured.item.resets) if begin <= x < end]
    return pairwise((-1, *cuts, end))


def portions(
    item: Reset, sent: BoolArray, starts: Callable[[Packets], Int64Array]
) -> Iterator[tuple[Packets, BoolArray, int]]:
    """Packets, which are sent up to a pulse, and its first clock; last those behind all of them."""
    packets, left = item.packets, sent
    for first, last in pulses(item.resets):
        start = np.zeros(len(packets), np.int64)
        start[left] = starts(packets.select(left))
        before = left & (start < first)
        yield packets, before, first
        packets = replace(packets, release=np.maximum(packets.release, last + 1))
        left = left & ~before
    yield packets, left, NEVER


def whole(clocks: Sequence[int], now: int, cycles: int) -> int:
    """Clocks of a burst from `now` on: it ends before a reset that it would not hold to its end."""
    cut = clocks and now < clocks[0] < now + cycles <= clocks[-1]
    return clocks[0] - now if cut else cycles


def inside(seen: Arrived, resets: Sequence[int]) -> BoolArray:
    """Whether packets were on their way, bool [pulses]; those of an earlier pulse are gone."""
    tails, begun, since = seen.tails(), seen.injected, 0
    found = []
    for first, last in pulses(resets):
        under_way = (since <= begun) & (begun < first) & ((tails < 0) | (tails >= first))
        found.append(bool(under_way.any()))
        since = last + 1
    return np.array(found, np.bool_)


def after_reset(plan: Resetting) -> Iterator[tuple[str, str, int]]:
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


def hold(port: Held, rows: tuple[int, ...]) -> None:
    """Reset is set in these rows of the next burst of a port."""
    port.held = rows
    port.set("reset_at", rows[0] + 1 if rows else 0)
    port.set("reset_shape", sum(1 << row - rows[0] for row in rows))


def take_away(seen: Arrived, resets: Sequence[int]) -> None:
    """Packets that were on their way in these clocks are gone."""
    for reset in resets:
        tails, begun = seen.tails(), (seen.injected >= 0) & (seen.injected < reset)
        seen.gone |= begun & ((tails < 0) | (tails >= reset))


def noisy(wire: str, width: str) -> str:
    """An input that is all ones from the second clock of a reset on: it must not count."""
    return f"{wire} | {{{width}{{again}}}}"


def loud(seen: Recorded, row: int, heads: Int64Array, leaves: int) -> int | None:
    """A link on which switches show a flit or a credit in a row; None: they are silent.

    Recorded are the links out of switches, `heads` the levels at their far ends, then those from
    leaves.
    """
    inside = len(heads)
    flits, credits = seen.side[row, :inside] != 0, seen.credits[row, : inside + leaves] != 0
    credits[:inside] &= heads > 0  # leaves give the others
    credits[:inside] |= flits
    return int(np.argmax(credits)) if credits.any() else None
