"""What must be tried on the bufferless fat-tree: cover groups, and what cannot be hit and why."""

from __future__ import annotations

import numpy as np

from fattree_bench.bench.groups import (
    AGAINST_WIDTH,
    NO_YES,
    OVER_CAPACITY,
    Group,
    Point,
    numbered,
    reachable_against_width,
)
from fattree_bench.bench.links import corners
from fattree_bench.families.lbbvn.network import Lbbvn
from fattree_models.common.checks import Int64Array

PAIRS = "source x destination"
TURNS = "turning level x direction"
LANES = "lanes in use: level x direction x lanes"
REQUESTS = "requests at a concentrator: level x direction x requests"
FRAMES = "frame x slot"
CONFLICT = "conflict in a slot"
SLOTS = "slot, next slot"
LEAF = "leaf in a slot, in the next"
RESET = "reset: packets inside x length"

LOAD = ("idle", "partial", "full")
LEAF_STATES = ("idle", "busy")
SIDES = ("left to right", "right to left", "loop-back")
WAYS = Point("direction", ("up", "down"))

NO_CONFLICTS = "settings are made of slots without conflicts, others are refused"

# Frames of N slots by family, and whether they fit into any capacities that a schedule needs.
FAMILIES = {
    "bit-reverse shifts": True,
    "bit-reverse XORs": True,
    "bit-reverse inverses": True,
    "rotators": False,
    "symmetric TDM": False,
    "XORs": False,
    "bit rotations then shifts": False,
    "bit rotations then XORs": False,
}


def most_requests(network: Lbbvn) -> Int64Array:
    """Most packets that can ask for one channel in one slot, int64 [n + 2, 2]: level, up / down.

    Upwards whatever the children's lanes carry; downwards what comes from above and from the other
    child.  All of it can want the same way: any number up to this is reached by adding senders.
    """
    n, c, top = network.n, network.lanes, max(1, network.top_level)
    most = np.zeros((n + 2, 2), np.int64)
    most[n, 0] = 1  # a leaf sends one packet a slot
    for j in range(n - 1, top - 1, -1):
        most[j, 0] = 2 * min(most[j + 1, 0], c[j + 1])
    sent = np.minimum(most[:-1, 0], c)
    if network.static_upper:
        most[top, 1] = c[top]  # fixed wires
    for j in range(top + network.static_upper, n + 1):
        above = min(most[j - 1, 1], c[j - 1]) if j > top else 0
        most[j, 1] = above + sent[j]
    most[n + 1, 1] = 2  # the packet from the tree and the leaf's own loop-back
    return most


def groups(network: Lbbvn) -> list[Group]:
    """The cover groups of a network."""
    leaves, scheduled = network.leaves, network.control == "SCHEDULED"
    families = tuple(name for name, fits in FAMILIES.items() if fits or not scheduled)
    conflict = Group(CONFLICT, (Point("conflict", NO_YES),))
    if scheduled:
        conflict.exclude(NO_CONFLICTS, [False, True])
    return [
        Group(PAIRS, (numbered("source", leaves), numbered("destination", leaves))),
        turns(network.n),
        lanes(network),
        *([] if scheduled else [requests(network)]),  # settings leave nothing to ask for
        Group(FRAMES, (Point("frame", families), numbered("slot", leaves))),
        conflict,
        Group(SLOTS, (Point("slot", LOAD), Point("next slot", LOAD))),
        Group(LEAF, (Point("slot", LEAF_STATES), Point("next slot", LEAF_STATES))),
        Group(RESET, (Point("packets inside", NO_YES), Point("length", ("one slot", "more")))),
        corners.group(),
    ]


def turns(n: int) -> Group:
    """Level of the lowest common ancestor x which way the packet crosses it."""
    group = Group(TURNS, (numbered("level", n + 1), Point("direction", SIDES)))
    own = np.arange(n + 1) == n  # a leaf is its own ancestor
    group.exists = np.stack([~own, ~own, own], axis=1)
    return group


def lanes(network: Lbbvn) -> Group:
    """Lanes of a channel in use: 0 … all, and more packets than lanes."""
    n, c, top = network.n, network.lanes, max(1, network.top_level)
    widest = int(c[top:].max())
    counts = Point("lanes", (*map(str, range(widest + 1)), OVER_CAPACITY))
    group = Group(LANES, (numbered("level", n + 1), WAYS, counts))
    exists = np.zeros(group.shape, np.bool_)
    for j in range(top, n + 1):
        exists[j, :, : int(c[j]) + 1] = exists[j, :, -1] = True
    group.exists = exists
    most = most_requests(network)[: n + 1]
    over = np.arange(widest + 2) == widest + 1
    never = most <= c[:, None]
    if network.static_upper:
        never[top, 0] = False  # a bundle of wires can be too narrow where the level is not
    if network.control == "SCHEDULED":
        group.exclude(NO_CONFLICTS, over)
    group.exclude("as many lanes as packets can come", never[:, :, None] & over)
    few = (np.arange(widest + 2) > most[:, :, None]) & ~over
    group.exclude("the level below, or above, cannot bring so many packets at once", few)
    return group


def requests(network: Lbbvn) -> Group:
    """Packets that meet at the concentrator of a channel, against its lanes."""
    n, c, top = network.n, network.lanes, max(1, network.top_level)
    levels = Point("level", (*map(str, range(n + 1)), "leaf output"))
    group = Group(REQUESTS, (levels, WAYS, Point("requests", AGAINST_WIDTH)))
    most, width = most_requests(network), np.append(c, 1)
    exists = np.zeros(group.shape, np.bool_)
    exists[top : n + 1, 0] = exists[top + network.static_upper :, 1] = True
    exists[n, 0] = False  # a leaf's own packet goes straight into its lane
    group.exists = exists
    if network.static_upper:
        width[top] = 1 << (n - 2 * top)  # wires of a bundle: a concentrator each
    reachable = np.array(
        [
            [reachable_against_width(int(most[j, way]), int(width[j])) for way in (0, 1)]
            for j in range(n + 2)
        ]
    )
    group.exclude("so few lanes and inputs leave no such number", ~reachable)
    return group
