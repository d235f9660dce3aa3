"""What `make bench` plays on the flit link: uniform traffic of packets of many lengths."""

from collections.abc import Iterator
from itertools import cycle
from typing import Any

import numpy as np

from fattree_bench.bench.links.flit.packets import PacketSet
from fattree_bench.bench.links.flit.scoreboard import FlitScoreboard
from fattree_bench.bench.scenario import Stimulus
from fattree_bench.families.speed import Speed
from fattree_models.common.checks import Int64Array
from fattree_models.traffic import Packets

LOAD = 0.5  # half of what the leaves can send
LENGTHS = "1-16"
CLOCKS = 4000
NOTE = (
    f"uniform traffic, {LOAD:g} flits per leaf and clock, 1 … 16 flits per packet; "
    "a flit-hop is a flit that leaves a switch"
)


class FlitSpeed(Speed):
    """Packet sets; a family says which, and over how many switches their packets go."""

    counted = "flit-hops"
    note = NOTE
    load = "offer"
    checks = ("write", "finish")

    def packets(self, network: Any, rng: np.random.Generator) -> Packets:
        """Those of an item."""
        raise NotImplementedError

    def hops(self, network: Any, packets: Packets) -> Int64Array:
        """Switches on the way of each packet, int64 [packets]."""
        raise NotImplementedError

    def repeated(self, s: Stimulus) -> Iterator[PacketSet]:
        """The same packets again and again."""
        packets = self.packets(s.network, np.random.default_rng(1))
        yield from cycle([PacketSet(packets, "uniform")])

    def fresh(self, s: Stimulus) -> Iterator[PacketSet]:
        """New packets in every item."""
        while True:
            yield PacketSet(self.packets(s.network, s.rng), "uniform")

    def warm(self, network: Any, rows: int) -> int:
        """Packet sets are long.  The first loads what a long run loads in its course."""
        FlitScoreboard.patience = 0
        return 1

    def amount(self, network: Any, item: PacketSet) -> int:
        """Flit-hops."""
        return int((self.hops(network, item.packets) * item.packets.flits).sum())
