"""What the stimulus knows of a switch: what its outputs showed, and nothing of any model."""

from collections.abc import Callable

import numpy as np

from fattree_bench.bench.links.slot.delivery import leaving, offered
from fattree_bench.bench.links.slot.frame import Captured
from fattree_bench.families.lbbvn_switch.cells import CellFrame, Run
from fattree_bench.families.lbbvn_switch.network import LbbvnSwitch


class Feedback:
    """Watches cells leave.

    Attributes
    ----------
    inside : cells that were sent since the last reset and have not been seen yet.
    quiet : slots since anything happened; what leaves beyond what was sent is nothing.
    """

    def __init__(self, network: LbbvnSwitch, finish: Callable[[Run], None]) -> None:
        self.network = network
        self.finish = finish
        self.inside = 0
        self.quiet = 0
        self._run: Run | None = None
        self._dropped = 0

    def write(self, captured: Captured) -> None:
        """Note one frame; a measured run is over when another item comes."""
        item: CellFrame = captured.item
        if item.run is not self._run:
            if self._run is not None:
                self.finish(self._run)
            self._run = item.run
        if item.run is not None:
            item.run.first = item.sequence - item.offset
            seen = leaving(self.network, captured)
            item.run.observe(seen.number, seen.source, seen.output, seen.left)
        self._count(captured)

    def _count(self, captured: Captured) -> None:
        item: CellFrame = captured.item
        came = np.count_nonzero(offered(item) >= 0, axis=1)
        left = np.bitwise_count(captured.valid).sum(axis=1, dtype=np.int64)
        begin = 0
        if item.reset is not None:
            begin = int(np.flatnonzero(item.reset)[-1]) + 1
            self.inside = 0
        inside = self.inside + np.cumsum(came[begin:]) - np.cumsum(left[begin:])
        happened = begin + np.flatnonzero((came[begin:] > 0) | (left[begin:] > 0) & (inside >= 0))
        self.inside = max(0, int(inside[-1])) if inside.size else 0
        last = int(happened[-1]) if happened.size else begin - 1
        self.quiet = item.slots - 1 - last if last >= 0 else self.quiet + item.slots
        dropped = int(captured.counters[:3].sum(dtype=np.int64))
        if dropped != self._dropped:  # in some slot of the frame
            self._dropped, self.quiet = dropped, 0
