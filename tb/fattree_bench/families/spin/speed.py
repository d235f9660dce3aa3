"""`make bench` of SPIN."""

import numpy as np

from fattree_bench.families.flit_speed import CLOCKS, LOAD, FlitSpeed
from fattree_bench.families.speed import Case
from fattree_bench.families.spin.network import SpinNetwork
from fattree_bench.families.spin.traffic import ALL_WORDS
from fattree_models.common.checks import Int64Array
from fattree_models.traffic import Packets


def _case(sim: str, terminals: int, **more: str) -> Case:
    return Case(sim, "spin", {"TERMINALS": str(terminals), "PLANES": "1", **more})


class SpinSpeed(FlitSpeed):
    """Terminals never send to themselves; packets have a header and a trailer."""

    cases = (
        *(_case("verilator", n) for n in (16, 64)),
        _case("verilator", 64, EXACT="0"),  # what it costs to compare all links
        _case("icarus", 16),
    )
    sizes = (("terminals", "TERMINALS"), ("exact", "EXACT"))
    note = f"uniform traffic, {LOAD:g} words per terminal and clock, packets of {ALL_WORDS} words"

    def packets(self, network: SpinNetwork, rng: np.random.Generator) -> Packets:
        return network.workload.to_others(rng, "uniform", ALL_WORDS, LOAD, CLOCKS)

    def hops(self, network: SpinNetwork, packets: Packets) -> Int64Array:
        source, destination = (n.astype(np.int64) for n in (packets.source, packets.destination))
        return network.hop_count(source, destination)


SPEED = SpinSpeed()
