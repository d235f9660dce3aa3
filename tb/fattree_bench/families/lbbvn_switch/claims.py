"""Measures of what is claimed of load-balanced Birkhoff-von Neumann switches."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from fattree_bench.bench.claims import NOTHING, Figure, Measured, found, leaves, named, results
from fattree_bench.bench.result import Test
from fattree_bench.words import plural
from fattree_models.traffic import Estimate, estimate

FULL = 0.98  # delivered / offered that is called all of it: the window has two ends
NEAR = 0.05  # of a mean delay from its law, besides its confidence interval
COMPARABLE = 1.25  # times the ideal switch's delay
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


def _estimates(runs: Iterable[tuple[str, Figures]], name: str) -> dict[str, Estimate]:
    """Mean and confidence over seeds of a figure, by kind of traffic."""
    values: dict[str, list[float]] = {}
    for _, figures in runs:
        values.setdefault(figures["family"], []).append(figures[name])
    return {family: estimate(own) for family, own in values.items()}


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
        for family, (mean, *_) in _estimates(
            ((n, f) for n, f in runs if n == name), "throughput"
        ).items()
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


def phase_locked_too(tests: Sequence[Test]) -> Measured:
    """Admissible traffic in step with the schedule gets through, too."""
    parts = [f["throughput"] for _, f in _measured(tests, "phase_locked")]
    if not parts:
        return NOTHING
    return found(f"delivered / offered {min(parts):.2%}", min(parts) >= FULL)


def balanced(tests: Sequence[Test]) -> Measured:
    """Each output's cells come by way of all middles alike."""
    parts = _estimates(_measured(tests, "throughput"), "unevenness")
    if not parts:
        return NOTHING
    worst = max(parts, key=lambda family: parts[family].mean)
    text = (
        "cells of an output by middle: chi-square / degrees of freedom at most "
        f"{parts[worst].mean:.2f} ({worst})"
    )
    return found(text, parts[worst].mean <= EVEN)


def delay_law(tests: Sequence[Test]) -> Measured:
    """Mean delays are as the closed form says, within their confidence."""
    runs = list(_measured(tests, "delays"))
    laws = {f["family"]: f["theory"] for _, f in runs if f["theory"] is not None}
    if not laws:
        return NOTHING
    means = _estimates(runs, "latency_mean")
    off = {
        family: abs(means[family].mean - law) - means[family].half_width
        for family, law in laws.items()
    }
    text = ", ".join(f"{means[f].mean:.1f} for {law:.1f}" for f, law in laws.items())
    return found(f"slots: {text}", all(off[f] <= NEAR * laws[f] for f in laws))


def comparable(tests: Sequence[Test]) -> Measured:
    """Under heavy bursts the delay is about that of the ideal switch; else it is not."""
    ratios: dict[bool, list[float]] = {True: [], False: []}
    for _, figures in _measured(tests, "delays"):
        if figures["load"] == HEAVY:
            bursty = figures["injection"] != "bernoulli"
            ratios[bursty].append(figures["latency_mean"] / figures["ideal_mean"])
    if not ratios[True] or not ratios[False]:
        return NOTHING
    bursty, smooth = (estimate(ratios[kind]).mean for kind in (True, False))
    text = f"load {HEAVY}: {bursty:.2f} times the ideal delay in bursts, {smooth:.1f} without"
    return found(text, bursty <= COMPARABLE)


def fabric_alike(tests: Sequence[Test]) -> Measured:
    """The switch delays the same cells alike whatever its fabric."""
    means: dict[tuple[int, str], dict[str, float]] = {}
    for test in tests:
        if test.result is not None and test.result.scenario == "delays":
            for figures in test.result.measurements:
                own = means.setdefault((test.seed, figures["family"]), {})
                own[test.configuration] = figures["latency_mean"]
    pairs = [own for own in means.values() if len(own) > 1]
    if not pairs:
        return NOTHING
    same = sum(len(set(own.values())) == 1 for own in pairs)
    names = " and ".join(sorted(pairs[0]))
    text = f"{same} of {plural(len(pairs), 'run')} have the same mean delay on {names}"
    return found(text, same == len(pairs))


def order_kept(tests: Sequence[Test]) -> Measured:
    """No cell leaves after a later one of its flow."""
    parts = [f["overtaken"] for _, f in _measured(tests, "throughput")]
    if not parts:
        return NOTHING
    text = f"{max(parts):.2%} of the cells overtaken in {plural(len(parts), 'run')}"
    return found(text, max(parts) == 0)


def resequencer_bound(tests: Sequence[Test]) -> Measured:
    """No resequencer ever holds more than N² + 1 cells."""
    filled = [
        (figures["most_resequenced"], leaves(result))
        for result in results(tests)
        for figures in result.measurements
    ]
    if not filled:
        return NOTHING
    text = ", ".join(
        f"N = {n}: {max(most for most, size in filled if size == n)} of {n * n + 1}"
        for n in sorted({size for _, size in filled})
    )
    return found(f"cells at most: {text}", all(most <= n * n + 1 for most, n in filled))


def mailbox_saturation(tests: Sequence[Test]) -> Measured:
    """A mailbox switch carries about 75 % of full load: however often it tries, or with two."""
    parts: dict[int, list[float]] = {}
    for result in results(tests, ("saturation",)):
        if tries := result.figure("tries"):
            own = parts.setdefault(int(tries), [])
            own += [figures["accepted"] for figures in result.measurements]
    rates = {tries: estimate(own).mean for tries, own in sorted(parts.items()) if own}
    if MAILBOX_TRIES not in rates or len(rates) < 2:
        return NOTHING
    low, high = MAILBOX
    text = ", ".join(f"{rate:.0%} with {tries} tries" for tries, rate in rates.items())
    twice = rates[MAILBOX_TRIES]
    return Measured(
        Figure(f"accepted {text}", low <= max(rates.values()) <= high),
        Figure(f"{twice:.0%} with {MAILBOX_TRIES} tries", low <= twice <= high),
    )


MEASURES = named(
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
