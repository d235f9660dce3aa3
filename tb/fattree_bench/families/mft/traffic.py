"""Packet sets for modified fat-trees: none to its own sender, none longer than ROOM."""

from __future__ import annotations

import numpy as np

from fattree_bench.bench.links.flit.scenarios import Senders, to_others
from fattree_bench.families.mft.network import MftNetwork
from fattree_models.common.checks import Int64Array
from fattree_models.mft import least_fifo, turn_row
from fattree_models.traffic import Packets


def up_to_room(network: MftNetwork) -> str:
    """All lengths that a packet may have."""
    return f"1-{network.room}" if network.room > 1 else "1"


SENDERS = Senders(to_others, up_to_room, waits=False)


def together(network: MftNetwork, source: Int64Array, goal: int, each: int, flits: int) -> Packets:
    """Each source has `each` packets for one client; the first heads reach its router at once."""
    turn = turn_row(network.n, source, goal)
    release = 2 * network.pipeline * (turn.max() - turn)
    return Packets.of(np.repeat(source, each), goal, np.repeat(release, each), flits)


def in_step(rng: np.random.Generator, network: MftNetwork, waves: int) -> Packets:
    """All clients send at once, wave behind wave, each to the client number XOR k, any k but 0.

    A wave is a permutation of packets of one flit, or of two.  Packets that turn meet those of the
    wave before on their way down, at all routers alike.  With doubled lanes the row below the top
    loses a packet on each side of each router, all in one clock.
    """
    source, other = np.arange(network.leaves), rng.integers(1, network.leaves, waves)
    flits = rng.integers(1, min(2, network.room) + 1, waves)
    goal = source ^ other[:, np.newaxis]
    return Packets.of(np.tile(source, waves), goal.ravel(), 0, np.repeat(flits, network.leaves))


def filling(network: MftNetwork, goal: int) -> tuple[Packets, Packets]:
    """Two clients send to a third: so much that the fuller FIFO is just full, and a packet more.

    Packets have one flit: of two lanes that are served in turn each keeps half of what comes.
    """
    source = np.array([s for s in range(network.leaves) if s != goal][:2])
    low, high = 1, 4 * network.fifo
    while high - low > 1:
        middle = (low + high) // 2
        fits = least_fifo(network.model, together(network, source, goal, middle, 1)) <= network.fifo
        low, high = (middle, high) if fits else (low, middle)
    return together(network, source, goal, low, 1), together(network, source, goal, high, 1)


def losing(network: MftNetwork) -> Packets:
    """All others send a packet to the last client, so that they meet before it.

    There are more of them than doubled lanes, so some are lost; with exact lanes none is.
    """
    goal = network.leaves - 1
    return together(network, np.arange(goal), goal, 1, 1)
