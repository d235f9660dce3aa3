"""What must be tried on SPIN: cover groups, and what cannot be hit and why."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from fattree_bench.bench.groups import NO_YES, Group, Point, Sizes, numbered
from fattree_bench.bench.links.flit.coverage import PacketGroups
from fattree_bench.families.spin import corners
from fattree_models.spin import FLAGS, MOST_BURST

if TYPE_CHECKING:
    from fattree_bench.families.spin.network import SpinNetwork

TURNS = "level of the turn x met others"
LINKS = "links: level x way x port"
STORED = "packets went into shared buffers"
FLAGGED = "what a damaged packet is flagged with"
REQUESTS = "request: write x words"
TARGETS = "initiator x target"
ANSWERS = "answer: write x refused"
WAITED = "command waited x write"
DAMAGED = "damage of requests and responses"

PACKETS = PacketGroups("words", Sizes(2, 3, 4, 8, 16, last="17 … 18"))
MET = Point("met others", NO_YES)
WRITE = Point("command", ("read", "write"))


def groups(network: SpinNetwork) -> list[Group]:
    """The cover groups of a network."""
    found = [
        *PACKETS.of(network.terminals).values(),
        Group(TURNS, (numbered("level", network.tree.height), MET)),
        _stored(network),
        _flagged(),
        *_requests(network),
    ]
    if network.exact:
        found.append(_links(network))
    return found


def _links(network: SpinNetwork) -> Group:
    """Links of the network, by level, way and port."""
    tree = network.tree
    levels = range(1, tree.height + 1)
    most = max(max(tree.down_ports(k), tree.up_ports(k)) for k in levels)
    points = numbered("level", tree.height), Point("way", ("up", "down")), numbered("port", most)
    group = Group(LINKS, points)
    group.exists = np.zeros(group.shape, np.bool_)
    for i, level in enumerate(levels):
        group.exists[i, 0, : tree.up_ports(level)] = True
        group.exists[i, 1, : tree.down_ports(level)] = True
    return group


def _stored(network: SpinNetwork) -> Group:
    group = Group(STORED, (Point("stored", NO_YES),))
    group.exclude("there are no shared buffers", np.array([False, not network.shared]))
    return group


def _flagged() -> Group:
    """Flags of packets that came out, of bits changed on links into the network."""
    group = Group(FLAGGED, (Point("flag", FLAGS),))
    parity = np.array([flag == "parity" for flag in FLAGS])
    group.exclude("the first router makes parity right, and says error", parity)
    return group


def _requests(network: SpinNetwork) -> list[Group]:
    terminals = network.terminals
    pairs = Group(TARGETS, (numbered("initiator", terminals), numbered("target", terminals)))
    pairs.exclude("terminals never ask themselves", np.eye(terminals, dtype=np.bool_))
    if network.planes == 1:
        half = np.arange(terminals) < terminals // 2
        pairs.exclude(
            "on one network the first half asks, the others answer",
            ~(half[:, None] & ~half[None, :]),
            possible=True,
        )
    words = Point("words", tuple(map(str, range(1, MOST_BURST + 1))))
    damaged = Group(DAMAGED, (Point("where", ("request dropped", "response flagged")),))
    if network.planes == 1:
        damaged.exclude("only links of requests are damaged", [False, True], possible=True)
    return [
        pairs,
        Group(REQUESTS, (WRITE, words)),
        Group(ANSWERS, (WRITE, Point("refused", NO_YES))),
        Group(WAITED, (Point("waited", NO_YES), WRITE)),
        damaged,
        *corners.groups(network),
    ]
