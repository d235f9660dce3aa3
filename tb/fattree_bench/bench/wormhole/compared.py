"""A burst in which a link is not as the model says: where, when, and which decision led to it."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol

import numpy as np

from fattree_bench.bench import faults as kind
from fattree_bench.bench.failure import Parcel, Place
from fattree_bench.bench.faults import NOWHERE, Where
from fattree_bench.bench.links.flit.packets import UIntArray
from fattree_bench.bench.links.flit.recorder import Recorded
from fattree_bench.bench.links.flit.resets import Packed, pulses
from fattree_bench.bench.wormhole.network import Wormhole
from fattree_bench.bench.wormhole.places import UNKNOWN, output, place_of
from fattree_models import wormhole
from fattree_models.common.checks import Int64Array, UInt64Array

MARKS = 63  # of a side: tail, head, virtual channel


@dataclass(frozen=True)
class _Flit:
    """What is on a link in a clock.  `packet` is -1 of a flit that is none of those expected."""

    packet: int
    index: int
    vcs: int
    data: int


class Carried(Packed, Protocol):
    """What packets must be, see Sent."""

    def words(self, flit: Int64Array) -> UInt64Array: ...


class Planned(Protocol):
    """A FlitPlan, or what was seen of leaves that somebody else drives."""

    @property
    def sent(self) -> Carried: ...

    def where(self, packet: int, clock: int | None) -> Where: ...


class AtLeaves(NamedTuple):
    """Resets of a burst, see Burst, and what came out at the leaves in it, see FlitCaptured."""

    resets: Sequence[int]
    side: UIntArray
    data: UInt64Array


class Compared:
    """What the model says of a burst, compared with what was recorded."""

    def __init__(
        self,
        network: Wormhole,
        plan: Planned,
        trace: wormhole.Trace,
        seen: Recorded,
        leaves: AtLeaves,
    ) -> None:
        self.network, self.plan, self.trace, self.seen = network, plan, trace, seen
        self.leaves = leaves
        self.kind = kind.LINK  # of the first difference
        self.where = NOWHERE
        self.played = False  # it is of what a leaf sent, or of a credit that a leaf gave
        links = seen.data.shape[1]
        packet, index, vc = (a[:, :links] for a in (trace.packet, trace.index, trace.vc))
        on = packet >= 0
        flit = plan.sent.first_flit[packet] + index
        self.data = np.zeros(on.shape, np.uint64)
        self.data[on] = plan.sent.words(flit[on])
        tail = index == plan.sent.flits[packet] - 1
        marks = tail | (index == 0) << 1 | 1 << np.maximum(vc, 0) + 2
        self.marks = np.where(on, marks, 0)
        self.credits = trace.credits[:, :links]

    def tell(self) -> str:
        """The first difference, in a line."""
        seen = self.seen
        wrong = (self.marks != (seen.side & MARKS)) | (self.data != seen.data)
        wrong |= self.credits != seen.credits
        rows = np.flatnonzero(wrong.any(axis=1))
        if seen.unknown is not None and seen.unknown[0] <= rows.min(initial=len(wrong)):
            self.kind, flit = kind.UNKNOWN, self._expected(*seen.unknown)
            clock, where = self.trace.first + seen.unknown[0], self._where(seen.unknown[1])
            self.where = Where(clock, Place(where), self._parcel(flit))
            return f"clock {clock}: {where}: {UNKNOWN}; expected {self._name(flit)}"
        if not rows.size:
            return self._hops()
        row = int(rows[0])
        # A credit follows from what a queue did: flits first.
        links = sorted(np.flatnonzero(wrong[row]).tolist(), key=lambda x: self._credit(row, x))
        first = links[0]
        self.where = Where(
            self.trace.first + row,
            Place(self._where(first)),
            self._parcel(self._expected(row, first)),
            self._parcel(self._seen(row, first)),
        )
        self.played = all(self._by_leaf(row, link) for link in links)
        more = len(links) - 1
        return self._told(row, first) + (f" (and {more} other links in this clock)" if more else "")

    def _told(self, row: int, link: int) -> str:
        where = f"clock {self.trace.first + row}: {self._where(link)}"
        expected, seen = self._expected(row, link), self._seen(row, link)
        if self._credit(row, link):
            one, two = int(self.credits[row, link]), int(self.seen.credits[row, link])
            return (
                f"{where}: expected {_credits(one)}, seen {_credits(two)}; "
                f"decided in clock {self.trace.first + row - 1} by the queue at the other end"
            )
        return (
            f"{where}: expected {self._name(expected)}, seen {self._name(seen)}; decided in clock "
            f"{self.trace.first + row - 1} by {self._decision(row, link, expected, seen)}"
        )

    def _by_leaf(self, row: int, link: int) -> bool:
        """Whether what differs on a link was decided by a leaf."""
        inside, s = self.network.ways.inputs, self.network.structure
        if self._credit(row, link):
            # It gives the credits, for what it got.
            return link < inside and bool(s.level[s.head[link]] == 0) and self._came(row, link)
        return inside <= link < inside + self.network.leaves

    def _came(self, row: int, link: int) -> bool:
        """Whether the leaf at the end of a link got, up to a row, all that was on it."""
        s, unseen = self.network.structure, [x for x, _ in pulses(self.leaves.resets)]
        leaf, rows = s.number[s.head[link]], np.arange(row + 1)
        rows = rows[~np.isin(rows, unseen)]  # the player sees nothing in the first clock of a pulse
        side, data = self.leaves.side[rows, leaf], self.leaves.data[rows, leaf]
        same = (side & MARKS) == (self.seen.side[rows, link] & MARKS)
        return bool((same & (data == self.seen.data[rows, link])).all())

    def _credit(self, row: int, link: int) -> bool:
        """Whether the flit on a link is as expected: what differs is a credit."""
        same = self._expected(row, link) == self._seen(row, link)
        return same and bool(self.marks[row, link] == (self.seen.side[row, link] & MARKS))

    def _expected(self, row: int, link: int) -> _Flit | None:
        trace = self.trace
        if trace.packet[row, link] < 0:
            return None
        packet, index = int(trace.packet[row, link]), int(trace.index[row, link])
        return _Flit(packet, index, 1 << int(trace.vc[row, link]), int(self.data[row, link]))

    def _seen(self, row: int, link: int) -> _Flit | None:
        """What was seen; its packet, if the model has such a flit anywhere in the burst."""
        side, data = int(self.seen.side[row, link]), self.seen.data[row, link]
        vcs = side >> 2 & 15
        if not vcs:
            return None
        alike = (self.data == data) & (self.marks > 0) & ((self.marks & 2) == (side & 2))
        at = np.argwhere(alike)
        if not at.size:
            return _Flit(-1, 0, vcs, int(data))
        i, k = at[np.argmin(abs(at[:, 0] - row))]
        packet, index = int(self.trace.packet[i, k]), int(self.trace.index[i, k])
        return _Flit(packet, index, vcs, int(data))

    def _parcel(self, flit: _Flit | None) -> Parcel | None:
        """The packet of a flit, if it is one of those expected."""
        if flit is None or flit.packet < 0:
            return None
        return self.plan.where(flit.packet, None).expected

    def _name(self, flit: _Flit | None) -> str:
        if flit is None:
            return "nothing"
        vc = ", ".join(str(v) for v in range(4) if flit.vcs >> v & 1)
        if flit.packet < 0:
            return f"a flit that says {flit.data:#x} in VC {vc}"
        return f"flit {flit.index} of {self.plan.sent.name(flit.packet)} in VC {vc}"

    def _where(self, link: int) -> str:
        return place_of(self.network, link)

    def _switch(self, link: int) -> range:
        """Links out of the same switch; of a leaf its link."""
        network = self.network
        if link >= network.ways.inputs:
            return range(link, link + 1)
        level, _, port = output(network, link)
        return range(link - port, link - port + network.ways.ports(level))

    def _decision(self, row: int, link: int, expected: _Flit | None, seen: _Flit | None) -> str:
        """What decides it, after docs/wormhole.md."""
        if link >= self.network.ways.inputs:
            return "the leaf"
        if (port := self._elsewhere(row, link, expected, seen)) is not None:
            return f"the route: output {port} {self._draw(row, link)}"
        if expected is not None and seen is not None:
            if expected.packet != seen.packet:
                damaged = seen.packet < 0
                return "what the switch stores or carries" if damaged else "the port's arbiter"
            if expected.index != seen.index:
                return "the queue of the packet"
            if expected.vcs != seen.vcs:
                return "VC allocation"
            return "what the switch carries: marks differ"
        flit = expected or seen
        assert flit is not None
        if flit.index == 0:
            return f"route, VC or switch allocation {self._draw(row, link)}"
        return "switch allocation: arbiters, credits, or the queue"

    def _elsewhere(
        self, row: int, link: int, expected: _Flit | None, seen: _Flit | None
    ) -> int | None:
        """The output of the switch by which the expected flit left, or the one that came."""
        ports = self._switch(link)
        for flit, what in ((expected, self._seen), (seen, self._expected)):
            for other in ports if flit is not None and flit.packet >= 0 else ():
                found = what(row, other)
                same = found and flit and (found.packet, found.index) == (flit.packet, flit.index)
                if other != link and same:
                    return other - ports.start
        return None

    def _draw(self, row: int, link: int) -> str:
        """The random word of the switch in the clock before."""
        draws, network = self.trace.draws, self.network
        if not draws.shape[1] or row == 0:
            return "(nothing is drawn)" if not draws.shape[1] else ""
        level, switch, _ = output(network, link)
        below = sum(network.tree.level_size(k) for k in network.ways.levels if k < level)
        return f"(random word {int(draws[row - 1, below + switch]):#010x})"

    def _hops(self) -> str:
        """The list of hops of a head does not end here; "" if none is wrong so."""
        bits = self.network.ways.hop_bits
        for row, link in np.argwhere((self.marks & 2) != 0).tolist():
            if link < self.network.ways.inputs:
                hops = int(self.seen.side[row, link]) >> 6
                level, _, port = output(self.network, link)
                exits = self.network.ways.exits[level]
                if exits["TURN"] and port >= exits["DOWN"].stop:
                    port -= exits["DOWN"].stop  # of a node's two switches each has ports of its own
                if hops & ((1 << bits) - 1) != port + 1:
                    head = self._name(self._expected(row, link))
                    self.where = Where(self.trace.first + int(row), Place(self._where(link)))
                    return (
                        f"clock {self.trace.first + row}: {self._where(link)}: {head} "
                        f"has the list of hops {hops:#x}, whose last is not this output"
                    )
        return ""


def _credits(vcs: int) -> str:
    """Credits, given one bit each."""
    held = [str(v) for v in range(4) if vcs >> v & 1]
    return f"a credit of VC {', '.join(held)}" if held else "no credit"
