"""What must be tried on modified fat-trees: cover groups, and what cannot be hit and why."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from fattree_bench.bench.groups import NO_YES, Group, Point, numbered
from fattree_bench.bench.links.flit.coverage import PacketGroups, payload_group

if TYPE_CHECKING:
    from fattree_bench.families.mft.network import MftNetwork

TURNS = "row of the turn x waited at the client"
LANES = "lane at the client x waited there"
LOST = "packets lost"
FULLEST = "fullest FIFO of an item"

PACKETS = PacketGroups(longer="waited at the client")
FULL_LABELS = ("up to a half", "up to all of it", "too full")
WAITED = Point("waited", NO_YES)


def full_bin(peak: int, fifo: int) -> int:
    """Bin of FULL_LABELS of the flits that a FIFO would have needed."""
    return 0 if 2 * peak <= fifo else 1 if peak <= fifo else 2


def groups(network: MftNetwork) -> list[Group]:
    """The cover groups of a network."""
    leaves, n = network.leaves, network.n
    shared = PACKETS.of(leaves)
    del shared[PACKETS.stalls]  # clients always take what comes
    longer = np.array([0, *PACKETS.sizes.edges]) >= network.room
    shared[PACKETS.lengths].exclude("no packet is longer than ROOM", longer[:, None])
    shared[PACKETS.sources].exclude("no packet is longer than ROOM", longer)
    turns = Group(TURNS, (numbered("row", n), WAITED))
    lanes = Group(LANES, (numbered("lane", network.row_lanes[0]), WAITED))
    found = [
        *shared.values(),
        turns,
        lanes,
        *([lost] if (lost := _lost(network)).bins else []),
        _fullest(network),
        *([words] if (words := payload_group(network.room)).bins else []),
    ]
    if leaves == 2:  # what comes by the one lane leaves at once
        alone = "a client with one lane is never asked to wait"
        for group in (turns, lanes, shared[PACKETS.lengths]):
            group.exclude(alone, np.array([False, True]))
    return found


def _fullest(network: MftNetwork) -> Group:
    """How full the fullest FIFO of an item was, the room for a packet that comes with it."""
    group = Group(FULLEST, (Point("full", FULL_LABELS),))
    bins = np.arange(len(FULL_LABELS))
    least, alone = (full_bin(network.room + more, network.fifo) for more in (0, 1))
    group.exclude("ROOM flits must be free for any packet", bins < least)
    group.exclude(
        "a client with one lane keeps one flit at most", (bins > alone) & (network.leaves == 2)
    )
    return group


def _lost(network: MftNetwork) -> Group:
    """Where packets are lost: in a row of routers, or at a FIFO."""
    rows = network.n
    group = Group(LOST, (Point("where", (*(f"row {r}" for r in range(rows)), "at a FIFO")),))
    place = np.arange(rows + 1)
    every = network.lanes == "EXACT"
    group.exclude("every packet has its lane", (place < rows) & every)
    group.exclude("at the top only one packet turns to a side", place == rows - 1)
    group.exclude(
        "a client with one lane keeps one flit at most",
        (place == rows) & (rows == 1) & (network.fifo > network.room),
    )
    return group
