"""Functional coverage of the slot link, counted in whole arrays."""

from typing import Any

import numpy as np

import models
from models.checks import Int32Array
from models.tree import FatTree
from tb.coverage.groups import against_width
from tb.env.coverage import Coverage
from tb.env.slot.plan import Plan
from tb.links.slot import SlotFrame
from tb.networks import lbbvn_coverage as cover
from tb.networks.base import SlotNetwork


class SlotCoverage(Coverage):
    """Counts what was tried on the slot link."""

    def __init__(self, name: str, parent: Any, network: SlotNetwork) -> None:
        super().__init__(name, parent, network.cover_groups())
        self.network = network
        self.tree = FatTree(network.n)
        lanes = self.groups[cover.LANES]
        self.over = lanes.shape[-1] - 1
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
        """Lanes in use, and requests at the concentrators, of every channel in every slot."""
        network, n = self.network, self.network.n
        asked_up, asked_down, at_outputs = requests(network, item.dst, plan)
        first = max(1, network.top_level)
        for j in range(first, n + 1):
            part, width = slice(1 << j, 2 << j), int(network.lanes[j])
            for way, (used, asked) in enumerate(
                ((plan.used_up, asked_up), (plan.used_down, asked_down))
            ):
                want = asked[:, part].ravel()
                lanes = np.where(want > used[:, part].ravel(), self.over, used[:, part].ravel())
                fixed = np.zeros(1, np.int64)
                hits = np.bincount(lanes, minlength=self.over + 1)
                self.groups[cover.LANES].hits[j, way] += times * hits
                if cover.REQUESTS in self.groups and not (way == 0 and j == n):
                    if network.static_upper and j == first:
                        if way:
                            continue  # fixed wires: nobody asks
                        want, width = self._bundles(item, plan), 1 << (n - 2 * j)
                    self.add(
                        cover.REQUESTS, times, fixed + j, fixed + way, against_width(want, width)
                    )
        if cover.REQUESTS in self.groups:
            bins = against_width(at_outputs.ravel(), 1)
            self.add(cover.REQUESTS, times, np.array([n + 1]), np.array([1]), bins)

    def _bundles(self, item: SlotFrame, plan: Plan) -> Int32Array:
        """Packets that want each bundle of the static upper half."""
        h = self.network.top_level
        lost = plan.lost_level
        there = item.dst
        if lost is not None:
            there = np.where((lost > h) & ~plan.lost_down, -1, item.dst)
        loads = models.group_loads(there, self.network.n)
        off = ~np.eye(1 << h, dtype=np.bool_)
        return loads[:, off].ravel()


def requests(
    network: SlotNetwork, dst: Int32Array, plan: Plan
) -> tuple[Int32Array, Int32Array, Int32Array]:
    """Packets that asked for each channel, up and down [slots, 2N], and for each leaf output."""
    n, leaves = network.n, network.leaves
    own = dst == np.arange(leaves)
    outputs = plan.used_down[:, leaves:] + own
    if plan.lost_level is None:
        return plan.used_up, plan.used_down, outputs
    up, down = plan.used_up.copy(), plan.used_down.copy()
    slot, source = np.nonzero(plan.lost_level)
    level = plan.lost_level[slot, source].astype(np.int64)
    falls = plan.lost_down[slot, source]
    inside = level <= n
    for table, way, end in ((up, ~falls, source), (down, falls, dst[slot, source])):
        chosen = way & inside
        channel = (leaves + end[chosen]) >> (n - level[chosen])
        np.add.at(table, (slot[chosen], channel), 1)
    return up, down, outputs
