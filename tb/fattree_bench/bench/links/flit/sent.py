"""What each packet of an item must be, and what was seen of it: the two halves of a plan."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Protocol, SupportsIndex

import numpy as np
import numpy.typing as npt

from fattree_bench.bench.failure import Parcel, Place
from fattree_bench.bench.faults import Where
from fattree_bench.bench.limits import Limits
from fattree_bench.bench.links.flit.packets import FlitCaptured, PacketSet
from fattree_bench.bench.links.flit.resets import take_away
from fattree_bench.bench.links.flit.words import FlitWords
from fattree_bench.bench.suspects import Attribute, bits, flag
from fattree_models.common.checks import Int32Array, Int64Array, UInt64Array

Mask = npt.NDArray[np.bool_]
Masks = npt.NDArray[np.uint8]  # of virtual channels, one bit each


@dataclass(frozen=True)
class FlitLink:
    """All that the link's own checks know of a network.

    Attributes
    ----------
    leaves : that send and receive.
    words : how to read flits.
    room : flits that a receiver's virtual channel holds.
    far : clocks that a credit from there takes beyond those of any link.
    class_vcs : virtual channels for packets of class 0 and 1, one bit each.
    address : of destinations, as the heads of packets to them say it, given source and destination.
    reply_address : the same of a reply's destination.
    start_vcs : virtual channels that packets may start in, given destination and class; None: all
        of their class.
    place : what to call the i-th virtual channel that the network shows; True: at an output.
    limits : when an item is ended.
    by_channel : packets of a pair in different virtual channels may overtake each other.
    """

    leaves: int
    words: FlitWords
    room: int
    class_vcs: tuple[int, int]
    address: Callable[[Int64Array, Int64Array], Int64Array] = lambda source, destination: (
        destination
    )
    reply_address: Callable[[Int64Array], Int64Array] = lambda destination: destination
    start_vcs: Callable[[Int64Array, Masks], Masks] | None = None
    place: Callable[[int, bool], str] = lambda i, output: f"virtual channel {i}"
    limits: Limits = field(default_factory=Limits)
    far: int = 0
    by_channel: bool = False


class Sent:
    """Packets of an item and, behind them, the replies to them: what each must be.

    Attributes
    ----------
    packets : number of those in the lists; replies are as many, or none.
    starts, lengths : int64 [leaves + 1], [leaves]: where each leaf's list begins, how long it is.
    source, destination : int64 [sent].
    flits : int64 [sent]; first_flit : int64 [sent + 1], their numbers run on over all packets.
    release : int64 [packets], clock in which each may first be sent.
    address : int64 [sent], of the destination, in the head flit; kinds: uint8 [sent], classes.
    start_vcs : uint8 [packets], virtual channels that a packet may start in, one bit each.
    answered : the packets are requests, and replies are awaited.
    corners : bodies of the packets in the lists are of words that no tag is.
    """

    def __init__(self, item: PacketSet, link: FlitLink) -> None:
        given = item.packets
        self.link = link
        self.packets = len(given)
        self.answered = item.answers is not None
        self.corners = item.corners
        self.starts = given.starts(link.leaves)
        self.lengths = np.diff(self.starts)
        self.release = given.release
        self.source = given.source.astype(np.int64)
        self.destination = given.destination.astype(np.int64)
        self.flits = given.flits.astype(np.int64)
        self.kinds = given.kind
        self.address = link.address(self.source, self.destination)
        masks = np.array(link.class_vcs, np.uint8)[given.kind]
        if link.start_vcs is not None:
            masks &= link.start_vcs(self.destination, given.kind)
        self.start_vcs = masks
        if item.answers is not None:
            self.source = np.r_[self.source, given.destination]
            self.destination = np.r_[self.destination, given.source]
            self.flits = np.r_[self.flits, np.full(self.packets, item.answers.flits)]
            self.kinds = np.r_[self.kinds, np.ones(self.packets, np.uint8)]
            replies = link.reply_address(self.destination[self.packets :])
            self.address = np.r_[self.address, replies]
        self.first_flit = np.r_[0, np.cumsum(self.flits)]

    def __len__(self) -> int:
        return len(self.source)

    @property
    def listed(self) -> Mask:
        """Packets of the lists, not replies, bool [sent]."""
        return np.arange(len(self)) < self.packets

    def packet_of(self, flit: npt.ArrayLike) -> Int64Array:
        """The packets of flits."""
        return np.searchsorted(self.first_flit, flit, "right") - 1

    def words(self, flit: Int64Array) -> UInt64Array:
        """What these flits must say, uint64 [flits]."""
        packet = self.packet_of(flit)
        listed = np.where(packet < self.packets, packet, packet - self.packets)
        owner = self.source[listed]
        return self.link.words.write(
            listed - self.starts[owner],
            flit - self.first_flit[packet],
            self.kinds[packet] == 1,
            owner,
            self.source[packet],
            self.address[packet],
            (packet < self.packets) & self.corners,
        )

    def name(self, i: SupportsIndex) -> str:
        """A packet, as in "packet 3 of leaf 5 to leaf 9 (4 flits)"."""
        i = i.__index__()
        what, at = ("packet", i) if i < self.packets else ("the reply to packet", i - self.packets)
        owner = int(np.searchsorted(self.starts, at, "right")) - 1
        which = f"{what} {at - self.starts[owner]} of leaf {owner}"
        where = "" if i >= self.packets else f" to leaf {self.destination[i]}"
        length = self.flits[i]
        return f"{which}{where} ({length} {'flit' if length == 1 else 'flits'})"


class Seen:
    """What was seen of an item so far.  The scoreboard writes it, everybody else only reads.

    Attributes
    ----------
    now : clocks seen so far.
    created : int64 [sent], clock in which it could first be sent; -1 not yet (replies).
    injected : int64 [sent], clock in which it was begun; -1 not yet, and for replies.
    arrival : int32 [flits], clock; -1 not yet.
    vc : uint8 [flits], one-hot, as it arrived.
    route : uint64 [sent], what the head said of its way.
    begun : int64 [leaves], packets of each list that were begun.
    arrived : flits seen so far; delivered: packets and replies; asked: requests among them.
    progress : clock of the last sign of life; what comes twice is none.
    gone : bool [sent], packets that a reset took away.
    """

    def __init__(self, sent: Sent) -> None:
        self.sent = sent
        self.now = self.arrived = self.delivered = self.asked = self.progress = 0
        self.created = np.r_[sent.release, np.full(len(sent) - sent.packets, -1)]
        self.injected = np.full(len(sent), -1, np.int64)
        self.arrival: Int32Array = np.full(int(sent.first_flit[-1]), -1, np.int32)
        self.vc = np.zeros(len(self.arrival), np.uint8)
        self.route = np.zeros(len(sent), np.uint64)
        self.begun = np.zeros(sent.link.leaves, np.int64)
        self.gone = np.zeros(len(sent), np.bool_)
        self._oldest = np.zeros(sent.link.leaves, np.int64)

    def tails(self, which: Mask | Int64Array | slice = slice(None)) -> Int32Array:
        """Clock in which the tails of packets arrived, -1 not yet."""
        found: Int32Array = self.arrival[self.sent.first_flit[1:][which] - 1]
        return found

    def whole(self) -> Mask:
        """Packets whose flits have all arrived, bool [sent]."""
        if not len(self.sent):
            return np.zeros(0, np.bool_)
        return np.minimum.reduceat(self.arrival, self.sent.first_flit[:-1]) >= 0

    def absent(self) -> Mask:
        """Flits that have not arrived and should, bool [flits]: no reset took them away."""
        return (self.arrival < 0) & ~np.repeat(self.gone, self.sent.flits)

    @property
    def waiting(self) -> int:
        """Packets on their way, replies too."""
        gone = int((self.gone & (self.tails() < 0)).sum()) if self.gone.any() else 0
        return int(self.begun.sum()) + self.asked - self.delivered - gone

    @property
    def all_arrived(self) -> bool:
        """Everything has arrived that is to arrive."""
        missing = 0
        if self.gone.any():
            missing = int(np.count_nonzero(self.arrival[np.repeat(self.gone, self.sent.flits)] < 0))
        return self.arrived == len(self.arrival) - missing

    # ---- what the scoreboard notes ---------------------------------------------------------------

    def take(self, captured: FlitCaptured) -> None:
        """Which packets of the lists were begun when."""
        sent = self.sent
        leaves = sent.link.leaves
        bits = np.unpackbits(captured.taken, axis=1, count=leaves, bitorder="little")
        leaf, clock = np.nonzero(bits.T)
        if not len(leaf):
            return
        count = np.bincount(leaf, minlength=leaves)
        rank = np.arange(len(leaf)) - np.repeat(np.cumsum(count) - count, count)
        number = self.begun[leaf] + rank
        known = number < sent.lengths[leaf]  # others are spurious, and found so when they arrive
        packet, when = (sent.starts[leaf] + number)[known], captured.first + clock[known]
        self.injected[packet] = when
        self.begun = np.minimum(self.begun + count, sent.lengths)
        self.progress = max(self.progress, int(when.max(initial=0)))

    def been(self, packet: Int64Array, index: Int64Array, named: Mask) -> Mask:
        """Which flits of those that are named have arrived, or came before in this burst."""
        flit, order = self.sent.first_flit[packet] + index, np.arange(len(packet))
        flit[~named] = 0
        at = np.flatnonzero(named)[::-1]
        first = np.empty(len(self.arrival), np.int64)
        first[flit[at]] = at
        there: Mask = (self.arrival[flit] >= 0) | (first[flit] != order)
        return there & named

    def enter(self, packet: Int64Array, index: Int64Array, clock: Int64Array, vc: Masks) -> Mask:
        """Note flits that arrived; true where one was there before."""
        sent = self.sent
        flit = sent.first_flit[packet] + index
        again: Mask = self.arrival[flit] >= 0
        # Backwards, so the earlier of two in one burst is kept.
        self.arrival[flit[::-1]] = np.where(again, self.arrival[flit], clock)[::-1]
        again |= self.arrival[flit] != clock
        self.vc[flit] = vc
        fresh = ~again
        self.arrived += int(np.count_nonzero(fresh))
        self.progress = max(self.progress, int(clock.max(initial=0, where=fresh)))
        ends = packet[fresh & (index == sent.flits[packet] - 1)]
        self.delivered += len(ends)
        if sent.answered:
            asked = ends[ends < sent.packets]
            self.asked += len(asked)
            self.created[asked + sent.packets] = self.tails(asked) + 1
        return again

    def pass_by(self, clocks: int, resets: Iterable[int]) -> None:
        """So many clocks went by; what was on its way when a reset came in them is gone."""
        self.now += clocks
        take_away(self, [x for x in resets if self.now - clocks <= x < self.now])

    def unwrap(self, owner: Int64Array, number: Int64Array) -> Int64Array:
        """Full numbers of packets whose low bits are known: the next from the oldest on."""
        oldest = self.oldest()[owner]
        return oldest + (number - oldest) % (1 << self.sent.link.words.number_bits)

    def oldest(self) -> Int64Array:
        """A packet of each list before which all are delivered, int64 [leaves]: not too old."""
        size = 1 << self.sent.link.words.number_bits
        if int((self.begun - self._oldest).max()) > size // 4:
            self._advance()
        return self._oldest

    def _advance(self) -> None:
        """Find for each list the oldest packet that is not delivered, replies included."""
        sent, tails = self.sent, self.tails()
        done = (tails[: sent.packets] >= 0) | self.gone[: sent.packets]
        if sent.answered:
            done &= tails[sent.packets :] >= 0
        leaf = np.repeat(np.arange(sent.link.leaves), sent.lengths)[~done]
        self._oldest = sent.lengths.copy()
        np.minimum.at(self._oldest, leaf, np.flatnonzero(~done) - sent.starts[leaf])


class FlitPlan:
    """An item on its way: what its packets must be, and what was seen of them.

    A family may add what it knows of the way (`hops`) and of an empty network (`zero_load`).
    """

    telling = 1  # flit whose bits are compared: a head has its address
    noted: Any = Seen  # what is made of packets that are sent, to note what becomes of them

    def __init__(self, link: FlitLink, item: PacketSet) -> None:
        self.link = link
        self.item = item
        self.sent = Sent(item, link)
        self.seen = self.noted(self.sent)

    @property
    def sent_in(self) -> Int64Array:
        """Clocks in which packets were begun, replies asked for; -1 not at all, int64 [sent]."""
        begun: Int64Array = np.where(self.sent.listed, self.seen.injected, self.seen.created)
        return begun

    def where(self, packet: int, clock: int | None, leaf: int | None = None) -> Where:
        """Of a fault of a packet that came to a leaf, or to its own."""
        sent = self.sent
        owner = packet if packet < sent.packets else packet - sent.packets
        goal = int(sent.destination[packet])
        number = owner - int(sent.starts[int(sent.source[owner])])
        parcel = Parcel(int(sent.source[packet]), goal, number, "number")
        astray = leaf is not None and leaf != goal
        place = Place("leaf", leaf if astray else goal)
        return Where(
            clock, place, expected=None if astray else parcel, got=parcel if astray else None
        )

    def attributes(self) -> list[Attribute]:
        """Of each packet and reply, when the item is over."""
        sent, seen = self.sent, self.seen
        vc = seen.vc[sent.first_flit[:-1]].astype(np.int64)
        number = np.frexp(vc.astype(np.float64))[1].astype(np.int64) - 1
        body = np.minimum(sent.flits - 1, self.telling)
        may_start = np.full(len(sent), -1, np.int64)  # of replies: any of their class
        may_start[: sent.packets] = sent.start_vcs
        words = self.sent.words(sent.first_flit[:-1] + body)
        goal = sent.destination
        return [
            Attribute("came from leaf {}", sent.source),
            Attribute("are for leaf {}", goal),
            Attribute("have {} flits", sent.flits),
            Attribute("are of class {}", sent.kinds.astype(np.int64)),
            *([Attribute("arrived in virtual channel {}", number)] if (number > 0).any() else ()),
            Attribute("may start in virtual channels {} (a bit each)", may_start),
            *(
                Attribute(f"have bit {bit} of their destination {{}}", goal >> bit & 1)
                for bit in range((self.link.leaves - 1).bit_length())
            ),
            *bits("bit {bit} of their first word is {}", words, self.link.words.width),
        ]

    @property
    def hops(self) -> Int64Array | None:
        """Switches that each listed packet has passed; None: unknown."""
        return None

    @property
    def zero_load(self) -> float | None:
        """Mean latency of the listed packets without load, clocks; None: unknown."""
        return None

    @property
    def due(self) -> Int64Array | None:
        """Clock in which each tail is to be at its leaf, -1 never, [sent]; None: unknown."""
        return None


class Timed(Protocol):
    """A network that says how long packets take that meet no others, clocks, int64 [packets]."""

    def alone(self, source: Int64Array, destination: Int64Array, flits: Int64Array) -> object: ...


class TimedPlan(FlitPlan):
    """An item in a network that says how long a packet takes that meets no other (`alone`)."""

    def __init__(self, network: Timed, link: FlitLink, item: PacketSet) -> None:
        super().__init__(link, item)
        self.network = network

    @cached_property
    def zero_load(self) -> float | None:
        """Mean latency of the listed packets without load, clocks; None if there are none."""
        return float(self.least_clocks().mean()) if len(self.sent) else None

    def least_clocks(self) -> Int64Array:
        """From the creation of each packet to its arrival, if it meets no other, int64 [sent]."""
        sent = self.sent
        return np.asarray(self.network.alone(sent.source, sent.destination, sent.flits))


def passing(level: Int64Array, node: Int64Array, port: Int64Array) -> Iterator[Attribute]:
    """Attributes of ways up and down a tree, int64 [packets, hops], -1 behind the last hop."""
    if not level.size:
        return
    top = level.argmax(axis=1)
    yield Attribute("turned at level {}", level.max(axis=1))
    place = np.arange(level.shape[1])
    for k in np.unique(level[level >= 0]).tolist():
        for way, part in (
            ("up through", place < top[:, None]),
            ("down through", place > top[:, None]),
            ("about at", place == top[:, None]),
        ):
            here = part & (level == k)
            on, at = here.any(axis=1), here.argmax(axis=1)[:, None]
            if on.any():
                yield Attribute(f"went {way} a switch of level {k}", flag(on))
                for what, of in (("switch {} of", node), ("output {} of a switch of", port)):
                    value = np.take_along_axis(of, at, axis=1)[:, 0]
                    yield Attribute(f"went {way} {what} level {k}", np.where(on, value, -1))


@dataclass(frozen=True)
class FlitOver:
    """An item that is over.

    Attributes
    ----------
    state, home : what the network showed of its virtual channels in the last clock.
    closed : a measurement was over: no packet was begun any more.
    stuck : nothing moved although packets were on their way.
    limit : the limit that ended it; empty: none.
    """

    plan: FlitPlan
    state: npt.NDArray[np.uint16]
    home: Mask
    closed: bool = False
    stuck: bool = False
    limit: str = ""
