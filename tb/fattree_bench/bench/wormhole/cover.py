"""What must be tried on packet-switched fat-trees: cover groups, and what cannot be hit and why."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from fattree_bench.bench.groups import NO_YES, Group, Point, numbered
from fattree_bench.bench.links.flit.coverage import PAIRS, PacketGroups, payload_group
from fattree_bench.bench.links.flit.words import MAX_FLITS
from fattree_models.common.checks import BoolArray

if TYPE_CHECKING:
    from fattree_bench.bench.wormhole.network import Wormhole

LINKS = "links: level x way x port"
TURNS = "turning level x met others"
CHANNELS = "virtual channel at arrival x level of the turn"
NEIGHBOURS = "behind the tail: flits of a packet, of the next in its virtual channel"
REQUESTS = "requests and replies x met others"

PACKETS = PacketGroups(to_own=True)
MET = Point("met others", NO_YES)
PAIRS_UP_TO = 64  # leaves; more pairs than that are not counted one by one


def level_point(network: Wormhole) -> Point:
    return Point("level", tuple(map(str, network.ways.levels)))


def groups(network: Wormhole) -> list[Group]:
    """The cover groups of a network."""
    tree, leaves = network.tree, network.leaves
    levels = level_point(network)
    lengths = PACKETS.sizes.labels
    most = max(max(tree.down_ports(k), tree.up_ports(k)) for k in network.ways.levels)
    links = Group(LINKS, (levels, Point("way", ("up", "down")), numbered("port", most)))
    links.exists = np.zeros(links.shape, np.bool_)
    for i, level in enumerate(network.ways.levels):
        links.exists[i, 0, : tree.up_ports(level)] = True
        links.exists[i, 1, : tree.down_ports(level)] = True
    shared = PACKETS.of(leaves)
    if leaves > PAIRS_UP_TO:
        del shared[PAIRS]
    found = [
        *shared.values(),
        links,
        Group(TURNS, (levels, MET)),
        Group(CHANNELS, (numbered("virtual channel", network.switch.vcs), levels)),
        Group(NEIGHBOURS, (Point("flits", lengths), Point("next", lengths))),
        payload_group(MAX_FLITS),
    ]
    if network.switch.classes == 2 and network.ways.answerable:  # others have no replies
        found.append(Group(REQUESTS, (Point("packet", ("request", "reply")), MET)))
    _exclude(network, {group.name: group for group in found})
    return found


def _exclude(network: Wormhole, found: dict[str, Group]) -> None:
    """Leave out what cannot happen in this network."""
    turns = network.ways.turns
    for name, axis in ((TURNS, 0), (CHANNELS, 1)):
        mask = ~turns if axis else ~turns[:, None]
        found[name].exclude("packets do not turn at this level", mask)
    if network.ways.one_path and network.ways.paths == 1:
        taken = _taken(network, found[LINKS].shape)
        found[LINKS].exclude("on no pair's path", ~taken)


def _taken(network: Wormhole, shape: tuple[int, ...]) -> BoolArray:
    """Bins of LINKS that lie on the path of a pair, where each pair has one."""
    ways = network.ways
    source, destination = np.divmod(np.arange(network.leaves**2), network.leaves)
    routes = ways.follow(source, destination, ways.pair_hops)
    taken = np.zeros(shape, np.bool_)
    for i, level in enumerate(ways.levels):
        port, down = np.unique(routes.hops[routes.level == level]), network.tree.down_ports(level)
        taken[i, (port < down).astype(np.int64), port - (port >= down) * down] = True
    return taken
