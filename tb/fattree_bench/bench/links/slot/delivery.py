"""Delivery on the slot link, seen at the leaves alone: whatever a network does in between."""

from collections import deque
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from fattree_bench.bench import faults as kind
from fattree_bench.bench.faults import Faults
from fattree_bench.bench.links.slot.frame import Captured, SlotFrame
from fattree_bench.bench.links.slot.network import SlotNetwork
from fattree_models.common.checks import Int32Array, Int64Array

HISTORY = 256  # frames of which the packets are known


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
    row, output = np.nonzero(valid)
    number, source = network.payload.named(captured.data[row, output])
    left = item.sequence + row - network.latency
    wrap = 1 << network.width - network.n  # numbers of slots, that a payload can hold
    return Seen(row, left, left - (left - number) % wrap, source, output)


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
        self._left: deque[npt.NDArray[np.bool_]] = deque(maxlen=HISTORY)  # packets that left
        self._last = np.full(leaves**2, -1, np.int64)  # by pair: latest arrival that left

    def check(self, item: SlotFrame, seen: Seen, told: bool = True) -> None:
        """What leaves was sent, to this output, and leaves once.

        `told` is false where another check names each packet that is wrong.
        """
        self._recent.append(item)
        self._left.append(np.zeros(item.dst.size, np.bool_))
        starts = np.array([item.sequence for item in self._recent])
        frame = np.searchsorted(starts, seen.number, side="right") - 1
        for i in np.unique(frame[frame >= 0]).tolist():
            item, left = self._recent[i], self._left[i]
            own = frame == i
            row, source = seen.number[own] - item.sequence, seen.source[own]
            goal = offered(item)[row, source]
            there = goal == seen.output[own]
            cell = (row * self.leaves + source)[there]
            times = np.bincount(cell, minlength=left.size) + left
            left |= times > 0
            for name, count in (
                (kind.SPURIOUS, np.count_nonzero(goal < 0)),
                (kind.MISDELIVERED, np.count_nonzero(~there & (goal >= 0))),
                (kind.DUPLICATED, (times - 1).clip(0).sum()),
            ):
                if count and told:
                    example = f"{count} packets of the slots from {starts[i]} on"
                    self.faults.add(name, example, int(count))

    def order(self, seen: Seen, promised: bool) -> None:
        """Packets of a pair leave as they came; where that is not promised, it is counted."""
        flow = seen.source * self.leaves + seen.output
        order = np.argsort(flow, kind="stable")
        order = order[seen.number[order] >= 0]  # others are nobody's, and named as such
        flow, number = flow[order], seen.number[order]
        if not flow.size:
            return
        first = np.concatenate([[True], flow[1:] != flow[:-1]])
        before = np.where(first, self._last[flow], np.concatenate([[0], number[:-1]]))
        # The latest so far, flow by flow: an offset keeps them apart.
        apart = (np.cumsum(first) - 1) * (int(max(number.max(), before.max())) + 2)
        latest = np.maximum.accumulate(apart + np.maximum(before, number)) - apart
        latest = np.where(first, before, np.concatenate([[0], latest[:-1]]))
        if promised:
            for i in np.flatnonzero(number <= before).tolist():
                x, y = divmod(int(flow[i]), self.leaves)
                self.faults.add(
                    kind.REORDERED if number[i] < before[i] else kind.DUPLICATED,
                    f"slot {number[i]} source {x} destination {y} left in slot "
                    f"{seen.left[order[i]]}, behind that of slot {before[i]}",
                )
        else:
            self.overtaken += int(np.count_nonzero(number < latest))
        self._last[flow] = number if promised else np.maximum(number, latest)
