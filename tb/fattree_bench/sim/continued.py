"""Tests behind one that ended its simulation run in a new one; of several, one outcome."""

from collections.abc import Callable, Iterable
from typing import Any

from fattree_bench.bench.scenario import Scenario
from fattree_bench.sim.build import Built
from fattree_bench.sim.outcome import STOPPED, Outcome, silent
from fattree_bench.sim.simulate import INTERRUPTED, simulate
from fattree_bench.sim.variables import Variables

BARREN = 3  # simulations in a row that end before a result: the rest would as well


def simulate_all(
    variables: Variables, built: Built, scenarios: list[Scenario], live: Callable[[list[str]], Any]
) -> list[Outcome]:
    """Run scenarios in as many simulations as they take, one after the other.

    A limit, or the user, ends them all.  `live`: of tests, what looks at their results.
    """
    found, left, barren = list[Outcome](), scenarios, 0
    while left:
        outcome = simulate(variables, built, left, look=live([x.name for x in left]).look)
        found.append(outcome)
        barren = 0 if outcome.results else barren + 1
        if outcome.limit or barren == BARREN:
            break
        # Behind a check of the design, packets that go one by one may say more than it did.
        left = [scenario for scenario in left if scenario.name in outcome.not_run]
        left.sort(key=lambda scenario: not scenario.alone)
        outcome.problems = [p for p in outcome.problems if p not in map(silent, outcome.not_run)]
        outcome.unfinished = outcome.cut
    return found


def why(part: Outcome, parts: list[Outcome]) -> str:
    """Why scenarios of one of several parts were not run."""
    if part.unbuilt:
        return "the simulation could not be built"
    if part.limit or len(parts) < BARREN:
        return "the simulation had ended"
    return f"{BARREN} simulations in a row ended before a result"


def again(part: Outcome, known: set[str]) -> bool:
    """Whether rules of the design that ended a part are known from another; `known` gets them."""
    rules = {complaint.rule for complaint in part.complaints}
    before = bool(rules) and rules <= known
    known |= rules
    return before


def known_already(outcome: Outcome, problem: str) -> bool:
    """Whether the story of a test says what a problem says."""
    rules = (each for part in outcome.parts[1:] for each in part.complaints)
    return problem in (*map(silent, outcome.unfinished), *(f"{STOPPED}: {x}" for x in rules))


def unbuilt(scenarios: Iterable[Scenario], error: Exception) -> Outcome:
    """Of scenarios whose simulation could not be built."""
    names = [scenario.name for scenario in scenarios]
    return Outcome(problems=[str(error)], unfinished=names, unbuilt=True)


def together(parts: list[Outcome]) -> Outcome:
    """One outcome of several; those that were not built come last."""
    clean, total = True, Outcome(parts=sorted(parts, key=lambda part: part.unbuilt))
    for part in total.parts:
        for each in ("results", "stopped", "problems", "unfinished", "complaints"):
            getattr(total, each).extend(getattr(part, each))
        total.seconds += part.seconds
        # The log of the first that failed, else of the last.
        total.log = part.log if not part.unbuilt and clean else total.log
        clean = clean and part.passed
        total.waves = part.waves or total.waves
    total.problems = list(dict.fromkeys(total.problems))
    return total


def interrupted(outcome: Outcome) -> bool:
    """Whether the user ended it."""
    return any(part.limit == INTERRUPTED for part in outcome.parts)
