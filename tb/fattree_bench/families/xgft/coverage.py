"""Functional coverage of the flit link, counted when an item is over."""

from typing import Any

import numpy as np

from fattree_bench.bench.coverage import Coverage
from fattree_bench.bench.links.flit.packets import PacketSet
from fattree_bench.families.xgft import cover
from fattree_bench.families.xgft.plan import FlitPlan
from fattree_bench.families.xgft.tree import XgftNetwork


class FlitCoverage(Coverage):
    """Counts packets that arrived whole."""

    def __init__(self, name: str, parent: Any, network: XgftNetwork) -> None:
        super().__init__(name, parent, cover.groups(network))
        self.network = network

    def sample(self, item: PacketSet, plan: FlitPlan, times: int) -> None:
        network, tree, sent, routes = self.network, self.network.tree, plan.sent, plan.routes
        at = np.flatnonzero(routes.legal & (sent.tails() >= 0))
        if not at.size:
            return
        count = routes.count[at]
        flits = cover.length_bin(sent.flits[at])
        took = sent.tails(at) - sent.created[at]
        met = took > network.alone(count, sent.flits[at])
        turn = count // 2
        self.add(cover.PAIRS, times, sent.source[at], sent.destination[at])
        self.add(cover.TURNS, times, turn, met)
        self.add(cover.LENGTHS, times, flits, met)
        vc = np.log2(sent.vc[sent.first_flit[at]]).astype(np.int64)
        self.add(cover.CHANNELS, times, vc, turn)
        hops = routes.hops[at]
        on = hops >= 0
        port, level = hops[on].astype(np.int64), routes.level[at][on]
        down = np.array([tree.down_ports(k) for k in range(tree.height + 1)])[level]
        is_down = port < down
        number = np.where(is_down, port, port - down)
        self.add(cover.LINKS, times, level - tree.first, is_down, number)
        listed = at < sent.packets
        waited = sent.injected[at[listed]] > sent.created[at[listed]]
        self.add(cover.SOURCES, times, waited, flits[listed])
        stalled = np.full(len(at), item.stall is not None)
        self.add(cover.STALLS, times, stalled, met)
        if item.answers is not None:
            self.add(cover.REQUESTS, times, ~listed, met)
        if item.reset is not None:
            self.add(cover.RESET, times, plan.gone.any()[None])
        self._neighbours(plan, at, flits, times)

    def _neighbours(self, plan: FlitPlan, at: Any, flits: Any, times: int) -> None:
        """Which lengths followed which at a receiver's virtual channel, as close as can be."""
        sent = plan.sent
        first = sent.first_flit[at]
        place = sent.destination[at] * 16 + sent.vc[first]
        begin, end = sent.arrival[first], sent.tails(at)
        order = np.lexsort((begin, place))
        close = (np.diff(place[order]) == 0) & (np.diff(begin[order]) > 0)
        close &= begin[order][1:] <= end[order][:-1] + self.network.closest
        before, after = flits[order][:-1][close], flits[order][1:][close]
        if before.size:
            self.add(cover.NEIGHBOURS, times, before, after)
