"""Measures of what the papers claim of the bit-serial fat-tree."""

import math
from collections.abc import Sequence

from fattree_bench.bench.claims import (
    NOTHING,
    Measured,
    checks,
    found,
    leaves,
    losses,
    passed,
    results,
    sizes,
)
from fattree_bench.bench.result import Test
from fattree_bench.families.leiserson.claims_hardware import GATES, LEVELS
from fattree_bench.families.leiserson.deliveries import Delivery, deliveries, within
from fattree_bench.words import number

# The paper gives no constants, these are ours.
POLYLOGARITHM = 0.2  # what grows as a power of n below this one counts as no power
CONSTANTS = {"POLYLOGARITHM": POLYLOGARITHM, "GATES": GATES, "LEVELS": LEVELS}  # of the testplan


def addresses(tests: Sequence[Test]) -> Measured:
    """Every pair is reached by the addresses that a check has found short enough."""
    runs, own = results(tests), checks(tests)
    if not runs or not own:
        return NOTHING
    text = f"{losses(runs)}, {sizes(map(leaves, runs))}; {passed(own)}"
    return found(text, all(c.passed for c in own) and all(run.lost == 0 for run in runs))


def at_least_load_factor(tests: Sequence[Test]) -> Measured:
    """No message set was delivered in fewer cycles than its load factor."""
    sets = list(deliveries(tests))
    if not sets:
        return NOTHING
    below = sum(s.cycles < s.factor for s in sets)
    text = f"{number(below)} of {number(len(sets))} sets took fewer than lambda cycles"
    ratios = [s.cycles / max(1, math.ceil(s.factor)) for s in sets if s.offline]
    if ratios:
        mean = sum(ratios) / len(ratios)
        text += f"; off-line d / ⌈lambda⌉: mean {mean:.2f}, worst {max(ratios):.2f}"
    return found(text, not below)


def theorem_1(tests: Sequence[Test]) -> Measured:
    """Schedules made as in the proof take at most 2 lambda lg n delivery cycles, if lambda > 1."""
    sets = [s for s in deliveries(tests) if s.how == "THEOREM1" and s.factor > 1]
    return within(sets, lambda s: 2 * s.factor * s.lg, "2 lambda lg n")


def corollary_2(tests: Sequence[Test]) -> Measured:
    """With a lg n wires in every channel, 2 a / (a - 1) lambda cycles: no logarithm."""
    sets = [s for s in deliveries(tests) if s.how == "COROLLARY2" and s.factor > 1]

    def bound(s: Delivery) -> float:
        a = s.narrowest / s.lg
        return 2 * a / (a - 1) * s.factor

    return within(sets, bound, "2 a / (a - 1) lambda")
