"""The measure of what each leaf gets in larger and larger trees."""

from collections.abc import Sequence
from itertools import pairwise
from statistics import fmean

from fattree_bench.bench.claims import NOTHING, Figure, Measured
from fattree_bench.bench.result import Test
from fattree_bench.bench.wormhole.claims import results

DEGRADED = 0.10  # of what a leaf of the smallest tree gets; less does not count
SHARE = 0.75  # of the growth in leaves that is growth in throughput


def scales_up(tests: Sequence[Test]) -> Measured:
    """A leaf gets as much in large trees; as corrected: the whole grows nearly as its leaves."""
    rates: dict[int, list[float]] = {}
    for _, result in results(tests, "saturation"):
        for figures in result.measurements:
            if figures["pattern"] == "uniform":
                leaves = int(result.figure("leaves") or 0)
                rates.setdefault(leaves, []).append(figures["accepted"])
    own = {leaves: fmean(rates[leaves]) for leaves in sorted(rates)}
    if len(own) < 2:
        return NOTHING
    first, *more = own.values()
    text = ", ".join(f"{rate:.3f} at N = {leaves}" for leaves, rate in own.items())
    least = min(above / below for below, above in pairwise(own.values()))
    return Measured(
        Figure(f"flits per leaf and clock: {text}", min(more) >= (1 - DEGRADED) * first),
        Figure(f"throughput grows by {least:.0%} of what leaves do, or more", least >= SHARE),
    )
