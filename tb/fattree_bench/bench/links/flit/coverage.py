"""Functional coverage that all networks of the flit link share."""

from collections.abc import Callable

import numpy as np

from fattree_bench.bench.groups import NO_YES, Group, Point, Sizes, numbered
from fattree_bench.bench.links import corners
from fattree_bench.bench.links.flit.packets import PacketSet
from fattree_bench.bench.links.flit.resets import inside
from fattree_bench.bench.links.flit.sent import FlitPlan, Mask
from fattree_models.common.checks import Int64Array

PAIRS = "source x destination"
RESET = "reset: packets inside"
SIDE_BY_SIDE = 4  # flits of a packet in which two that are alike follow each other


FLITS = Sizes(1, 2, 4, 8, 16, last="17 … 64")


class PacketGroups:
    """Cover groups of packets that networks share, and what counts in them.

    `longer`: what is said of packets that took longer than alone; `to_own`: leaves send to
    themselves.
    """

    def __init__(
        self,
        unit: str = "flits",
        sizes: Sizes = FLITS,
        longer: str = "met others",
        to_own: bool = False,
    ) -> None:
        self.unit, self.sizes, self.longer, self.to_own = unit, sizes, longer, to_own
        self.lengths, self.sources = f"{unit} x {longer}", f"waited at its source x {unit}"
        self.stalls = f"receiver gives credits back x {longer}"

    def of(self, leaves: int) -> dict[str, Group]:
        """The groups of so many leaves, by name."""
        lengths, longer = Point(self.unit, self.sizes.labels), Point(self.longer, NO_YES)
        points = {
            PAIRS: (numbered("source", leaves), numbered("destination", leaves)),
            self.lengths: (lengths, longer),
            self.sources: (Point("waited at its source", NO_YES), lengths),
            self.stalls: (Point("gives credits back", ("at once", "now and then")), longer),
            RESET: (Point("inside", NO_YES),),
        }
        made = {name: Group(name, axes) for name, axes in points.items()}
        if not self.to_own:
            made[PAIRS].exclude("leaves never send to themselves", np.eye(leaves, dtype=np.bool_))
        return made

    def count(
        self, add: Callable[..., None], item: PacketSet, at: Int64Array, longer: Mask, times: int
    ) -> None:
        """Packets that arrived, and which took longer than alone; `add` is a Coverage's."""
        plan, sent, seen = item.plan, item.plan.sent, item.plan.seen
        sizes, listed = self.sizes.bins(sent.flits[at]), at < sent.packets
        waited = seen.injected[at] > seen.created[at]
        add(PAIRS, times, sent.source[at], sent.destination[at])
        add(self.lengths, times, sizes, longer)
        add(self.sources, times, waited[listed], sizes[listed])
        add(self.stalls, times, np.full(len(at), item.stall is not None), longer)
        if item.reset is not None:
            add(RESET, times, inside(seen, item.resets))
        if item.corners:
            add(corners.PAYLOADS, times, payload_kinds(plan, seen.whole()))


def payload_group(longest: int) -> Group:
    """The words behind heads; `longest`: flits of the longest packet."""
    group = corners.group(corners.BESIDE)
    if longest < SIDE_BY_SIDE:
        most = "no two flits behind the head need be alike" if longest > 1 else "heads only"
        bins = [longest == 1] * corners.BEFORE + [True]
        group.exclude(most, bins, possible=True)
    return group


def payload_kinds(plan: FlitPlan, whole: Mask) -> Int64Array:
    """Numbers of kinds of words of packets that arrived whole, and are not of tags alone."""
    sent = plan.sent
    words = sent.words(np.arange(len(plan.seen.arrival)))
    behind = np.repeat(whole, sent.flits)
    behind[sent.first_flit[:-1]] = False
    return corners.kinds_of(words[:, None], behind[:, None], sent.link.words.width)
