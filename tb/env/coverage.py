"""Functional coverage, counted in whole arrays: what the coverage of every link shares."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from pyuvm import uvm_subscriber

from models.checks import Int64Array

PENDING = 8  # items whose counting is put off, in the hope that they come again


@dataclass
class Group:
    """A cover group: hits of each bin, and which bins can be hit at all."""

    name: str
    hits: Int64Array
    reachable: npt.NDArray[np.bool_]

    @property
    def covered(self) -> int:
        return int(np.count_nonzero(self.hits[self.reachable]))

    @property
    def bins(self) -> int:
        return int(np.count_nonzero(self.reachable))


class Coverage(uvm_subscriber):
    """Counts what was tried, item by item; an item that is repeated is counted once, times n."""

    def __init__(self, name: str, parent: Any, groups: dict[str, Group]) -> None:
        super().__init__(name, parent)
        self.groups = groups
        self._pending: dict[int, tuple[Any, Any, int]] = {}

    def write(self, item: Any) -> None:
        """Note an item that was checked."""
        key = id(item.plan)
        times = self._pending[key][2] if key in self._pending else 0
        self._pending[key] = (item, item.plan, times + 1)
        if len(self._pending) > PENDING:
            self.fold()

    def fold(self) -> None:
        """Count all items that were put off."""
        for item, plan, times in self._pending.values():
            self.sample(item, plan, times)
        self._pending.clear()

    def sample(self, item: Any, plan: Any, times: int) -> None:
        """Count one item that was played so many times."""
        raise NotImplementedError

    def add(self, name: str, bins: npt.NDArray[Any], times: int) -> None:
        """Count hits: `bins` are flat indices into the group, one a sample."""
        flat = self.groups[name].hits.reshape(-1)
        if flat.size > 8 * bins.size:
            np.add.at(flat, bins, times)
        else:
            flat += times * np.bincount(bins, minlength=flat.size)


def make_groups(reachable: dict[str, npt.NDArray[np.bool_]]) -> dict[str, Group]:
    """Empty groups from the bins that can be hit."""
    return {k: Group(k, np.zeros(v.shape, np.int64), v) for k, v in reachable.items()}
