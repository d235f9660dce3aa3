"""All claims that there are, and docs/claims.md, which tells what is held of each item."""

from fattree_bench.bench.claims import NOTHING, Claim
from fattree_bench.families import offered
from fattree_bench.families.design import Measured
from fattree_bench.testplan import ClaimEntry, Testplan, TestpointEntry

PLANTED = "tests/tb/regress/test_claims.py -k {}"  # a measure


def unmeasured(point: TestpointEntry, entry: ClaimEntry) -> Claim:
    """The claim of a testpoint before anything was run."""
    about = point.name, point.network, point.source, entry.says
    planted = PLANTED.format(entry.measure)
    return Claim.judged(about, entry.verdict, NOTHING, entry.items, planted)


def planned(plan: Testplan) -> list[Claim]:
    """Every claim with nothing measured: those of the testplan, then those of engines."""
    nothing = Measured((), {})
    own = [unmeasured(p, p.claim) for p in plan.testpoints.values() if p.claim]
    return own + [claim for _, judge in offered("area", "judge") for claim in judge(nothing)]
