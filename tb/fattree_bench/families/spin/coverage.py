"""Functional coverage of SPIN, counted when an item is over."""

from __future__ import annotations

import numpy as np

from fattree_bench.bench.coverage import Coverage
from fattree_bench.bench.links.flit.packets import PacketSet
from fattree_bench.families.spin import corners, cover
from fattree_bench.families.spin.network import SpinNetwork
from fattree_bench.families.spin.plan import SpinPlan
from fattree_bench.families.spin.requests import RequestPlan
from fattree_models.common import fat_tree
from fattree_models.spin import FLAGS


class SpinCoverage(Coverage[SpinNetwork, PacketSet, SpinPlan | RequestPlan]):
    """Counts packets that arrived whole, and commands that were answered."""

    grouping = staticmethod(cover.groups)

    def sample(self, item: PacketSet, plan: SpinPlan | RequestPlan, times: int) -> None:
        self.add(cover.STORED, times, np.array([plan.stored > 0]))
        if isinstance(plan, RequestPlan):
            self._requests(plan, times)
        else:
            self._packets(item, plan, times)

    def _packets(self, item: PacketSet, plan: SpinPlan, times: int) -> None:
        sent, seen, tree = plan.sent, plan.seen, self.network.tree
        at = np.flatnonzero(seen.tails() >= 0)
        met = seen.tails(at) - seen.created[at] > plan.least_clocks()[at]
        source, goal = sent.source[at], sent.destination[at]
        cover.PACKETS.count(self.add, item, at, met, times)
        self.add(cover.TURNS, times, fat_tree.nca_level(tree, source, goal) - 1, met)
        flags = [FLAGS.index(flag) for each in plan.receiver.flagged for flag in each.packet.flags]
        self.add(cover.FLAGGED, times, np.array(flags, np.int64))
        hops = plan.heads.hops()
        downs = np.array([0, *(tree.down_ports(k) for k in range(1, tree.height + 1))])[hops.level]
        down = hops.port < downs
        port = np.where(down, hops.port, hops.port - downs)
        self.add(cover.LINKS, times, hops.level - 1, down, port)

    def _requests(self, plan: RequestPlan, times: int) -> None:
        commands, issued = plan.commands, np.flatnonzero(plan.issued >= 0)
        done = np.flatnonzero(plan.answered >= 0)
        write = commands.write[issued]
        self.add(cover.TARGETS, times, commands.initiator[done], commands.target[done])
        self.add(cover.REQUESTS, times, write, commands.words[issued] - 1)
        self.add(cover.ANSWERS, times, commands.write[done], plan.failed[done])
        late = plan.issued[issued] > commands.release[issued] + 1
        self.add(cover.WAITED, times, late, write)
        for name, *bins in corners.sampled(plan):
            self.add(name, times, *bins)
        damage = [0] * plan.dropped + [1] * plan.flagged
        self.add(cover.DAMAGED, times, np.array(damage, np.int64))
