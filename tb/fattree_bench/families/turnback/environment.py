"""The environment of fat-trees of turn-back nodes: what took which channel, and longer ways."""

from __future__ import annotations

import numpy as np

from fattree_bench.bench.links.flit.packets import PacketSet
from fattree_bench.bench.links.flit.sent import Mask
from fattree_bench.bench.result import Quantity
from fattree_bench.bench.wormhole.coverage import FlitCoverage
from fattree_bench.bench.wormhole.environment import WormholeEnv
from fattree_bench.bench.wormhole.plan import WormholePlan
from fattree_bench.bench.wormhole.scoreboard import WormholeScoreboard
from fattree_bench.families.turnback import cover
from fattree_bench.families.turnback.network import TurnbackNetwork


class TurnbackScoreboard(WormholeScoreboard):
    """Counts packets that took a longer way than the shortest."""

    longer = 0

    def count(self, plan: WormholePlan, whole: Mask) -> None:
        super().count(plan, whole)
        sent, routes = plan.sent, plan.routes
        shortest = self.network.ways.hop_count(sent.source, sent.destination)
        self.longer += int(np.count_nonzero(whole & routes.legal & (routes.count > shortest)))

    def figures(self) -> dict[str, Quantity]:
        return {"longer_ways": Quantity(self.longer, "packets")}


class TurnbackCoverage(FlitCoverage):
    """Which turn-back channels and root links were taken, and whether one could turn before."""

    grouping = staticmethod(cover.groups)
    network: TurnbackNetwork

    def sample(self, item: PacketSet, plan: WormholePlan, times: int) -> None:
        super().sample(item, plan, times)
        routes, sent, ways = plan.routes, plan.sent, self.network.ways
        at = np.flatnonzero(routes.legal & (plan.seen.tails() >= 0))
        hops, level = routes.hops[at], routes.level[at]
        for k, exits in ways.exits.items():
            number = hops[(level == k) & (hops >= exits["TURN"].start)] - exits["TURN"].start
            where = np.full(len(number), k - self.network.tree.first)
            self.add(cover.TURN_BACKS, times, where, number.astype(np.int64))
        if self.network.routing.method == "TBWP":
            nearest = ways.hop_count(sent.source[at], sent.destination[at]) // 2 - 1
            higher = routes.turn[at] - self.network.tree.first - nearest > 0
            self.add(cover.BEYOND, times, higher)
            lateral = np.isin(hops, ways.exits[self.network.tree.height]["LATERAL"])
            count = lateral & (level == self.network.tree.height)
            self.add(cover.LATERAL, times, np.minimum(count.sum(axis=1), cover.MANY))


class TurnbackEnv(WormholeEnv):
    scoring = TurnbackScoreboard
    covering = TurnbackCoverage


ENVIRONMENT = TurnbackEnv
