"""Levels of checks, and what a network supplies to be checked against."""

from dataclasses import dataclass
from enum import IntEnum


class Level(IntEnum):
    """How much a check must know of a network; see docs/architecture.md."""

    DELIVERY = 0  # nothing: each packet once, whole, where it belongs
    PROMISES = 1  # what the network promises beyond that
    PATH = 2  # its graph, and taps on its links
    EXACT = 3  # a model that says who arrives when, and who is lost where

    def __str__(self) -> str:
        return f"L{self.value} {self.name.lower()}"


ORDER = "order"  # packets of a pair and class arrive as they were sent
LATENCY = "latency"  # no packet is faster than the law says, none that is alone is slower
CHANNEL = "virtual channel"  # a packet keeps the one that it started in
FAIRNESS = "fairness"  # senders that want the same output share it
THROUGHPUT = "throughput"  # so much of a kind of traffic is accepted
DROPS = "drops"  # packets may be dropped, whole, and are counted
RESET = "reset"  # a reset under load leaves nothing behind
PROMISES = (ORDER, LATENCY, FAIRNESS, THROUGHPUT, DROPS, RESET)  # that any network may make


@dataclass(frozen=True)
class Supplied:
    """What a network supplies beyond the rules of its link.

    Attributes
    ----------
    promises : names of what it promises; what is not here is counted and printed, and no fault.
    path : it knows the way of each packet.
    exact : a model predicts everything.
    """

    promises: tuple[str, ...] = ()
    path: bool = False
    exact: bool = False

    @property
    def level(self) -> Level:
        """The highest level on which it can be checked."""
        if self.exact:
            return Level.EXACT
        if self.path:
            return Level.PATH
        return Level.PROMISES if self.promises else Level.DELIVERY
