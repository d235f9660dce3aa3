"""Functional coverage of the slot link, counted in whole arrays."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from pyuvm import uvm_subscriber

from models.checks import Int64Array
from models.tree import FatTree
from tb.env.plan import Plan
from tb.links.slot import SlotFrame
from tb.networks.base import SlotNetwork

PENDING = 8  # frames whose counting is put off, in the hope that they come again


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


def groups(network: SlotNetwork) -> dict[str, Group]:
    """The cover groups of a network, as data: name, shape, reachable bins."""
    n, leaves = network.n, network.leaves
    levels = np.arange(n + 1)
    occupancy = np.zeros((n + 1, 2, leaves // 2 + 1), np.bool_)
    for j in range(max(1, network.top_level), n + 1):
        occupancy[j, :, : int(network.lanes[j]) + 1] = True
    shapes: dict[str, npt.NDArray[np.bool_]] = {
        "source x destination": np.ones((leaves, leaves), np.bool_),
        "turning level": (levels >= 0) & (levels <= n),
        "lanes in use: level x direction x count": occupancy,
        "slot: idle, partial, full": np.ones(3, np.bool_),
        "slot after slot: idle/busy x idle/busy": np.ones((2, 2), np.bool_),
        "conflict in a slot: no, yes": np.ones(2, np.bool_),
        "reset while busy": np.ones(1, np.bool_),
    }
    return {k: Group(k, np.zeros(v.shape, np.int64), v) for k, v in shapes.items()}


class SlotCoverage(uvm_subscriber):
    """Counts what was tried, frame by frame; a frame that is repeated is counted once, times n."""

    def __init__(self, name: str, parent: Any, network: SlotNetwork) -> None:
        super().__init__(name, parent)
        self.network = network
        self.tree = FatTree(network.n)
        self.groups = groups(network)
        self._pending: dict[int, tuple[SlotFrame, Plan, int]] = {}

    def write(self, item: SlotFrame) -> None:
        """Note a frame that was checked."""
        key = id(item.plan)
        times = self._pending[key][2] if key in self._pending else 0
        self._pending[key] = (item, item.plan, times + 1)
        if len(self._pending) > PENDING:
            self.fold()

    def fold(self) -> None:
        """Count all frames that were put off."""
        for item, plan, times in self._pending.values():
            self._sample(item, plan, times)
        self._pending.clear()

    def _sample(self, item: SlotFrame, plan: Plan, times: int) -> None:
        leaves, n, hits = self.network.leaves, self.network.n, self._add
        slot, source = np.nonzero(item.dst >= 0)
        destination = item.dst[slot, source]
        hits("source x destination", source * leaves + destination, times)
        hits("turning level", self.tree.lca_level(source, destination), times)
        size = leaves // 2 + 1
        for j in range(max(1, self.network.top_level), n + 1):
            for direction, used in enumerate((plan.used_up, plan.used_down)):
                count = used[:, 1 << j : 2 << j].ravel()
                hits(
                    "lanes in use: level x direction x count",
                    (2 * j + direction) * size + count,
                    times,
                )
        busy = np.count_nonzero(item.dst >= 0, axis=1)
        hits("slot: idle, partial, full", (busy > 0).astype(int) + (busy == leaves), times)
        alive = (item.dst >= 0).astype(np.int64)
        hits("slot after slot: idle/busy x idle/busy", (2 * alive[:-1] + alive[1:]).ravel(), times)
        lost = plan.conflicts.sum(axis=1) > 0
        hits("conflict in a slot: no, yes", lost.astype(int), times)
        if item.reset is not None and busy.any():
            hits("reset while busy", np.zeros(1, int), times)

    def _add(self, name: str, bins: npt.NDArray[Any], times: int) -> None:
        flat = self.groups[name].hits.reshape(-1)
        if flat.size > 8 * bins.size:
            np.add.at(flat, bins, times)
        else:
            flat += times * np.bincount(bins, minlength=flat.size)
