"""Tests of fat-trees of turn-back nodes: those of all wormhole networks, and climbing on."""

from collections.abc import Iterator

import numpy as np

from fattree_bench.bench import faults as kind
from fattree_bench.bench.links.flit.packets import PacketSet
from fattree_bench.bench.links.flit.promises import Findings
from fattree_bench.bench.scenario import Registry, Stimulus
from fattree_bench.bench.wormhole.plan import WormholePlan
from fattree_bench.bench.wormhole.scenarios import SCENARIOS as SHARED
from fattree_bench.bench.wormhole.traffic import backlog
from fattree_bench.families.turnback.network import TurnbackNetwork

SCENARIOS = Registry(SHARED)
scenario = SCENARIOS.add


def climbs_on(plan: WormholePlan) -> Findings:
    """Turn-back channels are taken now and then: then somebody takes a longer way."""
    sent = plan.sent
    shortest = plan.network.ways.hop_count(sent.source, sent.destination)
    if not (plan.routes.count > shortest).any():
        yield kind.WAITED, f"all {sent.packets} packets waited for turn-back channels"


def no_way_on(network: TurnbackNetwork) -> str | None:
    """Why `climbing_on` cannot run, or None."""
    rivals = network.tree.m[0]  # children that want the same virtual channels
    if network.switch.vc_mode == "KEEP":
        rivals = -(-rivals // (network.switch.vcs // network.switch.classes))
    routing = network.routing
    if routing.tbch >= rivals or not routing.nodes(network.tree).ahead(1):
        return "it needs more children than turn-back channels, and a way on from there"
    return None


@scenario(unless=no_way_on)
def climbing_on(s: Stimulus) -> Iterator[PacketSet]:
    """All could turn at the lowest switches, where turn-back channels are few: TBWP climbs on."""
    network = s.network
    leaves, children = np.arange(network.leaves), network.tree.m[0]
    goal = leaves // children * children + (leaves + 1) % children
    packets = backlog(network, goal, max(4, s.rows // 16), 8)
    check = climbs_on if network.routing.method == "TBWP" else None
    yield PacketSet(packets, "climbing on", check=check)
