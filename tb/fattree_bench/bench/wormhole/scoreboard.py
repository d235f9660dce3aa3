"""What is known of a fat-tree's inside: routes, loads of links, who waits for whom."""

from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING

import numpy as np
from pyuvm import uvm_component

from fattree_bench.bench import faults as kind
from fattree_bench.bench.links.agent import Misplayed
from fattree_bench.bench.links.flit.packets import FlitCaptured
from fattree_bench.bench.links.flit.promises import Findings, LevelCheck, latency
from fattree_bench.bench.links.flit.scoreboard import FlitScoreboard
from fattree_bench.bench.links.flit.sent import FlitOver, Mask
from fattree_bench.bench.path import deadlock
from fattree_bench.bench.path.trace import HopTrace
from fattree_bench.bench.result import Quantity
from fattree_bench.bench.wormhole.network import Wormhole
from fattree_bench.bench.wormhole.plan import WormholePlan, link_of, supplied
from fattree_bench.bench.wormhole.states import place
from fattree_models.common.fat_tree import Loads, walked_loads
from fattree_models.common.structure import cycle

if TYPE_CHECKING:
    from fattree_bench.bench.wormhole.domains import DomainCheck
    from fattree_bench.bench.wormhole.exact import LinkCheck


@dataclass
class Links:
    """What the links carried so far.

    Attributes
    ----------
    flit_hops : switches that flits have passed.
    flits, packets : on the links, by item.
    permutations : (name, packets on the busiest link) of items that ask for it.
    """

    flit_hops: int = 0
    flits: list[Loads] = field(default_factory=list)
    packets: list[Loads] = field(default_factory=list)
    permutations: list[tuple[str, int]] = field(default_factory=list)


class WormholeScoreboard(FlitScoreboard):
    """Expects what every flit link must do, and legal routes, not too early."""

    def __init__(self, name: str, parent: uvm_component, network: Wormhole) -> None:
        checks = (_way(network), latency(WormholePlan.least_clocks, WormholePlan.most_alone))
        super().__init__(name, parent, link_of(network), supplied(network), checks)
        self.network = network
        self.links = Links()
        self.trace: HopTrace | None = None
        self.exact: LinkCheck | DomainCheck | None = None
        if network.exact:  # numba: who does not compare need not load it
            from fattree_bench.bench.wormhole.domains import beside

            self.exact = beside(network)
            self.supplied = replace(self.supplied, exact=self.exact is not None)
        ways = network.ways
        # By level: which leaves [switches, ports, leaves] packets on a link were for.
        self.reached = {
            k: np.zeros((network.tree.level_size(k), ways.ports(k), network.leaves), np.bool_)
            for k in ways.levels
        }

    def write(self, captured: FlitCaptured) -> None:
        """Check a burst of clocks; note the heads that a recorder saw."""
        found, cut = None, False
        if self.exact is not None and captured.bursts and not self.ended_early:
            found, cut = self.exact.check(captured), captured.bursts[-1].cut
            if found.kind == kind.PLAYER:
                self.misplayed(Misplayed(captured.item, found.example, found.where.time or 0))
        if cut:
            self.faults.item, self.faults.family = self.items, captured.item.family
        else:
            super().write(captured)
        if found is not None and found.kind and not self.ended_early:
            told = f"{captured.item.family}: {found.example}"
            self.faults.add(found.kind, told, where=found.where)
        if self.trace is not None and not cut:
            self.trace.heads.note(captured.item.plan, captured)

    def figures(self) -> dict[str, Quantity]:
        """What this kind of network counts besides what all do."""
        return {}

    def waits(self, over: FlitOver) -> list[str]:
        """The cycle of waiting channels, if there is one."""
        switch = self.network.switch
        replies = switch.class_vcs(1) if over.plan.item.answers is not None else None
        waits = deadlock.waits(self.network.structure, over.state, switch.allowed, replies)
        return deadlock.tell(cycle(waits), partial(place, self.network))

    def count(self, plan: WormholePlan, whole: Mask) -> None:
        """Keep the tally, that of the links too."""
        super().count(plan, whole)
        sent, links, routes = plan.sent, self.links, plan.routes
        links.flit_hops += int((routes.count * sent.flits)[whole].sum())
        good = whole & routes.legal
        tree, source, ports = self.network.tree, sent.source[good], routes.hops[good]
        levels, nodes = routes.level[good], routes.node[good]
        ends = np.array([tree.radix(k) for k in range(tree.height + 1)])
        levels[(nodes < 0) | (ports >= ends[levels])] = -1  # no link of the tree
        way = tree, source, ports, levels, nodes
        links.flits.append(walked_loads(*way, sent.flits[good]))
        links.packets.append(walked_loads(*way))
        if plan.item.busiest:
            links.permutations.append((plan.item.family, int(links.packets[-1].busiest)))
        row, hop = np.nonzero(good[:, None] & (routes.node >= 0))
        level, node, port = (a[row, hop] for a in (routes.level, routes.node, routes.hops))
        for k in self.network.ways.levels:
            at = level == k
            self.reached[k][node[at], port[at], sent.destination[row[at]]] = True
        if self.trace is not None:
            self.trace.write(self.items, plan)


def _way(network: Wormhole) -> LevelCheck:
    """The route must be the one that the model says, or a legal one."""
    expected = network.ways.expected_routes

    def check(plan: WormholePlan, whole: Mask) -> Findings:
        sent, routes = plan.sent, plan.routes
        good = routes.legal
        if expected is not None:
            good = expected[sent.source * network.leaves + sent.destination] == plan.seen.route
            if network.ways.paths > 1:  # replies go to the first address of a leaf
                good |= ~sent.listed & routes.legal
        if plan.item.alone:  # nothing is in the way of the shortest
            good = good & (routes.count == network.ways.hop_count(sent.source, sent.destination))
        for i in np.flatnonzero(whole & ~good):
            took = " ".join(str(p) for p in routes.hops[i] if p >= 0)
            yield kind.ROUTE, f"{sent.name(i)} left switches by ports {took}", int(i)

    return check
