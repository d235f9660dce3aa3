"""Measures of what is claimed of all permutations and frames: counted by models and by Yosys."""

from collections.abc import Sequence

from fattree_bench.bench.claims import (
    NOTHING,
    Measured,
    found,
    leaves,
    losses,
    recorded,
    results,
    sizes,
)
from fattree_bench.bench.result import Test
from fattree_bench.families.lbbvn.claims import widths
from fattree_bench.words import number, plural


def every_permutation(tests: Sequence[Test]) -> Measured:
    """All N! permutations: the nonblocking degree loses nothing, no model asks for more."""
    runs = results(tests, ("all_permutations",))
    asked = recorded(tests, "permutations", "lanes_up", "lanes_down", "nonblocking")
    if not runs or not asked:
        return NOTHING
    more = sum(max(up, down) > enough for _, up, down, enough in asked)
    text = (
        f"{losses(runs)} in all permutations, {sizes(map(leaves, runs))}; {more} of "
        f"{plural(len(asked), 'level')} need more lanes for {number(int(max(a[0] for a in asked)))}"
    )
    return found(text, not more and all(run.lost == 0 for run in runs))


def fewer_lanes_block(tests: Sequence[Test]) -> Measured:
    """A lane less than nonblocking loses some permutation: up alone, down alone in the model."""
    runs = results(tests, ("all_permutations",))
    asked = recorded(tests, "lanes_up", "lanes_down", "nonblocking")
    if not runs or not asked:
        return NOTHING
    narrow = [run for run in runs if any(x < enough for x, enough in widths(run, "nonblocking"))]
    losing = sum(run.lost > 0 for run in narrow)
    less = [sum(way[place] < way[2] for way in asked) for place in (0, 1)]
    text = (
        f"{losing} of {plural(len(narrow), 'run')} with a lane less lost packets; fewer are enough "
        f"for all permutations at {less[0]} of {len(asked)} levels up, {less[1]} down"
    )
    return found(text, bool(narrow) and losing == len(narrow) and not any(less))


def nodes_without_state(tests: Sequence[Test]) -> Measured:
    """Internal nodes keep nothing, and deliver; registers of PIPELINE=1 count on their own."""
    runs, kept = results(tests), recorded(tests, "state_bits", "pipeline_bits")
    if not runs or not kept:
        return NOTHING
    bits, piped = (int(max(column)) for column in zip(*kept, strict=True))
    text = f"a node keeps {bits} bits of state ({piped} with PIPELINE=1); {losses(runs)}"
    return found(text, bits == 0 and all(run.lost == 0 for run in runs))
