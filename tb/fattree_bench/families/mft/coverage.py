"""Functional coverage of modified fat-trees, counted when an item is over."""

import numpy as np

from fattree_bench.bench.coverage import Coverage
from fattree_bench.bench.links.flit.packets import PacketSet
from fattree_bench.families.mft import cover
from fattree_bench.families.mft.network import MftNetwork
from fattree_bench.families.mft.plan import MftPlan


class MftCoverage(Coverage[MftNetwork, PacketSet, MftPlan]):
    """Counts packets that arrived whole, and those that were lost as foreseen."""

    grouping = staticmethod(cover.groups)

    def sample(self, item: PacketSet, plan: MftPlan, times: int) -> None:
        seen, outcome = plan.seen, plan.outcome
        at = np.flatnonzero(seen.tails() >= 0)
        took = seen.tails(at) - seen.injected[at]
        waited = took > plan.least_clocks()[at]
        cover.PACKETS.count(self.add, item, at, waited, times)
        self.add(cover.TURNS, times, plan.hops[at] // 2, waited)
        self.add(cover.LANES, times, seen.route[at].astype(np.int64), waited)
        where = outcome.lost_row[outcome.lost_inside]
        over = np.full(np.count_nonzero(outcome.overflowed), self.network.n)
        self.add(cover.LOST, times, np.concatenate([where, over]))
        if len(plan.counted):
            full = cover.full_bin(int(outcome.peak.max()), self.network.fifo)
            self.add(cover.FULLEST, times, np.array([full]))
