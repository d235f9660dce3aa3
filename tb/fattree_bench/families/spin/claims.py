"""Measures of what papers say of SPIN."""

from collections.abc import Sequence

from fattree_bench.bench.claims import NOTHING, Measured, found, leaves, results
from fattree_bench.bench.means import spread
from fattree_bench.bench.result import Test
from fattree_bench.bench.wormhole.claims import accepted

LEAST_GAIN = 1.05  # more than runs of the same network differ by
PARENTS = 4  # of a router


def spin_ways(tests: Sequence[Test]) -> Measured:
    """Packets for one terminal leave a router by all parents, and by one child."""
    rows = [levels for run in results(tests) if (levels := run.rows("levels"))]
    if not rows:
        return NOTHING
    up = min(int(row["parents"] or 0) for levels in rows for row in levels[:-1])
    down = max(int(row["children"] or 0) for levels in rows for row in levels)
    text = f"to one terminal a router used at least {up} parents and at most {down} children"
    return found(text, up == PARENTS and down == 1)


def gain_of_buffers(tests: Sequence[Test]) -> Measured:
    """Accepted uniform traffic with shared buffers, and without, by size."""
    runs = {t.configuration: t.result for t in tests if t.result is not None}
    mean = {
        (leaves(runs[name]), int(runs[name].figure("shared") or 0)): rate
        for name, rate in accepted(tests, "uniform").items()
    }
    sizes = sorted({n for n, _ in mean if (n, 0) in mean and (n, 1) in mean})
    if not sizes:
        return NOTHING
    text = "; ".join(
        f"N={n}: {100 * mean[n, 1]:.0f} % of what terminals can send, "
        f"without {100 * mean[n, 0]:.0f} %"
        for n in sizes
    )
    gains = all(mean[n, 1].low >= LEAST_GAIN * mean[n, 0].high for n in sizes)
    return found(f"{text}, {spread(mean.values())}", gains)
