"""What a measure of a claim says."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from fattree_bench.report.regression import FAILS, HOLDS, UNDECIDED, Test


@dataclass(frozen=True)
class Measured:
    """A figure in words, and what it says of the claim: HOLDS, FAILS or UNDECIDED."""

    text: str
    verdict: str


Measure = Callable[[Sequence[Test]], Measured]
NOTHING = Measured("", UNDECIDED)


def verdict(holds: bool) -> str:
    return HOLDS if holds else FAILS
