"""Functional coverage of the load-balanced switch, counted in whole arrays."""

from typing import Any

import numpy as np

from tb.env.cell.plan import CellPlan
from tb.env.coverage import Coverage
from tb.links.cell import CellFrame
from tb.networks import lbbvn_switch_coverage as cover
from tb.networks.lbbvn_switch import LbbvnSwitch

COUNTED = (3, 4, 6)  # places of SPECIALS in the counters


class CellCoverage(Coverage):
    """Counts what was tried on a switch with queues."""

    def __init__(self, name: str, parent: Any, network: LbbvnSwitch) -> None:
        super().__init__(name, parent, network.cover_groups())
        self.network = network

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
        seen = plan.counters[list(COUNTED)] > 0
        hits(cover.SPECIAL, times, np.flatnonzero(seen))
