"""A network with several clocks, compared with the model: switches by their clock, and crossings.

Each level of switches (with ASYNC=LEAVES: all) runs on what its recorder saw come in, in its own
clock; all that it sent, every credit that it gave, and its states must be those of the model.
Between two clocks every flit and every credit must come over in order, not sooner than a
synchroniser of SYNC flip-flops lets it, and not later than with a bit that is seen late.
"""

import ctypes
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import pairwise
from typing import Any, NamedTuple, Protocol

import cocotb
import numpy as np
import numpy.typing as npt

from fattree_bench.bench import faults as kind
from fattree_bench.bench.failure import Place
from fattree_bench.bench.faults import Finding, Where
from fattree_bench.bench.links.flit.packets import FlitCaptured
from fattree_bench.bench.links.flit.recorder import numbers
from fattree_bench.bench.links.player import opened
from fattree_bench.bench.wormhole.crossings import Crossing
from fattree_bench.bench.wormhole.exact import NONE, LinkCheck, model_of
from fattree_bench.bench.wormhole.network import Wormhole
from fattree_bench.bench.wormhole.places import place_of
from fattree_bench.bench.wormhole.states import place
from fattree_bench.bench.wormhole.taps import SHOWN_EVERY, Domain, Taps
from fattree_models import wormhole
from fattree_models.common.checks import BoolArray, Int64Array, UInt64Array
from fattree_models.wormhole import kernel

HEAD, TAIL = kernel.HEAD_BIT, kernel.TAIL_BIT
TIME_BITS = 64


@dataclass(frozen=True)
class Reading:
    """What a recorder holds: rows are clocks of its domain, lanes are VCs of its links.

    Attributes
    ----------
    time : int64 [rows], steps of the simulation; reset : bool [rows].
    row, lane : int64 [flits], of each flit; word, marks, hops : uint64 [flits].
    credit : bool [rows, lanes]; shown : uint8 [rows / 32, bytes].
    """

    time: Int64Array
    reset: BoolArray
    row: Int64Array
    lane: Int64Array
    word: UInt64Array
    marks: Int64Array
    hops: UInt64Array
    credit: BoolArray
    shown: npt.NDArray[np.uint8]

    def on(self, which: BoolArray) -> "Reading":
        """With some of the flits alone."""
        row, lane, marks = (each[which] for each in (self.row, self.lane, self.marks))
        word, hops = self.word[which], self.hops[which]
        return replace(self, row=row, lane=lane, word=word, marks=marks, hops=hops)

    def last(self) -> "Reading":
        """From behind the last reset on; nothing is shown."""
        first = int(np.flatnonzero(self.reset)[-1]) + 1 if self.reset.any() else 0
        flits = self.on(self.row >= first)
        return replace(
            flits, time=self.time[first:], row=flits.row - first, credit=self.credit[first:]
        )

    def value(self, vcs: int) -> UInt64Array:
        """Words, marks and VCs of flits as one number each."""
        side = (self.lane % vcs << 2 | self.marks).astype(np.uint64)
        return self.word * np.uint64(31) + side


class Recorder:
    """Python's side of a domain_recorder."""

    def __init__(self, network: Wormhole, taps: Taps, domain: Domain, view: bool) -> None:
        self.lanes = (domain.outs + domain.ins) * network.switch.vcs
        self.bits = (network.width, network.ways.hops_bits)
        self.most, self._vcs = taps.rows(domain), network.switch.vcs
        self._scope = getattr(cocotb.top, domain.name)
        self._transport = opened(network.rtl.top, domain.name, view)
        memory = self._transport.memory
        flit = sum(self.bits) + 2
        self._row = memory("seen_row", self.most, 1 + TIME_BITS + 2 * self.lanes)
        self._flit = memory("seen_flit", self.most * (domain.outs + domain.ins), flit)
        self._shown = memory("seen_shown", self.most // SHOWN_EVERY, domain.bits)
        self._rows = memory("seen_rows", 3, 32).view(np.uint32)
        level = self._scope.rewind.value  # as a test before this one left it
        self._rewind = int(level) if level.is_resolvable else 0

    def read(self) -> Reading | None:
        """What was recorded since the last reading; None: more than there is room for."""
        self._transport.fetch("seen_rows", 3)
        rows, flits, began = (int(each) for each in self._rows[:, 0])
        if began == self._rewind:
            self._rewind ^= 1
            self._scope.rewind.value = self._rewind
        else:  # no edge since the last reading
            rows = flits = 0
        if rows > self.most:
            return None
        for name, count in (("row", rows), ("flit", flits), ("shown", -(-rows // SHOWN_EVERY))):
            self._transport.fetch(f"seen_{name}", count)
        bits = np.unpackbits(
            self._row[:rows, TIME_BITS // 8 :], axis=1, count=1 + 2 * self.lanes, bitorder="little"
        ).astype(np.bool_)
        valid = bits[:, 1 : 1 + self.lanes]
        row, lane = np.nonzero(valid)
        width, hops = self.bits
        flit = self._flit[:flits]
        return Reading(
            np.ascontiguousarray(self._row[:rows, : TIME_BITS // 8]).view("<i8")[:, 0],
            bits[:, 0],
            *(row[:flits], lane[:flits], numbers(flit, 0, width)),
            *(numbers(flit, width, 2).astype(int), numbers(flit, width + 2, hops)),
            *(bits[:, 1 + self.lanes :], self._shown[: -(-rows // SHOWN_EVERY)].copy()),
        )


@dataclass
class Open:
    """Flits that are on their way through a domain, and what is expected of them.

    Attributes
    ----------
    key : int64 [flits], packet and index as in a flit of the kernel, in order.
    word : uint64 [flits], as it came in.
    packet, index : int64 [lanes], of the packet that is open on each lane; -1: none is.
    """

    packet: Int64Array
    index: Int64Array
    key: Int64Array = field(default_factory=lambda: np.zeros(0, np.int64))
    word: UInt64Array = field(default_factory=lambda: np.zeros(0, np.uint64))

    def add(self, key: Int64Array, word: UInt64Array) -> None:
        keys = np.concatenate((self.key, key))
        order = np.argsort(keys, kind="stable")
        self.key = keys[order]
        self.word = np.concatenate((self.word, word))[order]

    def at(self, key: Int64Array) -> Int64Array:
        """Rows of flits that are known."""
        return np.searchsorted(self.key, key)


class SwitchCheck:
    """The switches of one clock, compared with their model.

    After a difference the two diverge: nothing more is reported until the next reset.
    """

    def __init__(self, network: Wormhole, domain: Domain) -> None:
        self.network, self.domain = network, domain
        self.model = wormhole.Domain(model_of(network), domain.level)
        self.vcs, self.shift = network.switch.vcs, self.model.rules.shift
        self.lanes = (domain.outs + domain.ins) * self.vcs
        self.own = domain.outs * self.vcs  # lanes that lead out of its switches
        link = np.arange(self.lanes) // self.vcs
        self.lane = self.model.links[link] << self.shift | np.arange(self.lanes) % self.vcs
        self.place = np.zeros(int(self.lane.max()) + 1, np.int64)
        self.place[self.lane] = np.arange(self.lanes)
        self.beyond = np.repeat(self.model.part.wiring.target[self.model.links] < 0, self.vcs)
        self.runs = False  # and agrees
        ways = network.ways
        self.leaf = np.zeros(1 << ways.address_bits, np.int64)
        if ways.tables is None:
            leaves = np.arange(network.leaves)
            self.leaf[ways.address(leaves, leaves)] = leaves
        self._open = self._nothing()

    def _nothing(self) -> Open:
        none = np.full(self.lanes, -1)
        return Open(none, none.copy())

    def check(self, reading: Reading | None, seed: int) -> Finding:
        """Tell the first difference of what was recorded."""
        if reading is None:
            self.runs = False
            return NONE
        ends, found = [*(np.flatnonzero(reading.reset) + 1), len(reading.time)], NONE
        for begin, end in zip([0, *ends], ends, strict=False):
            if self.runs and end > begin:
                told = self._compare(reading, begin, end)
                self.runs = told is NONE
                found = told if found is NONE else found
            if end > 0 and reading.reset[end - 1]:
                self.model.reset(seed)
                self._open, self.runs = self._nothing(), True
        return found

    def _compare(self, reading: Reading, begin: int, end: int) -> Finding:
        """Rows in which nothing was reset, but maybe in the last one."""
        if self.model.empty and (self._open.packet < 0).all():
            self._open = self._nothing()
            self.model.packet = self.model.packet[:1]
        first, last = np.searchsorted(reading.row, (begin, end))
        row, lane, marks = (each[first:last] for each in (reading.row, reading.lane, reading.marks))
        word, hops = reading.word[first:last], reading.hops[first:last]
        came = lane >= self.own
        code, wrong = self._coded(lane[came], marks[came], word[came])
        if wrong.size:
            at = int(np.flatnonzero(came)[wrong[0]])
            where = self._name(int(lane[at]))
            return self._finding(int(row[at]), where, "a flit came that is not of its packet")
        credits = reading.credit[begin:end]
        given_row, given = np.nonzero(credits[:, : self.own] & self.beyond[: self.own])
        starts = [
            _ends(each - low, end - begin) for each, low in ((row[came], begin), (given_row, 0))
        ]
        driven = wormhole.Traffic(
            np.stack((self.lane[lane[came]], code), 1), self.lane[given], np.stack(starts, 1)
        )
        clock = self.model.clock
        expected, told = self._run(driven, reading, begin, end)
        return self._first(expected, (row - begin, lane, marks, word, hops), credits, told, clock)

    def _coded(
        self, lane: Int64Array, marks: Int64Array, word: UInt64Array
    ) -> tuple[Int64Array, npt.NDArray[np.intp]]:
        """Number the flits that came as the kernel does; those that belong to no packet."""
        order = np.argsort(lane, kind="stable")  # lane by lane, of a lane in order of time
        at, head = lane[order], marks[order] & HEAD != 0
        count, known = order.size, len(self.model.packet) - 1
        fresh = np.r_[True, at[1:] != at[:-1]] if count else np.zeros(0, np.bool_)
        since = np.maximum.accumulate(np.where(head | fresh, np.arange(count), 0))
        carried = fresh[since] & ~head[since]
        number = known + np.cumsum(head) - 1
        packet = np.where(carried, self._open.packet[at], number[since] if count else number)
        index = np.arange(count) - since + np.where(carried, self._open.index[at], 0)
        ended = np.r_[np.ones(1, np.bool_), (marks[order] & TAIL != 0)[:-1]] if count else head
        before = np.where(fresh, self._open.packet[at] < 0, ended)
        wrong = order[np.flatnonzero(before != head)]
        last = np.flatnonzero(np.r_[fresh[1:], True]) if count else np.zeros(0, np.intp)
        done = marks[order[last]] & TAIL != 0
        self._open.packet[at[last]] = np.where(done, -1, packet[last])
        self._open.index[at[last]] = np.where(done, 0, index[last] + 1)
        code = np.zeros(count, np.int64)
        code[order] = packet << kernel.PACKET | index << kernel.INDEX
        self._note(word[order[head]])
        self._open.add(code >> kernel.INDEX, word)
        return code | marks & (HEAD | TAIL), wrong

    def _note(self, heads: UInt64Array) -> None:
        """Add packets, by what their heads say."""
        words, packet = self.network.words, np.zeros((heads.size, 8), np.int64)
        low = (heads & np.uint64((1 << words.header_bits) - 1)).astype(np.int64)
        address = low & (1 << words.address_bits) - 1
        packet[:, kernel.ADDRESS] = np.minimum(address, self.network.ways.addresses - 1)
        packet[:, kernel.DESTINATION] = self.leaf[address]
        packet[:, kernel.SOURCE] = low >> words.address_bits & (1 << words.node_bits) - 1
        packet[:, kernel.KIND] = low >> words.header_bits - 1
        self.model.packet = np.concatenate((self.model.packet[:-1], packet, self.model.packet[-1:]))

    def _run(
        self, driven: wormhole.Traffic, reading: Reading, begin: int, end: int
    ) -> tuple[wormhole.Traffic, Finding]:
        """Run the model from one shown state to the next: links, and a state that differs."""
        parts, told = [], NONE
        cuts = [begin, *range(begin - begin % -SHOWN_EVERY, end, SHOWN_EVERY), end]
        for low, high in pairwise(cuts):
            if low == high:
                continue
            ends = driven.ends[low - begin : high - begin + 1]
            found, state = self.model.run(driven._replace(ends=ends))
            parts.append(found)
            if low % SHOWN_EVERY == 0 and told is NONE:
                told = self._state(state, reading.shown[low // SHOWN_EVERY], low)
        rows = [np.diff(each.ends, axis=0) for each in parts]
        return (
            wormhole.Traffic(
                np.concatenate([each.flits for each in parts]),
                np.concatenate([each.credits for each in parts]),
                np.concatenate((np.zeros((1, 2), int), np.cumsum(np.concatenate(rows), axis=0))),
            ),
            told,
        )

    def _first(
        self,
        expected: wormhole.Traffic,
        seen: tuple[Int64Array, Int64Array, Int64Array, UInt64Array, UInt64Array],
        credits: BoolArray,
        told: Finding,
        clock: int,
    ) -> Finding:
        """The first difference of links, then of states."""
        row, lane, marks, word, hops = seen
        clocks = np.arange(len(expected.ends) - 1)
        rows = np.repeat(clocks, np.diff(expected.ends[:, 0]))
        want = rows * self.lanes + self.place[expected.flits[:, 0]]
        order = np.argsort(want)
        want, flit = want[order], expected.flits[order, 1]
        have = row * self.lanes + lane
        differ = np.setxor1d(want, have)
        both, there, here = np.intersect1d(want, have, return_indices=True)
        of = self._open.at(flit[there] >> kernel.INDEX)
        wrong = (self._open.word[of] != word[here]) | ((flit[there] & 3) != marks[here])
        latest = hops[here] & np.uint64((1 << self.network.ways.hop_bits) - 1)
        left = (lane[here] < self.own) & (marks[here] & HEAD != 0)
        wrong |= left & (latest != self._port[lane[here]])
        differ = np.union1d(differ, both[wrong])
        lent = np.zeros_like(credits)
        at = np.repeat(clocks, np.diff(expected.ends[:, 1]))
        lent[at, self.place[expected.credits]] = True
        late = np.flatnonzero((lent != credits).ravel())
        if differ.size and not (late.size and late[0] // self.lanes < differ[0] // self.lanes):
            where = self._name(int(differ[0] % self.lanes))
            own = self._open.word[self._open.at(flit >> kernel.INDEX)]
            one, two = _said(int(differ[0]), want, own), _said(int(differ[0]), have, word)
            two += ", with other marks or another list of hops" if one == two else ""
            clock += int(differ[0] // self.lanes)
            return self._finding(clock, where, f"expected {one}, seen {two}")
        if late.size:
            first = int(late[0])
            clock += first // self.lanes
            said = "expected a credit" if lent.ravel()[first] else "expected no credit"
            return self._finding(clock, self._name(first % self.lanes), said)
        return told

    @cached_property
    def _port(self) -> UInt64Array:
        """By lane that leads out: what heads note of its port, numbered in the switch from 1 on."""
        wiring, ports = self.model.part.wiring, np.zeros(self.lanes, np.uint64)
        switches = wiring.switches
        port = np.arange(switches.outs.sum()) - np.repeat(switches.first_out, switches.outs)
        ports[: self.own] = np.repeat(port[wiring.told_out] + 1, self.vcs)
        return ports

    def _state(self, state: UInt64Array, shown: npt.NDArray[np.uint8], row: int) -> Finding:
        """Compare a row of states."""
        view = self.model.view
        want, have = (
            np.unpackbits(each.view(np.uint8), count=view.bits, bitorder="little")
            for each in (state, shown)
        )
        wrong = np.flatnonzero(want != have)
        if not wrong.size:
            return NONE
        vc = int(np.searchsorted(view.first, wrong[0], side="right")) - 1
        if output := bool(wrong[0] >= view.home):
            vc = int(wrong[0]) - view.home
        places = self.model.part.outputs if output else self.model.part.inputs
        of = int(places[vc // self.vcs]) * self.vcs + vc % self.vcs
        layout = self.network.layout
        order = np.argsort(layout.in_place(np.arange(layout.inputs)))
        where = place(self.network, int(order[of]), output=output)
        told = f"clock {row} of the burst, its own: {where} shows another state than the model says"
        return Finding(kind.STATE, told, Where(None, Place(where)))

    def _name(self, lane: int) -> str:
        """A lane of the recorder."""
        link, vc = divmod(lane, self.vcs)
        if link < self.domain.outs:
            return f"{place_of(self.network, int(self.model.part.outputs[link]))} VC {vc}"
        source = int(self.model.part.sources[link - self.domain.outs])
        return f"{came_from(self.network, source)} VC {vc}"

    def _finding(self, clock: int, where: str, what: str) -> Finding:
        told = f"{where}, clock {clock} of its own since the reset: {what}"
        return Finding(kind.LINK, told, Where(None, Place(where)))


def came_from(network: Wormhole, source: int) -> str:
    """A link by the output port that it comes from, -1 - x of leaf x."""
    return f"the link from leaf {-1 - source}" if source < 0 else place_of(network, source)


def _said(key: int, keys: Int64Array, words: UInt64Array) -> str:
    """What is on a lane in a clock: `key` among those of all flits, in order."""
    at = int(np.searchsorted(keys, key))
    return f"a flit that says {int(words[at]):#x}" if key in keys[at : at + 1] else "nothing"


def _ends(rows: Int64Array, count: int) -> Int64Array:
    """Of what is in order of rows: how many until each row, int64 [rows + 1]."""
    return np.concatenate(([0], np.cumsum(np.bincount(rows, minlength=count))))


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

    def __init__(self, network: Wormhole, domains: list[Domain], parts: dict[str, Any]) -> None:
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


class DomainCheck:
    """Compares all that shares a clock with the model, and what comes from one clock to another."""

    def __init__(self, network: Wormhole, taps: Taps) -> None:
        view = hasattr(ctypes.CDLL(None), "bench_memory")
        domains = taps.domains
        self._recorders = [Recorder(network, taps, d, view) for d in domains]
        self.switches = [SwitchCheck(network, d) for d in domains if d.shown]
        parts = {check.domain.name: check.model.part for check in self.switches}
        self.between = Between(network, domains, parts)
        self._found: list[Finding] = []
        self._differs = False  # something was found, which may end comparisons

    def check(self, captured: FlitCaptured) -> Finding:
        """Tell a difference of the bursts up to this one, the first ones first."""
        readings = [recorder.read() for recorder in self._recorders]
        seed = captured.bursts[-1].seed
        for check, reading in zip(self.switches, readings, strict=False):
            self._found += [told for told in [check.check(reading, seed)] if told is not NONE]
        between = self.between.check(readings)
        self._found += [] if between is None else [between]
        if not self._differs and not self._found and not all(c.runs for c in self.switches):
            told = (
                "switches were not compared: no reset, or more clocks than a recorder has room for"
            )
            self._found.append(Finding(kind.UNCHECKED, told))
        self._differs |= bool(self._found)
        return self._found.pop(0) if self._found else NONE


class Beside(Protocol):
    """What compares a network with the model as it runs."""

    def check(self, captured: FlitCaptured) -> Finding:
        """Tell a difference of the bursts up to this one; an empty one: there is none."""
        ...


def beside(network: Wormhole) -> Beside | None:
    """None of a network with several clocks in whose design the recorders find no wires."""
    found = network.rtl.interfaces[0].meters
    if not isinstance(found, Taps):
        return LinkCheck(network)
    there = getattr(cocotb.top, found.domains[0].name, None) is not None
    return DomainCheck(network, found) if there else None
