"""Ways of packets through routers, as heads on the links tell them."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from fattree_bench.bench.links.flit.packets import FlitCaptured
from fattree_bench.families.spin.receiving import head_of
from fattree_models import spin
from fattree_models.common import fat_tree
from fattree_models.common.checks import BoolArray, Int64Array

if TYPE_CHECKING:
    from fattree_bench.bench.links.flit.sent import FlitPlan
    from fattree_bench.families.spin.network import SpinNetwork


class Hops(NamedTuple):
    """Heads that left routers, those of a packet side by side in order of time: int64 arrays.

    Attributes
    ----------
    packet : of the item.
    clock : when it left; level, node, port : where.
    """

    packet: Int64Array
    clock: Int64Array
    level: Int64Array
    node: Int64Array
    port: Int64Array


class Heads:
    """Collects the heads that a recorder saw on the links of an item."""

    def __init__(self, network: SpinNetwork) -> None:
        self.network = network
        self._place = np.array(network.outputs, np.int64).T
        self._seen: list[Int64Array] = []  # columns: packet, clock, link
        self._hops: Hops | None = None  # in order, until more are seen

    def note(self, plan: FlitPlan, captured: FlitCaptured) -> None:
        """Heads that a burst of clocks saw."""
        if captured.recorded is None:
            return
        words, clock, link, _ = captured.recorded().heads(self._place.shape[1])
        header = words.astype(np.int64) & spin.codec.DATA
        head = head_of(header).astype(np.uint64)
        tags, wrong = self.network.words.read(head, np.ones(len(head), np.bool_), answered=False)
        owner = np.minimum(tags.owner, self.network.leaves - 1)
        number = plan.seen.unwrap(owner, tags.number)
        wrong |= (tags.owner != owner) | (number >= plan.sent.lengths[owner])
        columns = plan.sent.starts[owner] + number, clock + captured.first, link
        self._seen.append(np.stack(columns)[:, ~wrong])
        self._hops = None

    def hops(self) -> Hops:
        """All that were seen."""
        if self._hops is None:
            seen = np.concatenate([np.zeros((3, 0), np.int64), *self._seen], axis=1)
            packet, clock, link = seen[:, np.lexsort((seen[1], seen[0]))]
            self._hops = Hops(packet, clock, *self._place[:, link])
        return self._hops


def legal(plan: FlitPlan, hops: Hops) -> BoolArray:
    """Whether each packet took a way that the routing allows, router by router, bool [sent].

    Up by any parent, as far as it must, then down to the destination.
    """
    sent, tree = plan.sent, plan.network.tree  # type: ignore[attr-defined]
    count = np.bincount(hops.packet, minlength=len(sent))
    place = np.arange(len(hops.packet)) - np.searchsorted(hops.packet, hops.packet)
    longest = max(2 * tree.height - 1, 1)
    inside = place < longest
    columns = np.full((3, len(sent), longest), -1, np.int64)
    for column, values in zip(columns, (hops.port, hops.level, hops.node), strict=True):
        column[hops.packet[inside], place[inside]] = values[inside]
    ports, level, node = columns
    good = count <= longest
    way = fat_tree.walk(tree, sent.source, ports)
    good &= ((way.level == level) & (way.node == node)).all(axis=1)
    return np.asarray(good & fat_tree.legal(tree, sent.source, sent.destination, ports))


def turns(plan: FlitPlan, hops: Hops) -> list[str]:
    """Routers whose parents were not taken in turn, if nobody was in the way of anybody."""
    tree = plan.network.tree  # type: ignore[attr-defined]
    told = []
    for level in range(1, tree.height):
        downs, ups = tree.down_ports(level), tree.up_ports(level)
        climbs = (hops.level == level) & (hops.port >= downs)
        for node in np.unique(hops.node[climbs]):
            here = climbs & (hops.node == node)
            parent = hops.port[here][np.argsort(hops.clock[here], kind="stable")] - downs
            if ((np.diff(parent) - 1) % ups).any():
                some = " ".join(map(str, parent[:12]))
                told.append(f"level {level} router {node} chose its parents in the order {some}")
    return told
