"""Functional coverage of the flit link, counted when an item is over."""

from collections.abc import Callable

import numpy as np
from pyuvm import uvm_component

from fattree_bench.bench.coverage import Coverage
from fattree_bench.bench.groups import Group
from fattree_bench.bench.links.flit.packets import PacketSet
from fattree_bench.bench.wormhole import cover
from fattree_bench.bench.wormhole.network import Wormhole
from fattree_bench.bench.wormhole.plan import WormholePlan
from fattree_models.common.checks import Int64Array


class FlitCoverage(Coverage[Wormhole, PacketSet, WormholePlan]):
    """Counts packets that arrived whole."""

    grouping: Callable[..., list[Group]] = staticmethod(cover.groups)

    def __init__(self, name: str, parent: uvm_component, network: Wormhole) -> None:
        super().__init__(name, parent, network)
        tree = network.tree
        self.ends = np.array([tree.radix(k) for k in range(tree.height + 1)])  # ports behind: inner

    def sample(self, item: PacketSet, plan: WormholePlan, times: int) -> None:
        network, tree, routes = self.network, self.network.tree, plan.routes
        sent, seen = plan.sent, plan.seen
        at = np.flatnonzero(routes.legal & (seen.tails() >= 0))
        if not at.size:
            return
        count = routes.count[at]
        took = seen.tails(at) - seen.created[at]
        met = took > network.latency.alone(count, sent.flits[at])
        turn = routes.turn[at] - tree.first
        cover.PACKETS.count(self.add, item, at, met, times)
        self.add(cover.TURNS, times, turn, met)
        vc = np.log2(seen.vc[sent.first_flit[at]]).astype(np.int64)
        self.add(cover.CHANNELS, times, vc, turn)
        hops = routes.hops[at]
        on = (hops >= 0) & (routes.level[at] >= 0)  # of very long ways some hops are not known
        on &= hops < self.ends[routes.level[at]]
        port, level = hops[on].astype(np.int64), routes.level[at][on]
        down = np.array([tree.down_ports(k) for k in range(tree.height + 1)])[level]
        is_down = port < down
        number = np.where(is_down, port, port - down)
        self.add(cover.LINKS, times, level - tree.first, is_down, number)
        if item.answers is not None:
            self.add(cover.REQUESTS, times, at >= sent.packets, met)
        self._neighbours(plan, at, times)

    def _neighbours(self, plan: WormholePlan, at: Int64Array, times: int) -> None:
        """Which lengths followed which at a receiver's virtual channel, as close as can be."""
        sent, seen = plan.sent, plan.seen
        first = sent.first_flit[at]
        place = sent.destination[at] * 16 + seen.vc[first]
        begin, end = seen.arrival[first], seen.tails(at)
        order = np.lexsort((begin, place))
        close = (np.diff(place[order]) == 0) & (np.diff(begin[order]) > 0)
        close &= begin[order][1:] <= end[order][:-1] + self.network.latency.closest
        flits = cover.PACKETS.sizes.bins(sent.flits[at])[order]
        before, after = flits[:-1][close], flits[1:][close]
        if before.size:
            self.add(cover.NEIGHBOURS, times, before, after)
