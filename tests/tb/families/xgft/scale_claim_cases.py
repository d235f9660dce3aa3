"""What measures of larger trees must say of measured runs."""

from fattree_bench.bench.means import SEEDS
from fattree_bench.bench.result import Test
from tests.tb.families.claim_case import Cases, corrected, fails, holds, undecided
from tests.tb.families.xgft.load_claim_cases import run
from tests.tb.families.xgft.optimised_claim_cases import sweep


def carried(leaves: int, accepted: float, pattern: str = "uniform") -> Test:
    figures = {"pattern": pattern, "accepted": accepted}
    return run("saturation", f"scale-{leaves}", *[figures] * SEEDS, leaves=leaves)


SMALL = sweep(36, {0.1: 16.0, 0.3: 20.0, 0.5: 115.0}, {0.1: 16.5, 0.3: 19.0, 0.5: 25.0})
PLAIN = {0.1: 23.0, 0.3: 40.0}


def apart(later: float, sooner: float = 24.0) -> tuple[Test, ...]:
    """Both sizes; of the larger optimum, delays at loads 0.1 and 0.3."""
    return (*SMALL, *sweep(60, PLAIN, {0.1: sooner, 0.3: later}))


CASES: Cases = {
    "further_apart": (
        corrected("by more at 1 of 2 loads", *apart(30.0)),
        holds("by more at 2 of 2 loads", *apart(30.0, 20.0)),
        fails("by more at 0 of 2 loads", *apart(39.5)),
        undecided(*SMALL),
        undecided(*SMALL, *sweep(60, {0.3: 40.0}, {0.3: 30.0})),
    ),
    "scales_up": (
        holds("0.700 at N = 16, 0.650 at N = 64", carried(16, 0.7), carried(64, 0.65)),
        corrected("grows by 80% of what leaves do", carried(16, 0.7), carried(64, 0.56)),
        corrected("by 80%", carried(16, 0.5), carried(64, 0.5), carried(256, 0.4)),
        fails("grows by 25%", carried(64, 0.06), carried(16, 0.24)),
        undecided(carried(16, 0.7)),
        undecided(carried(16, 0.7), carried(64, 0.7, "bitrev")),
    ),
}
