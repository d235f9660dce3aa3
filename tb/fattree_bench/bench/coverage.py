"""Functional coverage, counted in whole arrays: what the coverage of every link shares."""

from collections.abc import Callable
from typing import Generic

import numpy.typing as npt
from pyuvm import uvm_component, uvm_subscriber

from fattree_bench.bench.created import Created
from fattree_bench.bench.groups import Group
from fattree_bench.bench.tlm import Item, Net, Planned

REMEMBERED = 8  # items, in the hope that they come again


class Coverage(Created, uvm_subscriber, Generic[Net, Item, Planned]):
    """Counts what was tried, item by item; an item that is repeated is counted twice, times n.

    `grouping` makes the cover groups of a network.
    """

    grouping: Callable[[Net], list[Group]]

    def __init__(self, name: str, parent: uvm_component, network: Net) -> None:
        super().__init__(name, parent)
        self.network = network
        self.groups = {group.name: group for group in self.grouping(network)}
        self._again: dict[int, tuple[Item, Planned, int]] = {}  # items that came, and came again

    def write(self, item: Item) -> None:
        """Note an item that was checked: a new one is counted at once, while caches hold it."""
        key = id(item.plan)
        if key in self._again:
            _, plan, times = self._again[key]
            self._again[key] = (item, plan, times + 1)
            return
        if len(self._again) == REMEMBERED:
            self.fold()
        self._again[key] = (item, item.plan, 0)
        self.sample(item, item.plan, 1)

    def fold(self) -> None:
        """Count what came again."""
        for item, plan, times in self._again.values():
            if times:
                self.sample(item, plan, times)
        self._again.clear()

    def sample(self, item: Item, plan: Planned, times: int) -> None:
        """Count one item that was played so many times."""
        raise NotImplementedError

    def add(self, name: str, times: int, *indices: npt.ArrayLike) -> None:
        """Count samples of a group, if the network has it: one index array a point."""
        if name in self.groups:
            self.groups[name].add(indices, times)
