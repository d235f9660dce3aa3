"""What must be tried on fat-trees of turn-back nodes, besides what all wormhole networks have."""

import numpy as np

from fattree_bench.bench.groups import NO_YES, Group, Point, numbered
from fattree_bench.bench.wormhole import cover
from fattree_bench.families.turnback.network import TurnbackNetwork

TURN_BACKS = "turn-back channels: level x channel"
BEYOND = "turns higher than it must"
LATERAL = "root links that a packet took"
MANY = 2  # from so many on they are one bin


def groups(network: TurnbackNetwork) -> list[Group]:
    """The cover groups of a network."""
    channels = numbered("channel", network.routing.tbch)
    turns = Group(TURN_BACKS, (cover.level_point(network), channels))
    turns.exclude("packets do not turn at this level", ~network.ways.turns[:, None])
    found = [*cover.groups(network), turns]
    if network.routing.method == "TBWP":
        lateral = Group(LATERAL, (Point("root links", ("none", "one", "more")),))
        most = min(MANY, network.routing.nodes(network.tree).most_lateral)
        lateral.exclude("no packet may take so many", np.arange(MANY + 1) > most)
        found += [Group(BEYOND, (Point("higher", NO_YES),)), lateral]
    return found
