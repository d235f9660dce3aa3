"""Measures of what the papers claim of packet-switched fat-trees."""

from collections.abc import Iterator, Sequence
from itertools import pairwise
from statistics import fmean

from fattree_bench.bench.result import ScenarioResult
from fattree_bench.regress.measured import NOTHING, Measure, Measured, verdict
from fattree_bench.report.regression import Test
from fattree_bench.report.words import number, plural

# Most packets on a link of the 4-ary 3-tree under D-mod-k (ours, counted).
PERMUTATIONS = {"bitcomp": 1, "tornado": 1, "shuffle": 2, "bitrev": 4, "transpose": 4}
# Saturation of the 4-ary 4-tree, flits a leaf and clock, by virtual channels (Petrini, Vanneschi).
# They say 0.75 for four; the corrected claim is only that four carry more than two.
SATURATION = {1: (0.35, 0.40), 2: (0.55, 0.60)}
TOLERANCE = 0.10  # of a trend
ALIKE = 0.15  # part by which two routings may differ and still be called as good


def _results(tests: Sequence[Test], scenario: str) -> Iterator[tuple[Test, ScenarioResult]]:
    """Results of one scenario, with their tests."""
    for test in tests:
        if test.result is not None and test.result.scenario == scenario:
            yield test, test.result


def one_destination(tests: Sequence[Test]) -> Measured:
    """Under D-mod-k every link down carries the packets of one destination."""
    rows = [
        (row["destinations a link down"], row["links down"])
        for _, result in _results(tests, "single_packets")
        for row in result.levels
    ]
    if not rows:
        return NOTHING
    links = sum(count for _, count in rows)
    right = sum(count for found, count in rows if found == "1")
    text = f"{number(right)} of {plural(links, 'link')} down carry packets for one leaf"
    return Measured(text, verdict(right == links))


def shifts_alone(tests: Sequence[Test]) -> Measured:
    """No two packets of a cyclic shift meet."""
    found = [b for _, result in _results(tests, "shifts") for _, b in result.permutations]
    if not found:
        return NOTHING
    text = f"{sum(b == 1 for b in found)} of {plural(len(found), 'shift')} with one packet a link"
    return Measured(text, verdict(max(found) == 1))


def permutation_loads(tests: Sequence[Test]) -> Measured:
    """The busiest link under the permutations of the literature, as published."""
    found = {
        name: busiest
        for _, result in _results(tests, "link_loads")
        for name, busiest in result.permutations
        if name in PERMUTATIONS
    }
    if set(found) != set(PERMUTATIONS):
        return NOTHING
    text = ", ".join(f"{name} {busiest}" for name, busiest in found.items())
    return Measured(f"packets on the busiest link: {text}", verdict(found == PERMUTATIONS))


def even_links(tests: Sequence[Test]) -> Measured:
    """All pairs load the links of each level alike."""
    rows = [
        (row["level"], row[f"packets a link {way}"])
        for _, result in _results(tests, "single_packets")
        for row in result.levels
        for way in ("up", "down")
        if row[f"packets a link {way}"]
    ]
    if not rows:
        return NOTHING
    text = ", ".join(f"level {level}: {packets}" for level, packets in rows)
    even = not any("…" in packets for _, packets in rows)
    return Measured(f"packets a link, up and down: {text}", verdict(even))


def all_pairs(tests: Sequence[Test]) -> Measured:
    """Every pair arrives over as few switches as can be (the scoreboard checks each route)."""
    found = [result for _, result in _results(tests, "single_packets")]
    if not found:
        return NOTHING
    sent, arrived = sum(r.sent for r in found), sum(r.delivered for r in found)
    text = f"{number(arrived)} of {number(sent)} packets arrived on shortest routes"
    return Measured(text, verdict(arrived == sent))


def _accepted(tests: Sequence[Test], family: str) -> dict[str, float]:
    """Mean accepted rate at full load by configuration."""
    rates: dict[str, list[float]] = {}
    for test, result in _results(tests, "saturation"):
        for figures in result.measurements:
            if figures["family"].startswith(f"{family},"):
                rates.setdefault(test.configuration, []).append(figures["accepted"])
    return {name: fmean(found) for name, found in rates.items()}


def virtual_channels_help(tests: Sequence[Test]) -> Measured:
    """Saturation under uniform traffic grows with the virtual channels, up to two as published."""
    names = {"one-vc-256": 1, "two-vcs-256": 2, "four-vcs-256": 4}
    rates = _accepted(tests, "uniform")
    if not set(names) <= set(rates):
        return NOTHING
    found = {vcs: rates[name] for name, vcs in names.items()}
    near = all(
        low - TOLERANCE <= found[vcs] <= high + TOLERANCE for vcs, (low, high) in SATURATION.items()
    )
    grows = all(less < more for less, more in pairwise(found[vcs] for vcs in sorted(found)))
    text = ", ".join(f"{vcs}: {100 * rate:.0f} %" for vcs, rate in found.items())
    return Measured(f"accepted by virtual channels: {text}", verdict(grows and near))


def complement_full(tests: Sequence[Test]) -> Measured:
    """Complement traffic goes at nearly full rate where its routes do not meet."""
    rates = _accepted(tests, "bitcomp")
    if "deterministic-256" not in rates or len(rates) < 2:
        return NOTHING
    text = ", ".join(f"{name} {100 * rate:.0f} %" for name, rate in sorted(rates.items()))
    return Measured(f"accepted: {text}", verdict(rates["deterministic-256"] >= 0.97 - TOLERANCE))


def routings_alike(tests: Sequence[Test]) -> Measured:
    """Balanced deterministic routing accepts about as much uniform traffic as adaptive routing."""
    rates = _accepted(tests, "uniform")
    try:
        fixed, adaptive = rates["deterministic-64"], rates["adaptive-64"]
    except KeyError:
        return NOTHING
    text = f"accepted: deterministic {100 * fixed:.1f} %, adaptive {100 * adaptive:.1f} %"
    return Measured(text, verdict(fixed >= (1 - ALIKE) * adaptive))


MEASURES: dict[str, Measure] = {
    measure.__name__: measure
    for measure in (
        one_destination,
        shifts_alone,
        permutation_loads,
        even_links,
        all_pairs,
        virtual_channels_help,
        complement_full,
        routings_alike,
    )
}
