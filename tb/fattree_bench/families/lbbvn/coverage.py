"""Functional coverage of the slot link, counted in whole arrays."""

from typing import Any

import numpy as np

from fattree_bench.bench.coverage import Coverage
from fattree_bench.bench.groups import AGAINST_WIDTH, against_width
from fattree_bench.bench.links.slot.frame import SlotFrame
from fattree_bench.families.lbbvn import cover
from fattree_bench.families.lbbvn.network import Lbbvn
from fattree_bench.families.lbbvn.plan import Plan
from fattree_models import lbbvn
from fattree_models.common.checks import Int32Array, Int64Array
from fattree_models.common.tree import FatTree


class SlotCoverage(Coverage):
    """Counts what was tried on the slot link."""

    def __init__(self, name: str, parent: Any, network: Lbbvn) -> None:
        super().__init__(name, parent, cover.groups(network))
        self.network = network
        self.tree = FatTree(network.n)
        n, self.first = network.n, max(1, network.top_level)
        self.over = self.groups[cover.LANES].shape[-1] - 1
        # Histograms a level, of lanes and of requests: as wide as the most that can be asked for.
        self.room = max(self.over + 1, int(cover.most_requests(network).max()) + 1)
        self.base = np.array([0, *np.repeat(np.arange(n + 1), 1 << np.arange(n + 1))]) * self.room
        self.bins = [against_width(np.arange(self.room), int(c)) for c in network.lanes]
        self.families: dict[str, int] = {
            label: i for i, label in enumerate(self.groups[cover.FRAMES].points[0].labels)
        }

    def sample(self, item: SlotFrame, plan: Plan, times: int) -> None:
        leaves, n, hits = self.network.leaves, self.network.n, self.add
        slot, source = np.nonzero(item.dst >= 0)
        destination = item.dst[slot, source]
        hits(cover.PAIRS, times, source, destination)
        level = self.tree.lca_level(source, destination)
        side = np.where(level == n, 2, source > destination)
        hits(cover.TURNS, times, level, side)
        self._channels(item, plan, times)
        alive = item.dst >= 0
        busy = np.count_nonzero(alive, axis=1)
        load = (busy > 0).astype(np.int64) + (busy == leaves)
        hits(cover.SLOTS, times, load[:-1], load[1:])
        hits(cover.LEAF, times, alive[:-1], alive[1:])
        hits(cover.CONFLICT, times, plan.conflicts.sum(axis=1) > 0)
        if item.first_slot is not None and item.family in self.families:
            place = (np.arange(len(busy)) + item.first_slot) % leaves
            hits(cover.FRAMES, times, np.full(len(busy), self.families[item.family]), place)
        if item.reset is not None:
            self._resets(item.reset, busy, times)

    def _resets(self, reset: Any, busy: Any, times: int) -> None:
        """Of each reset: were packets inside, or on offer, when it came, and how long was it?"""
        edges = np.diff(np.concatenate([[0], reset.astype(np.int8), [0]]))
        starts, ends = np.flatnonzero(edges > 0), np.flatnonzero(edges < 0)
        reach = self.network.latency
        inside = [
            bool(busy[max(0, a - reach) : b].any()) for a, b in zip(starts, ends, strict=True)
        ]
        self.add(cover.RESET, times, np.array(inside), ends - starts > 1)

    def _channels(self, item: SlotFrame, plan: Plan, times: int) -> None:
        """Lanes in use, and requests at the concentrators, of every channel in every slot.

        A histogram a level of the lanes in use; the few channels that lost packets are moved in it.
        """
        network, n, first = self.network, self.network.n, self.first
        requests = self.groups.get(cover.REQUESTS)
        for way, used in enumerate((plan.used_up, plan.used_down)):
            seen = np.bincount((used + self.base).ravel(), minlength=(n + 1) * self.room)
            seen = seen.reshape(n + 1, self.room)
            asked = seen.copy()
            level, lanes, count = lost_channels(network, item.dst, plan, way)
            np.subtract.at(seen, (level, lanes), 1)
            np.add.at(seen, (level, np.full(len(level), self.over)), 1)
            self.groups[cover.LANES].hits[first:, way] += times * seen[first:, : self.over + 1]
            if requests is None:
                continue
            np.subtract.at(asked, (level, lanes), 1)
            np.add.at(asked, (level, lanes + count), 1)
            # A leaf's own packet asks nobody; of fixed wires downwards nothing is asked.
            last = n if way == 0 else n + 1
            for j in range(first + network.static_upper, last):
                np.add.at(requests.hits[j, way], self.bins[j], times * asked[j])
        if requests is not None:
            if network.static_upper:
                bins = against_width(self._bundles(item, plan), 1 << (n - 2 * first))
                requests.hits[first, 0] += times * np.bincount(bins, minlength=len(AGAINST_WIDTH))
            own = item.dst == np.arange(network.leaves)
            outputs = against_width(np.arange(3), 1)
            met = np.bincount((plan.used_down[:, network.leaves :] + own).ravel(), minlength=3)
            np.add.at(requests.hits[n + 1, 1], outputs, times * met)

    def _bundles(self, item: SlotFrame, plan: Plan) -> Int32Array:
        """Packets that want each bundle of the static upper half."""
        h = self.network.top_level
        lost = plan.lost_level
        there = item.dst
        if lost is not None and plan.lost_down is not None:
            there = np.where((lost > h) & ~plan.lost_down, -1, item.dst)
        loads = lbbvn.group_loads(there, self.network.n)
        off = ~np.eye(1 << h, dtype=np.bool_)
        return loads[:, off].ravel()


def lost_channels(
    network: Lbbvn, dst: Int32Array, plan: Plan, way: int
) -> tuple[Int64Array, Int64Array, Int64Array]:
    """(level, lanes in use, packets lost) of each channel that lost some in a slot; way 1: down."""
    n, leaves = network.n, network.leaves
    used = plan.used_down if way else plan.used_up
    if plan.lost_level is None or plan.lost_down is None:
        nobody = np.zeros(0, np.int64)
        return nobody, nobody, nobody
    slot, source = np.nonzero((plan.lost_level > 0) & (plan.lost_down == way))
    level = plan.lost_level[slot, source].astype(np.int64)
    end = dst[slot, source] if way else source
    inside = level <= n  # level n + 1 are the leaf outputs
    channel = (leaves + end[inside]) >> (n - level[inside])
    key, count = np.unique(slot[inside] * used.shape[1] + channel, return_counts=True)
    level = np.frexp(key % used.shape[1])[1].astype(np.int64) - 1  # of a heap index
    return level, used.ravel()[key].astype(np.int64), count
