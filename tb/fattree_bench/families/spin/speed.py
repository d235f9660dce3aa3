"""`make bench` of SPIN."""

import numpy as np

from fattree_bench.families.flit_speed import CLOCKS, LOAD, FlitSpeed
from fattree_bench.families.speed import Case
from fattree_bench.families.spin.network import SpinNetwork
from fattree_bench.families.spin.traffic import ALL_WORDS
from fattree_models.common.checks import Int64Array
from fattree_models.traffic import Packets


class SpinSpeed(FlitSpeed):
    """Nobody sends to oneself; packets have a header and a trailer."""

    cases = (
        *(Case("verilator", "spin", {"TERMINALS": str(n), "PLANES": "1"}) for n in (16, 64)),
        Case("icarus", "spin", {"PLANES": "1"}),
    )
    sizes = (("terminals", "TERMINALS"),)
    note = f"uniform traffic, {LOAD:g} words per terminal and clock, packets of {ALL_WORDS} words"

    def packets(self, network: SpinNetwork, rng: np.random.Generator) -> Packets:
        return network.drawn(rng, "uniform", ALL_WORDS, LOAD, CLOCKS)

    def hops(self, network: SpinNetwork, packets: Packets) -> Int64Array:
        source, destination = (n.astype(np.int64) for n in (packets.source, packets.destination))
        return network.hop_count(source, destination)


SPEED = SpinSpeed()
