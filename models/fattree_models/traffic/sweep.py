"""Several runs together: confidence over seeds, and where a network saturates."""

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from scipy.special import stdtrit

from fattree_models.common.checks import check_integer
from fattree_models.traffic.measurement import Measurement

CONFIDENCE = 0.95


class Estimate(NamedTuple):
    """A mean over seeds: mean ± half_width holds the true one with a probability of 95 %.

    `seeds` counts the runs that have the figure; of fewer than two the half width is NaN.
    """

    mean: float
    half_width: float
    seeds: int


class Saturation(NamedTuple):
    """Between which loads a network saturates, and what it accepts at most.

    Attributes
    ----------
    below : float
        The greatest load before the first one with saturation; 0 if that is the first of all.
    above : float
        The least load with saturation; NaN if there is none.
    throughput : float
        Flits per node and cycle, the most that was accepted at any load.
    """

    below: float
    above: float
    throughput: float

    @property
    def load(self) -> float:
        """Middle between the two loads, which is half their distance away at most."""
        return (self.below + self.above) / 2


def estimate(values: Sequence[float]) -> Estimate:
    """Return the mean of independent measurements and its confidence interval, Student's t.

    NaNs are left out: runs that do not have the figure.

    Examples
    --------
    >>> mean, half_width, seeds = estimate([1.0, 2.0, 3.0, float("nan")])
    >>> mean, round(half_width, 6), seeds
    (2.0, 2.484138, 3)
    """
    known = np.array([value for value in values if not np.isnan(value)])
    if known.size == 0:
        return Estimate(np.nan, np.nan, 0)
    if known.size == 1:
        return Estimate(float(known[0]), np.nan, 1)
    t = stdtrit(known.size - 1, (1 + CONFIDENCE) / 2)
    error = known.std(ddof=1) / np.sqrt(known.size)
    return Estimate(float(known.mean()), float(t * error), known.size)


def across_seeds(measurements: Sequence[Measurement]) -> dict[str, Estimate]:
    """Return the mean and the 95 % confidence interval of each figure of `Measurement.figures`.

    Parameters
    ----------
    measurements : sequence of Measurement
        Of runs that differ in nothing but their seeds.
    """
    if not measurements:
        raise ValueError("measurements: are 0; allowed are 1 and more")
    runs = [measurement.figures() for measurement in measurements]
    return {name: estimate([run[name] for run in runs]) for name in runs[0]}


def saturation_load(loads: Sequence[float], results: Sequence[Measurement]) -> Saturation:
    """Return between which loads of a sweep the network saturates.

    Parameters
    ----------
    loads : sequence of float
        Flits per node and cycle, increasing.
    results : sequence of Measurement
        One a load, of one seed; of several seeds, `estimate` the loads.

    Raises
    ------
    ValueError
        If these are not as many, or there are none, or the loads do not increase.
    """
    if len(loads) != len(results) or not loads:
        raise ValueError(f"loads: are {len(loads)} for {len(results)} results; allowed are as many")
    if any(later <= earlier for earlier, later in pairwise(loads)):
        raise ValueError("loads: do not increase; allowed are increasing ones")
    throughput = max(result.accepted for result in results)
    for i, result in enumerate(results):
        if result.saturated:
            return Saturation(loads[i - 1] if i else 0.0, loads[i], throughput)
    return Saturation(loads[-1], np.nan, throughput)


def may_stop(results: Sequence[Measurement], beyond: int = 2) -> bool:
    """Tell whether a sweep with increasing load may stop: the last runs were all saturated.

    Parameters
    ----------
    results : sequence of Measurement
        So far, one a load.
    beyond : int
        So many saturated loads in succession are enough: with 2, a plot shows whether throughput
        holds beyond saturation.
    """
    beyond = check_integer("beyond", beyond, 1)
    return len(results) >= beyond and all(result.saturated for result in results[-beyond:])
