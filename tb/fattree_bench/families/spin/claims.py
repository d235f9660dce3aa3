"""Measures of what papers say of SPIN."""

from collections.abc import Sequence

from fattree_bench.bench.claims import NOTHING, Figure, Measured, found, leaves, recorded, results
from fattree_bench.bench.means import spread
from fattree_bench.bench.result import ScenarioResult, Test
from fattree_bench.bench.wormhole.claims import accepted
from fattree_bench.words import number

LEAST_GAIN = 1.05  # more than runs of the same network differ by
PARENTS = 4  # of a router


def _ways(tests: Sequence[Test]) -> list[ScenarioResult]:
    """Results with the ways that packets took."""
    return [result for result in results(tests) if result.rows("levels")]


def several_roots(tests: Sequence[Test]) -> Measured:
    """Routers at the top of 16 terminals; packets for one terminal leave a router for all."""
    runs = [run for run in _ways(tests) if leaves(run) == 16]
    if not runs:
        return NOTHING
    roots = {int(run.rows("levels")[-1]["routers"] or 0) for run in runs}
    used = min(int(run.rows("levels")[0]["parents"] or 0) for run in runs)
    text = f"packets used {used} of {', '.join(map(str, sorted(roots)))} routers at the top"
    return found(text, min(roots) > 1 and {used} == roots)


def spin_ways(tests: Sequence[Test]) -> Measured:
    """Packets for one terminal leave a router by all parents, and by one child."""
    runs = _ways(tests)
    if not runs:
        return NOTHING
    rows = [run.rows("levels") for run in runs]
    up = min(int(row["parents"] or 0) for levels in rows for row in levels[:-1])
    down = max(int(row["children"] or 0) for levels in rows for row in levels)
    text = f"to one terminal a router used at least {up} parents and at most {down} children"
    return found(text, up == PARENTS and down == 1)


def words_of_packets(tests: Sequence[Test]) -> Measured:
    """All packets arrive as the words that were sent."""
    runs = [run for run in results(tests) if run.figure("flits") or run.figure("requests")]
    words = sum(int(run.figure("flits") or 0) for run in runs)
    sent, came = sum(run.sent for run in runs), sum(run.delivered for run in runs)
    if not words:
        return NOTHING
    text = f"{number(came)} of {number(sent)} packets and commands whole, {number(words)} words"
    return found(text, came == sent)


def routers_by_terminals(tests: Sequence[Test]) -> Measured:
    """3 N / 4 routers; as corrected: n N / 4 for N = 4^n."""
    counts = {
        leaves(run): int(run.figure("routers") or 0)
        for run in results(tests)
        if run.figure("routers")
    }
    if not counts:
        return NOTHING
    told = ", ".join(f"{counts[n]} routers for {n} terminals" for n in sorted(counts))
    levels = {n: (n.bit_length() - 1) / 2 for n in counts}
    return Measured(
        Figure(told, all(4 * count == 3 * n for n, count in counts.items())),
        Figure(f"{told}: n N / 4", all(4 * count == levels[n] * n for n, count in counts.items())),
    )


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


def out_of_order(tests: Sequence[Test]) -> Measured:
    """Packets that were overtaken by a later one of their pair."""
    runs = results(tests)
    if not runs:
        return NOTHING
    over, came = sum(run.overtaken for run in runs), sum(run.delivered for run in runs)
    return found(f"{number(over)} of {number(came)} packets overtaken", over > 0)


def own_networks(tests: Sequence[Test]) -> Measured:
    """On two networks all is answered; on one, the same bench says, nothing moves any more."""
    runs = [run for run in results(tests, ("crossfire",)) if run.figure("requests")]
    stuck = {planes: recorded(tests, f"stuck_on_{planes}") for planes in (1, 2)}
    if not runs or not all(stuck.values()):
        return NOTHING
    asked, told = (sum(int(run.figure(k) or 0) for run in runs) for k in ("requests", "answered"))
    stands = all(value for (value,) in stuck[1])
    goes = not any(value for (value,) in stuck[2])
    text = f"on two networks {number(told)} of {number(asked)} requests answered; on one the run "
    text += "is stuck" if stands else "goes on"
    return found(text, asked == told and stands and goes)
