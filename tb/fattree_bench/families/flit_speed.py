"""What `make bench` plays on the flit link: uniform traffic of packets of many lengths."""

from collections.abc import Iterator
from itertools import cycle
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from fattree_bench.bench.links.flit.packets import PacketSet
from fattree_bench.bench.links.flit.scoreboard import FlitScoreboard
from fattree_bench.bench.scenario import Stimulus
from fattree_bench.families.speed import Image, Speed
from fattree_models.common.checks import BoolArray, Int64Array, UInt64Array
from fattree_models.traffic import Packets

LOAD = 0.5  # half of what the leaves can send
LENGTHS = "1-16"
CLOCKS = 4000
NOTE = (
    f"uniform traffic, {LOAD:g} flits per leaf and clock, 1 … 16 flits per packet; "
    "a flit-hop is a flit that leaves a switch"
)


class Played(NamedTuple):
    """What leaves send in an item, by the model; later clocks bring the last flits out.

    Attributes
    ----------
    valid : bool [clocks, leaves * virtual channels].
    clock, packet, part : of each flit: when it is sent, its packet, its place in that.
    others : images of further ports, a row a clock.
    """

    valid: BoolArray
    clock: Int64Array
    packet: Int64Array
    part: Int64Array
    others: tuple[npt.NDArray[Any], ...] = ()


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

    def played(self, network: Any, packets: Packets) -> Played:
        """When the leaves of a network send which flit."""
        raise NotImplementedError

    def image(self, network: Any, items: list[PacketSet]) -> bytes:
        """The ports in each clock of every set; no clocks of setup."""
        image = Image()
        image.word(0)
        image.word(len(items))
        for packets in (item.packets for item in items):
            played = self.played(network, packets)
            words = np.zeros((len(played.valid), network.leaves), np.uint64)
            words[played.clock, packets.source[played.packet]] = _words(network, packets, played)
            image.word(len(words))
            for row, (sends, flits) in enumerate(zip(played.valid, words, strict=True)):
                image.port(sends)
                image.fields(flits, network.width + 2)
                for port in played.others:
                    image.port(port[row])
        return image.bytes()


def _words(network: Any, packets: Packets, played: Played) -> UInt64Array:
    """Flits: their words, and marks of tails and heads."""
    packet, index = played.packet, played.part
    source, goal = (x[packet].astype(np.int64) for x in (packets.source, packets.destination))
    number = packet - packets.starts(network.leaves)[source]
    word = network.words.write(number, index, np.zeros(len(packet), np.bool_), source, source, goal)
    tail, head = (index == packets.flits[packet] - 1, index == 0)
    word |= tail.astype(np.uint64) << np.uint64(network.width)
    return np.asarray(word | head.astype(np.uint64) << np.uint64(network.width + 1))
