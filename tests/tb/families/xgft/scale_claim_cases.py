"""What the measure of larger and larger trees must say of measured runs."""

from fattree_bench.bench.means import SEEDS
from fattree_bench.bench.result import Test
from tests.tb.families.claim_case import Cases, corrected, fails, holds, undecided
from tests.tb.families.xgft.load_claim_cases import run


def carried(leaves: int, accepted: float, pattern: str = "uniform") -> Test:
    figures = {"pattern": pattern, "accepted": accepted}
    return run("saturation", f"scale-{leaves}", *[figures] * SEEDS, leaves=leaves)


CASES: Cases = {
    "scales_up": (
        holds("0.700 at N = 16, 0.650 at N = 64", carried(16, 0.7), carried(64, 0.65)),
        corrected("grows by 80% of what leaves do", carried(16, 0.7), carried(64, 0.56)),
        corrected("by 80%", carried(16, 0.5), carried(64, 0.5), carried(256, 0.4)),
        fails("grows by 25%", carried(64, 0.06), carried(16, 0.24)),
        undecided(carried(16, 0.7)),
        undecided(carried(16, 0.7), carried(64, 0.7, "bitrev")),
    )
}
