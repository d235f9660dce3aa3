"""What a switch and its scheme promise, checked on what is seen alone, whatever the model says."""

from collections import deque

import numpy as np
import numpy.typing as npt

from fattree_bench.bench import faults as kind
from fattree_bench.bench.faults import Faults
from fattree_bench.bench.links.slot.frame import Captured
from fattree_bench.families.lbbvn_switch.cells import CellFrame, Seen, offered
from fattree_bench.families.lbbvn_switch.network import COUNTERS, LbbvnSwitch

HISTORY = 256  # frames of which the cells are known
SKIPPED, MOST = 5, 6  # places in the counters: gaps skipped, most cells in a resequencer


class Promises:
    """Each cell once, at its output, in order; none stuck, none lost without being counted.

    Where design and model disagree, cells are named one by one elsewhere: the checks of single
    cells, and of their number, are for what both do wrong.
    """

    def __init__(self, network: LbbvnSwitch, faults: Faults) -> None:
        leaves = network.leaves
        self.network = network
        self.faults = faults
        self.overtaken = 0  # where no order is promised
        self._agreed = True  # the model has predicted all so far
        self._recent: deque[CellFrame] = deque(maxlen=HISTORY)
        self._left: deque[npt.NDArray[np.bool_]] = deque(maxlen=HISTORY)  # their cells that left
        self._last = np.full(leaves**2, -1, np.int64)  # by flow: latest arrival that left
        self._waiting = np.zeros(leaves**2, np.int64)  # by flow: sent since a reset, and not seen
        # Cells of a flow for which no frame may ever begin.
        few = {"UFS": leaves - 1, "PADDED": network.shape.threshold - 1}
        self._idle = few.get(network.scheme, 0)

    def check(self, captured: Captured, seen: Seen, predicted: bool) -> None:
        """Check one frame; `predicted`: all of it is what the model says."""
        item: CellFrame = captured.item
        self._agreed &= predicted
        self._recent.append(item)
        self._left.append(np.zeros(item.dst.size, np.bool_))
        self.cells(seen)
        clear = not captured.counters[COUNTERS:].any()
        if item.reset is not None:  # flags that were up before
            clear &= item.plan.always_clear
        self.order(seen, promised=clear and self.network.in_order)
        if clear:
            self.resequencer(captured.counters)
        self.conservation(item, seen, captured.counters)

    def cells(self, seen: Seen) -> None:
        """What leaves was sent, to this output, and leaves once."""
        starts = np.array([item.sequence for item in self._recent])
        frame = np.searchsorted(starts, seen.number, side="right") - 1
        for i in np.unique(frame[frame >= 0]).tolist():
            item, left = self._recent[i], self._left[i]
            own = frame == i
            row, source = seen.number[own] - item.sequence, seen.source[own]
            goal = offered(item)[row, source]
            there = goal == seen.output[own]
            cell = (row * self.network.leaves + source)[there]
            times = np.bincount(cell, minlength=left.size) + left
            left |= times > 0
            for name, count in (
                (kind.SPURIOUS, np.count_nonzero(goal < 0)),
                (kind.MISDELIVERED, np.count_nonzero(~there & (goal >= 0))),
                (kind.DUPLICATED, (times - 1).clip(0).sum()),
            ):
                if count and self._agreed:
                    told = f"{count} cells of the slots from {starts[i]} on, as the model says"
                    self.faults.add(name, told, int(count))

    def order(self, seen: Seen, promised: bool) -> None:
        """Of each flow cells leave in the order in which they came; or who does not is counted."""
        flow = seen.source * self.network.leaves + seen.output
        order = np.argsort(flow, kind="stable")
        order = order[seen.number[order] >= 0]  # others are no cells, and named as such
        flow, number = flow[order], seen.number[order]
        if not flow.size:
            return
        first = np.concatenate([[True], flow[1:] != flow[:-1]])
        before = np.where(first, self._last[flow], np.concatenate([[0], number[:-1]]))
        # The latest so far, flow by flow: an offset keeps them apart.
        apart = (np.cumsum(first) - 1) * (int(number.max()) + 2)
        latest = np.maximum.accumulate(apart + np.maximum(before, number)) - apart
        latest = np.where(first, before, np.concatenate([[0], latest[:-1]]))
        if promised:
            for i in np.flatnonzero(number <= before).tolist():
                x, y = divmod(int(flow[i]), self.network.leaves)
                self.faults.add(
                    kind.REORDERED if number[i] < before[i] else kind.DUPLICATED,
                    f"slot {number[i]} source {x} destination {y} left in slot "
                    f"{seen.left[order[i]]}, behind that of slot {before[i]}",
                )
        else:
            self.overtaken += int(np.count_nonzero(number < latest))
        self._last[flow] = number if promised else np.maximum(number, latest)

    def resequencer(self, counters: npt.NDArray[np.uint32]) -> None:
        """As long as nothing is lost it holds N² + 1 cells at most, and skips none."""
        most, skipped = int(counters[MOST]), int(counters[SKIPPED])
        bound = self.network.leaves**2 + 1
        if most > bound:
            self.faults.add(kind.RESEQUENCER, f"{most} cells; {bound} are promised")
        if skipped:
            self.faults.add(kind.RESEQUENCER, f"{skipped} gaps skipped, though no cell was lost")

    def conservation(self, item: CellFrame, seen: Seen, counters: npt.NDArray[np.uint32]) -> None:
        """When all is quiet, what was sent has left, or was dropped and counted."""
        leaves, begin = self.network.leaves, 0
        if item.reset is not None:
            begin = int(np.flatnonzero(item.reset)[-1]) + 1
            self._waiting[:] = 0
        row, source = np.nonzero(item.dst[begin:] >= 0)
        sent = source * leaves + item.dst[begin:][row, source]
        came_out = (seen.source * leaves + seen.output)[seen.row >= begin]
        self._waiting += np.bincount(sent, minlength=leaves**2)
        self._waiting -= np.bincount(came_out, minlength=leaves**2)
        if item.family != "settled" or not self._agreed:
            return
        most, dropped = int(self._waiting.max()), int(counters[:3].sum())
        if not dropped:
            if most > self._idle:
                self.faults.add(kind.STUCK, f"{most} cells of a flow do not go on")
            return
        missing = int(self._waiting.sum()) - dropped
        # PADDED counts fakes that are dropped, too.
        least = -dropped if self.network.scheme == "PADDED" else 0
        if not least <= missing <= self._idle * leaves**2:
            told = f"{missing} cells were neither seen nor counted as dropped"
            self.faults.add(kind.COUNTERS, told)
