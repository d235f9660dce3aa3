"""Failures of a regression that are run again, with waves: one of each cause first."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from fattree_bench.bench.result import Test
from fattree_bench.bench.revive import revived
from fattree_bench.campaign import Result
from fattree_bench.flaky import AGAIN
from fattree_bench.jobs.job import tests_of
from fattree_bench.jobs.pool import Pool, Task
from fattree_bench.regress.buckets import first_of_each
from fattree_bench.regress.expand import with_waves

MOST = 5  # failures that are run again


@dataclass
class Reruns:
    """What came of them; hears of their jobs."""

    tests: list[Test] = field(default_factory=list)

    def run(
        self,
        pool: Pool,
        runs: Sequence[Task],
        results: Mapping[str, Result],
        say: Callable[[str], None],
    ) -> None:
        """Repeat failures of runs, as many as there may be."""
        found = [
            (test, task)
            for task in runs
            for test in tests_of(task, results.get(task.key, {"tests": []}))
            if not test.passed
        ]
        before = first_of_each(test for test, _ in found)
        failed = [
            (before[id(test)], task, test.scenario)
            for test, task in found
            if test.log and task.payload["kind"] == "run"
        ]
        chosen = sorted(failed, key=lambda entry: entry[0])[:MOST]
        if not chosen:
            return
        say(f"running {len(chosen)} of {len(failed)} failures again, with waves")
        pairs = [with_waves(task, scenario) for _, task, scenario in chosen]
        builds = {build.key: build for _, build in pairs}
        pool.run([*builds.values(), *(task for task, _ in pairs)], self)

    def started(self, key: str) -> None:
        """It blocks no test."""

    def ended(self, key: str, result: Result) -> bool:
        """A job of theirs has ended."""
        self.tests += (revived(Test, test) for test in result.get("tests", []))
        return True

    def joined(self, tests: list[Test]) -> list[Test]:
        """Add what came of them to the tests that failed."""
        again = {identity(test): test for test in self.tests}
        for test in tests:
            if not test.passed and identity(test) in again:
                test.waves = again[identity(test)].waves
                if again[identity(test)].passed:
                    test.details.append(AGAIN)
        return tests


def identity(test: Test) -> tuple[str, str, int, str]:
    """What tells a test from all others of a regression."""
    return test.configuration, test.sim, test.seed, test.scenario
