"""What papers claim, and what was measured: verdicts, and the measures that any network may use.

A measure looks at nothing but numbers in results, so it says "it holds" only of what was run, and
nothing at all (NOTHING) if a part of its evidence was not.  Its controls are runs, or data, of
which it must say the opposite.
"""

import inspect
import itertools
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from types import ModuleType

from fattree_bench.bench.result import ScenarioResult, Test
from fattree_bench.words import number, plural

HOLDS, CORRECTED, FAILS = "holds", "as corrected", "fails"
READING = "depends on the reading"
DECIDED = (HOLDS, CORRECTED, FAILS, READING)
UNMEASURED = "not measured"  # in this run
UNDECIDED = "not decided here"  # in no run


@dataclass(frozen=True)
class Figure:
    """A figure in words, and whether the claim holds by it; None: unknown."""

    text: str
    holds: bool | None = None


@dataclass(frozen=True)
class Measured:
    """What was measured of a claim as it is printed, and as we correct it, if we do.

    `others`: of what is printed under other readings of its words than the first.
    """

    printed: Figure
    corrected: Figure | None = None
    others: tuple[Figure, ...] = field(default=(), kw_only=True)

    @property
    def verdict(self) -> str:
        """One of DECIDED, or UNMEASURED."""
        corrected = self.corrected
        readings = {figure.holds for figure in (self.printed, *self.others)}
        if None in readings:
            return UNMEASURED
        if len(readings) > 1:
            return READING
        if readings == {True}:
            return HOLDS
        if corrected is not None and corrected.holds is None:
            return UNMEASURED
        return CORRECTED if corrected is not None and corrected.holds else FAILS

    @property
    def text(self) -> str:
        """All figures in a sentence; empty if there is none."""
        if self.others:
            readings = (self.printed, *self.others)
            return "; ".join(f"{'yes' if one.holds else 'no'}: {one.text}" for one in readings)
        if self.corrected is None:
            return self.printed.text
        return f"as printed: {self.printed.text}; as corrected: {self.corrected.text}"


NOTHING = Measured(Figure(""))
Measure = Callable[[Sequence[Test]], Measured]


def found(text: str, holds: bool) -> Measured:
    """The figure of a claim that needs no correction."""
    return Measured(Figure(text, holds))


@dataclass(frozen=True)
class Control:
    """A run or data with the opposite verdict, and the figures that it had."""

    name: str
    measured: Measured = NOTHING


@dataclass
class Claim:
    """What a paper says in one place, and what was measured.

    Attributes
    ----------
    item : the number of what it decides in the five papers; "" if it is of the wider literature.
    verdict : one of DECIDED, or UNMEASURED.
    expected : the verdict that we hold it to have.
    corrected : the sentence as we correct it, of a claim that is expected to hold as corrected.
    trouble : why it fails the run: another verdict than expected, a control that passes, or nothing
        to measure it by in tests that passed.
    planted : the tests, as for pytest, that plant errors in its figures.
    logs : of the tests that it is measured by.
    """

    testpoint: str
    network: str
    source: str
    says: str
    measured: Measured
    verdict: str
    trouble: str = ""
    expected: str = ""
    item: str = ""
    corrected: str = ""
    controls: tuple[Control, ...] = ()
    planted: str = ""
    logs: tuple[str, ...] = ()

    @classmethod
    def judged(
        cls,
        about: tuple[str, str, str, str],
        expected: str,
        measured: Measured,
        item: str = "",
        planted: str = "",
        corrected: str = "",
    ) -> "Claim":
        """The claim `about` (testpoint, network, source, says) with the verdict of its figures."""
        claim = cls(*about, NOTHING, UNMEASURED, "", expected, item, corrected, (), planted)
        return claim.by(measured)

    def by(self, measured: Measured, controls: Sequence[Control] = ()) -> "Claim":
        """The same with these figures, their verdict, and what controls make of it."""
        verdict = measured.verdict
        trouble = ""
        if verdict not in (UNMEASURED, self.expected):
            trouble = f"{verdict}; expected: {self.expected}"
        turned = HOLDS if self.expected == FAILS else FAILS
        for control in controls:
            if control.measured.verdict != turned:
                told = f"control {control.name}: {control.measured.verdict}; must be: {turned}"
                trouble = f"{trouble}; {told}".removeprefix("; ")
                verdict = UNMEASURED  # it cannot tell
        own = tuple(controls)
        return replace(self, measured=measured, verdict=verdict, controls=own, trouble=trouble)


# ---- what measures share -----------------------------------------------------------------------


def results(tests: Iterable[Test], scenarios: Sequence[str] = ()) -> list[ScenarioResult]:
    """What a simulator left of these scenarios, all of them if none is named, with a size."""
    made = [test.result for test in tests if test.result is not None]
    return [
        result
        for result in made
        if "leaves" in result.figures and (not scenarios or result.scenario in scenarios)
    ]


def leaves(result: ScenarioResult) -> int:
    """Leaves of the network of a result."""
    return int(result.figure("leaves") or 0)


def checks(tests: Iterable[Test]) -> list[Test]:
    """The tests that pytest ran."""
    return [test for test in tests if test.sim == "pytest"]


def recorded(tests: Iterable[Test], *names: str) -> list[tuple[float, ...]]:
    """The numbers of these names of each check that has left them all."""
    own = (check.recorded for check in checks(tests))
    return [tuple(one[name] for name in names) for one in own if set(names) <= set(one)]


def alike(tests: Iterable[Test], one: str, other: str) -> Measured:
    """Two configurations do the same in each run that both have, in all figures and clocks."""
    runs: dict[tuple[str, int, str], dict[str, tuple[object, ...]]] = {}
    for test in tests:
        if test.result is not None and test.configuration in (one, other):
            result = test.result
            own = runs.setdefault((test.sim, test.seed, result.scenario), {})
            own[test.configuration] = (
                *(result.steps, result.sent, result.delivered, result.overtaken, result.losses),
                *(result.figures, result.tables, result.permutations, result.measurements),
                result.coverage,
            )
    both = [own for own in runs.values() if len(own) == 2]
    if not both:
        return NOTHING
    same = sum(own[one] == own[other] for own in both)
    text = f"{same} of {plural(len(both), 'run')} alike in all their figures"
    return found(text, same == len(both))


def sizes(all_leaves: Iterable[int]) -> str:
    """As in "N = 16", "N = 2, 16" or, if none between is left out, "N = 2 … 64"."""
    known = sorted(set(all_leaves))
    whole = all(2 * low == high for low, high in itertools.pairwise(known))
    if whole and len(known) > 2:
        return f"N = {known[0]} … {known[-1]}"
    return f"N = {', '.join(map(str, known))}"


def losses(runs: Sequence[ScenarioResult]) -> str:
    """As in "48 of 256 packets lost"."""
    sent, lost = sum(run.sent for run in runs), sum(run.lost for run in runs)
    return f"{number(lost)} of {number(sent)} {runs[0].noun} lost"


def passed(own: Sequence[Test]) -> str:
    """As in "24 of 24 checks passed (partial_proof, partial_graph)"."""
    names = dict.fromkeys(re.split("[/:]", c.configuration)[-1].removesuffix(".py") for c in own)
    good = f"{number(sum(check.passed for check in own))} of {plural(len(own), 'check')} passed"
    return f"{good} ({', '.join(name.removeprefix('test_') for name in names)})"


# ---- measures of any network -------------------------------------------------------------------


def nothing_lost(tests: Sequence[Test]) -> Measured:
    """Everything that was sent has arrived."""
    runs = results(tests)
    if not runs:
        return NOTHING
    steps = sum(run.steps for run in runs)
    text = f"{losses(runs)} in {number(steps)} {runs[0].unit}, {sizes(map(leaves, runs))}"
    return found(text, all(run.lost == 0 for run in runs))


def proofs(tests: Sequence[Test]) -> Measured:
    """Every check by pytest has passed."""
    own = checks(tests)
    return found(passed(own), all(check.passed for check in own)) if own else NOTHING


def measures(module: ModuleType) -> dict[str, Measure]:
    """The measures of a module by name: the functions that it shows from tests to Measured."""

    def is_one(value: object) -> bool:
        if not inspect.isfunction(value) or value.__module__ != module.__name__:
            return False
        signature = inspect.signature(value, eval_str=True)
        return [*signature.parameters] == ["tests"] and signature.return_annotation is Measured

    shown = {name: value for name, value in vars(module).items() if not name.startswith("_")}
    return {name: value for name, value in shown.items() if is_one(value)}
