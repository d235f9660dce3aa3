"""What the measures of packet-switched fat-trees share."""

from collections.abc import Iterator, Sequence
from statistics import fmean
from typing import Any

from fattree_bench.bench.claims import NOTHING, Figure, Measured
from fattree_bench.bench.result import Number, ScenarioResult, Test

Means = dict[str, dict[Any, dict[str, float]]]  # by configuration, by pattern or load, by figure
FIGURES = ("accepted", "latency_mean")


def results(tests: Sequence[Test], *scenarios: str) -> Iterator[tuple[Test, ScenarioResult]]:
    """Results of some scenarios, with their tests."""
    for test in tests:
        if test.result is not None and test.result.scenario in scenarios:
            yield test, test.result


def level_rows(tests: Sequence[Test], *scenarios: str) -> list[dict[str, Number]]:
    """What went over the links of each level."""
    return [row for _, result in results(tests, *scenarios) for row in result.rows("levels")]


def means(tests: Sequence[Test], scenario: str, key: str) -> Means:
    """Means over runs of what was measured, by configuration and by `key`, a pattern or a load."""
    found: dict[str, dict[Any, list[dict[str, Any]]]] = {}
    for test, result in results(tests, scenario):
        for figures in result.measurements:
            own = found.setdefault(test.configuration, {})
            own.setdefault(figures[key], []).append(figures)
    return {
        name: {
            value: {figure: fmean(run.get(figure, 0.0) for run in runs) for figure in FIGURES}
            for value, runs in own.items()
        }
        for name, own in found.items()
    }


def accepted(tests: Sequence[Test], pattern: str) -> dict[str, float]:
    """Mean accepted rate at full load by configuration."""
    found = means(tests, "saturation", "pattern")
    return {name: own[pattern]["accepted"] for name, own in found.items() if pattern in own}


def both(printed: Figure, corrected: Figure) -> Measured:
    """Two figures; nothing if one was not measured."""
    return Measured(printed, corrected) if printed.text and corrected.text else NOTHING
