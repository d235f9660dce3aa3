"""A sweep of the load, the same for all networks that can be measured."""

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from fattree_bench.bench.workload import Workload
from fattree_models.traffic import Measurement


def swept(
    work: Workload,
    seed: int,
    play: Callable[[np.random.Generator, float], Iterator[Any]],
    found: dict[float, Measurement],
) -> Iterator[Any]:
    """Play the loads of LOADS until the network saturates, then halve the interval REFINE times.

    `play` gives the items of one load and leaves in `found` what was measured.
    """
    from fattree_models.traffic import may_stop, saturation_load

    def at(load: float) -> Iterator[Any]:
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
