"""Growth: the exponent of a power of n, with its confidence."""

import math
from collections.abc import Sequence
from typing import NamedTuple

# Student's t, 97.5 %, for 1 … 12 degrees of freedom.
STUDENT = (12.71, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179)


class Slope(NamedTuple):
    """y = n^mean; 95 % of such intervals, mean - half … mean + half, hold the true exponent."""

    mean: float
    half: float

    @property
    def low(self) -> float:
        """Return the lower end."""
        return self.mean - self.half

    @property
    def high(self) -> float:
        """Return the upper end."""
        return self.mean + self.half


def slope(sizes: Sequence[float], values: Sequence[float]) -> Slope:
    """Return the slope of lg y over lg n by least squares.

    Parameters
    ----------
    sizes, values : 3 … 14 positive numbers
        n, y.

    Raises
    ------
    ValueError
        If there are too few or too many.

    Examples
    --------
    >>> slope([4, 16, 64], [2, 4, 8])
    Slope(mean=0.5, half=0.0)
    """
    if not 3 <= len(sizes) <= len(STUDENT) + 2:
        raise ValueError(f"sizes: there are {len(sizes)}; allowed are 3 … {len(STUDENT) + 2}")
    x, y = [math.log2(n) for n in sizes], [math.log2(v) for v in values]
    mean_x, mean_y = sum(x) / len(x), sum(y) / len(y)
    spread = sum((a - mean_x) ** 2 for a in x)
    mean = sum((a - mean_x) * (b - mean_y) for a, b in zip(x, y, strict=True)) / spread
    left = sum((b - mean_y - mean * (a - mean_x)) ** 2 for a, b in zip(x, y, strict=True))
    error = math.sqrt(left / (len(x) - 2) / spread)
    return Slope(round(mean, 9), round(STUDENT[len(x) - 3] * error, 9))
