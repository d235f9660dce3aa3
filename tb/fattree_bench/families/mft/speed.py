"""`make bench` of modified fat-trees."""

import numpy as np

from fattree_bench.bench.links.flit.packets import PacketSet
from fattree_bench.families.flit_speed import CLOCKS, LENGTHS, LOAD, FlitSpeed
from fattree_bench.families.mft.network import MftNetwork
from fattree_bench.families.mft.traffic import spread
from fattree_bench.families.speed import Case, Image, Loop
from fattree_models.common.checks import Int64Array
from fattree_models.mft import run, turn_row
from fattree_models.traffic import Packets


class MftSpeed(FlitSpeed):
    """Nobody sends to oneself."""

    cases = (
        *(Case("verilator", "mft", {"N": str(n)}) for n in (8, 16, 32)),
        Case("icarus", "mft", {"N": "8"}),
    )

    loop = Loop(("valid_i", "flit_i"), ("up_valid_o", "down_valid_o"), ("valid_o",))

    def packets(self, network: MftNetwork, rng: np.random.Generator) -> Packets:
        return spread(rng, network, "uniform", LENGTHS, LOAD, CLOCKS)

    def hops(self, network: MftNetwork, packets: Packets) -> Int64Array:
        """Up to the row of the turn, and down again."""
        return 2 * turn_row(network.n, packets.source, packets.destination) + 1

    def image(self, network: MftNetwork, items: list[PacketSet]) -> bytes:
        """Clocks of every set, and the ports of each."""
        image = Image()
        image.word(0)
        image.word(len(items))
        for item in items:
            _clocks(image, network, item.packets)
        return image.bytes()


def _clocks(image: Image, network: MftNetwork, packets: Packets) -> None:
    """Ports until the last flit has come out of its FIFO."""
    outcome = run(network.model, packets)
    flits = packets.flits.astype(np.int64)
    packet = np.repeat(np.arange(len(packets)), flits)
    index = np.arange(len(packet)) - np.repeat(np.cumsum(flits) - flits, flits)
    source = packets.source[packet].astype(np.int64)
    number = (np.arange(len(packets)) - packets.starts(network.leaves)[packets.source])[packet]
    word = network.words.write(
        number,
        index,
        np.zeros(len(packet), np.bool_),
        source,
        source,
        packets.destination[packet].astype(np.int64),
    )
    word |= (index == flits[packet] - 1).astype(np.uint64) << np.uint64(network.width)
    word |= (index == 0).astype(np.uint64) << np.uint64(network.width + 1)
    clock = outcome.start[packet] + index
    valid = np.zeros((int(outcome.tail.max()) + 1, network.leaves), np.bool_)
    played = np.zeros(valid.shape, np.uint64)
    valid[clock, source] = True
    played[clock, source] = word
    image.word(len(valid))
    for sends, words in zip(valid, played, strict=True):
        image.port(sends)
        image.fields(words, network.width + 2)


SPEED = MftSpeed()
