"""`make bench` of modified fat-trees."""

import numpy as np

from fattree_bench.families.flit_speed import CLOCKS, LENGTHS, LOAD, FlitSpeed
from fattree_bench.families.mft.network import MftNetwork
from fattree_bench.families.mft.traffic import spread
from fattree_bench.families.speed import Case
from fattree_models.common.checks import Int64Array
from fattree_models.mft import turn_row
from fattree_models.traffic import Packets


class MftSpeed(FlitSpeed):
    """Nobody sends to oneself."""

    cases = (
        *(Case("verilator", "mft", {"N": str(n)}) for n in (8, 16, 32)),
        Case("icarus", "mft", {"N": "8"}),
    )

    def packets(self, network: MftNetwork, rng: np.random.Generator) -> Packets:
        return spread(rng, network, "uniform", LENGTHS, LOAD, CLOCKS)

    def hops(self, network: MftNetwork, packets: Packets) -> Int64Array:
        """Up to the row of the turn, and down again."""
        return 2 * turn_row(network.n, packets.source, packets.destination) + 1


SPEED = MftSpeed()
