"""Measures of paths, spines and bisections, by what checks have counted on whole trees."""

from collections.abc import Sequence
from dataclasses import replace

from fattree_bench.bench.claims import NOTHING, Figure, Measured, found, named, recorded
from fattree_bench.bench.result import Test
from fattree_bench.families.xgft.claims.shared import both, equal
from fattree_bench.words import number, plural

EVEN = 0.3  # part by which the mean of many draws may differ from link to link


def path_diversity(tests: Sequence[Test]) -> Measured:
    """All pairs at different switches have a choice of paths; where there is one parent, none."""
    own = recorded(tests, "pairs", "pairs_apart", "pairs_with_a_choice", "pairs_of_one_root")
    if not own:
        return NOTHING
    pairs, apart, many, alone = (int(sum(column)) for column in zip(*own, strict=True))
    text = (
        f"{number(many)} of {number(apart)} pairs at different switches, of {number(pairs)}; "
        f"{number(alone)} in trees with one parent"
    )
    return found(text, all(m == far and not a for _, far, m, a in own))


def shortest_ways(tests: Sequence[Test]) -> Measured:
    """Shortest ways leave links idle or load them unevenly, longer ones do not."""
    used = recorded(tests, "links", "used_nearest", "used_top")
    ends = recorded(tests, "most_nearest", "least_nearest", "most_top", "least_top")
    if not used or not ends:
        return NOTHING
    links, near, top = (int(sum(column)) for column in zip(*used, strict=True))
    uneven = max(most / least for most, least, *_ in ends)
    even = max(most / least for *_, most, least in ends)
    text = (
        f"neighbours use {number(near)} of {number(links)} links, {number(top)} by the top; all "
        f"pairs: busiest over least {uneven:.2f}, {even:.2f} by the top"
    )
    return found(text, near < top and uneven > 1 and even == 1)


def valiant(tests: Sequence[Test]) -> Measured:
    """Random ancestors load links alike in the mean, and not in each draw."""
    own = recorded(tests, "mean_least", "mean_most", "busiest_least", "busiest_most")
    if not own:
        return NOTHING
    low, high = min(one[0] for one in own), max(one[1] for one in own)
    least, most = min(one[2] for one in own), max(one[3] for one in own)
    text = (
        f"packets on a link {low:.2f} … {high:.2f} in the mean of all draws, {least:.0f} … "
        f"{most:.0f} on the busiest of each"
    )
    return found(text, low >= 1 - EVEN and high <= 1 + EVEN and least >= 2)


def digits_choose(tests: Sequence[Test]) -> Measured:
    """Digit i of the destination at stage i, neighbours apart, one top for each destination."""
    return Measured(
        equal(
            tests,
            digits=("choices_by_digit", "choices"),
            neighbours=("neighbours_apart", "neighbours"),
            tops=("tops", "destinations"),
        )
    )


def no_contention_down(tests: Sequence[Test]) -> Measured:
    """By the top nobody contends on the way down; as corrected: below the top's own ports."""
    own = recorded(tests, "inputs_top", "inputs_below_top", "inputs_below_nearest")
    if not own:
        return NOTHING
    top, below, nearest = (int(max(column)) for column in zip(*own, strict=True))
    return Measured(
        Figure(f"up to {max(top, below)} inputs for a port down", max(top, below) == 1),
        Figure(
            f"{below} below the top; {nearest} if packets turn where they can",
            below == 1 < nearest,
        ),
    )


def spines(tests: Sequence[Test]) -> Measured:
    """(N/2)^(L-1) ways up from a leaf, and every spine switch reaches every leaf."""
    return Measured(
        equal(
            tests,
            ways=("paths_printed", "paths"),
            spines=("spines_that_reach_all", "spines"),
        )
    )


def constant_bisection(tests: Sequence[Test]) -> Measured:
    """As many links between any two levels as leaves, and half of them between halves."""
    own = recorded(tests, "nodes", "level_least", "level_most", "bisection")
    if not own:
        return NOTHING
    good = sum(n == low == high == 2 * cut for n, low, high, cut in own)
    text = f"{good} of {len(own)} trees: M links at every level, M/2 between halves"
    return found(text, good == len(own))


def top_left_out(tests: Sequence[Test]) -> Measured:
    """Every route stays, as loaded, if the top's links are joined; corrected: of two halves.

    A switch of the top level with two children has one output for an input: it is a wire.  In a
    tree that grows it has more.
    """
    names = "pairs", "pairs_without_top", "busiest_at_top", "busiest_without_top"
    own = recorded(tests, *names, "children_of_top")
    grown = recorded(tests, "outputs_if_grown")
    if 2 not in {one[-1] for one in own} or not grown:
        return NOTHING
    least = min(outputs for (outputs,) in grown)
    every, halves = _left_out(own), _left_out([one for one in own if one[-1] == 2])
    text = f"{halves.text} of two halves; grown: {least:g} outputs"
    return both(every, replace(halves, text=text, holds=halves.holds and least > 1))


def _left_out(own: Sequence[tuple[float, ...]]) -> Figure:
    """How many routes stay in these trees, and whether their links are as busy."""
    pairs, kept = (int(sum(one[column] for one in own)) for column in (0, 1))
    same = all(before == after for _, _, before, after, _ in own)
    text = (
        f"{number(kept)} of {number(pairs)} routes stay, links {'as' if same else 'not as'} busy, "
        f"in {plural(len(own), 'tree')}"
    )
    return Figure(text, kept == pairs and same)


def one_root(tests: Sequence[Test]) -> Measured:
    """With one root the wires of a switch double at each level; k-ary switches stay the same."""
    own = recorded(tests, "growth_least", "growth_most", "wires_of_root", "fixed_ports", "lg")
    if not own:
        return NOTHING
    low, high = min(one[0] for one in own), max(one[1] for one in own)
    _, _, wires, _, lg = max(own, key=lambda one: one[4])
    ports = max(one[3] for one in own)
    text = (
        f"times {low:g} … {high:g} a level, {number(int(wires))} wires at the root of 2^{lg:.0f} "
        f"leaves; {ports:.0f} ports in a 2-ary tree"
    )
    return found(text, low == high == 2 and ports == 4)


def links_up_faster(tests: Sequence[Test]) -> Measured:
    """Links up k times as fast keep the bisection; as corrected: links that are all alike do."""
    own = recorded(tests, "faster_least", "faster_most", "alike_least", "alike_most")
    if not own:
        return NOTHING
    growth = max(high / low for low, high, *_ in own)
    alike = max(high / low for *_, low, high in own)
    return Measured(
        Figure(f"the capacity of a level grows up to {growth:g} times", growth == 1),
        Figure(f"links alike: {alike:g} times", alike == 1),
    )


MEASURES = named(
    path_diversity,
    shortest_ways,
    valiant,
    digits_choose,
    no_contention_down,
    spines,
    constant_bisection,
    top_left_out,
    one_root,
    links_up_faster,
)
