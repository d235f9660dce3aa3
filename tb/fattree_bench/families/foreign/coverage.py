"""Functional coverage of foreign designs, counted when an item is over."""

from __future__ import annotations

from typing import Any

import numpy as np

from fattree_bench.bench.coverage import Coverage
from fattree_bench.bench.links.corners import PAYLOADS
from fattree_bench.bench.links.flit.coverage import payload_kinds
from fattree_bench.bench.links.flit.packets import PacketSet
from fattree_bench.bench.links.flit.resets import inside
from fattree_bench.families.foreign import cover
from fattree_bench.families.foreign.network import ForeignNetwork
from fattree_bench.families.foreign.plan import ForeignPlan


class ForeignCoverage(Coverage[ForeignNetwork, PacketSet, ForeignPlan]):
    """Counts packets that arrived whole."""

    grouping = staticmethod(cover.groups)

    def sample(self, item: PacketSet, plan: ForeignPlan, times: int) -> None:
        sent, seen = plan.sent, plan.seen
        at = np.flatnonzero(seen.tails() >= 0)
        if not at.size:
            return
        words = sent.flits[at] * self.network.design.words_a_flit
        took = seen.tails(at) - seen.injected[at] - words
        waited = took > took.min()  # one of them was the fastest
        behind = seen.injected[at] > seen.created[at]
        self.add(cover.PAIRS, times, sent.source[at], sent.destination[at])
        self.add(cover.LENGTHS, times, cover.WORDS.bins(words), waited)
        self.add(cover.SOURCES, times, sent.source[at], behind)
        self.add(cover.OUTPUTS, times, *self._side_by_side(plan, at))
        pauses = [np.array([cover.pause_bin(getattr(item, x, 0.0))]) for x in ("gap", "hold")]
        self.add(cover.PAUSES, times, *pauses)
        if item.reset is not None and cover.RESET in self.groups:
            self.add(cover.RESET, times, inside(seen, item.resets))
        if item.corners and PAYLOADS in self.groups:
            self.add(PAYLOADS, times, payload_kinds(plan, seen.whole()))

    def _side_by_side(self, plan: ForeignPlan, at: Any) -> tuple[Any, Any]:
        """Output of each packet, and whether its first word came straight behind another's last."""
        sent, seen = plan.sent, plan.seen
        heads = seen.arrival[sent.first_flit[at]] - self.network.design.words_a_flit + 1
        place = sent.destination[at] * (int(seen.tails().max()) + 2)
        before = heads - self.network.design.said.link.slot  # one clock, where there are no slots
        behind = np.isin(place + before, place + seen.tails(at))
        return sent.destination[at], behind
