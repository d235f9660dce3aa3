"""Measures of what is claimed of load-balanced Birkhoff-von Neumann switches."""

from collections.abc import Iterator, Sequence
from typing import Any

from fattree_bench.regress.measured import NOTHING, Measure, Measured, verdict
from fattree_bench.report.regression import Test
from fattree_bench.report.words import plural
from fattree_models.traffic import Estimate, estimate

FULL = 0.98  # delivered / offered that is called all of it: the window has two ends
NEAR = 0.05  # of a mean delay from its law, besides its confidence interval
COMPARABLE = 1.25  # times the ideal switch's delay
EVEN = 1.5  # chi-square by degrees of freedom
HEAVY = 0.9
MAILBOX = (0.70, 0.80)  # "up to 75 %"

Figures = dict[str, Any]


def _measured(tests: Sequence[Test], scenario: str) -> Iterator[tuple[str, Figures]]:
    """(configuration, figures) of all measured runs of a scenario."""
    for test in tests:
        if test.result is not None and test.result.scenario == scenario:
            for figures in test.result.measurements:
                yield test.configuration, figures


def _estimates(found: Iterator[tuple[str, Figures]], name: str) -> dict[str, Estimate]:
    """Mean and confidence over seeds of a figure, by kind of traffic."""
    values: dict[str, list[float]] = {}
    for _, figures in found:
        values.setdefault(figures["family"], []).append(figures[name])
    return {family: estimate(own) for family, own in values.items()}


def all_delivered(tests: Sequence[Test]) -> Measured:
    """Under admissible traffic as much leaves as is offered."""
    found = list(_measured(tests, "throughput"))
    if not found:
        return NOTHING
    means = {
        (name, family): mean
        for name in {name for name, _ in found}
        for family, (mean, *_) in _estimates(
            ((n, f) for n, f in found if n == name), "throughput"
        ).items()
    }
    worst = min(means, key=lambda key: means[key])
    text = (
        f"delivered / offered at least {means[worst]:.1%} ({worst[0]}, {worst[1]}), "
        f"{plural(len(means), 'mean')} over seeds"
    )
    return Measured(text, verdict(means[worst] >= FULL))


def phase_locked_too(tests: Sequence[Test]) -> Measured:
    """Admissible traffic in step with the schedule gets through, too."""
    found = [f["throughput"] for _, f in _measured(tests, "phase_locked")]
    if not found:
        return NOTHING
    return Measured(f"delivered / offered {min(found):.2%}", verdict(min(found) >= FULL))


def balanced(tests: Sequence[Test]) -> Measured:
    """Each output's cells come by way of all middles alike."""
    found = _estimates(_measured(tests, "throughput"), "unevenness")
    if not found:
        return NOTHING
    worst = max(found, key=lambda family: found[family].mean)
    text = (
        "cells of an output by middle: chi-square / degrees of freedom at most "
        f"{found[worst].mean:.2f} ({worst})"
    )
    return Measured(text, verdict(found[worst].mean <= EVEN))


def delay_law(tests: Sequence[Test]) -> Measured:
    """Mean delays are as the closed form says, within their confidence."""
    found = list(_measured(tests, "delays"))
    laws = {f["family"]: f["theory"] for _, f in found if f["theory"] is not None}
    if not laws:
        return NOTHING
    means = _estimates(iter(found), "latency_mean")
    off = {
        family: abs(means[family].mean - law) - means[family].half_width
        for family, law in laws.items()
    }
    text = ", ".join(f"{means[f].mean:.1f} for {law:.1f}" for f, law in laws.items())
    return Measured(f"slots: {text}", verdict(all(off[f] <= NEAR * laws[f] for f in laws)))


def comparable(tests: Sequence[Test]) -> Measured:
    """Under heavy bursts the delay is about that of the ideal switch; else it is not."""
    ratios: dict[bool, list[float]] = {True: [], False: []}
    for _, figures in _measured(tests, "delays"):
        if figures["load"] == HEAVY:
            bursty = "frame:" in figures["family"]
            ratios[bursty].append(figures["latency_mean"] / figures["ideal_mean"])
    if not ratios[True] or not ratios[False]:
        return NOTHING
    bursty, smooth = (estimate(ratios[kind]).mean for kind in (True, False))
    text = f"load {HEAVY}: {bursty:.2f} times the ideal delay in bursts, {smooth:.1f} without"
    return Measured(text, verdict(bursty <= COMPARABLE))


def fabric_alike(tests: Sequence[Test]) -> Measured:
    """The switch delays the same cells alike whatever its fabric."""
    found: dict[tuple[int, str], dict[str, float]] = {}
    for test in tests:
        if test.result is not None and test.result.scenario == "delays":
            for figures in test.result.measurements:
                own = found.setdefault((test.seed, figures["family"]), {})
                own[test.configuration] = figures["latency_mean"]
    pairs = [own for own in found.values() if len(own) > 1]
    if not pairs:
        return NOTHING
    same = sum(len(set(own.values())) == 1 for own in pairs)
    names = " and ".join(sorted(pairs[0]))
    text = f"{same} of {plural(len(pairs), 'run')} have the same mean delay on {names}"
    return Measured(text, verdict(same == len(pairs)))


def order_kept(tests: Sequence[Test]) -> Measured:
    """No cell leaves after a later one of its flow."""
    found = [f["overtaken"] for _, f in _measured(tests, "throughput")]
    if not found:
        return NOTHING
    text = f"{max(found):.2%} of the cells overtaken in {plural(len(found), 'run')}"
    return Measured(text, verdict(max(found) == 0))


def resequencer_bound(tests: Sequence[Test]) -> Measured:
    """No resequencer ever holds more than N² + 1 cells."""
    found = [
        (figures["most_resequenced"], int(test.variables["N"]))
        for test in tests
        if test.result is not None
        for figures in test.result.measurements
    ]
    if not found:
        return NOTHING
    text = ", ".join(
        f"N = {n}: {max(most for most, size in found if size == n)} of {n * n + 1}"
        for n in sorted({size for _, size in found})
    )
    return Measured(f"cells at most: {text}", verdict(all(most <= n * n + 1 for most, n in found)))


def mailbox_saturation(tests: Sequence[Test]) -> Measured:
    """A mailbox switch carries about 75 % of full load."""
    rates = {
        name: estimate([f["accepted"] for n, f in _measured(tests, "saturation") if n == name]).mean
        for name in sorted({name for name, _ in _measured(tests, "saturation")})
    }
    if not rates:
        return NOTHING
    low, high = MAILBOX
    text = ", ".join(f"{name} {rate:.0%}" for name, rate in rates.items())
    return Measured(f"accepted: {text}", verdict(any(low <= x <= high for x in rates.values())))


MEASURES: dict[str, Measure] = {
    measure.__name__: measure
    for measure in (
        all_delivered,
        phase_locked_too,
        balanced,
        delay_law,
        comparable,
        fabric_alike,
        order_kept,
        resequencer_bound,
        mailbox_saturation,
    )
}
