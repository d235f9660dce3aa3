"""Measures of what is claimed of the fat-tree of a load-balanced switch."""

import math
from collections.abc import Sequence
from fractions import Fraction

from fattree_bench.bench.claims import (
    NOTHING,
    Measured,
    found,
    leaves,
    losses,
    results,
    sizes,
)
from fattree_bench.bench.result import ScenarioResult, Test
from fattree_bench.words import number, plural

# Frames of permutations that map uniformly (Definition 3), and those that load-balanced switches
# have used before.
UNIFORM = ("frame", "shuffled_frame", "xor_frame", "inverse_frame")
FORMER = ("rotators", "symmetric_tdm")

Level = dict[str, int]


def channels(run: ScenarioResult) -> list[Level]:
    """Rows of levels with channels, from the top: no outputs of leaves, no fixed wires."""
    return [
        {name: int(value) for name, value in row.items() if value is not None}
        for row in run.rows("levels")
        if row["level"] is not None and row["lanes"] is not None
    ]


def fewer_lanes_lose(tests: Sequence[Test]) -> Measured:
    """Lemma 1: every frame loses packets where a level has fewer lanes than the bound."""
    narrow: dict[tuple[int, ...], list[ScenarioResult]] = {}
    for run in results(tests):
        rows = channels(run)
        if any(row["lanes"] < row["bound"] for row in rows):
            narrow.setdefault(tuple(row["lanes"] for row in rows), []).append(run)
    runs = [run for group in narrow.values() for run in group]
    if not runs:
        return NOTHING
    losing = sum(run.lost > 0 for run in runs)
    least = min(run.lost / run.sent for run in runs)
    kinds = len({run.scenario for run in runs})
    text = (
        f"{losing} of {plural(len(runs), 'run')} of {plural(kinds, 'kind')} of frames lost packets "
        f"(at least {100 * least:.1f} %) in {plural(len(narrow), 'tree')} with a lane less, "
        f"{sizes(map(leaves, runs))}"
    )
    return found(text, losing == len(runs))


def lanes_of_lemma_1(tests: Sequence[Test]) -> Measured:
    """Lemma 5, Corollary 6: the frames lose nothing and use as many lanes as Lemma 1 asks for."""
    runs = results(tests, UNIFORM)
    rows = [row for run in runs for row in channels(run)]
    if not rows:
        return NOTHING
    other = sum(row["busiest"] != row["bound"] for row in rows)
    seen = f"not at {other} of {len(rows)} levels" if other else "at every level"
    text = f"{losses(runs)}; busiest channel = Lemma 1's lanes {seen}, {sizes(map(leaves, runs))}"
    return found(text, not other and all(run.lost == 0 for run in runs))


def degrees(tests: Sequence[Test]) -> Measured:
    """Lemma 1's degrees, which the paper rounds up: also where they are fractions."""
    exact: dict[tuple[int, int], Fraction] = {}
    used: dict[tuple[int, int], int] = {}
    for run in results(tests, UNIFORM):
        for row in channels(run):
            j = row["level"]
            key = leaves(run), j
            exact[key] = Fraction((2**j - 1) * leaves(run), 4**j)
            used[key] = max(used.get(key, 0), row["busiest"])
    rounded = sum(lanes.denominator > 1 for lanes in exact.values())
    if not rounded:
        return NOTHING
    wrong = sum(used[key] != math.ceil(exact[key]) for key in used)
    text = (
        f"{number(wrong)} of {number(len(used))} levels use other than ⌈2^(n-j) (1 - 2^-j)⌉ lanes, "
        f"a fraction before at {number(rounded)}, {sizes(n for n, _ in used)}"
    )
    return found(text, not wrong)


def saved_above_the_middle(tests: Sequence[Test]) -> Measured:
    """Below the middle a frame fills the nonblocking degree, above it does not need to."""
    runs = [run for run in results(tests, UNIFORM) if leaves(run) > 2]
    rows = [(leaves(run).bit_length() - 1, row) for run in runs for row in channels(run)]
    if not rows:
        return NOTHING
    upper = [row for height, row in rows if row["level"] <= height // 2]
    lower = [row for height, row in rows if row["level"] > height // 2]
    less = sum(row["busiest"] < row["nonblocking"] for row in upper)
    full = sum(row["busiest"] == row["nonblocking"] for row in lower)
    text = (
        f"fewer lanes in use than nonblocking at {less} of {len(upper)} upper levels, "
        f"all at {full} of {len(lower)} lower ones, {sizes(map(leaves, runs))}"
    )
    return found(text, less == len(upper) and full == len(lower))


def need_nonblocking(tests: Sequence[Test]) -> Measured:
    """Rotators and symmetric TDM lose packets below the nonblocking degree, and use all of it."""
    narrow: list[ScenarioResult] = []
    full: list[ScenarioResult] = []
    for run in results(tests, FORMER):
        whole = all(row["lanes"] == row["nonblocking"] for row in channels(run))
        (full if whole else narrow).append(run)
    full = [run for run in full if leaves(run) > 2]  # two leaves: both degrees are one lane
    if not narrow or not full:
        return NOTHING
    used = all(row["busiest"] == row["nonblocking"] for run in full for row in channels(run))
    text = (
        f"{losses(narrow)} on Lemma 1's lanes, {sizes(map(leaves, narrow))}; "
        f"{losses(full)} on nonblocking, {'all' if used else 'not all'} lanes in use"
    )
    holds = all(run.lost > 0 for run in narrow) and all(run.lost == 0 for run in full)
    return found(text, holds and used)


def fixed_wires(tests: Sequence[Test]) -> Measured:
    """Fixed wires in the upper half carry what maps uniformly, and not what does not."""
    uniform, former = results(tests, UNIFORM), results(tests, FORMER)
    if not uniform or not former:
        return NOTHING
    text = (
        f"{losses(uniform)} of frames that map uniformly, {losses(former)} of rotators and "
        f"TDM, {sizes(map(leaves, uniform))}"
    )
    holds = all(run.lost == 0 for run in uniform) and all(run.lost > 0 for run in former)
    return found(text, holds)
