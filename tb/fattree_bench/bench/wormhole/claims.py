"""What the measures of packet-switched fat-trees share."""

from collections.abc import Iterator, Mapping, Sequence

from fattree_bench.bench.claims import NOTHING, Figure, Measured
from fattree_bench.bench.means import SEEDS, Mean
from fattree_bench.bench.result import ScenarioResult, Test


def results(tests: Sequence[Test], *scenarios: str) -> Iterator[tuple[Test, ScenarioResult]]:
    """Results of some scenarios, with their tests."""
    for test in tests:
        if test.result is not None and test.result.scenario in scenarios:
            yield test, test.result


def measured(tests: Sequence[Test], scenario: str, figure: str) -> dict[str, dict[str, Mean]]:
    """Means of a figure over seeds, SEEDS at least, by configuration and by pattern."""
    found: dict[str, dict[str, list[float]]] = {}
    for test, result in results(tests, scenario):
        for run in result.measurements:
            own = found.setdefault(test.configuration, {})
            own.setdefault(run["pattern"], []).append(run[figure])
    return {
        name: {pattern: Mean(runs) for pattern, runs in own.items() if len(runs) >= SEEDS}
        for name, own in found.items()
    }


def accepted(tests: Sequence[Test], pattern: str) -> dict[str, Mean]:
    """Mean accepted rate at full load by configuration."""
    found = measured(tests, "saturation", "accepted")
    return {name: own[pattern] for name, own in found.items() if pattern in own}


def accepted_by(
    tests: Sequence[Test], pattern: str, configurations: Mapping[str, int]
) -> dict[int, Mean]:
    """The same by what is said of configurations; nothing if one was not measured."""
    rates = accepted(tests, pattern)
    if not set(configurations) <= set(rates):
        return {}
    return {number: rates[name] for name, number in configurations.items()}


def both(printed: Figure, corrected: Figure) -> Measured:
    """Two figures; nothing if one was not measured."""
    return Measured(printed, corrected) if printed.text and corrected.text else NOTHING
