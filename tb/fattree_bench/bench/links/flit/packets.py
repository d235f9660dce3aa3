"""Packets of flits: the sequence item of the flit link, and what is seen in a burst of clocks."""

from collections.abc import Callable, Iterator, Sequence
from copy import copy
from dataclasses import dataclass
from typing import Self

import numpy as np
import numpy.typing as npt

from fattree_bench.bench.faults import Where
from fattree_bench.bench.links.flit.pauses import Pauses
from fattree_bench.bench.links.flit.recorder import Recorded
from fattree_bench.bench.links.flit.resets import shape_of
from fattree_bench.bench.links.payload import Words
from fattree_bench.bench.links.resets import clocks
from fattree_bench.bench.tlm import Played
from fattree_models.common.checks import BoolArray, Int64Array, UInt8Array, UInt64Array
from fattree_models.traffic import Measurement, Packets, Window, concatenate

VALID = 1 << 63  # of an offer: there is a packet
UIntArray = npt.NDArray[np.unsignedinteger]
# Given an item's plan: names of faults, what happened, and the packet, if it is one; see promises.
Findings = Iterator[tuple[str, str] | tuple[str, str, int] | tuple[str, str, int, Where]]
Check = Callable[..., Findings]


@dataclass(frozen=True)
class Answers:
    """Requests are answered: a packet to the requester, made where the request arrived.

    Attributes
    ----------
    flits : length of a reply.
    limit : replies that may wait at a node; beyond that it takes no more requests.
    """

    flits: int
    limit: int


class PacketSet(Played):
    """Packets to be sent: the sequence item.

    Attributes
    ----------
    packets : who sends what to whom when (cycles from the start of the item).
    family : what kind of traffic this is, for report and coverage.
    cycles : after so many clocks the item ends, whatever is on its way; None: when all has arrived.
    stall : float [nodes], chance that a receiver gives no credit in a clock; clocks; or None.
    answers : how requests are answered, or None.
    window : when the network is measured, or None.
    alone : packets do not meet: each must arrive exactly as late as in an empty network.
    reset : clock in which a reset begins, or None; what is on its way then is gone.
    shape : of that reset, drawn from the packets; see `resets`.
    load : flits a node and cycle, given with the measurement; or None.
    pattern : of the traffic that is measured, as a user writes it.
    senders : leaves that have traffic under it, or None: all.
    busiest : the report tells how many packets went over the busiest link.
    check : what else must hold when the item is over, or None.
    corners : the bodies of its packets are of words that no tag is.
    sequence : of the driver; not used.
    plan : what the predictor worked out.
    measurement : what was measured in the window, when the item is over.
    """

    def __init__(
        self,
        packets: Packets,
        family: str,
        cycles: int | None = None,
        stall: npt.NDArray[np.float64] | Pauses | None = None,
        answers: Answers | None = None,
        window: Window | None = None,
        alone: bool = False,
        reset: int | None = None,
        load: float | None = None,
        pattern: str = "",
        senders: int | None = None,
        busiest: bool = False,
        check: Check | None = None,
        corners: bool = False,
    ) -> None:
        super().__init__(family)
        self.packets = packets
        self.family = family
        self.cycles = cycles
        self.stall = stall
        self.answers = answers
        self.window = window
        self.alone = alone
        self.reset, self.shape = reset, 1 if reset is None else shape_of(packets)
        self.load = load
        self.pattern = pattern
        self.senders = senders
        self.busiest = busiest
        self.check = check
        self.corners = corners
        self.measurement: Measurement | None = None

    @property
    def resets(self) -> tuple[int, ...]:
        """Clocks in which reset is held."""
        return clocks(self.reset, self.shape)

    @property
    def slots(self) -> int:
        """What the driver counts on by: nothing, each item starts at 0."""
        return 0

    def only(self, senders: BoolArray) -> Self:
        """What these leaves send."""
        found = copy(self)
        found.packets = self.packets.select(senders[self.packets.source])
        return found

    def beside(self, other: Self) -> Self:
        """What both send, from different leaves; everything else is of the first."""
        found = copy(self)
        found.packets = concatenate([self.packets, other.packets])
        found.alone = False
        return found


@dataclass
class Burst:
    """What the network got in a burst of clocks besides packets, and what was on its links then.

    Attributes
    ----------
    clocks : of the burst.
    resets : rows in which reset was set.
    seed : of the network's random numbers, as of a reset.
    sends : leaves may send; not so in the bursts of a reset.
    closed : no packet of the lists is begun any more.
    stall : bool [clocks, leaves], who gave no credits back; None: no leaf.
    recorded : what was on all links, to be asked before the next burst; None: not recorded.
    hashes : uint64, of flits and credits, see flit_recorder; None: not recorded.
    total : uint64 [words], of what the network showed of itself, the same.
    cut : the simulation ended inside it: there are no hashes.
    """

    clocks: int
    resets: Sequence[int]
    seed: int
    sends: bool
    closed: bool
    stall: BoolArray | None
    recorded: Callable[[], Recorded] | None = None
    hashes: UInt64Array | None = None
    total: UInt64Array | None = None
    cut: bool = False


@dataclass
class FlitCaptured:
    """What was seen in a burst of clocks; the arrays are the memories themselves.

    Attributes
    ----------
    first : clock of row 0, counted from the start of the item.
    side : unsigned [cycles, nodes]: tail, head, VC one-hot (4 bits), list of hops; 0 no flit.
    data : words [cycles, nodes].
    taken : packed bits [cycles, bytes] by node: began a packet of its list; little-endian.
    bursts : those since the last that was captured, this one the last.
    """

    item: PacketSet
    first: int
    side: UIntArray
    data: Words
    taken: UInt8Array
    bursts: Sequence[Burst] = ()

    @property
    def recorded(self) -> Callable[[], Recorded] | None:
        """What was on all links, while the burst is the last; None: not recorded."""
        return self.bursts[-1].recorded if self.bursts else None


def offers(
    packets: Packets, address: Int64Array, vcs: UInt8Array, corners: bool = False
) -> UInt64Array:
    """What the player gets of each packet, uint64 [packets], but for its release.

    Parameters
    ----------
    address : int64 [packets], what the head flit says of the destination.
    vcs : uint8 [packets], virtual channels that the packet may start in, one bit each.
    corners : their bodies are of words that no tag is.
    """
    made = np.full(len(packets), VALID | corners << 45, np.uint64)
    for shift, values in ((16, address), (32, packets.flits), (40, vcs), (44, packets.kind)):
        made |= values.astype(np.uint64) << np.uint64(shift)
    return made
