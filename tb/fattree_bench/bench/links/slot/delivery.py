"""Delivery on the slot link, seen at the leaves alone: whatever a network does in between."""

from collections import deque
from typing import NamedTuple

import numpy as np
from numba import njit

from fattree_bench.bench import faults as kind
from fattree_bench.bench.faults import Faults
from fattree_bench.bench.links.slot.frame import Captured, SlotFrame
from fattree_bench.bench.links.slot.network import SlotNetwork
from fattree_models.common.checks import BoolArray, Int32Array, Int64Array

HISTORY = 256  # frames whose packets are known


class Seen(NamedTuple):
    """Packets that left, int64 [packets]: row of the frame, slots left and came, pair."""

    row: Int64Array
    left: Int64Array
    number: Int64Array
    source: Int64Array
    output: Int64Array


def leaving(network: SlotNetwork, captured: Captured) -> Seen:
    """The packets that left in a frame, as their words say."""
    item = captured.item
    valid = np.unpackbits(captured.valid, axis=1, count=network.leaves, bitorder="little")
    place = np.flatnonzero(valid)
    row, output = place >> network.n, place & (network.leaves - 1)
    number, source = network.layout.payload.named(np.take(captured.data, place))
    left = item.sequence + row - network.latency
    wrap = 1 << network.width - network.n  # numbers of slots, that a payload can hold
    return Seen(row, left, left - ((left - number) & (wrap - 1)), source, output)


def offered(item: SlotFrame) -> Int32Array:
    """Destinations of the packets that were sent, int32 [slots, N]: none during a reset."""
    if item.reset is None:
        return item.dst
    return np.where(item.reset[:, None], np.int32(-1), item.dst)


class Delivery:
    """Each packet once, at its leaf; how many came behind a later one of their pair.

    Attributes
    ----------
    overtaken : packets that were, where no order is promised.
    """

    def __init__(self, leaves: int, faults: Faults) -> None:
        self.leaves = leaves
        self.faults = faults
        self.overtaken = 0
        self._recent: deque[SlotFrame] = deque(maxlen=HISTORY)
        self._left: deque[BoolArray] = deque(maxlen=HISTORY)  # packets that left
        self._last = np.full(leaves**2, -1, np.int64)  # by pair: latest arrival that left

    def check(self, item: SlotFrame, seen: Seen, told: bool = True) -> None:
        """What leaves was sent, to this output, and leaves once.

        `told` is false where another check names each packet that is wrong.
        """
        self._recent.append(item)
        self._left.append(np.zeros(item.dst.shape, np.bool_))
        known = seen.number[seen.number >= self._recent[0].sequence]
        oldest = int(known.min(initial=item.sequence))
        for sent, left in zip(reversed(self._recent), reversed(self._left), strict=True):
            spurious, misdelivered, duplicated = _tick_off(
                seen.number, seen.source, seen.output, sent.sequence, offered(sent), left
            )
            for name, count in (
                (kind.SPURIOUS, spurious),
                (kind.MISDELIVERED, misdelivered),
                (kind.DUPLICATED, duplicated),
            ):
                if count and told:
                    example = f"{count} packets of the slots from {sent.sequence} on"
                    self.faults.add(name, example, count)
            if sent.sequence <= oldest:
                return

    def order(self, seen: Seen, promised: bool) -> None:
        """Packets of a pair leave as they came; where that is not promised, it is counted."""
        flow = seen.source * self.leaves + seen.output
        before, overtaken = _follow(seen.number, flow, promised, self._last)
        for i in np.flatnonzero(before >= 0).tolist():
            x, y = divmod(int(flow[i]), self.leaves)
            self.faults.add(
                kind.REORDERED if seen.number[i] < before[i] else kind.DUPLICATED,
                f"slot {seen.number[i]} source {x} destination {y} left in slot "
                f"{seen.left[i]}, behind that of slot {before[i]}",
            )
        self.overtaken += overtaken


@njit(cache=True)
def _tick_off(
    number: Int64Array,
    source: Int64Array,
    output: Int64Array,
    first: int,
    dst: Int32Array,
    left: BoolArray,
) -> tuple[int, int, int]:
    """Mark in `left` what left of a frame from slot `first` on; count what should not have.

    Packets that were never sent, that are at a wrong output, that had left before.
    """
    spurious = misdelivered = duplicated = 0
    for i in range(number.size):
        row, x = number[i] - first, source[i]
        if row < 0 or row >= dst.shape[0]:
            continue
        if dst[row, x] < 0:
            spurious += 1
        elif dst[row, x] != output[i]:
            misdelivered += 1
        elif left[row, x]:
            duplicated += 1
        else:
            left[row, x] = True
    return spurious, misdelivered, duplicated


@njit(cache=True)
def _follow(
    number: Int64Array, flow: Int64Array, promised: bool, last: Int64Array
) -> tuple[Int64Array, int]:
    """Keep `last`, the latest of each flow that left; tell what came behind a later one.

    Where order is promised, the number of the slot of the one before, -1 of what is in order; else
    only how many did.
    """
    before, overtaken = np.full(number.size, -1), 0
    for i in range(number.size):
        now, latest = number[i], last[flow[i]]
        if now < 0:  # others are unknown, and named as such
            continue
        if promised:
            if now <= latest:
                before[i] = latest
            last[flow[i]] = now
        else:
            overtaken += int(now < latest)
            last[flow[i]] = max(now, latest)
    return before, overtaken
