"""What the papers say against what was measured: a figure and a verdict out of a claim's results.

A measure looks at nothing but results, so it says "it holds" only of what was run, and says nothing
at all (UNDECIDED) if a part of its evidence was not.
"""

import itertools
import math
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from fattree_bench.bench.result import ScenarioResult
from fattree_bench.families import offered
from fattree_bench.regress.measured import NOTHING, Measure, Measured
from fattree_bench.regress.measured import verdict as _verdict
from fattree_bench.report.regression import CORRECTED, FAILS, HOLDS, UNDECIDED, Claim, Test
from fattree_bench.report.words import number, plural

# Frames of permutations that map uniformly (Definition 3), and those that load-balanced switches
# have used before.
UNIFORM = ("frame", "shuffled_frame", "xor_frame", "inverse_frame")
FORMER = ("rotators", "symmetric_tdm")

# The paper gives no constant, this one is ours.
ONLINE_CONSTANT = 10


def judge(
    testpoint: str,
    network: str,
    source: str,
    says: str,
    verdict: str,
    measure: str,
    tests: Sequence[Test],
) -> Claim:
    """Measure a claim in the tests of its testpoint that were run.

    `verdict` is what the testplan holds it to be; a result that contradicts it is a surprise.
    """
    failed = sum(not test.passed for test in tests)
    if not tests:
        measured = NOTHING
    elif failed:
        measured = Measured(f"{number(failed)} of {plural(len(tests), 'test')} failed", FAILS)
    else:
        measured = MEASURES[measure](tests)
    found = measured.verdict
    contradicts = found != UNDECIDED and (found == FAILS) != (verdict == FAILS)
    if found == HOLDS and verdict == CORRECTED:
        found = CORRECTED
    return Claim(
        testpoint, network, source, says, measured.text, found, bool(failed) or contradicts
    )


# ---- what the measures share -------------------------------------------------------------------


@dataclass(frozen=True)
class Run:
    """A result, with what its table of channel levels says.

    `rows` are those of levels with channels, from the top: not the output ports of leaves, nor the
    levels inside fixed wires.
    """

    result: ScenarioResult
    height: int
    rows: list[dict[str, Any]]

    @property
    def scenario(self) -> str:
        return self.result.scenario

    @property
    def leaves(self) -> int:
        return 1 << self.height

    @property
    def lost(self) -> int:
        """What was sent and did not arrive."""
        return self.result.sent - self.result.delivered


def _runs(tests: Iterable[Test], scenarios: Sequence[str] = ()) -> list[Run]:
    """The tests that a simulator ran, of these scenarios."""
    found = []
    for test in tests:
        result = test.result
        if result is None or not result.levels or (scenarios and result.scenario not in scenarios):
            continue
        rows = [row for row in result.levels if isinstance(row["level"], int)]
        height = max(row["level"] for row in rows)
        channels = [row for row in rows if str(row.get("lanes", row.get("wires"))).isdigit()]
        found.append(Run(result, height, channels))
    return found


def _checks(tests: Iterable[Test]) -> list[Test]:
    """The tests that pytest ran."""
    return [test for test in tests if test.sim == "pytest"]


def _sizes(leaves: Iterable[int]) -> str:
    """As in "N = 16", "N = 2, 16" or, if none between is left out, "N = 2 … 64"."""
    sizes = sorted(set(leaves))
    whole = all(2 * low == high for low, high in itertools.pairwise(sizes))
    if whole and len(sizes) > 2:
        return f"N = {sizes[0]} … {sizes[-1]}"
    return f"N = {', '.join(map(str, sizes))}"


def _losses(runs: Sequence[Run]) -> str:
    """As in "48 of 256 packets lost"."""
    sent = sum(run.result.sent for run in runs)
    lost = sum(run.lost for run in runs)
    return f"{number(lost)} of {number(sent)} {runs[0].result.noun} lost"


def _lanes(row: dict[str, Any]) -> int:
    """Lanes of a level of the slot link."""
    return int(row["lanes"])


# ---- any network -------------------------------------------------------------------------------


def nothing_lost(tests: Sequence[Test]) -> Measured:
    """Everything that was sent has arrived."""
    runs = _runs(tests)
    if not runs:
        return NOTHING
    unit = runs[0].result.unit
    steps = sum(run.result.steps for run in runs)
    text = f"{_losses(runs)} in {number(steps)} {unit}, {_sizes(run.leaves for run in runs)}"
    return Measured(text, _verdict(all(run.lost == 0 for run in runs)))


def proofs(tests: Sequence[Test]) -> Measured:
    """Every check by pytest has passed."""
    checks = _checks(tests)
    if not checks:
        return NOTHING
    return Measured(_passed(checks), _verdict(all(check.passed for check in checks)))


def _passed(checks: Sequence[Test]) -> str:
    """As in "24 of 24 checks passed (partial_proof, partial_graph)"."""
    names = dict.fromkeys(re.split("[/:]", c.configuration)[-1].removesuffix(".py") for c in checks)
    passed = sum(check.passed for check in checks)
    told = f"{number(passed)} of {plural(len(checks), 'check')} passed"
    return f"{told} ({', '.join(name.removeprefix('test_') for name in names)})"


# ---- the fat-tree of a load-balanced switch ----------------------------------------------------


def fewer_lanes_lose(tests: Sequence[Test]) -> Measured:
    """Lemma 1: every frame loses packets where a level has fewer lanes than the bound."""
    narrow: dict[tuple[int, ...], list[Run]] = {}
    for run in _runs(tests):
        if any(_lanes(row) < row["Lemma 1"] for row in run.rows):
            narrow.setdefault(tuple(_lanes(row) for row in run.rows), []).append(run)
    runs = [run for group in narrow.values() for run in group]
    if not runs:
        return NOTHING
    losing = sum(run.lost > 0 for run in runs)
    least = min(run.lost / run.result.sent for run in runs)
    kinds = len({run.scenario for run in runs})
    text = (
        f"{losing} of {plural(len(runs), 'run')} of {plural(kinds, 'kind')} of frames lost packets "
        f"(at least {100 * least:.1f} %) in {plural(len(narrow), 'tree')} with a lane less, "
        f"{_sizes(run.leaves for run in runs)}"
    )
    return Measured(text, _verdict(losing == len(runs)))


def lanes_of_lemma_1(tests: Sequence[Test]) -> Measured:
    """Lemma 5, Corollary 6: the frames lose nothing and use as many lanes as Lemma 1 asks for."""
    runs = _runs(tests, UNIFORM)
    if not runs:
        return NOTHING
    rows = [row for run in runs for row in run.rows]
    other = sum(row["busiest"] != row["Lemma 1"] for row in rows)
    seen = f"not at {other} of {len(rows)} levels" if other else "at every level"
    text = (
        f"{_losses(runs)}; busiest channel = Lemma 1's lanes {seen}, "
        f"{_sizes(run.leaves for run in runs)}"
    )
    return Measured(text, _verdict(not other and all(run.lost == 0 for run in runs)))


def ceilings(tests: Sequence[Test]) -> Measured:
    """Lemma 1 as printed, without ceilings, is a fraction at some levels: a lane is needed more."""
    runs = _runs(tests, UNIFORM)
    printed: dict[tuple[int, int], Fraction] = {}
    used: dict[tuple[int, int], int] = {}
    for run in runs:
        for row in run.rows:
            j = row["level"]
            key = run.leaves, j
            printed[key] = Fraction((2**j - 1) * run.leaves, 4**j)
            used[key] = max(used.get(key, 0), row["busiest"])
    if not runs:
        return NOTHING
    short = [key for key in used if used[key] > printed[key]]
    wrong = [key for key in used if used[key] != math.ceil(printed[key])]
    text = (
        f"{number(len(short))} of {number(len(used))} levels used more than printed, "
        f"{number(len(wrong))} other than rounded up, {_sizes(n for n, _ in used)}"
    )
    if not short and not wrong:
        return Measured(text, UNDECIDED)  # whole numbers throughout: no ceiling was put to the test
    return Measured(text, _verdict(not wrong))


def saved_above_the_middle(tests: Sequence[Test]) -> Measured:
    """Below the middle a frame fills the nonblocking degree, above it does not need to."""
    runs = [run for run in _runs(tests, UNIFORM) if run.height > 1]
    if not runs:
        return NOTHING
    rows = [(run, row) for run in runs for row in run.rows]
    upper = [row for run, row in rows if row["level"] <= run.height // 2]
    lower = [row for run, row in rows if row["level"] > run.height // 2]
    less = sum(row["busiest"] < row["nonblocking"] for row in upper)
    full = sum(row["busiest"] == row["nonblocking"] for row in lower)
    text = (
        f"fewer lanes in use than nonblocking at {less} of {len(upper)} upper levels, "
        f"all at {full} of {len(lower)} lower ones, {_sizes(run.leaves for run in runs)}"
    )
    return Measured(text, _verdict(less == len(upper) and full == len(lower)))


def need_nonblocking(tests: Sequence[Test]) -> Measured:
    """Rotators and symmetric TDM lose packets below the nonblocking degree, and use all of it."""
    narrow: list[Run] = []
    full: list[Run] = []
    for run in _runs(tests, FORMER):
        whole = all(_lanes(row) == row["nonblocking"] for row in run.rows)
        (full if whole else narrow).append(run)
    full = [run for run in full if run.height > 1]  # two leaves: both degrees are one lane
    if not narrow or not full:
        return NOTHING
    used = all(row["busiest"] == row["nonblocking"] for run in full for row in run.rows)
    text = (
        f"{_losses(narrow)} on Lemma 1's lanes, {_sizes(run.leaves for run in narrow)}; "
        f"{_losses(full)} on nonblocking, {'all' if used else 'not all'} lanes in use"
    )
    holds = all(run.lost > 0 for run in narrow) and all(run.lost == 0 for run in full)
    return Measured(text, _verdict(holds and used))


def fixed_wires(tests: Sequence[Test]) -> Measured:
    """Fixed wires in the upper half carry what maps uniformly, and not what does not."""
    uniform, former = _runs(tests, UNIFORM), _runs(tests, FORMER)
    if not uniform or not former:
        return NOTHING
    text = (
        f"{_losses(uniform)} of frames that map uniformly, {_losses(former)} of rotators and "
        f"TDM, {_sizes(run.leaves for run in uniform)}"
    )
    holds = all(run.lost == 0 for run in uniform) and all(run.lost > 0 for run in former)
    return Measured(text, _verdict(holds))


# ---- the bit-serial fat-tree -------------------------------------------------------------------


@dataclass(frozen=True)
class Delivery:
    """A message set that was delivered whole; `lg` is lg n as the paper has it, at least 1."""

    how: str
    offline: bool
    factor: float
    cycles: int
    leaves: int
    narrowest: int  # wires of the narrowest channel

    @property
    def lg(self) -> float:
        return max(1.0, math.log2(self.leaves))


def _deliveries(tests: Iterable[Test]) -> Iterator[Delivery]:
    for run in _runs(tests):
        narrowest = min(row["wires"] for row in run.rows)
        for told in run.result.deliveries:
            yield Delivery(
                told["how"],
                told["offline"],
                told["load_factor"],
                told["cycles"],
                run.leaves,
                narrowest,
            )


def addresses(tests: Sequence[Test]) -> Measured:
    """Every pair is reached by the addresses that a check has found short enough."""
    runs, checks = _runs(tests), _checks(tests)
    if not runs or not checks:
        return NOTHING
    text = f"{_losses(runs)}, {_sizes(run.leaves for run in runs)}; {_passed(checks)}"
    holds = all(check.passed for check in checks) and all(run.lost == 0 for run in runs)
    return Measured(text, _verdict(holds))


def at_least_load_factor(tests: Sequence[Test]) -> Measured:
    """No message set was delivered in fewer cycles than its load factor."""
    sets = list(_deliveries(tests))
    if not sets:
        return NOTHING
    below = sum(s.cycles < s.factor for s in sets)
    text = f"{number(below)} of {number(len(sets))} sets took fewer than lambda cycles"
    ratios = [s.cycles / max(1, math.ceil(s.factor)) for s in sets if s.offline]
    if ratios:
        mean = sum(ratios) / len(ratios)
        text += f"; off-line d / ⌈lambda⌉: mean {mean:.2f}, worst {max(ratios):.2f}"
    return Measured(text, _verdict(not below))


def theorem_1(tests: Sequence[Test]) -> Measured:
    """Schedules made as in the proof take at most 2 lambda lg n delivery cycles, if lambda > 1."""
    sets = [s for s in _deliveries(tests) if s.how == "THEOREM1" and s.factor > 1]
    return _within(sets, lambda s: 2 * s.factor * s.lg, "2 lambda lg n")


def corollary_2(tests: Sequence[Test]) -> Measured:
    """With a lg n wires in every channel, 2 a / (a - 1) lambda cycles: no logarithm."""
    sets = [s for s in _deliveries(tests) if s.how == "COROLLARY2" and s.factor > 1]

    def bound(s: Delivery) -> float:
        a = s.narrowest / s.lg
        return 2 * a / (a - 1) * s.factor

    return _within(sets, bound, "2 a / (a - 1) lambda")


def _within(sets: Sequence[Delivery], bound: Callable[[Delivery], float], name: str) -> Measured:
    if not sets:
        return NOTHING
    shares = [s.cycles / bound(s) for s in sets]
    text = (
        f"{min(shares):.2f} … {max(shares):.2f} of {name} cycles in "
        f"{plural(len(sets), 'schedule')}, {_sizes(s.leaves for s in sets)}"
    )
    return Measured(text, _verdict(max(shares) <= 1))


def universal_capacities(tests: Sequence[Test]) -> Measured:
    """Wires in use at most are min(ceil(n / 2^k), ceil(w / 2^(2k/3))) at every level k."""
    trees: dict[tuple[int, ...], list[int]] = {}
    for run in _runs(tests):
        wires = tuple(row["wires"] for row in run.rows)
        used = trees.setdefault(wires, [0] * len(wires))
        for k, row in enumerate(run.rows):
            used[k] = max(used[k], min(row["busiest up"], row["busiest down"]))
    if not trees:
        return NOTHING
    right = [
        used[k] == wires[k] == _universal(1 << (len(wires) - 1), wires[0], k)
        for wires, used in trees.items()
        for k in range(len(wires))
    ]
    growth = [high / low for wires in trees for high, low in itertools.pairwise(wires) if low]
    text = (
        f"{sum(right)} of {len(right)} levels have, and fill, the formula's wires in "
        f"{plural(len(trees), 'tree')}, {_sizes(1 << (len(wires) - 1) for wires in trees)}; "
        f"steps of {min(growth):.2f} … {max(growth):.2f}"
    )
    return Measured(text, _verdict(all(right)))


def _universal(n: int, w: int, k: int) -> int:
    """min(ceil(n / 2^k), ceil(w / 2^(2k/3))), in whole numbers: c^3 4^k >= w^3."""
    root = math.ceil(w / 4 ** (k / 3))
    candidates = range(max(1, root - 1), root + 2)  # whatever the rounding of the floating point
    return min(-(-n >> k), next(c for c in candidates if c**3 * 4**k >= w**3))


def online_bound(tests: Sequence[Test]) -> Measured:
    """RANDOMISED delivery takes at most a constant times lambda + lg n lg lg n cycles.

    With high probability, which is read as 99 of 100 message sets of every size of tree.
    """
    shares: dict[int, list[float]] = {}
    for s in _deliveries(tests):
        if s.how == "RANDOMISED":
            bound = s.factor + s.lg * max(1.0, math.log2(s.lg))
            shares.setdefault(s.leaves, []).append(s.cycles / bound)
    if not shares:
        return NOTHING
    within = [sorted(own)[math.ceil(0.99 * len(own)) - 1] for own in shares.values()]
    text = (
        f"99 % of {plural(sum(map(len, shares.values())), 'set')} within {min(within):.2f} … "
        f"{max(within):.2f} times lambda + lg n lg lg n cycles, by size, {_sizes(shares)}"
    )
    return Measured(text, _verdict(max(within) <= ONLINE_CONSTANT))


MEASURES: dict[str, Measure] = {
    measure.__name__: measure
    for measure in (
        nothing_lost,
        proofs,
        fewer_lanes_lose,
        lanes_of_lemma_1,
        ceilings,
        saved_above_the_middle,
        need_nonblocking,
        fixed_wires,
        addresses,
        at_least_load_factor,
        theorem_1,
        corollary_2,
        universal_capacities,
        online_bound,
    )
}
for _, _measures in offered("claims", "MEASURES"):
    MEASURES |= _measures
