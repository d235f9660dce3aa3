"""Resets of networks of wormhole switches, under load."""

from collections.abc import Iterator

import numpy as np

from fattree_bench.bench.links.flit.packets import PacketSet
from fattree_bench.bench.scenario import Stimulus
from fattree_bench.bench.wormhole.traffic import backlog, spread

SHORT = 32  # resets of little traffic


def resets(s: Stimulus) -> Iterator[PacketSet]:
    """A reset under load, again and again.

    Each link must have had a flit in the clock of a reset, and behind a reset each arbiter must
    have been asked by any of its inputs at once.  In the end everybody sends to one leaf: all ask
    the same arbiters.
    """
    for clock in (0, 50, int(s.rng.integers(51, max(52, s.rows // 4))), *range(40, 52, 2)):
        packets = spread(s.rng, s.network, "uniform", "1-16", 1.0, s.rows // 4)
        yield PacketSet(packets, "reset under load", reset=clock)
    for _ in range(SHORT):
        packets = spread(s.rng, s.network, "uniform", "1-2", 1.0, 12)
        yield PacketSet(packets, "reset soon", reset=int(s.rng.integers(12)))
    for clock in (47, 54, 61):
        goal = np.full(s.network.leaves, int(s.rng.integers(s.network.leaves)))
        yield PacketSet(backlog(s.network, goal, 16, 3), "reset, all to one", reset=clock)
