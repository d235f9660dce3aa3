"""What must become of the packets of an item, as far as a foreign design says."""

from __future__ import annotations

import numpy as np

from fattree_bench.bench.levels import DROPS, FAIRNESS, LATENCY, ORDER, RESET, THROUGHPUT, Supplied
from fattree_bench.bench.limits import Limits
from fattree_bench.bench.links.flit.packets import PacketSet
from fattree_bench.bench.links.flit.playing import Playing
from fattree_bench.bench.links.flit.sent import FlitLink, FlitPlan, Seen
from fattree_bench.bench.suspects import Attribute
from fattree_bench.families.foreign.accesses import Access
from fattree_bench.families.foreign.handshakes import gives_in
from fattree_bench.families.foreign.network import ForeignNetwork
from fattree_bench.families.foreign.values import attributes
from fattree_models.common.checks import Int64Array

HOMEWARD = 64  # clocks in which the last credits come through an unknown design


def supplied(network: ForeignNetwork) -> Supplied:
    """What is promised."""
    said = network.design.said.promises
    promises = {
        ORDER: bool(said.order),
        LATENCY: said.latency is not None,
        FAIRNESS: said.fairness is not None,
        THROUGHPUT: bool(said.accepts),
        DROPS: said.drops is not None,
        RESET: said.reset,
    }
    given, exact = tuple(x for x in promises if promises[x]), network.user("predict") is not None
    return Supplied(given, path=network.structure is not None, exact=exact)


def link_of(network: ForeignNetwork) -> FlitLink:
    """What the link's own checks must know."""
    said, words = network.design.said, network.design.words_a_flit
    usual = Limits()
    both = (1 << network.design.vcs) - 1
    return FlitLink(
        leaves=network.leaves,
        words=network.words,
        room=network.design.depth * words,
        far=HOMEWARD,
        class_vcs=(both, both),
        by_channel=said.promises.order == "channel",
        place=lambda i, _: "the link into input {} in virtual channel {}".format(
            *divmod(i, network.design.vcs)
        ),
        limits=Limits(
            clocks=said.limits.clocks + said.reset.clocks + said.reset.silent,
            each=usual.each * words,
            quiet=said.limits.quiet,
        ),
    )


class ForeignPlan(FlitPlan):
    """An item on its way through a design that says little of itself."""

    def __init__(self, network: ForeignNetwork, link: FlitLink, item: PacketSet) -> None:
        self.network = network
        self.telling = 0  # its first word: it may route by any bit
        self.gave_in: int | None = None  # the clock in which receivers ceased to wait for valid
        self.accesses: dict[int, Access] = {}  # what packets are, where managers access memories
        self.drops = network.design.said.promises.drops is not None
        super().__init__(link, item)
        self.seen = (DroppingSeen if self.drops else Seen)(self.sent)

    def attributes(self) -> list[Attribute]:
        known, design = self.accesses, self.network.design
        return attributes(design, known, len(self.sent)) if known else super().attributes()

    @property
    def zero_load(self) -> float | None:
        """Mean latency of the listed packets without load, clocks; None: unknown."""
        promised = self.network.design.said.promises.latency
        if promised is None or promised.usual is None or not len(self.sent):
            return None
        flits = self.sent.flits[: self.sent.packets]
        return float(self.network.latency(promised.usual, float(flits.mean())))

    def least(self) -> Int64Array:
        """Clocks from the creation of each packet to its arrival at least, int64 [sent]."""
        promised = self.network.design.said.promises.latency
        return np.asarray(self.network.latency(promised.least if promised else 0, self.sent.flits))

    def most(self) -> Int64Array:
        """The same at most, if a packet is alone."""
        promised = self.network.design.said.promises.latency
        if promised is None or promised.most is None:
            return np.full(len(self.sent), np.iinfo(np.int64).max)
        return np.asarray(self.network.latency(promised.most, self.sent.flits), np.int64)


class DroppingSeen(Seen):
    """What was seen where packets may be dropped: a dropped one must not hold up the numbers."""

    def oldest(self) -> Int64Array:
        size = 1 << self.sent.link.words.number_bits
        return np.maximum(super().oldest(), self.begun - size // 2)


class ForeignPlaying(Playing):
    """The lists of an item; where packets may be dropped, those that do not come are dropped."""

    plan: ForeignPlan

    def over(self, now: int) -> bool:
        """Whether the item ends here."""
        seen = self.seen
        begun = self.closed or not (seen.begun < self.sent.lengths).any()
        if (
            self.plan.drops
            and begun
            and seen.waiting
            and now > seen.progress + self.link.limits.quiet
        ):
            partly = np.add.reduceat(seen.arrival >= 0, self.sent.first_flit[:-1]) > 0
            seen.gone |= (seen.injected >= 0) & ~partly
            if not seen.waiting:
                return True
        return super().over(now) and not gives_in(self, now)
