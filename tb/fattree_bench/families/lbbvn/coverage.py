"""Functional coverage of the slot link, counted in whole arrays."""

import numpy as np
from pyuvm import uvm_component

from fattree_bench.bench.coverage import Coverage
from fattree_bench.bench.groups import against_width
from fattree_bench.bench.links.corners import PAYLOADS, kinds_of
from fattree_bench.bench.links.slot.frame import SlotFrame
from fattree_bench.families.lbbvn import cover
from fattree_bench.families.lbbvn.counting import Outcome, Seen, look
from fattree_bench.families.lbbvn.network import Lbbvn
from fattree_bench.families.lbbvn.plan import Plan
from fattree_models.common.checks import BoolArray, Int64Array


class SlotCoverage(Coverage[Lbbvn, SlotFrame, Plan]):
    """Counts what was tried on the slot link."""

    grouping = staticmethod(cover.groups)

    def __init__(self, name: str, parent: uvm_component, network: Lbbvn) -> None:
        super().__init__(name, parent, network)
        n, self.first = network.n, max(1, network.top_level)
        self.over = self.groups[cover.LANES].shape[-1] - 1
        # Histograms a level, of lanes and of requests: as wide as the most that can be asked for.
        self.room = max(self.over + 1, int(cover.most_requests(network).max()) + 1)
        widths = [*network.lanes.tolist(), 1]
        if network.static_upper:
            widths[self.first] = 1 << (n - 2 * self.first)  # wires of a bundle
        self.bins = [against_width(np.arange(self.room), width) for width in widths]
        nobody = 0, network.leaves
        self.nobody = np.zeros(nobody, np.int8), np.zeros(nobody, np.bool_)
        self.families: dict[str, int] = {
            label: i for i, label in enumerate(self.groups[cover.FRAMES].points[0].labels)
        }

    def sample(self, item: SlotFrame, plan: Plan, times: int) -> None:
        leaves, hits = self.network.leaves, self.add
        lost = self.nobody
        if plan.lost_level is not None and plan.lost_down is not None:
            lost = plan.lost_level, plan.lost_down
        outcome = Outcome(plan.used_up, plan.used_down, *lost)
        pairs, top = self.groups[cover.PAIRS].hits, self.network.top_level
        seen = look(item.dst, outcome, top, self.room, pairs, times)
        self.groups[cover.TURNS].hits += times * seen.turns
        self._channels(seen, times)
        alive = item.dst >= 0
        busy = np.count_nonzero(alive, axis=1)
        load = (busy > 0).astype(np.int64) + (busy == leaves)
        hits(cover.SLOTS, times, load[:-1], load[1:])
        now, later = busy[:-1].sum(), busy[1:].sum()
        both = np.count_nonzero(alive[:-1] & alive[1:])
        neither = alive[1:].size - now - later + both
        self.groups[cover.LEAF].hits += times * np.array(
            [[neither, later - both], [now - both, both]]
        )
        hits(cover.CONFLICT, times, plan.conflicts.sum(axis=1) > 0)
        if item.first_slot is not None and item.family in self.families:
            place = (np.arange(len(busy)) + item.first_slot) % leaves
            hits(cover.FRAMES, times, np.full(len(busy), self.families[item.family]), place)
        if item.reset is not None:
            self._resets(item.reset, busy, times)
        if item.words is not None:
            hits(PAYLOADS, times, kinds_of(item.words, alive, self.network.width))

    def _resets(self, reset: BoolArray, busy: Int64Array, times: int) -> None:
        """Of each reset: were packets inside, or on offer, when it came, and how long was it?"""
        edges = np.diff(np.concatenate([[0], reset.astype(np.int8), [0]]))
        starts, ends = np.flatnonzero(edges > 0), np.flatnonzero(edges < 0)
        reach = self.network.latency
        inside = [
            bool(busy[max(0, a - reach) : b].any()) for a, b in zip(starts, ends, strict=True)
        ]
        self.add(cover.RESET, times, np.array(inside), ends - starts > 1)

    def _channels(self, seen: Seen, times: int) -> None:
        """Lanes in use, and requests at the concentrators, of every channel in every slot."""
        network, first = self.network, self.first
        n, static = network.n, network.static_upper
        clear = seen.used - seen.crowded
        lanes = self.groups[cover.LANES].hits
        lanes[first:, :, : self.over + 1] += times * clear[first : n + 1, :, : self.over + 1]
        lanes[first:, :, self.over] += times * seen.crowded[first : n + 1].sum(axis=2)
        if cover.REQUESTS not in self.groups:
            return
        asked = clear + seen.asked
        asked[: first + static] = 0  # of fixed wires downwards nothing is asked
        asked[n, 0] = 0  # a leaf's own packet needs no channel
        asked[first, 0] += seen.bundles
        hits = self.groups[cover.REQUESTS].hits
        for j in range(first, n + 2):
            for way in (0, 1):
                np.add.at(hits[j, way], self.bins[j], times * asked[j, way])
