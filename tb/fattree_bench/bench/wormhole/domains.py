"""A network with several clocks, compared with the model: its switches, clock by clock.

Each level of switches (with ASYNC=LEAVES: all) runs on what its recorder saw come in, in its own
clock; all that it sent, every credit that it gave, and its states must be those of the model.  What
is between two clocks is compared by `crossings`.
"""

import ctypes
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise

import cocotb
import numpy as np
import numpy.typing as npt

from fattree_bench.bench import faults as kind
from fattree_bench.bench.failure import Place
from fattree_bench.bench.faults import Finding, Where
from fattree_bench.bench.links.flit.packets import FlitCaptured
from fattree_bench.bench.wormhole.crossings import Between, came_from
from fattree_bench.bench.wormhole.domain_records import Reading, Recorder
from fattree_bench.bench.wormhole.exact import NONE, LinkCheck, model_of
from fattree_bench.bench.wormhole.network import Wormhole
from fattree_bench.bench.wormhole.places import place_of
from fattree_bench.bench.wormhole.states import place
from fattree_bench.bench.wormhole.taps import SHOWN_EVERY, Domain, Taps
from fattree_models import wormhole
from fattree_models.common.checks import BoolArray, Int64Array, UInt8Array, UInt64Array
from fattree_models.wormhole import kernel

HEAD, TAIL = kernel.HEAD_BIT, kernel.TAIL_BIT


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
        tags, _ = self.network.words.read(heads, np.ones(heads.size, np.bool_), False)
        packet = np.zeros((heads.size, 8), np.int64)
        packet[:, kernel.ADDRESS] = np.minimum(tags.address, self.network.ways.addresses - 1)
        packet[:, kernel.DESTINATION] = self.leaf[tags.address]
        packet[:, kernel.SOURCE], packet[:, kernel.KIND] = tags.source, tags.reply
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
        of = np.searchsorted(self._open.key, flit[there] >> kernel.INDEX)
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
            own = self._open.word[np.searchsorted(self._open.key, flit >> kernel.INDEX)]
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

    def _state(self, state: UInt64Array, shown: UInt8Array, row: int) -> Finding:
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


def _said(key: int, keys: Int64Array, words: UInt64Array) -> str:
    """What is on a lane in a clock: `key` among those of all flits, in order."""
    at = int(np.searchsorted(keys, key))
    return f"a flit that says {int(words[at]):#x}" if key in keys[at : at + 1] else "nothing"


def _ends(rows: Int64Array, count: int) -> Int64Array:
    """Of what is in order of rows: how many until each row, int64 [rows + 1]."""
    return np.concatenate(([0], np.cumsum(np.bincount(rows, minlength=count))))


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
            told = "switches were not compared: there was no reset, or a recorder is full"
            self._found.append(Finding(kind.UNCHECKED, told))
        self._differs |= bool(self._found)
        return self._found.pop(0) if self._found else NONE


def beside(network: Wormhole) -> LinkCheck | DomainCheck | None:
    """None of a network with several clocks in whose design the recorders find no wires."""
    found = network.rtl.interfaces[0].meters
    if not isinstance(found, Taps):
        return LinkCheck(network)
    there = getattr(cocotb.top, found.domains[0].name, None) is not None
    return DomainCheck(network, found) if there else None
