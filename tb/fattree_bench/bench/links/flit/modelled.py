"""Plays measured items on a model that knows every clock, as the driver plays them on RTL."""

from typing import Protocol

import numpy as np

from fattree_bench.bench import faults as kind
from fattree_bench.bench.links.flit.playing import Playing
from fattree_bench.bench.links.flit.sent import FlitOver, Mask, Sent
from fattree_models.common.checks import Int64Array


class Told:
    """What a model says of packets, by packet: what `Seen` notes of a simulator, flit by flit.

    Attributes
    ----------
    now, created, injected, begun, delivered, progress : as of `Seen`.
    arrived : int64 [packets], clock in which the tail arrived; -1 not yet.
    hops : int64 [packets], switches passed so far.
    """

    def __init__(self, sent: Sent) -> None:
        self.sent = sent
        self.now = self.delivered = self.progress = 0
        self.created = sent.release
        self.injected = self.arrived = np.full(sent.packets, -1, np.int64)
        self.hops = np.zeros(sent.packets, np.int64)
        self.begun = np.zeros(sent.link.leaves, np.int64)

    @property
    def waiting(self) -> int:
        """Packets on their way."""
        return int(self.begun.sum()) - self.delivered

    @property
    def all_arrived(self) -> bool:
        return self.delivered == self.sent.packets

    def tails(self, which: Mask | Int64Array | slice = slice(None)) -> Int64Array:
        """Clock in which the tails of packets arrived, -1 not yet."""
        return self.arrived[which]

    def take(self, now: int, injected: Int64Array, arrived: Int64Array, last: int) -> None:
        """Note what became of the packets until clock `now`; the last flit came in clock `last`."""
        self.now, self.injected, self.arrived = now, injected, arrived
        self.begun = np.diff(np.r_[0, np.cumsum(injected >= 0)][self.sent.starts])
        self.delivered = int(np.count_nonzero(arrived >= 0))
        self.progress = max(0, last, int(injected.max(initial=0)))


class Model(Protocol):
    """A network after a reset, with the packets of an item."""

    def run(self, clocks: int) -> None:
        """Run so many clocks more."""

    def drop(self) -> None:
        """Begin no packet any more."""

    def tell(self, told: Told, now: int) -> None:
        """Let `told` take what became of the packets until clock `now`."""


def play(model: Model, playing: Playing) -> FlitOver:
    """Play an item to its end, in the bursts of the driver; those of a window are one."""
    told: Told = playing.seen
    while not playing.over(told.now):
        if playing.closed:
            model.drop()
        clocks = playing.burst(told.now, playing.most_clocks)
        model.run(clocks)
        model.tell(told, told.now + clocks)
    return playing.end(np.zeros(0, np.uint16), np.zeros(0, np.bool_))


def troubles(over: FlitOver) -> dict[str, str]:
    """Why an item ended that did not end well, by the name of the fault."""
    found = {kind.LIMIT: over.limit} if over.limit else {}
    if over.stuck:
        told: Told = over.plan.seen
        found[kind.STUCK] = (
            f"nothing moved after clock {told.progress}; {told.waiting} packets on their way"
        )
    return {name: f"{over.plan.item.family}: {told}" for name, told in found.items()}
