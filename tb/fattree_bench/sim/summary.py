"""The tests of a simulation, and what failed: printed, and at the end of its log."""

from collections.abc import Iterator

from fattree_bench.bench.result import ScenarioResult, Test
from fattree_bench.bench.sentences import headline, replayed, summary
from fattree_bench.families import scenarios
from fattree_bench.sim.outcome import Outcome, silent
from fattree_bench.sim.variables import Variables

TITLE = "==== what went wrong ===="


def test_of(settings: Variables, outcome: Outcome, name: str) -> Test:
    """A scenario that ran, or should have."""
    result = next((r for r in outcome.results if r.scenario == name), None)
    stopped = next((r for r in outcome.stopped if r.scenario == name), None)
    details = [] if result is None else faults(result)
    if result is None:
        quiet = list(map(silent, outcome.unfinished))
        details = [p for p in outcome.problems if p not in quiet] or quiet[:1]
        known = [] if stopped is None else faults(stopped)
        details += [f"by then {line}" for line in known]
    elif not result.passed and not details:
        details = ["nothing was sent"]
    told = "" if result is None else headline(result)
    passed = result is not None and result.passed
    return Test(
        network=settings.network.name,
        configuration="",
        variables={},
        sim=settings.sim,
        seed=settings.seed,
        scenario=name,
        passed=passed,
        result=result,
        message=told or (details[0] if details else ""),
        details=details,
        replay=settings.replay(name),
        log=str(outcome.log),
        seconds=0.0 if result is None else result.seconds,
        failure=None if result else outcome.failure(name),
        stopped=None if result else stopped,
        symptoms=[] if passed else symptoms(outcome, name, result),
    )


def easiest(settings: Variables, outcome: Outcome) -> str:
    """Which of several tests that failed to read first, or which to run; "" if that is plain."""
    known = scenarios(settings.network).values()
    alone = [s.name for s in known if s.alone and not s.unfit(settings.network)]
    stopped = [result for result in outcome.stopped if result.faults]
    failed = [r for r in outcome.results if not r.passed and r.sent] + stopped
    if failed and len(failed) + len(outcome.cut) - len(stopped) > 1:
        least = min(failed, key=lambda result: (result.scenario not in alone, result.sent))
        how = "one by one" if least.scenario in alone else "the fewest of the tests that failed"
        return f"begin with {least.scenario}: {least.sent} {least.noun}, {how}"
    ran = [result.scenario for result in (*outcome.results, *outcome.stopped)]
    if failed or not outcome.complaints or not alone or alone[0] in ran:
        return ""
    return f"to see packets go one by one: {replayed(settings.replay(alone[0]))}"


def symptoms(outcome: Outcome, name: str, result: ScenarioResult | None) -> list[str]:
    """What went wrong with a scenario, by names that do not depend on numbers."""
    judged = [result] if result else [r for r in outcome.stopped if r.scenario == name]
    found = [kind for each in judged for kind in each.faults]
    if result is None:
        found += [complaint.rule for complaint in outcome.complaints]
    return list(dict.fromkeys(found))


def faults(result: ScenarioResult) -> list[str]:
    """One line a kind of fault, with its first example, then the other examples."""
    lines, more = [], []
    for name, count in result.faults.items():
        first, *others = result.examples.get(name, [""])
        lines.append(f"{name} ({count}): {first}")
        more += [f"{name}: {other}" for other in others]
    return lines + more


def add_summary(settings: Variables, outcome: Outcome) -> None:
    """Put what went wrong at the end of the log, for who reads nothing else."""
    if outcome.passed:
        return
    try:
        with outcome.log.open("a", encoding="utf-8") as log:
            log.write("\n".join(["", TITLE, *_lines(settings, outcome), ""]))
    except OSError as error:
        outcome.problems.append(f"no summary in the log: {error.strerror}")


def _lines(settings: Variables, outcome: Outcome) -> Iterator[str]:
    """Of each test that failed; of those behind one that ended the simulation, that they did."""
    for result in outcome.results:
        if not result.passed:
            yield from _story(test_of(settings, outcome, result.scenario))
    for name in outcome.cut:
        yield from _story(test_of(settings, outcome, name))
    if outcome.not_run:
        yield f"not run, as the simulation had ended: {', '.join(outcome.not_run)}"
    yield from outcome.problems
    if hint := easiest(settings, outcome):
        yield hint


def _story(test: Test) -> Iterator[str]:
    yield f"{test.scenario} FAILED"
    for head, text in summary(test):
        yield f"  {head:<12} {text}"
