"""Means over seeds, and the interval in which they are worth something."""

from collections.abc import Iterable, Mapping
from typing import Self

from fattree_models.traffic import estimate

SEEDS = 5  # of an interval, at least


class Mean(float):
    """A mean of runs that differ in their seeds alone; 95 % of such intervals hold the true one.

    Attributes
    ----------
    low, high : ends of the interval (Student's t), NaN of a single run: then nothing is compared.
    """

    low: float
    high: float

    def __new__(cls, values: Iterable[float]) -> Self:
        mean, half, _ = estimate(list(values))
        made = super().__new__(cls, mean)
        made.low, made.high = mean - half, mean + half
        return made


def spread(means: Iterable[Mean]) -> str:
    """How far from a mean of rates the widest 95 % interval reaches, in words."""
    widest = max(((mean.high - mean.low) / 2 for mean in means), default=0.0)
    return f"± {100 * widest:.1f} points"


def shares(rates: Mapping[int, Mean] | Mapping[str, Mean], digits: int = 0) -> str:
    """Rates by what they are of, in percent, and their spread."""
    text = ", ".join(f"{key}: {100 * rate:.{digits}f} %" for key, rate in rates.items())
    return f"{text}, {spread(rates.values())}"
