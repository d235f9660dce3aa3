"""Judges what papers claim by what was measured; the measures belong to the families."""

from collections.abc import Sequence

from fattree_bench.bench.claims import (
    NOTHING,
    SHARED,
    TEST_FAILED,
    Claim,
    Figure,
    Measure,
    Measured,
)
from fattree_bench.bench.result import Test
from fattree_bench.families import offered
from fattree_bench.words import number, plural

MEASURES: dict[str, Measure] = dict(SHARED)
for _, _measures in offered("claims", "MEASURES"):
    MEASURES |= _measures


def judge(
    about: tuple[str, str, str, str], expected: str, measure: str, tests: Sequence[Test]
) -> Claim:
    """Measure a claim in the tests of its testpoint that were run.

    `about` is testpoint, network, source and what the claim says; `expected` is what the testplan
    holds it to be: a result that contradicts it is a surprise.  Figures of tests that failed say
    nothing of a claim.
    """
    failed = sum(not test.passed for test in tests)
    if failed:
        text = f"{number(failed)} of {plural(len(tests), 'test')} failed"
        return Claim(*about, Measured(Figure(text)), TEST_FAILED)
    return Claim.judged(about, expected, MEASURES[measure](tests) if tests else NOTHING)
