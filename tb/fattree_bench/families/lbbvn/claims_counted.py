"""Measures of what is claimed of all permutations and frames: counted by models and by Yosys."""

from collections.abc import Sequence

from fattree_bench.bench.claims import NOTHING, Measured, found, recorded, results
from fattree_bench.bench.result import Test
from fattree_bench.families.lbbvn.claims import widths
from fattree_bench.words import plural


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
