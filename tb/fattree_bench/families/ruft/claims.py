"""Measures of RUFT, and of the k-ary n-tree that it is made from."""

from collections.abc import Iterable, Sequence

from fattree_bench.bench.claims import NOTHING, Figure, Measured, found, recorded
from fattree_bench.bench.means import spread
from fattree_bench.bench.result import Number, Test
from fattree_bench.bench.wormhole.claims import accepted, measured, results
from fattree_bench.words import number, plural

TREE, REDUCED = "fig-4", "fig-5"  # the 2-ary 3-tree by its top, and what RUFT makes of it
FIGURE_5 = [4, 2, 1]  # destinations of the outputs of each stage
FULL_TREE, FULL_TOP, FULL_REDUCED = "deterministic-64", "top-64", "reduced-64"
NEAR = 0.1  # "nearly the same" throughput
LOW_TREE = "low-64"
LOW_REDUCED = {0: "long-0-64", 4: "long-4-64", 8: "long-8-64"}  # by LONG


def long_links(tests: Sequence[Test]) -> Measured:
    """Every packet takes as many switches as there are stages, and its leaf's own long link."""
    sums, told = [0] * 6, False
    for _, result in results(tests, "single_packets"):
        rows = result.rows("levels")
        if not rows:
            return NOTHING
        last, told = rows[-1], True
        hops, flits = (int(result.figure(name) or 0) for name in ("flit_hops", "flits"))
        ways = (int(last[name] or 0) for name in ("links_down_to_one", "links_down"))
        own = (result.delivered, result.sent, hops, len(rows) * flits, *ways)
        sums = [total + one for total, one in zip(sums, own, strict=True)]
    if not told:
        return NOTHING
    arrived, sent, hops, stages, alone, links = sums
    text = (
        f"{number(arrived)} of {number(sent)} packets; {number(hops)} of {number(stages)} switches "
        f"for their flits; {alone} of {plural(links, 'long link')} for one leaf"
    )
    return found(text, arrived == sent and hops == stages > 0 and alone == links > 0)


def collapsed(tests: Sequence[Test]) -> Measured:
    """RUFT reaches what Fig. 5 says, and carries what the tree carries to its top and below."""
    own = recorded(tests, "collapsed_pairs", "collapsed_differences")
    rows = {
        test.configuration: result.rows("levels")
        for test, result in results(tests, "single_packets")
        if result.sent == result.delivered
    }
    tree, reduced = rows.get(TREE), rows.get(REDUCED)
    if not own or not tree or not reduced:
        return NOTHING
    ways = [*["up"] * (len(reduced) - 1), "down"]
    ends = ("least", "most")
    reach = [
        [row[f"destinations_{way}_{end}"] for end in ends]
        for way, row in zip(ways, reduced, strict=True)
    ]
    loads = [
        [[row[f"packets_{way}_{end}"] for end in ends] for way, row in zip(ways, of, strict=True)]
        for of in (tree, reduced)
    ]
    pairs, differences = (int(sum(column)) for column in zip(*own, strict=True))
    text = (
        f"outputs lead to {_spans(reach)} leaves with {_spans(loads[1])} packets "
        f"({_spans(loads[0])} in the tree); {plural(differences, 'difference')} in "
        f"{number(pairs)} pairs of models"
    )
    right = reach == [[count, count] for count in FIGURE_5]
    return found(text, right and loads[0] == loads[1] and not differences)


def _spans(ends: Iterable[Sequence[Number]]) -> str:
    return ", ".join(f"{low}" if low == high else f"{low} … {high}" for low, high in ends)


def long_links_delay(tests: Sequence[Test]) -> Measured:
    """RUFT is faster at low load; as corrected: while its long links take less than is saved."""
    found = measured(tests, "traffic", "latency_mean")
    delays = {name: delay for name, own in found.items() for delay in own.values()}
    if not {LOW_TREE, *LOW_REDUCED.values()} <= set(delays):
        return NOTHING
    tree, own = delays[LOW_TREE], {long: delays[name] for long, name in LOW_REDUCED.items()}
    told = ", ".join(f"{delay:.1f} with LONG={long}" for long, delay in own.items())
    told = f"{told}, ± {max(x.high - x for x in (tree, *own.values())):.1f}"
    alike = tree - own[0]  # a register of a long link is a clock
    short = {long: long < alike for long in own}
    return Measured(
        Figure(
            f"{tree:.1f} clocks in the tree, {told}",
            all(delay.high < tree.low for delay in own.values()),
        ),
        Figure(
            f"alike at LONG={alike:.1f}",
            alike > 0
            and all(
                delay.high < tree.low if short[long] else delay.low > tree.high
                for long, delay in own.items()
            ),
        ),
    )


def reduced_throughput(tests: Sequence[Test]) -> Measured:
    """RUFT accepts about what the tree accepts; as corrected: the tree by its top."""
    rates = accepted(tests, "uniform")
    if not {FULL_TREE, FULL_TOP, FULL_REDUCED} <= set(rates):
        return NOTHING

    def beside(name: str) -> Figure:
        own, other = rates[FULL_REDUCED], rates[name]
        text = f"{own:.3f} for {other:.3f} flits per leaf and clock, {own / other:.0%}"
        near = own.low >= (1 - NEAR) * other.high and own.high <= (1 + NEAR) * other.low
        return Figure(f"{text}, {spread((own, other))}", near)

    return Measured(beside(FULL_TREE), beside(FULL_TOP))
