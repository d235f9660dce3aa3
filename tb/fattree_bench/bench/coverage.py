"""Functional coverage, counted in whole arrays: what the coverage of every link shares."""

from typing import Any

import numpy.typing as npt
from pyuvm import uvm_subscriber

from fattree_bench.bench.groups import Group

PENDING = 8  # items whose counting is put off, in the hope that they come again


class Coverage(uvm_subscriber):
    """Counts what was tried, item by item; an item that is repeated is counted once, times n."""

    def __init__(self, name: str, parent: Any, groups: list[Group]) -> None:
        super().__init__(name, parent)
        self.groups = {group.name: group for group in groups}
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

    def add(self, name: str, times: int, *indices: npt.NDArray[Any]) -> None:
        """Count samples of a group, if the network has it: one index array a point."""
        if name in self.groups:
            self.groups[name].add(indices, times)
