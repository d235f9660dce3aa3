"""`make bench` of the ring."""

import numpy as np
from fattree_bench.families.ring.network import Ring

from fattree_bench.families.flit_speed import CLOCKS, FlitSpeed
from fattree_models.common.checks import Int64Array
from fattree_models.traffic import Packets


class RingSpeed(FlitSpeed):
    """Packets of one flit."""

    def packets(self, network: Ring, rng: np.random.Generator) -> Packets:
        return network.workload.drawn(rng, "uniform", "1", 0.2, CLOCKS)

    def hops(self, network: Ring, packets: Packets) -> Int64Array:
        return (packets.destination - packets.source) % network.leaves + 1


SPEED = RingSpeed()
