"""A sweep of the load, the same for all networks that can be measured."""

from collections.abc import Callable, Iterator

import numpy as np

from fattree_bench.bench.network import Network
from fattree_bench.bench.tlm import Item
from fattree_bench.bench.workload import Workload
from fattree_models.traffic import Measurement


def no_loads(network: Network) -> str | None:
    """Why `sweep` cannot run, or None."""
    return None if network.workload.loads else "it needs LOADS, as in LOADS=0.1:1:0.1"


def no_file(network: Network) -> str | None:
    """Why `file` cannot run, or None."""
    return None if network.workload.file else "it needs MESSAGES=file"


def swept(
    work: Workload,
    seed: int,
    play: Callable[[np.random.Generator, float], Iterator[Item]],
    found: dict[float, Measurement],
) -> Iterator[Item]:
    """Play the loads of LOADS until the network saturates, then halve the interval REFINE times.

    `play` gives the items of one load and leaves in `found` what was measured.
    """
    from fattree_models.traffic import may_stop, saturation_load

    def at(load: float) -> Iterator[Item]:
        # A load has the same packets whichever others are measured.
        yield from play(np.random.default_rng([seed, round(load * 1e9)]), load)

    for load in work.loads:
        yield from at(load)
        if may_stop(list(found.values())):
            break
    low, high, _ = saturation_load(list(found), list(found.values()))
    for _ in range(work.refine if np.isfinite(high) else 0):
        middle = (low + high) / 2
        yield from at(middle)
        low, high = (low, middle) if found[middle].saturated else (middle, high)
