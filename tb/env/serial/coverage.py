"""Functional coverage of the serial link, counted in whole arrays."""

from typing import Any

import numpy as np
import numpy.typing as npt

from models import leiserson as lei
from models.tree import bit_lengths
from tb.env.coverage import Coverage, Group, make_groups
from tb.env.serial.plan import Plan
from tb.links.serial import MessageSet
from tb.networks.leiserson import Leiserson

ATTEMPTS = 8  # bins: 1, 2, … 7, 8 or more


def groups(network: Leiserson) -> dict[str, Group]:
    """The cover groups of a network, as data: name, shape, reachable bins."""
    leaves, n, cap = network.leaves, network.n, network.cap
    pairs = ~np.eye(leaves + 1, dtype=np.bool_)  # the last one is the outside
    occupancy = np.zeros((n + 1, 2, int(cap.max()) + 2), np.bool_)
    for k in range(n + 1):
        # Not more wires than messages can come: from below upwards, from outside and siblings down.
        below = (leaves >> k) * int(cap[-1])
        occupancy[k, 0, : min(int(cap[k]), below) + 1] = True
        above = leaves * int(cap[-1]) - below + int(cap[0]) if k else int(cap[0])
        occupancy[k, 1, : min(int(cap[k]), above) + 1] = True
    shapes: dict[str, npt.NDArray[np.bool_]] = {
        "source x destination": pairs,
        "height of the common ancestor": np.arange(n + 2) > 0,  # n + 1: the outside
        "wires in use: level x direction x count": occupancy,
        "messages lost in a cycle: no, yes": np.ones(2, np.bool_),
        "attempts of a message": np.ones(ATTEMPTS, np.bool_),
        "late comers at a channel downwards: no, yes": np.array([True, n > 1]),
        "senders in a cycle: none, some, all processors": np.ones(3, np.bool_),
        "off-line, on-line": np.ones(2, np.bool_),
        "reset in a delivery cycle": np.ones(1, np.bool_),
    }
    return make_groups(shapes)


class SerialCoverage(Coverage):
    """Counts what was tried on the serial link."""

    def __init__(self, name: str, parent: Any, network: Leiserson) -> None:
        super().__init__(name, parent, groups(network))
        self.network = network
        self.height = bit_lengths(network.n + 2)  # of the outside: never used
        self.senders = lei.source_processor(network.tree)

    def sample(self, item: MessageSet, plan: Plan, times: int) -> None:
        leaves, n, add = self.network.leaves, self.network.n, self.add
        cycle, wire = np.nonzero(plan.row >= 0)
        source = self.senders[wire].astype(np.int64)
        destination = item.dst[plan.row[cycle, wire], wire].astype(np.int64)
        add("source x destination", source * (leaves + 1) + destination, times)
        outside = (source == leaves) | (destination == leaves)
        height = np.where(outside, n + 1, self.height[source ^ destination])
        add("height of the common ancestor", height, times)
        size = int(self.network.cap.max()) + 2
        for k in range(n + 1):
            for way, used in enumerate((plan.outcome.used_up, plan.outcome.used_down)):
                count = used[:, 1 << k : 2 << k].ravel().astype(np.int64)
                add("wires in use: level x direction x count", (2 * k + way) * size + count, times)
        lost = plan.lost.sum(axis=1) > 0
        add("messages lost in a cycle: no, yes", lost.astype(int), times)
        row = plan.row[cycle, wire].astype(np.int64)
        tries = np.unique(row * self.network.wires + wire, return_counts=True)[1]
        add("attempts of a message", np.minimum(tries, ATTEMPTS) - 1, times)
        # Who turns higher up reaches a channel later: heights that met in the one above a pair.
        arrived, sink = np.nonzero(plan.outcome.arrived >= 0)
        who = self.senders[plan.from_wire[arrived, sink]].astype(np.int64)
        leaf = sink // int(self.network.cap[-1])
        reach = np.where(who == leaves, n + 1, self.height[who ^ leaf])
        down = (leaf < leaves) & (reach >= 2)
        if down.any():
            channel = arrived[down] * leaves + (leaf[down] >> 1)
            low = np.full(int(channel.max()) + 1, n + 2)
            high = np.zeros(len(low), np.int64)
            np.minimum.at(low, channel, reach[down])
            np.maximum.at(high, channel, reach[down])
            late = (low < high)[high > 0]
            add("late comers at a channel downwards: no, yes", late.astype(int), times)
        everybody = leaves * int(self.network.cap[-1])
        busy = np.count_nonzero(plan.row[:, :everybody] >= 0, axis=1)
        add(
            "senders in a cycle: none, some, all processors",
            (busy > 0).astype(int) + (busy == everybody),
            times,
        )
        add("off-line, on-line", np.array([int(item.queue)]), times)
        if item.reset is not None and plan.discarded:
            add("reset in a delivery cycle", np.zeros(1, int), times)
