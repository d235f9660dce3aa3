"""Functional coverage of the slot link, counted in whole arrays."""

from typing import Any

import numpy as np
import numpy.typing as npt

from models.tree import FatTree
from tb.env.coverage import Coverage, Group, make_groups
from tb.env.slot.plan import Plan
from tb.links.slot import SlotFrame
from tb.networks.base import SlotNetwork


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
    return make_groups(shapes)


class SlotCoverage(Coverage):
    """Counts what was tried on the slot link."""

    def __init__(self, name: str, parent: Any, network: SlotNetwork) -> None:
        super().__init__(name, parent, groups(network))
        self.network = network
        self.tree = FatTree(network.n)

    def sample(self, item: SlotFrame, plan: Plan, times: int) -> None:
        leaves, n, hits = self.network.leaves, self.network.n, self.add
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
