"""What must become of the packets of an item: the model's word, to the clock."""

from __future__ import annotations

import numpy as np

from fattree_bench.bench.levels import LATENCY, ORDER, Supplied
from fattree_bench.bench.links.flit.packets import FlitCaptured, PacketSet
from fattree_bench.bench.links.flit.playing import Playing
from fattree_bench.bench.links.flit.resets import portions
from fattree_bench.bench.links.flit.sent import FlitLink, Mask, Seen, TimedPlan
from fattree_bench.bench.suspects import Attribute, flag
from fattree_bench.families.mft.network import BEFORE, MftNetwork
from fattree_models.common.checks import Int64Array
from fattree_models.mft import run, start_clocks, turn_row
from fattree_models.traffic import Packets


def supplied(network: MftNetwork) -> Supplied:
    """A model says everything; a pair has one lane, so it keeps its order, or makes no promise."""
    in_order = network.mode == "IMFT" and network.lanes == "EXACT"  # a pair shares one lane
    return Supplied((LATENCY, ORDER) if in_order else (LATENCY,), path=True, exact=True)


def link_of(network: MftNetwork) -> FlitLink:
    """What the link's own checks must know."""
    return FlitLink(
        leaves=network.leaves,
        words=network.words,
        room=network.room,
        far=network.longest_way,
        class_vcs=(1, 1),
        place=lambda i, _: "client {} lane {}".format(*divmod(i, network.row_lanes[0])),
    )


class MftPlan(TimedPlan):
    """An item on its way through a modified fat-tree.

    Attributes
    ----------
    begun : int64 [packets], clock of the bench in which a packet leaves its list.
    tail : int64 [packets], clock in which its tail is at the receiver; -1: it is lost.
    lane : int64 [packets], by which it comes to its client; -1: by none.
    cut : bool [packets], that a reset takes away; lost : bool [packets], that do not come.
    counted, outcome : those that the counters count, all or those sent behind a reset, and what
        the model says of them.
    """

    seen: MftSeen
    network: MftNetwork

    def __init__(self, network: MftNetwork, link: FlitLink, item: PacketSet) -> None:
        super().__init__(network, link, item)
        self.seen = MftSeen(self)
        self.foresee(np.ones(len(item.packets), np.bool_))

    def foresee(self, sent: Mask) -> None:
        """Work out what becomes of these packets, if no others are sent."""
        self.begun, self.tail, self.lane = np.full((3, len(sent)), -1, np.int64)
        self.cut: Mask = np.zeros(len(sent), np.bool_)
        for packets, which, end in portions(self.item, sent, start_clocks):
            self._note(packets, which)
            self.cut |= self.tail >= end
        self.tail[self.cut] = -1
        self.lost: Mask = sent & (self.tail < 0)

    def _note(self, packets: Packets, which: Mask) -> None:
        """These are sent into an empty network."""
        self.counted = packets.select(which)
        self.outcome = found = run(self.network.model, self.counted)
        self.begun[which], self.lane[which] = found.start, found.lane
        self.tail[which] = np.where(found.tail >= 0, found.tail + BEFORE, -1)

    @property
    def hops(self) -> Int64Array:
        """Routers that each listed packet has passed."""
        sent = self.sent
        return 2 * turn_row(self.network.n, sent.source, sent.destination) + 1

    def attributes(self) -> list[Attribute]:
        sent, n = self.sent, self.network.n
        turn = turn_row(n, sent.source, sent.destination)
        made = [Attribute("turned in row {}", turn), Attribute("are to come by lane {}", self.lane)]
        for row in range(1, n):
            made.append(Attribute(f"climbed beyond row {row - 1}", flag(turn >= row)))
        return [*super().attributes(), *made]

    @property
    def due(self) -> Int64Array:
        return np.where(self.lost | self.cut, -1, self.tail)


class MftSeen(Seen):
    """What was seen of an item; packets that the model loses are gone when they are sent."""

    def __init__(self, plan: MftPlan) -> None:
        super().__init__(plan.sent)
        self.plan = plan

    def take(self, captured: FlitCaptured) -> None:
        """Which packets were begun when, and which of them will not come."""
        super().take(captured)
        self.gone |= self._lost

    def foreseen(self) -> None:
        """The plan has changed."""
        self.gone = self._lost

    @property
    def _lost(self) -> Mask:
        """Not those of a reset: `pass_by` says what it finds and takes away."""
        return self.plan.lost & ~self.plan.cut & (self.injected >= 0)


class MftPlaying(Playing):
    """The lists of an item; when a measurement is over, no other packets will come."""

    plan: MftPlan

    def over(self, now: int) -> bool:
        """Whether the item ends here."""
        closed = self.closed
        ended = super().over(now)
        if self.closed and not closed:
            self.plan.foresee(self.seen.injected >= 0)
            self.plan.seen.foreseen()
        return ended
