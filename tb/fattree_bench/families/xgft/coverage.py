"""Functional coverage of the flit link, counted when an item is over."""

from typing import Any

import numpy as np

from fattree_bench.bench.coverage import Coverage
from fattree_bench.bench.links.corners import PAYLOADS
from fattree_bench.bench.links.flit.coverage import payload_kinds
from fattree_bench.bench.links.flit.packets import PacketSet
from fattree_bench.families.xgft import cover
from fattree_bench.families.xgft.plan import XgftPlan
from fattree_bench.families.xgft.tree import XgftNetwork


class FlitCoverage(Coverage):
    """Counts packets that arrived whole."""

    def __init__(self, name: str, parent: Any, network: XgftNetwork) -> None:
        super().__init__(name, parent, cover.groups(network))
        self.network = network
        tree = network.tree
        self.ends = np.array([tree.radix(k) for k in range(tree.height + 1)])  # ports behind: inner

    def sample(self, item: PacketSet, plan: XgftPlan, times: int) -> None:
        network, tree, routes = self.network, self.network.tree, plan.routes
        sent, seen = plan.sent, plan.seen
        at = np.flatnonzero(routes.legal & (seen.tails() >= 0))
        if not at.size:
            return
        count = routes.count[at]
        flits = cover.length_bin(sent.flits[at])
        took = seen.tails(at) - seen.created[at]
        met = took > network.alone(count, sent.flits[at])
        turn = routes.turn[at] - tree.first
        self.add(cover.PAIRS, times, sent.source[at], sent.destination[at])
        self.add(cover.TURNS, times, turn, met)
        self.add(cover.LENGTHS, times, flits, met)
        vc = np.log2(seen.vc[sent.first_flit[at]]).astype(np.int64)
        self.add(cover.CHANNELS, times, vc, turn)
        hops = routes.hops[at]
        self._turnback(plan, at, times)
        on = (hops >= 0) & (routes.level[at] >= 0)  # of very long ways some hops are not known
        if network.turnback is not None:
            on &= hops < self.ends[routes.level[at]]
        port, level = hops[on].astype(np.int64), routes.level[at][on]
        down = np.array([tree.down_ports(k) for k in range(tree.height + 1)])[level]
        is_down = port < down
        number = np.where(is_down, port, port - down)
        self.add(cover.LINKS, times, level - tree.first, is_down, number)
        listed = at < sent.packets
        waited = seen.injected[at[listed]] > seen.created[at[listed]]
        self.add(cover.SOURCES, times, waited, flits[listed])
        stalled = np.full(len(at), item.stall is not None)
        self.add(cover.STALLS, times, stalled, met)
        if item.answers is not None:
            self.add(cover.REQUESTS, times, ~listed, met)
        if item.reset is not None:
            self.add(cover.RESET, times, np.array([seen.gone.any()]))
        if item.corners:
            self.add(PAYLOADS, times, payload_kinds(plan, seen.whole()))
        self._neighbours(plan, at, flits, times)

    def _turnback(self, plan: XgftPlan, at: Any, times: int) -> None:
        """Which turn-back channels and root links were taken, and whether one could turn before."""
        network, routes, sent = self.network, plan.routes, plan.sent
        if network.turnback is None:
            return
        hops, level = routes.hops[at], routes.level[at]
        for k, exits in network.exits.items():
            number = hops[(level == k) & (hops >= exits["TURN"].start)] - exits["TURN"].start
            where = np.full(len(number), k - network.tree.first)
            self.add(cover.TURN_BACKS, times, where, number.astype(np.int64))
        if network.routing == "TBWP":
            nearest = network.hop_count(sent.source[at], sent.destination[at]) // 2 - 1
            self.add(cover.BEYOND, times, routes.turn[at] - network.tree.first - nearest > 0)
            lateral = network.exits[network.tree.height]["LATERAL"]
            count = np.isin(hops, lateral) & (level == network.tree.height)
            self.add(cover.LATERAL, times, np.minimum(count.sum(axis=1), cover.MANY))

    def _neighbours(self, plan: XgftPlan, at: Any, flits: Any, times: int) -> None:
        """Which lengths followed which at a receiver's virtual channel, as close as can be."""
        sent, seen = plan.sent, plan.seen
        first = sent.first_flit[at]
        place = sent.destination[at] * 16 + seen.vc[first]
        begin, end = seen.arrival[first], seen.tails(at)
        order = np.lexsort((begin, place))
        close = (np.diff(place[order]) == 0) & (np.diff(begin[order]) > 0)
        close &= begin[order][1:] <= end[order][:-1] + self.network.closest
        before, after = flits[order][:-1][close], flits[order][1:][close]
        if before.size:
            self.add(cover.NEIGHBOURS, times, before, after)
