"""Several runs together: intervals that hold what they promise, and where sweeps end."""

from dataclasses import replace

import numpy as np
import pytest

from fattree_models.traffic import (
    Measurement,
    Packets,
    Saturation,
    Window,
    across_seeds,
    bernoulli,
    estimate,
    lengths,
    may_stop,
    measure,
    pattern,
    saturation_load,
)

WINDOW = Window(warm_up=0, periods=4, period=10)


def result(saturated=False, accepted=0.1, late=5) -> Measurement:
    packets = Packets.of([0, 1], [1, 0], [3, 4])
    m = measure(packets, 2, packets.release + late, WINDOW)
    return replace(m, accepted=accepted, saturation="accepted" if saturated else "")


# Confidence --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("seeds", "t"), [(2, 12.7062), (3, 4.3027), (5, 2.7764), (10, 2.2622), (100, 1.9842)]
)
def test_quantiles(seeds, t):
    """Against a printed table of Student's t, two-sided 95 %."""
    values = np.random.default_rng(seeds).normal(size=seeds)
    got = estimate(values)
    assert got.mean == pytest.approx(values.mean()) and got.seeds == seeds
    error = (((values - values.mean()) ** 2).sum() / (seeds - 1) / seeds) ** 0.5
    assert got.half_width == pytest.approx(t * error, rel=1e-4)


def check_coverage(interval, seeds=3, times=3000):
    """The true mean is in 95 % of the intervals, within 5 sigma of a binomial."""
    rng = np.random.default_rng(1)
    inside = 0
    for _ in range(times):
        mean, half_width, _ = interval(rng.normal(7.0, 2.0, size=seeds).tolist())
        inside += abs(mean - 7.0) < half_width
    assert abs(inside - 0.95 * times) < 5 * (times * 0.95 * 0.05) ** 0.5


def test_coverage():
    check_coverage(estimate)


def test_an_interval_for_many_seeds_is_too_narrow_for_few():
    def normal(values):
        return np.mean(values), 1.96 * np.std(values, ddof=1) / len(values) ** 0.5, len(values)

    with pytest.raises(AssertionError):
        check_coverage(normal)


def test_few_values():
    assert estimate([4.0])[::2] == (4.0, 1) and np.isnan(estimate([4.0]).half_width)
    assert estimate([4.0, float("nan")]).seeds == 1
    none = estimate([float("nan")])
    assert np.isnan(none.mean) and np.isnan(none.half_width) and none.seeds == 0
    assert estimate([2.0, 2.0]).half_width == 0.0


def test_across_seeds():
    found = across_seeds([result(accepted=0.1, late=5), result(accepted=0.3, late=9)])
    assert list(found) == list(result().figures())
    assert found["accepted"].mean == pytest.approx(0.2)
    assert found["latency_p99"].mean == 7.0
    assert found["latency_p99"].half_width == pytest.approx(12.7062 * 2, rel=1e-4)
    assert found["hops"].seeds == 0
    with pytest.raises(ValueError, match="measurements: are 0; allowed are 1 and more"):
        across_seeds([])


# Sweeps ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("saturated", "expected", "stop"),
    [
        ([0, 0, 0], (0.3, None), False),
        ([0, 0, 1], (0.2, 0.3), False),
        ([0, 1, 1], (0.1, 0.2), True),
        ([1, 1, 1], (0.0, 0.1), True),
        ([0, 1, 0], (0.1, 0.2), False),  # the first counts
    ],
)
def test_saturation_load(saturated, expected, stop):
    results = [result(bool(s), a) for s, a in zip(saturated, (0.1, 0.25, 0.2), strict=True)]
    found = saturation_load([0.1, 0.2, 0.3], results)
    below, above = expected
    assert found.below == below and found.throughput == 0.25
    if above is None:
        assert np.isnan(found.above) and np.isnan(found.load)
    else:
        assert found == Saturation(below, above, 0.25)
        assert found.load == pytest.approx((below + above) / 2)
    assert may_stop(results) is stop


def test_when_a_sweep_may_stop():
    assert not may_stop([])
    assert not may_stop([result(True)])
    assert may_stop([result(True)], beyond=1)
    assert may_stop([result(), result(True), result(True)])
    assert not may_stop([result(True), result(True), result()])


@pytest.mark.parametrize(
    ("loads", "count", "message"),
    [
        ([0.1], 2, "loads: are 1 for 2 results; allowed are as many"),
        ([], 0, "loads: are 0 for 0 results; allowed are as many"),
        ([0.2, 0.1], 2, "loads: do not increase; allowed are increasing ones"),
        ([0.2, 0.2], 2, "loads: do not increase; allowed are increasing ones"),
    ],
)
def test_refused(loads, count, message):
    with pytest.raises(ValueError) as caught:
        saturation_load(loads, [result()] * count)
    assert str(caught.value) == message


def test_a_queue_saturates_where_it_must():
    """8 nodes send to 2, which take a flit a cycle: a load of 1/4 is all that fits."""
    window = Window(warm_up=2, periods=6, period=2000)
    loads, results = [0.05 * step for step in range(1, 21)], []
    for load in loads:
        rng = np.random.default_rng(int(100 * load))
        packets = bernoulli(rng, pattern("hotspot:0,1", 8), lengths("1"), load, window.end)
        arrived = np.empty(len(packets), dtype=np.int64)
        for node in (0, 1):
            own = np.flatnonzero(packets.destination == node)
            own = own[np.argsort(packets.release[own], kind="stable")]
            turn = np.arange(own.size)
            arrived[own] = turn + np.maximum.accumulate(packets.release[own] - turn) + 1
        results.append(measure(packets, 8, arrived, window))
        if may_stop(results):
            break
    found = saturation_load(loads[: len(results)], results)
    assert len(results) < len(loads)
    assert found.below <= 0.25 + 1e-9 and found.above > 0.25 - 1e-9
    assert found.above - found.below == pytest.approx(0.05)
    assert found.throughput == pytest.approx(0.25, rel=0.01)
    assert all(r.stable for r in results[:4]) and not any(r.stable for r in results[-2:])
