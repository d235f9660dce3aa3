"""What a measure of a claim must say of tests: cases by the name of the measure."""

from typing import NamedTuple

from fattree_bench.bench.claims import CORRECTED, FAILS, HOLDS, UNMEASURED
from fattree_bench.bench.result import Test


class Case(NamedTuple):
    """A verdict, what the text of the measure holds, and the tests it is about."""

    verdict: str
    text: str
    tests: tuple[Test, ...]


Cases = dict[str, tuple[Case, ...]]


def holds(text: str, *tests: Test) -> Case:
    return Case(HOLDS, text, tests)


def corrected(text: str, *tests: Test) -> Case:
    return Case(CORRECTED, text, tests)


def fails(text: str, *tests: Test) -> Case:
    return Case(FAILS, text, tests)


def undecided(*tests: Test) -> Case:
    """Without a text."""
    return Case(UNMEASURED, "", tests)
