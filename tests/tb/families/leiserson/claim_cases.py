"""Results of the bit-serial fat-tree, and what measures must say of them."""

from fattree_bench.bench.result import Test
from tests.tb.families.claim_case import Cases, corrected, fails, holds, undecided
from tests.tb.families.leiserson.claim_results import check, cycles, scheduled
from tests.tb.families.leiserson.hardware_cases import HARDWARE
from tests.tb.families.leiserson.schedule_cases import SCHEDULES


def alignment(apart: int) -> Test:
    return check(sets=50, sets_that_no_delay_aligns=apart)


def at_most(times: float) -> Test:
    """A set of 16 processors that takes so many times lambda + lg n lg lg n cycles."""
    return scheduled(("RANDOMISED", 2.0, round(10 * times)))


def disciplines(grown: float, again: float = 0.02, most: float = 0.7) -> Test:
    """How cycles over the bound grow, within 0.1: RANDOMISED, and RETRY."""
    halves = {"randomised_growth_half": 0.1, "retry_growth_half": 0.1}
    return check(randomised_growth=grown, retry_growth=again, retry_most=most, **halves)


CASES: Cases = {
    # ---- addresses
    "addresses": (
        holds(
            "0 of 1\N{NO-BREAK SPACE}200 messages lost, N = 16; 1 of 1 check passed (address)",
            cycles(),
            check(),
        ),
        fails("1 of 1\N{NO-BREAK SPACE}200 messages lost", cycles(lost=1), check()),
        fails("0 of 1 check passed", cycles(), check(passed=False)),
        undecided(cycles()),
        undecided(check()),
    ),
    # ---- d >= lambda
    "at_least_load_factor": (
        holds(
            "0 of 3 sets took fewer than lambda cycles; off-line d / ⌈lambda⌉: mean 1.17, worst "
            "1.33",
            scheduled(("BALANCED", 2.5, 3), ("BALANCED", 3.0, 4)),
            scheduled(("RETRY", 4.0, 9)),
        ),
        holds(
            "0 of 2 sets took fewer than lambda cycles",
            scheduled(("RETRY", 2.5, 3), ("RETRY", 0.5, 1)),
        ),
        fails("1 of 1 sets", scheduled(("RETRY", 2.5, 2))),
        undecided(scheduled()),
    ),
    # ---- Theorem 1: 2 lambda lg n = 24 cycles for lambda = 3 and 16 processors
    "theorem_1": (
        holds(
            "0.25 … 0.50 of 2 lambda lg n cycles in 2 schedules, N = 16",
            scheduled(("THEOREM1", 3.0, 12), ("THEOREM1", 3.0, 6), ("RETRY", 3.0, 99)),
        ),
        holds("1.00 … 1.00 of 2 lambda", scheduled(("THEOREM1", 3.0, 24))),
        fails("1.04 … 1.04 of 2 lambda", scheduled(("THEOREM1", 3.0, 25))),
        # The theorem is about lambda > 1; lg 2 counts as 1.
        undecided(scheduled(("THEOREM1", 1.0, 99), ("GREEDY", 9.0, 99))),
        fails("1.25 … 1.25", scheduled(("THEOREM1", 2.0, 5), wires=[2, 1])),
    ),
    # ---- Corollary 2: a = 8 / 4 = 2, so 4 lambda
    "corollary_2": (
        holds(
            "0.33 … 0.50 of 2 a / (a - 1) lambda cycles in 2 schedules, N = 16",
            scheduled(("COROLLARY2", 2.0, 4), ("COROLLARY2", 3.0, 4), wires=[9, 8, 8, 8, 8]),
        ),
        fails("1.12 … 1.12 of", scheduled(("COROLLARY2", 2.0, 9), wires=[8] * 5)),
        undecided(scheduled(("THEOREM1", 2.0, 9), wires=[8] * 5)),
    ),
    # ---- one-cycle sets
    "one_cycle_sets": (
        corrected(
            "as printed: no delay at the senders aligns 48 of 50 sets; as corrected: 0 of "
            "1\N{NO-BREAK SPACE}200 messages lost in 40",
            cycles(),
            alignment(48),
        ),
        holds("aligns 0 of 50 sets", cycles(), alignment(0)),
        fails("corrected: 1 of 1", cycles(lost=1), alignment(48)),
        undecided(cycles()),
        undecided(alignment(48)),
    ),
    **HARDWARE,
    **SCHEDULES,
}
