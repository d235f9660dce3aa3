"""Packets of injection processes, and whether their rate is right."""

import numpy as np

from fattree_models.traffic import injection, lengths, pattern

PROCESSES = ["bernoulli", "burst:0.05,0.1", "burst:-,0.2,0.9", "train:-,0.2,1", "frame:8"]
NODES, CYCLES = 64, 4000


def run(process, load=0.2, length="1", text="uniform", nodes=NODES, cycles=CYCLES, seed=1):
    make = injection(process) if isinstance(process, str) else process
    rng = np.random.default_rng(seed)
    return make(rng, pattern(text, nodes), lengths(length), load, cycles)


def sent(packets, nodes=NODES, cycles=CYCLES):
    """Packets that each node creates in each cycle, [nodes, cycles]."""
    count = np.zeros((nodes, cycles), dtype=int)
    np.add.at(count, (packets.source, packets.release), 1)
    return count


def check_rate(process, load, length="1", runs=200):
    """The mean load of many short runs, each long in comparison with bursts, within 5 sigma.

    The deviation is that between the runs, so that no theory of the process is needed.
    """
    loads = [
        run(process, load, length, cycles=400, nodes=16, seed=seed).total_flits / (16 * 400)
        for seed in range(runs)
    ]
    sigma = np.std(loads, ddof=1) / runs**0.5
    assert abs(np.mean(loads) - load) < 5 * sigma, process
