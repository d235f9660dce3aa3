"""Measures of larger trees: what each leaf gets, and how far the plain and the best are apart."""

from collections.abc import Sequence
from itertools import pairwise

from fattree_bench.bench.claims import NOTHING, Figure, Measured
from fattree_bench.bench.means import spread
from fattree_bench.bench.result import Test
from fattree_bench.bench.wormhole.claims import accepted, results
from fattree_bench.families.xgft.claims.optimised import SLOWER_TO, by_load

FULL = "saturation"
DEGRADED = 0.10  # of what a leaf of the smallest tree gets; less does not count
SHARE = 0.75  # of the growth in leaves that is growth in throughput


def scales_up(tests: Sequence[Test]) -> Measured:
    """A leaf gets as much in large trees; as corrected: the whole grows nearly as its leaves."""
    leaves = {t.configuration: int(run.figure("leaves") or 0) for t, run in results(tests, FULL)}
    rates = {leaves[name]: rate for name, rate in accepted(tests, "uniform").items()}
    own = dict(sorted(rates.items()))
    if len(own) < 2:
        return NOTHING
    first, *more = own.values()
    text = ", ".join(f"{rate:.3f} at N = {size}" for size, rate in own.items())
    text = f"{text}, {spread(own.values())}"
    least = min(above.low / below.high for below, above in pairwise(own.values()))
    good = min(rate.low for rate in more) >= (1 - DEGRADED) * first.high
    return Measured(
        Figure(f"flits per leaf and clock: {text}", good),
        Figure(f"throughput grows by {least:.0%} of what leaves do, or more", least >= SHARE),
    )


def further_apart(tests: Sequence[Test]) -> Measured:
    """OXGFT's delay is lower than XGFT's by more clocks for 60 than for 36 leaves, at each load.

    As corrected: at loads above those at which OXGFT's longer ways count.
    """
    small, large = (by_load(tests, leaves, "latency_mean") for leaves in (36, 60))
    loads = sorted(small.keys() & large.keys())
    late = [load for load in loads if load > SLOWER_TO]
    if not late or late == loads:
        return NOTHING
    more = [load for load in loads if large[load].high < small[load].low]  # later less earlier
    ends = (loads[0], loads[-1])
    text = ", ".join(f"{x:g}: 36 {small[x].text}, 60 {large[x].text}" for x in ends)
    return Measured(
        Figure(f"by more at {len(more)} of {len(loads)} loads; {text}", more == loads),
        Figure(f"at all above {SLOWER_TO:g}: {late}", set(late) <= set(more)),
    )
