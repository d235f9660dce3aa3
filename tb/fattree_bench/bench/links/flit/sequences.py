"""Sequences of packets for any network on the flit link, as its leaves send them."""

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from fattree_bench.bench.links.flit.packets import Answers, Check, PacketSet
from fattree_bench.bench.network import Network
from fattree_bench.bench.sequence import Sequence
from fattree_bench.paths import ROOT
from fattree_models.common.checks import IntegerArray
from fattree_models.traffic import Packets, read_packets

OPTIONS = ("cycles", "stall", "answers", "alone", "reset", "busiest", "check", "corners")


class PacketList(Sequence[Network, PacketSet]):
    """Packets that are given, in one item; its other fields are those of a PacketSet.

    Attributes
    ----------
    packets : who sends what to whom when, or None: a subclass makes them.
    family : what kind of traffic this is; else the name of the sequence.
    """

    packets: Packets | None = None
    family: str = ""
    cycles: int | None = None
    stall: npt.NDArray[np.float64] | None = None
    answers: Answers | None = None
    alone: bool = False
    reset: int | None = None
    busiest: bool = False
    check: Check | None = None
    corners: bool = False

    def made(self) -> Packets:
        """The packets, drawn if there is something random about them."""
        if self.packets is None:
            raise ValueError(f"{self.get_name()}: no packets are given")
        return self.packets

    def items(self) -> Iterator[PacketSet]:
        options = {name: getattr(self, name) for name in OPTIONS}
        kind: type[PacketSet] = self.stimulus.senders.item
        yield kind(self.made(), self.family or self.get_name(), **options)


class Uniform(PacketList):
    """Random packets, by default to all leaves alike.

    Attributes
    ----------
    pattern, lengths, injection : as a user writes them; lengths by default all that there are.
    load : flits a leaf and clock.
    clocks : in which packets are created; None: as many as a test of random traffic has.
    """

    pattern: str = "uniform"
    lengths: str = ""
    load: float = 0.3
    clocks: int | None = None
    injection: str = "bernoulli"

    def made(self) -> Packets:
        senders, network = self.stimulus.senders, self.network
        sizes = self.lengths or senders.lengths(network)
        clocks = self.rows if self.clocks is None else self.clocks
        drawn: Packets = senders.draw(
            self.rng, network, self.pattern, sizes, self.load, clocks, self.injection
        )
        return drawn


class HotSpot(Uniform):
    """Random packets; one leaf gets a share besides its own, as by "hotspot"."""

    goal: int = 0
    share: float | None = None

    def made(self) -> Packets:
        self.pattern = f"hotspot:{self.goal}"
        self.pattern += "" if self.share is None else f":{self.share:g}"
        return super().made()


class Permutation(PacketList):
    """All leaves have `each` packets for one other, waiting from the start; goal -1: none."""

    goal: IntegerArray | None = None
    each: int = 1
    flits: int = 4

    def made(self) -> Packets:
        goal = np.asarray(self.goal)
        source = np.repeat(np.flatnonzero(goal >= 0), self.each)
        return Packets.of(source, goal[source], 0, self.flits)


class PacketFile(PacketList):
    """The packets of a file of source,destination,release[,flits]; else of MESSAGES."""

    path: str = ""

    def made(self) -> Packets:
        given: Packets | None = self.network.workload.packets
        if self.path:
            given = read_packets(ROOT / self.path, self.network.leaves)
        if given is None:
            raise ValueError(f"{self.get_name()}: no file is given")
        return given
