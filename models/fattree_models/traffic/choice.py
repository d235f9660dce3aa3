"""Random numbers out of a short list."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from fattree_models.common.checks import Int32Array

FloatArray = npt.NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Choice:
    """Numbers, each drawn independently and as often as its share says.

    Attributes
    ----------
    values : int32 array [choices]
        Increasing.
    shares : float64 array [choices]
        Their probabilities, above 0; they sum to 1.
    """

    values: Int32Array
    shares: FloatArray

    @classmethod
    def of(cls, values: npt.ArrayLike, weights: npt.ArrayLike) -> "Choice":
        """Make a choice of numbers with weights of any sum; a number may be listed repeatedly.

        Examples
        --------
        >>> Choice.of([5, 1, 5], [1, 2, 1])
        Choice(values=array([1, 5], dtype=int32), shares=array([0.5, 0.5]))
        """
        numbers, place = np.unique(np.asarray(values, dtype=np.int32), return_inverse=True)
        weight = np.asarray(weights, dtype=np.float64)
        if not (np.isfinite(weight).all() and (weight >= 0).all() and weight.sum() > 0):
            raise ValueError("weights: allowed are numbers >= 0, not all of them 0")
        total = np.bincount(place, weights=weight)
        some = total > 0
        return cls(numbers[some], total[some] / total.sum())

    def draw(self, rng: np.random.Generator, size: int) -> Int32Array:
        """Return int32 [size] random numbers."""
        if (self.shares == self.shares[0]).all():
            return self.values[rng.integers(self.values.size, size=size)]
        edges = np.cumsum(self.shares)[:-1]
        return self.values[np.searchsorted(edges, rng.random(size), side="right")]

    @property
    def mean(self) -> float:
        """Mean of the numbers drawn."""
        return float(self.values @ self.shares)
