"""Functional coverage of the load-balanced switch, counted in whole arrays."""

import numpy as np

from fattree_bench.bench.coverage import Coverage
from fattree_bench.bench.links.corners import PAYLOADS, kinds_of
from fattree_bench.families.lbbvn_switch import cover
from fattree_bench.families.lbbvn_switch.cells import CellFrame
from fattree_bench.families.lbbvn_switch.network import LbbvnSwitch
from fattree_bench.families.lbbvn_switch.plan import CellPlan

COUNTED = (3, 4, 6)  # places of SPECIALS in the counters


class CellCoverage(Coverage[LbbvnSwitch, CellFrame, CellPlan]):
    """Counts what was tried on a switch with queues."""

    grouping = staticmethod(cover.groups)

    def sample(self, item: CellFrame, plan: CellPlan, times: int) -> None:
        leaves, hits = self.network.leaves, self.add
        row, output = np.nonzero(plan.source >= 0)
        hits(cover.PAIRS, times, plan.source[row, output], output)
        delay = item.sequence + row - plan.arrival[row, output]
        hits(cover.DELAY, times, cover.sizes(delay, leaves))
        hits(cover.BACKLOG, times, cover.sizes(plan.backlog, leaves))
        busy = np.count_nonzero(item.dst >= 0, axis=1)
        load = (busy > 0).astype(np.int64) + (busy == leaves)
        hits(cover.SLOTS, times, load[:-1], load[1:])
        hits(cover.DROPPED, times, plan.dropped.place)
        if item.reset is not None:
            hits(cover.RESET, times, np.array([plan.discarded > 0]))
        if item.words is not None:
            hits(PAYLOADS, times, kinds_of(item.words, item.dst >= 0, self.network.width))
        seen = plan.counters[list(COUNTED)] > 0
        hits(cover.SPECIAL, times, np.flatnonzero(seen))
