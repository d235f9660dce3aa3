"""What a switch and its scheme promise, checked on what is seen alone, whatever the model says."""

import numpy as np
import numpy.typing as npt
from numba import njit

from fattree_bench.bench import faults as kind
from fattree_bench.bench.faults import Faults
from fattree_bench.bench.links.slot.delivery import Delivery, Seen
from fattree_bench.bench.links.slot.frame import Captured
from fattree_bench.families.lbbvn_switch.cells import CellFrame
from fattree_bench.families.lbbvn_switch.network import LbbvnSwitch
from fattree_bench.families.lbbvn_switch.settings import COUNTERS
from fattree_models.common.checks import Int32Array, Int64Array

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
        self.delivery = Delivery(leaves, faults)
        self._agreed = True  # the model has predicted all so far
        self._waiting = np.zeros((leaves, leaves), np.int64)  # sent since a reset, and not seen
        # Cells of a flow for which no frame may ever begin.
        few = {"UFS": leaves - 1, "PADDED": network.shape.threshold - 1}
        self._idle = few.get(network.scheme, 0)

    def check(self, captured: Captured, seen: Seen, predicted: bool) -> None:
        """Check one frame; `predicted`: all of it is what the model says."""
        item: CellFrame = captured.item
        self._agreed &= predicted
        self.delivery.check(item, seen, told=self._agreed)
        clear = not captured.counters[COUNTERS:].any()
        if item.reset is not None:  # flags that were up before
            clear &= item.plan.always_clear
        self.delivery.order(seen, promised=clear and self.network.in_order)
        if clear:
            self.resequencer(captured.counters)
        self.conservation(item, seen, captured.counters)

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
        late = np.searchsorted(seen.row, begin)
        _weigh(item.dst[begin:], seen.source[late:], seen.output[late:], self._waiting)
        if item.family != "settled" or not self._agreed:
            return
        most, dropped = int(self._waiting.max()), int(counters[:3].sum())
        if not dropped:
            if most > self._idle:
                self.faults.add(kind.STUCK, f"{most} cells of a flow do not go on")
            return
        missing = int(self._waiting.sum()) - dropped
        # PADDED also counts fakes that are dropped.
        least = -dropped if self.network.scheme == "PADDED" else 0
        if not least <= missing <= self._idle * leaves**2:
            told = f"{missing} cells were neither seen nor counted as dropped"
            self.faults.add(kind.COUNTERS, told)


@njit(cache=True)
def _weigh(sent: Int32Array, source: Int64Array, output: Int64Array, waiting: Int64Array) -> None:
    """Count up what was sent and down what was seen, by source and output."""
    for s in range(sent.shape[0]):
        for x in range(sent.shape[1]):
            if sent[s, x] >= 0:
                waiting[x, sent[s, x]] += 1
    for i in range(source.size):
        waiting[source[i], output[i]] -= 1
