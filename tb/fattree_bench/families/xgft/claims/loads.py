"""Measures of loads: destinations and packets of links."""

from collections.abc import Sequence

from fattree_bench.bench.claims import NOTHING, Figure, Measured, found, recorded
from fattree_bench.bench.result import Test
from fattree_bench.bench.wormhole.claims import results
from fattree_bench.words import number, plural, span

# Most packets on a link of the 4-ary 3-tree under D-mod-k (ours, counted).
PERMUTATIONS = {"bitcomp": 1, "tornado": 1, "shuffle": 2, "bitrev": 4, "transpose": 4}


def permutation_loads(tests: Sequence[Test]) -> Measured:
    """The busiest link under the permutations of the literature, as published."""
    loads = {
        name: busiest
        for _, result in results(tests, "link_loads")
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
        for _, result in results(tests, "single_packets")
        for row in result.rows("levels")
        for way in ("up", "down")
        if row[f"links_{way}"]
    ]
    if not loads:
        return NOTHING
    text = ", ".join(f"level {level}: {span(int(x or 0) for x in ends)}" for level, *ends in loads)
    even = all(least == most for _, least, most in loads)
    return found(f"packets per link, up and down: {text}", even)


def all_pairs(tests: Sequence[Test]) -> Measured:
    """Every pair arrives over as few switches as can be (the scoreboard checks each route).

    As printed, the slides' code makes tables over which some do not: a check follows them.
    """
    runs = [result for _, result in results(tests, "single_packets")]
    printed = recorded(tests, "pairs", "pairs_as_printed")
    if not runs or not printed:
        return NOTHING
    pairs, reached = (int(sum(column)) for column in zip(*printed, strict=True))
    sent, arrived = sum(r.sent for r in runs), sum(r.delivered for r in runs)
    text = f"{number(arrived)} of {number(sent)} packets arrived on shortest routes"
    return Measured(
        Figure(f"{number(reached)} of {plural(pairs, 'pair')} reached", reached == pairs),
        Figure(text, arrived == sent),
    )
