"""Measures of what is claimed of load-balanced Birkhoff-von Neumann switches.

A mean is over seeds.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from fattree_bench.bench.claims import NOTHING, Figure, Measured, alike, found, leaves, results
from fattree_bench.bench.means import SEEDS, Mean
from fattree_bench.bench.result import Test
from fattree_bench.words import plural

FULL = 0.98  # delivered / offered that is called all of it: the window has two ends
CONSTANTS = {"FULL": FULL}  # of the testplan
NEAR = 0.05  # of a mean delay from its law, besides its confidence interval
COMPARABLE = 1.25  # times the ideal switch's delay, or a crossbar's
EVEN = 1.5  # chi-square by degrees of freedom
HEAVY = 0.9
MAILBOX = (0.70, 0.80)  # "up to 75 %"
MAILBOX_TRIES = 2  # with which it is so

Figures = dict[str, Any]


def _measured(tests: Sequence[Test], scenario: str) -> Iterator[tuple[str, Figures]]:
    """(configuration, figures) of all measured runs of a scenario."""
    for test in tests:
        if test.result is not None and test.result.scenario == scenario:
            for figures in test.result.measurements:
                yield test.configuration, figures


def _means(runs: Iterable[tuple[str, Figures]], name: str) -> dict[str, Mean]:
    """Mean and confidence over seeds of a figure, by kind of traffic."""
    values: dict[str, list[float]] = {}
    for _, figures in runs:
        values.setdefault(figures["family"], []).append(figures[name])
    return {family: Mean(own) for family, own in values.items()}


def all_delivered(tests: Sequence[Test]) -> Measured:
    """As much leaves as is offered: under admissible traffic, or if that is stationary and mixing.

    Traffic in step with the schedule is admissible, and not mixing.
    """
    runs = list(_measured(tests, "throughput"))
    in_step = [figures["throughput"] for _, figures in _measured(tests, "phase_locked")]
    if not runs or not in_step:
        return NOTHING
    means = {
        (name, family): mean
        for name in {name for name, _ in runs}
        for family, mean in _means((run for run in runs if run[0] == name), "throughput").items()
    }
    worst = min(means, key=lambda key: means[key])
    text = (
        f"delivered / offered at least {means[worst]:.1%} ({worst[0]}, {worst[1]}), "
        f"{plural(len(means), 'mean')} over seeds"
    )
    least = min(*in_step, means[worst])
    return Measured(
        Figure(f"delivered / offered at least {least:.1%}", least >= FULL),
        Figure(text, means[worst] >= FULL),
    )


def balanced(tests: Sequence[Test]) -> Measured:
    """Each output's cells come by way of all middles alike: of all traffic, or if it is mixing."""
    mixing = _means(_measured(tests, "throughput"), "unevenness")
    in_step = _means(_measured(tests, "phase_locked"), "unevenness")
    if not mixing or not in_step:
        return NOTHING
    figures = []
    for parts in (mixing | in_step, mixing):
        worst = max(parts, key=lambda family: parts[family])
        text = f"chi-square / degrees of freedom at most {parts[worst]:.2f} ({worst})"
        figures.append(Figure(text, parts[worst] <= EVEN))
    return Measured(*figures)


def delay_law(tests: Sequence[Test]) -> Measured:
    """Mean delays are as the closed form says, within their confidence."""
    runs = list(_measured(tests, "delays"))
    laws = {f["family"]: f["theory"] for _, f in runs if f["theory"] is not None}
    if not laws:
        return NOTHING
    means = _means(runs, "latency_mean")
    off = {f: abs(means[f] - law) - (means[f].high - means[f]) for f, law in laws.items()}
    text = ", ".join(f"{means[f]:.1f} (law: {law:.1f})" for f, law in laws.items())
    return found(f"mean delay in slots: {text}", all(off[f] <= NEAR * laws[f] for f in laws))


def comparable(tests: Sequence[Test]) -> Measured:
    """Under heavy load the delay is about the ideal switch's in all bursts, or in those of N."""
    ratios: dict[float, list[float]] = {}
    nodes = {leaves(run) for run in results(tests)}
    for scenario in ("delays", "burst_lengths"):
        for _, figures in _measured(tests, scenario):
            if figures["load"] == HEAVY and figures["burst"] > 1:
                ratio = figures["latency_mean"] / figures["ideal_mean"]
                ratios.setdefault(figures["burst"], []).append(ratio)
    means = {b: Mean(own) for b, own in sorted(ratios.items()) if len(own) >= SEEDS}
    long = {burst: mean for burst, mean in means.items() if burst >= max(nodes)}
    if not long or len(long) == len(means):
        return NOTHING
    return Measured(
        *(
            Figure(
                f"load {HEAVY}: {max(some.values()):.2f} times the ideal delay at most, bursts of "
                f"{min(some):.0f} … {max(some):.0f} cells",
                max(mean.high for mean in some.values()) <= COMPARABLE,
            )
            for some in (means, long)
        )
    )


def fabric_alike(tests: Sequence[Test]) -> Measured:
    """Cells take hardly longer through the tree than through a crossbar: always, or under load.

    As a cell sees it: with the clocks that it spends in the registers of the fabric.
    """
    times: dict[tuple[int, str, float], dict[str, float]] = {}
    for test in tests:
        run = test.result
        if run is not None and run.scenario == "delays" and (transit := run.figure("transit")):
            for figures in run.measurements:
                own = times.setdefault((test.seed, figures["family"], figures["load"]), {})
                own[test.configuration] = figures["latency_mean"] + transit
    ratios = {
        key: max(own.values()) / min(own.values()) for key, own in times.items() if len(own) > 1
    }
    heavy = [ratio for (_, _, load), ratio in ratios.items() if load == HEAVY]
    if not heavy:
        return NOTHING
    text = "from input to output {:.2f} times as long at most on either fabric, {}"
    most = max(ratios.values())
    return Measured(
        Figure(text.format(most, plural(len(ratios), "run")), most <= COMPARABLE),
        Figure(text.format(max(heavy), f"load {HEAVY}"), max(heavy) <= COMPARABLE),
    )


def mailbox_saturation(tests: Sequence[Test]) -> Measured:
    """A mailbox switch carries up to about 75 %: however often a cell tries, or at most twice."""
    parts: dict[int, list[float]] = {}
    for result in results(tests, ("saturation",)):
        if tries := result.figure("tries"):
            own = parts.setdefault(int(tries), [])
            own += [figures["accepted"] for figures in result.measurements]
    rates = {tries: Mean(own) for tries, own in sorted(parts.items()) if len(own) >= SEEDS}
    few = {tries: rate for tries, rate in rates.items() if tries <= MAILBOX_TRIES}
    if not few or len(few) == len(rates):
        return NOTHING
    low, high = MAILBOX
    return Measured(
        *(
            Figure(
                "accepted by tries: " + ", ".join(f"{t}: {rate:.0%}" for t, rate in some.items()),
                low <= max(rate.low for rate in some.values())
                and max(rate.high for rate in some.values()) <= high,
            )
            for some in (rates, few)
        )
    )


def two_fabrics(tests: Sequence[Test]) -> Measured:
    """With two fabrics every cell leaves when it does with one that is folded."""
    return alike(tests, "lbbvn_switch-4-foff-gaps", "lbbvn_switch-4-unfolded")
