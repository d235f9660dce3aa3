"""Links between two clocks: what comes over, in which order, and after how many edges.

What is on a link at an edge of the sender's clock is written at that edge.  Let edge e of the
receiver's clock be the first behind it.  With SYNC flip-flops it is on the link there at edge
e + SYNC, and one later if the bit of the pointer was seen late; behind another one at the next edge
at the soonest (async_link.v).  Credits of each virtual channel cross likewise, the other way.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from fattree_bench.bench import faults as kind
from fattree_bench.bench.failure import Place
from fattree_bench.bench.faults import Finding, Where
from fattree_bench.bench.wormhole.domain_records import Reading
from fattree_bench.bench.wormhole.network import Wormhole
from fattree_bench.bench.wormhole.places import place_of
from fattree_bench.bench.wormhole.taps import Domain
from fattree_models.common.checks import Int64Array, UInt64Array
from fattree_models.wormhole.domain import Part

LATE = 1  # edges that a bit which moves as it is sampled may be late, see sampler.v
LONG_AGO = -(1 << 40)


@dataclass
class Crossing:
    """What comes over in order, since the last reset: flits of a link, or credits of a VC.

    Attributes
    ----------
    name : what a reader finds.
    sync : flip-flops of a synchroniser.
    """

    name: str
    sync: int
    _went: Int64Array = field(default_factory=lambda: np.zeros(0, np.int64))
    _sent: UInt64Array = field(default_factory=lambda: np.zeros(0, np.uint64))
    _last: int = LONG_AGO

    def check(
        self, went: Int64Array, came: Int64Array, sent: UInt64Array, got: UInt64Array, edges: int
    ) -> Finding | None:
        """Tell the first that came wrong.

        Parameters
        ----------
        went : int64 [sent], the first of the receiver's edges behind each; sent : what it was.
        came : int64 [got], the edge at which each was there; got : what it was.
        edges : of the receiver until now.
        """
        went, sent = np.concatenate((self._went, went)), np.concatenate((self._sent, sent))
        count = came.size
        if count > went.size:
            return self._told(kind.SPURIOUS, "more came over than was sent")
        first = went[:count]
        soonest = first + self.sync
        latest = np.maximum(soonest + LATE, np.concatenate(([self._last], came[:-1]))[:count] + 1)
        for wrong, name, told in (
            (sent[:count] != got, kind.CORRUPTED, "it came over as another"),
            (came < soonest, kind.EARLY, "it came over after {} edges, {} at least"),
            (came > latest, kind.LATE, "it came over after {} edges, {} … {} expected"),
        ):
            if wrong.any():
                at = int(np.argmax(wrong))
                took = (int(each[at] - first[at]) for each in (came, soonest, latest))
                return self._told(name, told.format(*took))
        self._went, self._sent = went[count:], sent[count:]
        self._last = int(came[-1]) if count else self._last
        if self._went.size and max(self._went[0] + self.sync + LATE, self._last + 1) < edges:
            told = f"nothing came over within {edges - int(self._went[0])} edges"
            return self._told(kind.LATE, told)
        return None

    def _told(self, name: str, what: str) -> Finding:
        told = f"{self.name}, into another clock: {what}"
        return Finding(name, told, Where(None, Place(self.name)))


def came_from(network: Wormhole, source: int) -> str:
    """A link by the output port that it comes from, -1 - x of leaf x."""
    return f"the link from leaf {-1 - source}" if source < 0 else place_of(network, source)


class Link(NamedTuple):
    """A link between two clocks: domains and links there, and what crosses, credits by VC."""

    sender: int
    out: int
    receiver: int
    into: int
    flits: Crossing
    credits: list[Crossing]


class Between:
    """The crossings between all clocks."""

    def __init__(self, network: Wormhole, domains: list[Domain], parts: dict[str, Part]) -> None:
        self.network, self.domains, self.vcs = network, domains, network.switch.vcs
        self.epoch = np.zeros(len(domains), np.int64)  # resets of each so far
        self.edges = np.zeros(len(domains), np.int64)  # of its clock since the last
        sender: dict[int, tuple[int, int]] = {}  # by place of the output port; -1 - x: leaf x
        receiver: list[tuple[int, int, int]] = []  # domain and link there, and that place
        ends = [pair for p in parts.values() for pair in zip(p.sinks, p.outputs, strict=True)]
        last = {int(sink): int(place) for sink, place in ends if sink < 0}  # by leaf
        for k, d in enumerate(domains):
            if d.shown:
                outputs, sources = parts[d.name].outputs, parts[d.name].sources
                sender |= {int(place): (k, out) for out, place in enumerate(outputs)}
                receiver += [(k, link, int(source)) for link, source in enumerate(sources)]
                continue
            sender |= {-1 - d.leaf - x: (k, x) for x in range(d.outs)}
            if not network.routing.long:  # else registers are between
                receiver += [(k, x, last[-1 - d.leaf - x]) for x in range(d.ins)]
        self._ends = [(*sender[source], k, link, source) for k, link, source in receiver]
        self._links: list[Link] = []

    def _reset(self) -> None:
        """Nothing is on its way."""
        sync = self.network.clocks.sync
        self._links = []
        for sender, out, receiver, into, source in self._ends:
            name = came_from(self.network, source)
            credits = [Crossing(f"credits of {name} VC {v}", sync) for v in range(self.vcs)]
            self._links.append(Link(sender, out, receiver, into, Crossing(name, sync), credits))

    def check(self, readings: list[Reading | None]) -> Finding | None:
        """Tell the first that came wrong; after that nothing until the next reset of all."""
        whole = [reading.last() for reading in readings if reading is not None]
        if len(whole) < len(readings):
            self._links = []
            return None
        reset = np.array([r is not None and bool(r.reset.any()) for r in readings])
        self.epoch += reset
        self.edges[reset] = 0
        if reset.any():
            self._links = []
            if (self.epoch == self.epoch[0]).all():
                self._reset()
        found = next(
            (told for link in self._links for told in self._link(link, whole) if told), None
        )
        self._links = [] if found else self._links
        self.edges += [len(r.time) for r in whole]
        return found

    def _link(self, link: Link, readings: list[Reading]) -> Iterator[Finding | None]:
        here, there = readings[link.sender], readings[link.receiver]
        from_, to = link.out, self.domains[link.receiver].outs + link.into
        end = int(self.edges[link.receiver]) + len(there.time)
        sent, got = (r.on(r.lane // self.vcs == x) for r, x in ((here, from_), (there, to)))
        went = self._behind(link.receiver, there, here.time[sent.row])
        came = self.edges[link.receiver] + got.row
        yield link.flits.check(went, came, sent.value(self.vcs), got.value(self.vcs), end)
        end = int(self.edges[link.sender]) + len(here.time)
        for vc, crossing in enumerate(link.credits):
            given, back = (
                np.flatnonzero(r.credit[:, x * self.vcs + vc])
                for r, x in ((there, to), (here, from_))
            )
            went = self._behind(link.sender, here, there.time[given])
            sent_as, got_as = (np.zeros(each.size, np.uint64) for each in (given, back))
            yield crossing.check(went, self.edges[link.sender] + back, sent_as, got_as, end)

    def _behind(self, domain: int, reading: Reading, times: Int64Array) -> Int64Array:
        """The first edges of a domain that are behind some times."""
        found: Int64Array = self.edges[domain] + np.searchsorted(reading.time, times, side="right")
        return found
