"""Python in the place of the player: agents of cocotbext-axi at the leaves of a design.

It wakes in each clock, takes offers from the list that the driver filled and writes what it sees
into the arrays that a player would, without a difference above.  The player in Verilog keeps time.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator
from typing import Any

import cocotb
import numpy as np
from cocotb.clock import Clock
from cocotb.triggers import FallingEdge, RisingEdge
from cocotbext.axi import (
    AxiStreamBus,
    AxiStreamFrame,
    AxiStreamMonitor,
    AxiStreamSink,
    AxiStreamSource,
)

from fattree_bench.bench.interface.ports import Side
from fattree_bench.bench.links.flit.classic import offered, packet_words
from fattree_bench.bench.links.flit.packets import FlitCaptured, PacketSet
from fattree_bench.bench.links.transport import OwnMemories, Transport
from fattree_bench.bench.unknown import Unknown
from fattree_bench.families.foreign.port import ForeignPort
from fattree_bench.families.foreign.traffic import ForeignSet

LOGS = "cocotb.foreign_bench"  # what the library's loggers are called below
SHOWN = ("seen_state", "seen_home")  # of the player: what it sees itself
BYTE = 8


def lanes(side: Side) -> int:
    """Bytes of a word, as the library counts; 1: a word is not made of bytes."""
    bits = side.bits("data")
    if "keep" in side:
        return side.bits("keep")
    return 1 if bits % BYTE else bits // BYTE


class AxiPort(ForeignPort):
    """Sources, sinks and monitors, clock by clock, under the interface of a player's port."""

    def access(self, view: bool) -> Transport:
        return OwnMemories(self.player, SHOWN)

    def begin(self, rng: np.random.Generator, told: bool) -> None:
        """Make clock and agents: those of the scenario before ended with it."""
        design = self.network.design
        top: Any = cocotb.top
        self.rng = rng
        logging.getLogger(LOGS).setLevel(logging.INFO if told else logging.ERROR)
        self.clock: Any = top.clk
        Clock(self.clock, 2, "step").start(start_high=False)
        self._row = 0
        self._next = [0] * design.inputs  # row of the list's next packet
        self._number = [0] * design.inputs  # packets begun

        def agent(kind: Any, name: str, count: int, reset: Any = None) -> Any:
            bus = AxiStreamBus.from_prefix(top, name)
            own = None if hasattr(bus, "tkeep") else count
            return kind(bus, self.clock, reset, byte_lanes=own)

        silent = top.axis_reset
        self.sources: list[AxiStreamSource] = [
            agent(AxiStreamSource, f"axis_send{i}", lanes(design.send), silent)
            for i in range(design.inputs)
        ]
        self.sinks: list[AxiStreamSink] = [
            agent(AxiStreamSink, f"axis_receive{i}", lanes(design.receive), silent)
            for i in range(design.outputs)
        ]
        self.flits: list[AxiStreamMonitor] = [
            agent(AxiStreamMonitor, f"axis_flit{i}", 1) for i in range(design.outputs)
        ]
        for source in self.sources:
            source.assert_reset()  # its fields are known from now on

    # ---- pauses ----------------------------------------------------------------------------------

    def choose(self, item: PacketSet) -> None:
        """How agents send and receive an item: by the pause generators of the library."""
        chosen = item if isinstance(item, ForeignSet) else ForeignSet(item.packets, item.family)
        waits = bool(chosen.hold) or chosen.shy or item.stall is not None
        for source in self.sources:
            source.set_pause_generator(self._gaps(chosen.gap) if chosen.gap else None)
            source.pause = False
        for leaf, sink in enumerate(self.sinks):
            holds = self._holds(leaf, sink, chosen.hold, chosen.shy)
            sink.set_pause_generator(holds if waits else None)
            sink.pause = False

    def _gaps(self, gap: float) -> Iterator[bool]:
        while True:
            yield bool(self.rng.random() < gap)

    def _holds(self, leaf: int, sink: AxiStreamSink, hold: float, shy: bool) -> Iterator[bool]:
        while True:
            stall = self._stalled
            stalled = stall is not None and self._row < len(stall) and bool(stall[self._row, leaf])
            alone = shy and not sink.bus.tvalid.value
            yield stalled or alone or bool(self.rng.random() < hold)

    # ---- clocks ----------------------------------------------------------------------------------

    async def burst(self, cycles: int) -> None:
        """Let so many clocks pass; in each, offer what is due and keep what comes."""
        for seen in (self.seen_side, self.seen_data, self.seen_taken):
            seen[:cycles] = 0
        self._row = 0
        self._next = [0] * self.network.design.inputs
        if self._settled.get("restart"):
            self._number = [0] * self.network.design.inputs
        cocotb.start_soon(self._clocks(cycles - 1))
        await super().burst(cycles)

    async def _clocks(self, count: int) -> None:
        """All clocks of a burst but the last, which ends it."""
        for _ in range(count):
            await RisingEdge(self.clock)
            await FallingEdge(self.clock)
            self._pass()

    def captured(self) -> FlitCaptured | None:
        """What came in the burst, with its last clock."""
        self._pass()
        return super().captured()

    def _pass(self) -> None:
        """A clock has passed: note what came, and give sources what they send next."""
        row, resets = self._row, self._row in self.held
        self._row += 1
        for leaf, monitor in enumerate(self.flits):
            while not monitor.empty():
                self._note(row, leaf, monitor.recv_nowait(compact=False))
        for sink in self.sinks:
            while not sink.empty():
                sink.recv_nowait()
        for leaf, source in enumerate(self.sources):
            if resets:
                source.clear()
            elif source.empty() and self.playing is not None and self._begin(row, leaf, source):
                self.seen_taken[row, leaf // 8] |= 1 << leaf % 8

    def _note(self, row: int, leaf: int, flit: AxiStreamFrame) -> None:
        """Keep a flit as a player does: data, and tail, head, virtual channel, marks."""
        (word,), (user,) = flit.tdata, flit.tuser
        marks, head, tail = user >> 2, user >> 1 & 1, user & 1
        bits = self.network.design.receive.bits("id") or 1
        if marks >> bits:
            self.transport.unknown = Unknown("seen_receive", row, leaf, len(self.flits))
        known = marks & ((1 << bits) - 1)
        self.seen_data[row, leaf] = word
        self.seen_side[row, leaf] = tail | head << 1 | 1 << 2 | (known << 6 if head else 0)

    def _begin(self, row: int, leaf: int, source: AxiStreamSource) -> bool:
        """Send the next packet of a leaf's list, if it is due."""
        if not (offer := offered(self.stim_packet, (self._next[leaf], row), leaf)):
            return False
        source.send_nowait(self._frame(leaf, offer))
        self._next[leaf] += 1
        self._number[leaf] += 1
        return True

    def _frame(self, leaf: int, offer: int) -> AxiStreamFrame:
        """A packet as its offer says: see flit_source."""
        design = self.network.design
        made = packet_words(self.network.words, leaf, self._number[leaf], offer)
        side = design.send
        count, mask = lanes(side), (1 << side.bits("data")) - 1
        size = side.bits("data") // count
        data = [
            (word & mask) >> size * lane & ((1 << size) - 1)
            for flit in made
            for word in self._words(flit)
            for lane in range(count)
        ]
        return AxiStreamFrame(
            bytes(data) if size == BYTE else data,
            tid=leaf & ((1 << side.bits("id")) - 1),
            tdest=design.addresses[offer >> 16 & 0xFFFF],
        )

    def _words(self, flit: int) -> Iterator[int]:
        """The words that hold a flit again and again until they are full: see leaf_feed."""
        design = self.network.design
        copies = -(-design.words_a_flit * design.data_bits // design.width)
        every = sum(flit << design.width * k for k in range(copies))
        for step in range(design.words_a_flit):
            yield every >> step * design.data_bits & ((1 << design.data_bits) - 1)
