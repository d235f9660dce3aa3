"""Runs the clock-exact model at half load; prints leaves, switches, rates, peak MiB.

A process of its own for each network, so that the peak is that network's.
"""

import resource
import sys
import time

import numpy as np

from fattree_bench.bench.wormhole.exact import model_of
from fattree_bench.bench.wormhole.network import Wormhole
from fattree_bench.bench.wormhole.traffic import spread
from fattree_bench.families import find
from fattree_bench.families.flit_speed import LENGTHS, LOAD
from fattree_models import wormhole

RUNS = 3  # the best counts: the machine is shared
WORK = 2e6  # switches times clocks of a run


def main(*words: str) -> None:
    """Uniform traffic of packets of many lengths, as the bench plays it on RTL."""
    network = find("kary").from_variables(dict(word.split("=", 1) for word in words))
    assert isinstance(network, Wormhole)
    clocks, model = max(500, int(WORK / network.ways.routers)), model_of(network)
    packets = spread(np.random.default_rng(1), network, "uniform", LENGTHS, LOAD, clocks)
    best, hops = float("inf"), 0
    for _ in range(RUNS + 1):  # the first one loads what is compiled
        simulation = wormhole.begun(model, packets)
        start = time.process_time()
        simulation.run(clocks, record=False)
        best = min(best, time.process_time() - start)
        arrived = simulation.fates.tail >= 0
        hops = int((simulation.hops * packets.flits)[arrived].sum())
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    rates = (network.ways.routers * clocks / best / 1e6, hops / best / 1e6)
    told = " ".join(f"{rate:.2f}" for rate in rates)
    print(f"{network.leaves:,} {network.ways.routers:,} {clocks:,} {told} {peak:.0f}")


if __name__ == "__main__":
    main(*sys.argv[1:])
