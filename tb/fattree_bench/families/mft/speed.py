"""`make bench` of modified fat-trees."""

import numpy as np

from fattree_bench.families.flit_speed import CLOCKS, LENGTHS, LOAD, FlitSpeed, Played
from fattree_bench.families.mft.network import MftNetwork
from fattree_bench.families.speed import Case, Loop
from fattree_models.common.checks import Int64Array
from fattree_models.mft import run, turn_row
from fattree_models.traffic import Packets


class MftSpeed(FlitSpeed):
    """Clients never send to themselves."""

    cases = (
        *(Case("verilator", "mft", {"N": str(n)}) for n in (8, 16, 32)),
        Case("icarus", "mft", {"N": "8"}),
    )

    loop = Loop(("valid_i", "flit_i"), ("up_valid_o", "down_valid_o"), ("valid_o",))

    def packets(self, network: MftNetwork, rng: np.random.Generator) -> Packets:
        return network.workload.to_others(rng, "uniform", LENGTHS, LOAD, CLOCKS)

    def hops(self, network: MftNetwork, packets: Packets) -> Int64Array:
        """Up to the row of the turn, and down again."""
        return 2 * turn_row(network.n, packets.source, packets.destination) + 1

    def played(self, network: MftNetwork, packets: Packets) -> Played:
        """Until the last flit has come out of its FIFO."""
        outcome, flits = run(network.model, packets), packets.flits.astype(np.int64)
        packet = np.repeat(np.arange(len(packets)), flits)
        index = np.arange(len(packet)) - np.repeat(np.cumsum(flits) - flits, flits)
        clock = outcome.start[packet] + index
        valid = np.zeros((int(outcome.tail.max()) + 1, network.leaves), np.bool_)
        valid[clock, packets.source[packet]] = True
        return Played(valid, clock, packet, index)


SPEED = MftSpeed()
