"""Tests of the ring."""

from collections.abc import Iterator

import numpy as np

from fattree_bench.bench.links.flit.packets import PacketSet
from fattree_bench.bench.links.flit.scenarios import Senders, flit_scenarios
from fattree_bench.bench.scenario import Stimulus
from fattree_models.traffic import Packets

SENDERS = Senders(lambda rng, network, *what: network.workload.drawn(rng, *what), lambda _: "1")
SCENARIOS = flit_scenarios(SENDERS, "uniform")


@SCENARIOS.add()
def opposite(s: Stimulus) -> Iterator[PacketSet]:
    """All leaves send to the other side, all at once."""
    leaves = s.network.leaves
    source = np.repeat(np.arange(leaves), 20)
    yield PacketSet(Packets.of(source, (source + leaves // 2) % leaves, 0, 1), "opposite")
