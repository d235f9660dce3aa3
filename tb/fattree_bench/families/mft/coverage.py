"""Functional coverage of modified fat-trees, counted when an item is over."""

import numpy as np

from fattree_bench.bench.coverage import Coverage
from fattree_bench.bench.links.corners import PAYLOADS
from fattree_bench.bench.links.flit.coverage import payload_kinds
from fattree_bench.bench.links.flit.packets import PacketSet
from fattree_bench.bench.links.flit.resets import inside
from fattree_bench.families.mft import cover
from fattree_bench.families.mft.network import MftNetwork
from fattree_bench.families.mft.plan import MftPlan


class MftCoverage(Coverage[MftNetwork, PacketSet, MftPlan]):
    """Counts packets that arrived whole, and those that were lost as foreseen."""

    grouping = staticmethod(cover.groups)

    def sample(self, item: PacketSet, plan: MftPlan, times: int) -> None:
        sent, seen, outcome = plan.sent, plan.seen, plan.outcome
        at = np.flatnonzero(seen.tails() >= 0)
        flits = cover.FLITS.bins(sent.flits[at])
        took = seen.tails(at) - seen.injected[at]
        waited = took > plan.least_clocks()[at]
        self.add(cover.PAIRS, times, sent.source[at], sent.destination[at])
        self.add(cover.TURNS, times, plan.hops[at] // 2, waited)
        self.add(cover.LANES, times, seen.route[at].astype(np.int64), waited)
        self.add(cover.LENGTHS, times, flits, waited)
        self.add(cover.SOURCES, times, seen.injected[at] > seen.created[at], flits)
        where = outcome.lost_row[outcome.lost_inside]
        over = np.full(np.count_nonzero(outcome.overflowed), self.network.n)
        self.add(cover.LOST, times, np.concatenate([where, over]))
        if len(plan.counted):
            full = cover.full_bin(int(outcome.peak.max()), self.network.fifo)
            self.add(cover.FULLEST, times, np.array([full]))
        if item.reset is not None:
            self.add(cover.RESET, times, inside(seen, item.resets))
        if item.corners:
            self.add(PAYLOADS, times, payload_kinds(plan, seen.whole()))
