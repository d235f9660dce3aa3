"""Measures of what is claimed of the fat-tree of a load-balanced switch."""

import math
from collections.abc import Sequence
from fractions import Fraction

from fattree_bench.bench.claims import NOTHING, Measured, found, leaves, losses, results, sizes
from fattree_bench.bench.result import ScenarioResult, Test
from fattree_bench.words import number, plural

# Frames of permutations that map uniformly (Definition 3), and those that load-balanced switches
# have used before.
UNIFORM = ("frame", "shuffled_frame", "xor_frame", "inverse_frame")
FORMER = ("rotators", "symmetric_tdm")

Level = dict[str, int]


def channels(run: ScenarioResult) -> list[Level]:
    """Rows of levels whose channels were seen in the RTL, from the top: no fixed wires, no root."""
    return [
        {name: int(value) for name, value in row.items() if value is not None}
        for row in run.rows("levels")
        if row["level"] and row["lanes_up"] is not None
    ]


def each_way(row: Level, figure: str, other: str) -> list[tuple[int, int]]:
    """A figure of the RTL and what it is compared with, up and down."""
    return [(row[f"{figure}_{way}"], row[other]) for way in ("up", "down")]


def filled(row: Level, known: str) -> bool:
    """The RTL has so many lanes each way, no more and no fewer, and has used them all at once."""
    both = each_way(row, "lanes", known) + each_way(row, "busiest", known)
    return all(seen == wanted for seen, wanted in both)


def widths(run: ScenarioResult, other: str) -> list[tuple[int, int]]:
    """Lanes of each level and way of the RTL, and what they are compared with."""
    return [pair for row in channels(run) for pair in each_way(row, "lanes", other)]


def fewer_lanes_lose(tests: Sequence[Test]) -> Measured:
    """Lemma 1: every frame loses packets where a level has fewer lanes than the bound."""
    narrow: dict[tuple[int, ...], list[ScenarioResult]] = {}
    for run in results(tests):
        lanes = widths(run, "bound")
        if any(own < bound for own, bound in lanes):
            narrow.setdefault(tuple(own for own, _ in lanes), []).append(run)
    runs = [run for group in narrow.values() for run in group]
    if not runs:
        return NOTHING
    losing = sum(run.lost > 0 for run in runs)
    least = min(run.lost / run.sent for run in runs)
    kinds = len({run.scenario for run in runs})
    text = (
        f"{losing} of {plural(len(runs), 'run')} of {plural(kinds, 'kind')} of frames lost packets "
        f"(at least {100 * least:.1f} %) in {plural(len(narrow), 'tree')} with fewer lanes, "
        f"{sizes(map(leaves, runs))}"
    )
    return found(text, losing == len(runs))


def lanes_of_lemma_1(tests: Sequence[Test]) -> Measured:
    """Lemma 5, Corollary 6: an RTL of Lemma 1's lanes, no more, all in use, loses nothing."""
    runs = results(tests, UNIFORM)
    rows = [row for run in runs for row in channels(run)]
    if not rows:
        return NOTHING
    other = sum(not filled(row, "bound") for row in rows)
    same = f"{len(rows) - other} of {len(rows)} levels have Lemma 1's lanes up and down"
    text = f"{losses(runs)}; {same}, all of them in use, {sizes(map(leaves, runs))}"
    return found(text, not other and all(run.lost == 0 for run in runs))


def degrees(tests: Sequence[Test]) -> Measured:
    """Degrees of the RTL's nodes are Lemma 1's, rounded up: also where they are fractions."""
    exact: dict[tuple[int, int], Fraction] = {}
    wrong: set[tuple[int, int]] = set()
    for run in results(tests, UNIFORM):
        n = leaves(run)
        for row in channels(run):
            j = row["level"]
            exact[n, j] = _mean_load(n, j)
            up, down = math.ceil(_mean_load(n, j)), 2 * math.ceil(_mean_load(n, j + 1))
            below = down if 2**j == n else row.get("below")  # leaves have nothing below
            if not filled({**row, "degree": up}, "degree") or below != down:
                wrong.add((n, j))
    rounded = sum(lanes.denominator > 1 for lanes in exact.values())
    if not rounded:
        return NOTHING
    text = (
        f"{number(len(exact) - len(wrong))} of {number(len(exact))} levels have and use Lemma 1's "
        f"lanes, up and down; at {number(rounded)} the bound was a fraction and is rounded up"
    )
    return found(f"{text}, {sizes(n for n, _ in exact)}", not wrong)


def _mean_load(n: int, j: int) -> Fraction:
    """2^(n-j) (1 - 2^-j) of n leaves, eq. (8)."""
    return Fraction((2**j - 1) * n, 4**j)


def saved_above_the_middle(tests: Sequence[Test]) -> Measured:
    """Above the middle the RTL has fewer lanes than nonblocking, below as many, and loses none."""
    runs = [run for run in results(tests, UNIFORM) if leaves(run) > 2]
    rows = [(leaves(run).bit_length() - 1, row) for run in runs for row in channels(run)]
    if not rows:
        return NOTHING
    upper = [row for height, row in rows if row["level"] <= height // 2]
    lower = [row for height, row in rows if row["level"] > height // 2]
    less = sum(all(x < y for x, y in each_way(row, "lanes", "nonblocking")) for row in upper)
    full = sum(filled(row, "nonblocking") for row in lower)
    text = (
        f"{less} of {len(upper)} upper levels have fewer lanes than nonblocking, "
        f"{full} of {len(lower)} lower ones as many, all in use; {losses(runs)}, "
        f"{sizes(map(leaves, runs))}"
    )
    lost = any(run.lost for run in runs)
    return found(text, not lost and less == len(upper) and full == len(lower))


def need_nonblocking(tests: Sequence[Test]) -> Measured:
    """Rotators and symmetric TDM lose packets below the nonblocking degree, and use all of it."""
    narrow: list[ScenarioResult] = []
    full: list[ScenarioResult] = []
    for run in results(tests, FORMER):
        if lanes := widths(run, "nonblocking"):
            (full if all(own == enough for own, enough in lanes) else narrow).append(run)
    full = [run for run in full if leaves(run) > 2]  # two leaves: both degrees are one lane
    if not narrow or not full:
        return NOTHING
    used = all(filled(row, "nonblocking") for run in full for row in channels(run))
    text = (
        f"{losses(narrow)} on Lemma 1's lanes, {sizes(map(leaves, narrow))}; "
        f"{losses(full)} on nonblocking ones, {'all' if used else 'not all'} in use"
    )
    holds = all(run.lost > 0 for run in narrow) and all(run.lost == 0 for run in full)
    return found(text, holds and used)


def fixed_wires(tests: Sequence[Test]) -> Measured:
    """Fixed wires in the upper half carry what maps uniformly, and not what does not."""
    uniform, former = results(tests, UNIFORM), results(tests, FORMER)
    if not uniform or not former:
        return NOTHING
    text = (
        f"{losses(uniform)} in frames that map uniformly, {losses(former)} in rotators and "
        f"TDM, {sizes(map(leaves, uniform))}"
    )
    holds = all(run.lost == 0 for run in uniform) and all(run.lost > 0 for run in former)
    return found(text, holds)
