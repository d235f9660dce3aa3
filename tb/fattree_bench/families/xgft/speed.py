"""`make bench` of wormhole-switched trees: uniform traffic of packets of many lengths."""

from collections.abc import Iterator
from itertools import cycle

import numpy as np

from fattree_bench.bench.links.flit.packets import PacketSet
from fattree_bench.bench.links.flit.scoreboard import FlitScoreboard
from fattree_bench.bench.scenario import Stimulus
from fattree_bench.families.speed import Case, Image, Speed
from fattree_bench.families.xgft.traffic import spread
from fattree_bench.families.xgft.tree import XgftNetwork
from fattree_models.traffic import Packets

LOAD = 0.5  # half of what the leaves can send
CLOCKS = 4000


def _case(sim: str, k: int, levels: int) -> Case:
    return Case(sim, "kary", {"K": str(k), "LEVELS": str(levels)})


def _packets(network: XgftNetwork, rng: np.random.Generator) -> Packets:
    return spread(rng, network, "uniform", "1-16", LOAD, CLOCKS)


class XgftSpeed(Speed):
    """Packet sets."""

    cases = (*(_case("verilator", 4, levels) for levels in (2, 3, 4)), _case("icarus", 4, 2))
    counted = "flit-hops"
    sizes = (("K", "K"), ("levels", "LEVELS"))
    note = (
        f"uniform traffic, {LOAD:g} flits per leaf and clock, 1 … 16 flits per packet; "
        "a flit-hop is a flit that leaves a switch"
    )
    load = "offer"
    checks = ("write", "finish")

    def repeated(self, s: Stimulus) -> Iterator[PacketSet]:
        """The same packets again and again."""
        yield from cycle([PacketSet(_packets(s.network, np.random.default_rng(1)), "uniform")])

    def fresh(self, s: Stimulus) -> Iterator[PacketSet]:
        """New packets in every item."""
        while True:
            yield PacketSet(_packets(s.network, s.rng), "uniform")

    def warm(self, network: XgftNetwork, rows: int) -> int:
        """Packet sets are long.  The first loads what a long run loads in its course."""
        FlitScoreboard.patience = 0
        return 1

    def amount(self, network: XgftNetwork, item: PacketSet) -> int:
        """Flit-hops."""
        packets = item.packets
        hops = network.hop_count(packets.source, packets.destination)
        return int((hops * packets.flits).sum())

    def image(self, network: XgftNetwork, items: list[PacketSet]) -> bytes:
        """Widths, and the packets of every set, node by node."""
        image = Image()
        flit_bits = network.width + 2
        for number in (network.leaves, network.vcs, network.depth, network.width, flit_bits):
            image.word(number)
        for number in (network.address_bits, network.node_bits):
            image.word(number)
        image.word(len(items))
        for packets in (item.packets for item in items):
            starts = packets.starts(network.leaves)
            columns = (packets.release, packets.destination, packets.flits)
            rows = np.stack(columns, axis=1).astype(np.uint32)
            for node in range(network.leaves):
                part = rows[int(starts[node]) : int(starts[node + 1])]
                image.word(len(part))
                image.parts.append(part.tobytes())
        return image.bytes()


SPEED = XgftSpeed()
