"""Claims that compare means: five seeds at least, and the interval decides."""

import math
from copy import deepcopy

import pytest

from fattree_bench.bench.claims import FAILS, UNMEASURED
from fattree_bench.bench.means import SEEDS, Mean, spread
from fattree_bench.bench.result import Test
from fattree_bench.testplan import MEASURES
from tests.tb.regress.test_claims import CASES

NOISE = (0.4, 1.6, 1.0, 0.4, 1.6)  # times the figure, by seed; 1 in the mean
COMPARED = {
    "virtual_channels_help",
    "complement_full",
    "complement_apart",
    "routings_alike",
    "uniform_says_little",
    "adaptive_helps",
    "spanning_tree",
    "root_is_the_bottleneck",
    "more_turnback_channels",
    "when_possible",
    "long_links_delay",
    "reduced_throughput",
    "gain_of_buffers",
    "nearly_full",
    "comparable",
    "mailbox_saturation",
    "scales_up",
}
HELD = [case[:2] for case in CASES if case[0] in COMPARED and case[2] not in (FAILS, UNMEASURED)]


def seeds(tests: list[Test]) -> list[list[dict]]:
    """What was measured of each seed, if it was of several."""
    found = [test.result.measurements for test in tests if test.result is not None]
    return [runs for runs in found if len(runs) >= SEEDS]


def test_mean():
    """Student's t, by hand: 4.303 standard errors of 1 / sqrt(3)."""
    found = Mean([1.0, 2.0, 3.0])
    assert found == 2 and found.high - 2 == pytest.approx(4.3027 / 3**0.5, rel=1e-4)
    assert found.high - 2 == 2 - found.low
    one = Mean([1.0])
    assert one == 1 and math.isnan(one.low) and not one.low >= 0
    assert spread([Mean([0.5, 0.5]), Mean([0.4, 0.6])]) == "± 127.1 points"


@pytest.mark.parametrize(("measure", "tests"), HELD)
def test_the_interval_decides(measure: str, tests: list[Test]) -> None:
    """The same means of seeds that differ widely show nothing; of fewer seeds, nothing at all."""
    noisy, fewer = deepcopy(tests), deepcopy(tests)
    for runs in seeds(noisy):
        runs[:] = map(dict, runs)  # seeds of a case are one dictionary
        for run, times in zip(runs, NOISE * len(runs), strict=False):
            run |= {k: x * times for k, x in run.items() if k in ("accepted", "latency_mean")}
    for runs in seeds(fewer):
        del runs[SEEDS - 1 :]
    assert MEASURES[measure](noisy).verdict == FAILS
    assert MEASURES[measure](fewer).verdict == UNMEASURED


def test_every_such_measure_is_here():
    assert {measure for measure, _ in HELD} == COMPARED
