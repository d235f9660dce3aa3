"""What must be tried on packet-switched fat-trees: cover groups, and what cannot be hit and why."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from fattree_bench.bench.groups import NO_YES, Group, Point, numbered
from fattree_bench.bench.links.flit.coverage import payload_group
from fattree_bench.bench.links.flit.words import MAX_FLITS
from fattree_models.common.checks import BoolArray

if TYPE_CHECKING:
    from fattree_bench.families.xgft.tree import XgftNetwork

PAIRS = "source x destination"
LINKS = "links: level x way x port"
TURNS = "turning level x met others"
LENGTHS = "flits x met others"
CHANNELS = "virtual channel at arrival x level of the turn"
NEIGHBOURS = "behind the tail: flits of a packet, of the next in its virtual channel"
SOURCES = "source queue x flits"
STALLS = "receiver gives credits back x met others"
REQUESTS = "requests and replies x met others"
RESET = "reset: packets inside"

TURN_BACKS = "turn-back channels: level x channel"
BEYOND = "turns higher than it must"
LATERAL = "root links that a packet took"
MANY = 2  # from so many on they are not told apart

LENGTH_LABELS = ("1", "2", "3 … 4", "5 … 8", "9 … 16", "17 … 64")
MET = Point("met others", NO_YES)
PAIRS_UP_TO = 64  # leaves; more pairs than that are not counted one by one


def length_bin(flits: np.ndarray) -> np.ndarray:
    """Bin of LENGTH_LABELS of each length."""
    return np.searchsorted([1, 2, 4, 8, 16], flits)


def groups(network: XgftNetwork) -> list[Group]:
    """The cover groups of a network."""
    tree, leaves = network.tree, network.leaves
    levels = Point("level", tuple(map(str, network.levels)))
    lengths = Point("flits", LENGTH_LABELS)
    most = max(max(tree.down_ports(k), tree.up_ports(k)) for k in network.levels)
    links = Group(LINKS, (levels, Point("way", ("up", "down")), numbered("port", most)))
    links.exists = np.zeros(links.shape, np.bool_)
    for i, level in enumerate(network.levels):
        links.exists[i, 0, : tree.up_ports(level)] = True
        links.exists[i, 1, : tree.down_ports(level)] = True
    found = [
        links,
        Group(TURNS, (levels, MET)),
        Group(LENGTHS, (lengths, MET)),
        Group(CHANNELS, (numbered("virtual channel", network.vcs), levels)),
        Group(NEIGHBOURS, (lengths, Point("next", LENGTH_LABELS))),
        Group(SOURCES, (Point("waited at its source", NO_YES), lengths)),
        Group(STALLS, (Point("gives credits back", ("at once", "now and then")), MET)),
        Group(RESET, (Point("inside", NO_YES),)),
        payload_group(MAX_FLITS),
    ]
    if network.classes == 2 and network.addresses_as == "NUMBER":  # others have no replies
        found.append(Group(REQUESTS, (Point("packet", ("request", "reply")), MET)))
    if network.turnback is not None:
        channels = numbered("channel", network.turnback.tbch)
        found.append(Group(TURN_BACKS, (levels, channels)))
    if network.routing == "TBWP":
        found.append(Group(BEYOND, (Point("higher", NO_YES),)))
        found.append(Group(LATERAL, (Point("root links", ("none", "one", "more")),)))
    if leaves <= PAIRS_UP_TO:
        found.insert(0, Group(PAIRS, (numbered("source", leaves), numbered("destination", leaves))))
    _exclude(network, {group.name: group for group in found})
    return found


def _exclude(network: XgftNetwork, found: dict[str, Group]) -> None:
    """Leave out what cannot happen in this network."""
    tree = network.tree
    rows = np.arange(len(network.levels))
    higher = network.routing == "TBWP"
    turns = np.array([higher or tree.down_ports(k) > 1 or k == tree.first for k in network.levels])
    if network.climb == "TOP":
        turns = rows == rows[-1]
    for name, axis in ((TURNS, 0), (CHANNELS, 1)):
        mask = ~turns if axis else ~turns[:, None]
        found[name].exclude("packets do not turn at this level", mask)
    if TURN_BACKS in found:
        found[TURN_BACKS].exclude("packets do not turn at this level", ~turns[:, None])
    if LATERAL in found:
        most = min(MANY, network.turnback.most_lateral) if network.turnback else 0
        found[LATERAL].exclude("no packet may take so many", np.arange(MANY + 1) > most)
    if network.one_path and network.paths == 1:
        taken = _taken(network, found[LINKS].shape)
        found[LINKS].exclude("on no pair's path", ~taken)


def _taken(network: XgftNetwork, shape: tuple[int, ...]) -> BoolArray:
    """Bins of LINKS that lie on the path of a pair, where each pair has one."""
    hops, downs = network.pair_hops, np.array([network.tree.down_ports(k) for k in network.levels])
    turn = network.turn(np.count_nonzero(hops >= 0, axis=1))
    taken = np.zeros(shape, np.bool_)
    for hop in range(hops.shape[1]):
        seen = np.zeros((len(downs), int(hops.max()) + 2), np.bool_)
        seen[turn, hops[:, hop]] = True
        top, port = np.nonzero(seen[:, :-1])  # the last column: there was no hop
        climbs = hop < top
        level = np.where(climbs, hop, 2 * top - hop)
        taken[level, np.where(climbs, 0, 1), port - climbs * downs[level]] = True
    return taken
