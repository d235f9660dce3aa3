"""The flit link flit by flit, clock by clock: sources and sinks in Python on cocotb-bus.

They do what flit_source.v and flit_sink.v do for packets of lists; requests are not answered.
"""

from collections import deque
from collections.abc import Iterator
from typing import NamedTuple

import cocotb
import numpy as np
from cocotb.clock import Clock
from cocotb.triggers import FallingEdge, ReadOnly, RisingEdge
from cocotb.utils import get_sim_time
from cocotb_bus.drivers import BusDriver
from cocotb_bus.monitors import BusMonitor

from fattree_bench.bench.handles import Handle, root
from fattree_bench.bench.links.flit.network import FlitNetwork
from fattree_bench.bench.links.flit.packets import VALID
from fattree_bench.bench.links.flit.port import FlitPort
from fattree_bench.bench.links.flit.words import FlitWords
from fattree_bench.bench.links.player import CLOCK
from fattree_bench.bench.links.transport import OwnMemories
from fattree_models.common.checks import UInt64Array

DRIVEN = ["valid", "word", "credit"]
WATCHED = ["in_credit", "out_valid", "out_word"]


class Flit(NamedTuple):
    """A flit on a link: virtual channel, one-hot, and word with its marks."""

    vc: int
    word: int


IDLE = Flit(0, 0)


def offered(stim: UInt64Array, rows: tuple[int, int], leaf: int) -> int:
    """The offer in a row of a leaf's list that may begin in a clock, (row, clock); 0: none."""
    at, now = rows
    offer = int(stim[at, leaf]) if at < len(stim) else 0
    return offer if offer & VALID and offer & 0xFFFF <= now else 0


def packet_words(words: FlitWords, leaf: int, number: int, offer: int) -> list[int]:
    """The words of a leaf's packet, as its offer says: see flit_source."""
    flits = offer >> 32 & 0xFF
    ones = np.ones(flits, np.int64)
    made: list[int] = words.write(
        number=number * ones,
        index=np.arange(flits),
        reply=np.full(flits, bool(offer >> 44 & 1)),
        owner=leaf * ones,
        source=leaf * ones,
        address=(offer >> 16 & 0xFFFF) * ones,
        corner=np.full(flits, bool(offer >> 45 & 1)),
    ).tolist()
    return made


class Source:
    """Sends the packets of a leaf's list."""

    def __init__(self, words: FlitWords, leaf: int, vcs: int, depth: int, ratio: int) -> None:
        self.words, self.leaf, self.depth = words, leaf, depth
        self.ratio, self.rest = ratio, 0  # rest: clocks in which it may not send
        self.credit = [depth] * vcs
        self.on: dict[int, deque[int]] = {}  # by virtual channel: flits of its packet that follow
        self.count, self.sent = 0, IDLE  # packets begun; what was sent in the clock before

    def step(self, due: int, run: bool, credits: int) -> bool:
        """A clock: choose the flit of the next one; whether `due`, an offer or 0, is begun."""
        able = [vc for vc in self.on if self.credit[vc]]
        chosen, begins = -1, False
        self.rest, able, due = (self.rest - 1, [], 0) if self.rest else (0, able, due)
        if able:
            same = [vc for vc in able if self.sent.vc >> vc & 1]
            chosen = min(same or able)
        elif due:
            free = [v for v, left in enumerate(self.credit) if left and v not in self.on]
            free = [vc for vc in free if due >> (40 + vc) & 1]
            chosen = max(free, key=lambda vc: (self.credit[vc], -vc), default=-1)
            begins = chosen >= 0
        for vc in range(len(self.credit)):
            self.credit[vc] += credits >> vc & 1
        self.sent = IDLE
        if not run or chosen < 0:
            return False
        if begins:
            self.on[chosen] = deque(
                self._marked(packet_words(self.words, self.leaf, self.count, due))
            )
            self.count += 1
        self.credit[chosen] -= 1
        self.rest = self.ratio - 1
        self.sent = Flit(1 << chosen, self.on[chosen].popleft())
        if not self.on[chosen]:
            del self.on[chosen]
        return begins

    def _marked(self, words: list[int]) -> Iterator[int]:
        """The words of a packet with tail and head marks."""
        for index, word in enumerate(words):
            yield word | ((index == len(words) - 1) | (index == 0) << 1) << self.words.width

    def reset(self) -> None:
        """What was begun is forgotten."""
        self.credit = [self.depth] * len(self.credit)
        self.on.clear()
        self.sent, self.rest = IDLE, 0


class Sink:
    """Gives a leaf's credits back, one a clock and virtual channel."""

    def __init__(self, vcs: int) -> None:
        self.due = [0] * vcs
        self.given = 0  # in the clock before

    def step(self, valid: int, stalled: bool) -> None:
        """A clock: choose the credits of the next one."""
        self.given = 0
        for vc in range(len(self.due)):
            self.due[vc] += valid >> vc & 1
            if self.due[vc] and not stalled:
                self.due[vc] -= 1
                self.given |= 1 << vc

    def reset(self) -> None:
        self.due, self.given = [0] * len(self.due), 0


class FlitBusDriver(BusDriver):
    """Drives flits and credits of all leaves."""

    _signals = DRIVEN

    def __init__(self, entity: Handle, clock: Handle, port: "FlitPins") -> None:
        BusDriver.__init__(self, entity, "flit", clock)
        self.port = port

    async def clocks(self) -> None:
        """Put on the pins in each clock what was chosen in the one before."""
        port, vcs, bits = self.port, self.port.network.layout.vcs, self.port.flit_bits
        while True:
            await FallingEdge(self.clock)
            port.live = port.row < port.count
            values = dict.fromkeys(DRIVEN, 0)
            for leaf, (source, sink) in enumerate(port.leaves if port.live else ()):
                values["valid"] |= source.sent.vc << (leaf * vcs)
                values["word"] |= source.sent.word << (leaf * bits)
                values["credit"] |= sink.given << (leaf * vcs)
            for name, value in values.items():
                getattr(self.bus, name).value = value


class FlitBusMonitor(BusMonitor):
    """Hands on, in each clock of a burst, what the network shows its leaves."""

    _signals = WATCHED

    def __init__(self, entity: Handle, clock: Handle, port: "FlitPins") -> None:
        self._port = port
        BusMonitor.__init__(self, entity, "flit", clock)

    async def _monitor_recv(self) -> None:
        while True:
            await FallingEdge(self.clock)
            await ReadOnly()
            if self._port.live:
                self._recv([str(getattr(self.bus, name).value) for name in WATCHED])


class FlitPins(FlitPort):
    """Python's side of a bench built with AGENT = CLASSIC, under the interface of a player's port.

    Attributes
    ----------
    row, count : clock of the burst, and how many it has; live: it is one of a burst.
    """

    transport: OwnMemories

    def __init__(self, network: FlitNetwork, transport: str) -> None:
        super().__init__(network, transport)
        top = root()
        self.clock, self.flit_bits = top.clk, network.words.width + 2 + network.layout.hops_bits
        self.row = self.count = 0
        self.live = False
        vcs, words = network.layout.vcs, network.words
        blocks = network.rtl.interface("CLASSIC").blocks
        given = next(x.parameters for x in blocks if x.name == "u_player")
        self.marked = given.get("MARKS", 0)  # every flit has marks where heads list hops
        ratios, depth = int(str(given.get("RATIOS", "'h0")).partition("'h")[2], 16), given["DEPTH"]
        self.leaves = [
            (Source(words, x, vcs, int(depth), ratios >> 16 * x & 0xFFFF or 1), Sink(vcs))
            for x in range(network.leaves)
        ]
        self._next = [0] * network.leaves  # row of each list's next packet
        Clock(self.clock, CLOCK, "step").start(start_high=False)
        self._rises = (get_sim_time("step") + 1) % CLOCK
        driver = FlitBusDriver(top.u_classic, self.clock, self)
        cocotb.start_soon(driver.clocks())
        self.monitor = FlitBusMonitor(top.u_classic, self.clock, self)
        self.monitor.add_callback(self.step)

    def access(self, view: bool) -> OwnMemories:
        own = OwnMemories(self.player, ("seen_state", "seen_home", "stim_table"))
        own.view = super().access(view) if view else None
        return own

    def bits(self, text: str, leaf: int, bits: int) -> int:
        """A leaf's part of some wires."""
        end = len(text) - leaf * bits
        return self.transport.known(text[end - bits : end], f"the pins of leaf {leaf}")

    async def burst(self, cycles: int) -> None:
        """Let so many clocks pass; a burst begins when the clock has risen."""
        if get_sim_time("step") % CLOCK != self._rises:
            await RisingEdge(self.clock)
        for seen in (self.seen_side, self.seen_data, self.seen_taken):
            seen[:cycles] = 0
        self.row, self.count = 0, cycles
        self._next = [0] * len(self.leaves)
        if self._settled.get("restart"):
            for source, _ in self.leaves:
                source.count = 0
        await super().burst(cycles)

    def step(self, told: list[str]) -> None:
        """A clock of a burst: note what came, and choose what leaves send and give next."""
        row, layout = self.row, self.network.layout
        self.row += 1
        reset, first = row in self.held, row - 1 not in self.held
        run = not self._settled.get("load")
        credits, valid, words = told
        for leaf, (source, sink) in enumerate(self.leaves):
            came = 0 if reset and first else self.bits(valid, leaf, layout.vcs)
            if came:  # in the first clock of a reset what is on the pins does not count
                self._note(row, leaf, Flit(came, self.bits(words, leaf, self.flit_bits)))
            if reset:
                source.reset()
                sink.reset()
                continue
            sink.step(came, self._stalled is not None and bool(self._stalled[row, leaf]))
            due = offered(self.stim_packet, (self._next[leaf], row), leaf)
            if source.step(due, run, self.bits(credits, leaf, layout.vcs)):
                self._next[leaf] += 1
                self.seen_taken[row, leaf // 8] |= 1 << leaf % 8

    def _note(self, row: int, leaf: int, flit: Flit) -> None:
        """Keep a flit as a player does: data, and tail, head, virtual channel, hops of a head."""
        width = self.network.words.width
        marks, hops = flit.word >> width & 3, flit.word >> (width + 2)
        self.seen_data[row, leaf] = flit.word & ((1 << width) - 1)
        hops = hops if marks & 2 or self.marked else 0
        self.seen_side[row, leaf] = marks | flit.vc << 2 | hops << 6
