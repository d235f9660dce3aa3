"""The slot link packet by packet; the frame agent is two to three orders of magnitude faster."""

import numpy as np
from cocotb.triggers import FallingEdge, ReadOnly
from cocotb.types import LogicArray
from cocotb_bus.drivers import BusDriver
from cocotb_bus.monitors import BusMonitor
from pyuvm import uvm_sequence, uvm_sequence_item

from fattree_bench.bench.created import Created
from fattree_bench.bench.handles import Handle
from fattree_bench.bench.links.agent import FrameMonitor
from fattree_bench.bench.links.slot.frame import Captured, SlotDriver, SlotFrame, SlotPins
from fattree_bench.bench.links.slot.network import SlotNetwork
from fattree_bench.bench.links.stepping import SteppedDriver, SteppedMonitor, SteppedPort

SIGNALS = ["rst", "valid", "dst", "data", "out_valid", "out_data", "counters", "expect_clear"]
Shown = tuple[LogicArray, LogicArray, LogicArray]  # valid, data, counters


class SlotPacket(uvm_sequence_item):
    """One packet going in or coming out.

    Going in, source = -1 stands for an idle slot and `last` ends the slot; coming out, the source
    is not known yet and `last` tells a packet from stray bits on an idle output.
    """

    def __init__(self, source: int, destination: int, word: int, last: bool, reset: bool) -> None:
        super().__init__("packet")
        self.source = source
        self.destination = destination
        self.word = word
        self.last = last
        self.reset = reset


class PacketSequence(uvm_sequence):
    """The packets of a frame, slot by slot, one item each."""

    def __init__(self, item: SlotFrame, network: SlotNetwork) -> None:
        super().__init__("packets")
        self.item = item
        self.network = network

    async def body(self) -> None:
        payload, item = self.network.layout.payload, self.item
        words = payload.frame(item.slots, item.sequence) if item.words is None else item.words
        for slot in range(item.slots):
            reset = item.reset is not None and bool(item.reset[slot])
            sources = np.flatnonzero(item.dst[slot] >= 0).tolist() or [-1]
            for x in sources:
                word = int(words[slot, x])
                packet = SlotPacket(x, int(item.dst[slot, x]), word, x == sources[-1], reset)
                await self.start_item(packet)
                await self.finish_item(packet)


class SlotBusDriver(BusDriver):
    """Drives one slot of the flat bus."""

    _signals = SIGNALS

    def __init__(self, entity: Handle, clock: Handle, network: SlotNetwork) -> None:
        BusDriver.__init__(self, entity, "slot", clock)
        self.network = network
        self._values = dict.fromkeys(("valid", "dst", "data"), 0)

    def add(self, packet: SlotPacket) -> None:
        """Put a packet on its leaf's part of the bus."""
        if packet.source >= 0:
            n, w = self.network.n, self.network.width
            self._values["valid"] |= 1 << packet.source
            self._values["dst"] |= packet.destination << (packet.source * n)
            self._values["data"] |= packet.word << (packet.source * w)

    async def slot(self, reset: bool) -> None:
        """Let the slot pass, up to its last clock; leaves the bus idle for the next one."""
        self.bus.rst.value = int(reset)
        for name, value in self._values.items():
            getattr(self.bus, name).value = value
            self._values[name] = 0
        for _ in range(1, self.network.layout.clocks):
            await FallingEdge(self.clock)


class SlotBusMonitor(BusMonitor):
    """Hands on (valid, data, counters) of every slot that was driven."""

    _signals = SIGNALS

    def __init__(self, entity: Handle, clock: Handle, port: "ClassicPort") -> None:
        self._port = port
        BusMonitor.__init__(self, entity, "slot", clock)

    async def _monitor_recv(self) -> None:
        while True:
            # Inputs change at the falling edge; by the end of that time step all has settled.
            await FallingEdge(self.clock)
            await ReadOnly()
            if self._port.live:
                self._port.live = False
                bus = self.bus
                self._recv((bus.out_valid.value, bus.out_data.value, bus.counters.value))


class ClassicPort(SteppedPort):
    """Python's side of a bench built with AGENT = CLASSIC: bus, clock, reset."""

    def __init__(self, network: SlotNetwork) -> None:
        super().__init__()
        self.network = network
        self.frames: list[SlotFrame] = []  # sent, and not yet seen to their ends
        self.live = False  # the last clock of a slot, and it has not been looked at
        self.driver = SlotBusDriver(self.scope, self.clock, network)

    def watched(self) -> SlotBusMonitor:
        return SlotBusMonitor(self.scope, self.clock, self)

    async def step(self, packet: SlotPacket) -> None:
        """A packet; the last one of a slot lets its clocks tick."""
        self.driver.add(packet)
        if packet.last:
            await self.driver.slot(packet.reset)
            self.live = True
            await FallingEdge(self.clock)

    async def reset(self) -> None:
        """Two slots of reset, whose outputs are not observed."""
        for _ in range(2):
            await FallingEdge(self.clock)
            await self.driver.slot(True)
        await FallingEdge(self.clock)


class ClassicDriver(SteppedDriver[SlotFrame, bool, ClassicPort]):
    """Takes frames, sends them as single packets."""

    async def play(self, item: SlotFrame, clear: bool) -> None:
        self.port.frames.append(item)
        self.port.driver.bus.expect_clear.value = int(clear)
        await PacketSequence(item, self.port.network).start(self.parts)


class ClassicMonitor(SteppedMonitor[Captured, ClassicPort, Shown, list[SlotPacket]]):
    """Sees packet by packet what comes out, and hands it on a frame at a time."""

    def seen(self, told: Shown) -> None:
        """Collect the packets of one slot; with the last slot the frame is complete."""
        network = self.port.network
        valid, data = self.port.bits(told[0]), self.port.bits(told[1])
        mask = (1 << network.width) - 1
        words = ((y, data >> (y * network.width) & mask) for y in range(network.leaves))
        seen = ((y, word, bool(valid >> y & 1)) for y, word in words)
        self.rows.append([SlotPacket(-1, *one, False) for one in seen if any(one[1:])])
        if len(self.rows) == self.port.frames[0].slots:
            self.ap.write(self._frame(self.port.frames.pop(0), self.port.bits(told[2])))
            self.rows.clear()

    def _frame(self, item: SlotFrame, counters: int) -> Captured:
        network = self.port.network
        valid = np.zeros((item.slots, network.leaves), np.bool_)
        data = np.zeros((item.slots, network.leaves), network.layout.payload.dtype)
        for row, packets in enumerate(self.rows):
            for packet in packets:
                valid[row, packet.destination] = packet.last
                data[row, packet.destination] = packet.word
        size = 4 * network.layout.counters
        numbers = np.frombuffer(counters.to_bytes(size, "little"), np.uint32)
        return Captured(item, np.packbits(valid, axis=1, bitorder="little"), data, numbers)


def ends(port: SlotPins | ClassicPort) -> tuple[type[Created], type[Created]]:
    """Driver and monitor of an agent on a port."""
    classic = isinstance(port, ClassicPort)
    return (ClassicDriver, ClassicMonitor) if classic else (SlotDriver, FrameMonitor)
