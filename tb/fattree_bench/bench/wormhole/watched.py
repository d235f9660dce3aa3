"""A fat-tree that something else drives, compared with the clock-exact model in every clock."""

from collections.abc import Iterator
from dataclasses import replace
from typing import SupportsIndex

import numpy as np
from pyuvm import uvm_component

from fattree_bench.bench import faults as kind
from fattree_bench.bench.failure import Parcel, Place
from fattree_bench.bench.faults import Where
from fattree_bench.bench.ledger import DELIVERED
from fattree_bench.bench.links.flit.recorder import Recorded
from fattree_bench.bench.links.flit.resets import loud
from fattree_bench.bench.links.flit.scoreboard import RESET
from fattree_bench.bench.links.flit.watched import WatchedBurst
from fattree_bench.bench.wormhole.compared import AtLeaves, Compared
from fattree_bench.bench.wormhole.exact import model_of
from fattree_bench.bench.wormhole.network import Wormhole
from fattree_bench.bench.wormhole.places import place_of
from fattree_bench.bench.wormhole.scoreboard import WormholeScoreboard
from fattree_models.common.checks import Int64Array, UInt64Array
from fattree_models.wormhole import Trace
from fattree_models.wormhole.observed import Observed

MOST = 1 << 15  # flits of a packet: numbers of flits are packet * MOST + place
HEAD, TAIL = 2, 1
FAMILY = "observed"


class Broken(Exception):
    """What drives the network breaks a rule of the link; behind it nothing is known."""


class Packets:
    """The packets that leaves sent, as far as they were seen: what Compared asks of a plan."""

    def __init__(self, network: Wormhole) -> None:
        self.leaves, self.words_of, ways = network.leaves, network.words, network.ways
        pairs = np.arange(self.leaves)
        self.goals = dict(zip(ways.address(pairs, pairs).tolist(), pairs.tolist(), strict=True))
        self.source: list[int] = []
        self.destination: list[int] = []
        self.number: list[int] = []  # of its leaf
        self.begun = [0] * self.leaves
        self.flits = np.full(0, MOST)  # of each packet; MOST: its tail is still to come
        self.said: list[list[int]] = []
        self.sent = self

    def head(self, leaf: int, word: int) -> tuple[int, int, int]:
        """Source, destination and class that a head says."""
        words = self.words_of
        address = word & ((1 << words.address_bits) - 1)
        source = word >> words.address_bits & ((1 << words.node_bits) - 1)
        if address not in self.goals or source >= self.leaves:
            raise Broken(f"leaf {leaf} sent a head that names no leaves: {word:#x}")
        self.source.append(source)
        self.destination.append(self.goals[address])
        self.number.append(self.begun[leaf])
        self.begun[leaf] += 1
        self.said.append([])
        if len(self.source) > len(self.flits):
            self.flits = np.concatenate([self.flits, np.full(len(self.source) + 63, MOST)])
        return source, self.goals[address], word >> (words.header_bits - 1) & 1

    def add(self, packet: int, word: int, last: bool) -> int:
        """A flit of a packet; its place."""
        said = self.said[packet]
        said.append(word)
        if last:
            self.flits[packet] = len(said)
        return len(said) - 1

    # ---- what Compared asks ----------------------------------------------------------------------

    @property
    def first_flit(self) -> Int64Array:
        return np.arange(len(self.flits) + 1) * MOST

    def words(self, flit: Int64Array) -> UInt64Array:
        """What flits must say, uint64 [flits]."""
        found = (self.said[i // MOST][i % MOST] for i in flit.tolist())
        return np.fromiter(found, np.uint64, len(flit))

    def name(self, i: SupportsIndex) -> str:
        leaf = self.source[i]
        return f"packet {self.number[i]} of leaf {leaf} to leaf {self.destination[i]}"

    def where(self, packet: int, clock: int | None) -> Where:
        goal = self.destination[packet]
        parcel = Parcel(self.source[packet], goal, self.number[packet], "number")
        return Where(clock, Place("leaf", goal), expected=parcel)


class Links(Compared):
    """Flits note their route in our own bench alone."""

    def _hops(self) -> str:
        return ""


class WatchedLinks(WormholeScoreboard):
    """Runs the model with what was observed of the leaves; compares all links, in all clocks.

    Behind a difference the two are apart: nothing is judged before the next reset.
    """

    def __init__(self, name: str, parent: uvm_component, network: Wormhole) -> None:
        super().__init__(name, parent, network)
        self.model = Observed(model_of(network))
        self.sent = Packets(network)
        self._open: dict[tuple[int, int], int] = {}  # by leaf and VC: the packet that it is at
        self._awake = self._held = False  # held: reset was set in the clock before

    def write(self, captured: WatchedBurst) -> None:  # type: ignore[override]
        """Check a burst of clocks."""
        seen = captured.recorded
        clocks = len(seen.valid)
        self.begin(FAMILY, self.cycles, clocks)
        first, traces = 0, list[Trace]()
        control = seen.states[:, 0]
        for row in range(clocks):
            held, self._held = self._held, bool(control[row] & np.uint64(1))
            if self._held:
                self._judge(seen, first, traces)
                if held:
                    self._silent(seen, row)
                self._reset(int(control[row] >> np.uint64(1)))
                first, traces = row + 1, []
            elif self._awake:
                try:
                    flits = list(self._sends(seen, row))
                except Broken as broken:
                    self._judge(seen, first, traces)
                    self._end(kind.PROTOCOL, f"clock {self.cycles + row}: {broken}", row)
                    traces = []
                    continue
                traces.append(self.model.clock(flits, self._gives(seen, row)))
        self._judge(seen, first, traces)
        self.cycles += clocks
        tally = self.tally
        tally.sent = self.model.packets
        tally.delivered = int(np.count_nonzero(self.model.tails >= 0))
        self.ends.clear()
        self.ends.update({DELIVERED: tally.delivered, RESET: tally.discarded})

    def _silent(self, seen: Recorded, row: int) -> None:
        """Nothing comes out of switches from the second clock of a reset on."""
        s = self.network.structure
        heads = s.level[s.head[: self.network.ways.inputs]]
        if (link := loud(seen, row, heads, self.network.leaves)) is not None:
            where = place_of(self.network, link)
            told = f"clock {self.cycles + row}: {where}: a flit or a credit within a reset"
            self._end(kind.LINK, told, row, Where(self.cycles + row, Place(where)))

    def _reset(self, seed: int) -> None:
        """Packets that are inside are gone."""
        self.model.reset(seed)
        delivered = int(np.count_nonzero(self.model.tails >= 0))
        self.tally.discarded = self.model.packets - delivered
        self._open.clear()
        self._awake = True

    def _sends(self, seen: Recorded, row: int) -> Iterator[tuple[int, int, int, int, bool]]:
        """What leaves have on their links in a clock."""
        inside, width = self.network.ways.inputs, self.network.leaves
        for leaf in np.flatnonzero(seen.side[row, inside : inside + width]).tolist():
            side, word = int(seen.side[row, inside + leaf]), int(seen.data[row, inside + leaf])
            vcs = side >> 2 & 15
            vc = vcs.bit_length() - 1
            if vcs & (vcs - 1):
                raise Broken(f"leaf {leaf} sent in several virtual channels at once")
            if side & HEAD and (leaf, vc) in self._open:
                raise Broken(f"leaf {leaf} began a packet within another in VC {vc}")
            if side & HEAD:
                self._open[leaf, vc] = self.model.begin(*self.sent.head(leaf, word))
            if (leaf, vc) not in self._open:
                raise Broken(f"leaf {leaf} sent a flit of no packet in VC {vc}")
            packet, last = self._open[leaf, vc], bool(side & TAIL)
            place = self.sent.add(packet, word, last)
            self.tally.flits += 1
            if last:
                del self._open[leaf, vc]
            yield leaf, vc, packet, place, last

    def _gives(self, seen: Recorded, row: int) -> Iterator[tuple[int, int]]:
        """What leaves give back in a clock."""
        given = seen.credits[row, -self.network.leaves :]
        for leaf in np.flatnonzero(given).tolist():
            yield from ((leaf, vc) for vc in range(seen.vcs) if given[leaf] >> vc & 1)

    def _judge(self, seen: Recorded, first: int, traces: list[Trace]) -> None:
        """Compare clocks from a row of the burst on."""
        if not traces or not self._awake:
            return
        rows = slice(first, first + len(traces))
        whole = replace(
            traces[0],
            first=self.cycles + first,
            packet=np.concatenate([one.packet for one in traces]),
            index=np.concatenate([one.index for one in traces]),
            vc=np.concatenate([one.vc for one in traces]),
            credits=np.concatenate([one.credits for one in traces]),
            draws=np.concatenate([one.draws for one in traces]),
        )
        part = _part(seen, rows)
        at = slice(-self.network.leaves, None)
        leaves = AtLeaves((), part.side[:, at], part.data[:, at])
        links = Links(self.network, self.sent, whole, part, leaves)
        if told := links.tell():
            self._end(links.kind, told, first, links.where)

    def _end(self, name: str, told: str, row: int, where: Where | None = None) -> None:
        """A fault, behind which nothing is known."""
        self.faults.add(name, told, where=where or Where(self.cycles + row))
        self._awake = False


def _part(seen: Recorded, rows: slice) -> Recorded:
    """Some clocks of a burst."""
    ends = np.r_[0, np.cumsum(np.bitwise_count(seen.valid).sum(axis=1, dtype=np.int64))]
    unknown = seen.unknown
    if unknown is not None:
        inside = rows.start <= unknown[0] < rows.stop
        unknown = (unknown[0] - rows.start, unknown[1]) if inside else None
    return replace(
        seen,
        valid=seen.valid[rows],
        credit=seen.credit[rows],
        flits=seen.flits[ends[rows.start] : ends[rows.stop]],
        shown=seen.shown[rows],
        unknown=unknown,
    )
