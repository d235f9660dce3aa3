"""Measures of what the papers claim of packet-switched fat-trees."""

from collections.abc import Iterator, Sequence
from itertools import pairwise
from statistics import fmean

from fattree_bench.bench.claims import NOTHING, Figure, Measured, found, named, recorded
from fattree_bench.bench.result import Number, ScenarioResult, Test
from fattree_bench.words import number, plural

# Most packets on a link of the 4-ary 3-tree under D-mod-k (ours, counted).
PERMUTATIONS = {"bitcomp": 1, "tornado": 1, "shuffle": 2, "bitrev": 4, "transpose": 4}
# Saturation of the 4-ary 4-tree, flits per leaf and clock, by virtual channels (Petrini and
# Vanneschi), from … to; the corrected claim is that four carry more than two.
SATURATION = {1: (0.35, 0.40), 2: (0.55, 0.60), 4: (0.75, 0.75)}
CONFIRMED = (1, 2)
COMPLEMENT = 0.97
TOLERANCE = 0.10  # of a trend
ALIKE = 0.15  # part by which two routings may differ and still be called as good


def _results(tests: Sequence[Test], scenario: str) -> Iterator[tuple[Test, ScenarioResult]]:
    """Results of one scenario, with their tests."""
    for test in tests:
        if test.result is not None and test.result.scenario == scenario:
            yield test, test.result


def _levels(tests: Sequence[Test]) -> list[dict[str, Number]]:
    """What went over the links of each level when every pair had sent a packet."""
    return [row for _, result in _results(tests, "single_packets") for row in result.rows("levels")]


def one_destination(tests: Sequence[Test]) -> Measured:
    """Under D-mod-k every link down carries the packets of one destination."""
    rows = _levels(tests)
    if not rows:
        return NOTHING
    links = sum(int(row["links_down"] or 0) for row in rows)
    right = sum(int(row["links_down_to_one"] or 0) for row in rows)
    text = f"{number(right)} of {plural(links, 'link')} down carry packets for one leaf"
    return found(text, right == links)


def shifts_alone(tests: Sequence[Test]) -> Measured:
    """No two packets of a cyclic shift meet."""
    most = [b for _, result in _results(tests, "shifts") for _, b in result.permutations]
    if not most:
        return NOTHING
    text = f"{sum(b == 1 for b in most)} of {plural(len(most), 'shift')} with one packet per link"
    return found(text, max(most) == 1)


def permutation_loads(tests: Sequence[Test]) -> Measured:
    """The busiest link under the permutations of the literature, as published."""
    loads = {
        name: busiest
        for _, result in _results(tests, "link_loads")
        for name, busiest in result.permutations
        if name in PERMUTATIONS
    }
    if set(loads) != set(PERMUTATIONS):
        return NOTHING
    text = ", ".join(f"{name} {busiest}" for name, busiest in loads.items())
    return found(f"packets on the busiest link: {text}", loads == PERMUTATIONS)


def even_links(tests: Sequence[Test]) -> Measured:
    """All pairs load the links of each level alike."""
    loads = [
        (row["level"], row[f"packets_{way}_least"], row[f"packets_{way}_most"])
        for row in _levels(tests)
        for way in ("up", "down")
        if row[f"links_{way}"]
    ]
    if not loads:
        return NOTHING
    text = ", ".join(
        f"level {level}: {least}" if least == most else f"level {level}: {least} … {most}"
        for level, least, most in loads
    )
    even = all(least == most for _, least, most in loads)
    return found(f"packets per link, up and down: {text}", even)


def all_pairs(tests: Sequence[Test]) -> Measured:
    """Every pair arrives over as few switches as can be (the scoreboard checks each route).

    As printed, the slides' code makes tables over which some do not: a check follows them.
    """
    runs = [result for _, result in _results(tests, "single_packets")]
    printed = recorded(tests, "pairs", "pairs_as_printed")
    if not runs or not printed:
        return NOTHING
    pairs, reached = (int(sum(column)) for column in zip(*printed, strict=True))
    sent, arrived = sum(r.sent for r in runs), sum(r.delivered for r in runs)
    return Measured(
        Figure(f"{number(reached)} of {plural(pairs, 'pair')} reached", reached == pairs),
        Figure(
            f"{number(arrived)} of {number(sent)} packets arrived on shortest routes",
            arrived == sent,
        ),
    )


def _accepted(tests: Sequence[Test], pattern: str) -> dict[str, float]:
    """Mean accepted rate at full load by configuration."""
    rates: dict[str, list[float]] = {}
    for test, result in _results(tests, "saturation"):
        for figures in result.measurements:
            if figures["pattern"] == pattern:
                rates.setdefault(test.configuration, []).append(figures["accepted"])
    return {name: fmean(own) for name, own in rates.items()}


def virtual_channels_help(tests: Sequence[Test]) -> Measured:
    """Saturation under uniform traffic grows with the virtual channels; published: how far."""
    names = {"one-vc-256": 1, "two-vcs-256": 2, "four-vcs-256": 4}
    rates = _accepted(tests, "uniform")
    if not set(names) <= set(rates):
        return NOTHING
    own = {vcs: rates[name] for name, vcs in names.items()}
    near = {
        vcs: low - TOLERANCE <= own[vcs] <= high + TOLERANCE
        for vcs, (low, high) in SATURATION.items()
    }
    grows = all(less < more for less, more in pairwise(own.values()))
    text = ", ".join(f"{vcs}: {100 * rate:.0f} %" for vcs, rate in own.items())
    published = ", ".join(f"{vcs}: {100 * high:.0f} %" for vcs, (_, high) in SATURATION.items())
    return Measured(
        Figure(
            f"accepted by virtual channels {text}; published {published}",
            all(near.values()),
        ),
        Figure(
            f"{'more' if grows else 'not more'} with more channels, with 1 and 2 "
            f"{'as' if all(near[vcs] for vcs in CONFIRMED) else 'other than'} published",
            grows and all(near[vcs] for vcs in CONFIRMED),
        ),
    )


def complement_full(tests: Sequence[Test]) -> Measured:
    """Complement traffic goes at nearly full rate: always, or where its routes do not meet."""
    rates = _accepted(tests, "bitcomp")
    if "deterministic-256" not in rates or len(rates) < 2:
        return NOTHING
    text = ", ".join(f"{name} {100 * rate:.0f} %" for name, rate in sorted(rates.items()))
    fixed = rates["deterministic-256"]
    return Measured(
        Figure(f"accepted: {text}", min(rates.values()) >= COMPLEMENT - TOLERANCE),
        Figure(f"{100 * fixed:.0f} % by routes that do not meet", fixed >= COMPLEMENT - TOLERANCE),
    )


def routings_alike(tests: Sequence[Test]) -> Measured:
    """Balanced deterministic routing accepts about as much uniform traffic as adaptive routing."""
    rates = _accepted(tests, "uniform")
    try:
        fixed, adaptive = rates["deterministic-64"], rates["adaptive-64"]
    except KeyError:
        return NOTHING
    text = f"accepted: deterministic {100 * fixed:.1f} %, adaptive {100 * adaptive:.1f} %"
    return found(text, fixed >= (1 - ALIKE) * adaptive)


MEASURES = named(
    one_destination,
    shifts_alone,
    permutation_loads,
    even_links,
    all_pairs,
    virtual_channels_help,
    complement_full,
    routings_alike,
)
