"""The serial link message by message, clock by clock."""

from typing import Any

import numpy as np
from cocotb.triggers import FallingEdge, ReadOnly
from cocotb_bus.drivers import BusDriver
from cocotb_bus.monitors import BusMonitor
from pyuvm import uvm_sequence, uvm_sequence_item

from fattree_bench.bench.handles import Handle
from fattree_bench.bench.links.serial.messages import PATIENCE, MessageSet, SerialCaptured
from fattree_bench.bench.links.serial.network import SerialLayout, SerialNetwork
from fattree_bench.bench.links.serial.records import TICK_STRIDE
from fattree_bench.bench.links.stepping import SteppedDriver, SteppedMonitor, SteppedPort
from fattree_models.common.checks import UInt8Array

OFFERED = ("offer_valid", "offer", "waiting", "setting")
BITS = ("sent", "acked", "arrived", "trailing")
TICKS = ("ack_tick", "tick")
TOLD = (*BITS, *TICKS, "data", "state")
DRIVEN = ["rst", "restart", "once", "seed", *OFFERED, "load", "last", "take"]
WATCHED = ["rst", "last", *TOLD]
Shown = dict[str, int]  # numbers on the pins, by name


class Offer(uvm_sequence_item):
    """What a wire offers in the load clock of a delivery cycle.

    Attributes
    ----------
    message : its bits, the first in the highest place; None: there is none.
    waiting : messages that wait at the wire, this one included.
    last : of the wires: the delivery cycle begins.
    setting : of all nodes, in this delivery cycle.
    taken : the network took it; known when the delivery cycle is over.
    """

    def __init__(
        self, wire: int, message: int | None, waiting: int, last: bool, setting: int
    ) -> None:
        super().__init__(f"wire {wire}")
        self.wire, self.message, self.waiting, self.last = wire, message, waiting, last
        self.setting, self.taken = setting, False


class Offers(uvm_sequence):
    """The messages of a set, delivery cycle by delivery cycle, an item for each wire."""

    def __init__(self, item: MessageSet, port: "SerialPins") -> None:
        super().__init__("offers")
        self.item, self.port = item, port

    async def body(self) -> None:
        item, layout = self.item, self.port.layout
        images = layout.images(item.dst, layout.words(item), item.edges)
        if item.trailing is not None:
            images |= layout.trailing(item)
        waiting = np.count_nonzero(item.dst >= 0, axis=0) + item.behind if item.queue else None
        at = [0] * layout.wires  # row that each wire offers
        while self.port.playing is not None:
            offers, setting = [], layout.setting(item, at[0])
            for wire, row in enumerate(at):
                valid = row < len(item.dst) and item.dst[row, wire] >= 0
                message = int.from_bytes(images[row, wire].tobytes(), "little") if valid else None
                left = 0 if waiting is None else int(waiting[wire]) - row
                offers.append(Offer(wire, message, left, wire == layout.wires - 1, setting))
            for offer in offers:
                await self.start_item(offer)
                await self.finish_item(offer)
            for wire, offer in enumerate(offers):
                at[wire] += not item.queue or offer.taken


class SerialBusDriver(BusDriver):
    """Drives the offers of all wires, and the clocks of one delivery cycle."""

    _signals = DRIVEN

    def __init__(self, entity: Handle, clock: Handle, layout: SerialLayout) -> None:
        BusDriver.__init__(self, entity, "serial", clock)
        self.layout = layout
        self.offers: list[Offer] = []

    def put(self) -> None:
        """Put the offers on the wires; where there is none, bits that must not matter."""
        values = dict.fromkeys(OFFERED, 0)
        values["setting"] = max((offer.setting for offer in self.offers), default=0)
        bits, noise = self.layout.message_bits, np.random.default_rng(0).bytes(256)
        idle = int.from_bytes(noise, "little") & ((1 << bits) - 1)
        for offer in self.offers:
            values["offer_valid"] |= (offer.message is not None) << offer.wire
            message = idle if offer.message is None else offer.message
            values["offer"] |= message << (offer.wire * bits)
            values["waiting"] |= (offer.waiting & 0xFFFF) << (offer.wire * 16)
        for name, value in values.items():
            getattr(self.bus, name).value = value

    def clear(self, taken: int) -> None:
        """Nothing is on offer any more; these wires' messages were taken."""
        for offer in self.offers:
            offer.taken = offer.message is not None and bool(taken >> offer.wire & 1)
        self.offers = []
        for name in OFFERED:
            getattr(self.bus, name).value = 0


class SerialBusMonitor(BusMonitor):
    """Hands on what the network tells in the last clock of each delivery cycle, by signal."""

    _signals = WATCHED

    def __init__(self, entity: Handle, clock: Handle, port: "SerialPins") -> None:
        self._port = port
        BusMonitor.__init__(self, entity, "serial", clock)

    async def _monitor_recv(self) -> None:
        port = self._port
        while True:
            # Inputs change at the falling edge; by the end of that time step all has settled.
            await FallingEdge(self.clock)
            await ReadOnly()
            if port.playing is None:
                continue
            port.clocks += 1
            ends = port.bits(self.bus.last.value) and not port.bits(self.bus.rst.value)
            if ends:
                self._recv({name: port.bits(getattr(self.bus, name).value) for name in TOLD})
            if port.clocks == port.limit:
                self._recv(None)


class SerialPins(SteppedPort):
    """Python's side of a bench built with AGENT = CLASSIC.

    Attributes
    ----------
    playing : item, and delivery cycles that are to be seen of it; None: there is none.
    clocks : of the item, looked at so far; `limit`: after so many it is given up.
    """

    def __init__(self, network: SerialNetwork) -> None:
        super().__init__()
        self.layout = network.layout
        self.playing: tuple[MessageSet, int] | None = None
        self.clocks, self.limit, self.resets = 0, 0, range(0)
        self.driver = SerialBusDriver(self.scope, self.clock, self.layout)

    def watched(self) -> SerialBusMonitor:
        return SerialBusMonitor(self.scope, self.clock, self)

    async def step(self, offer: Offer) -> None:
        """An offer; with the last wire's the delivery cycle runs."""
        self.driver.offers.append(offer)
        if offer.last:
            await self.cycle()

    async def reset(self, seed: int) -> None:
        """A clock of reset, and an idle delivery cycle, unobserved."""
        bus = self.driver.bus
        await FallingEdge(self.clock)
        bus.seed.value, bus.once.value, bus.rst.value = seed, 1, 1
        await FallingEdge(self.clock)
        bus.rst.value = 0
        await self.cycle()

    def begin(self, item: MessageSet, cycles: int) -> None:
        """An item begins, in the load clock that now is."""
        self.playing, self.clocks = (item, cycles), 0
        self.limit = PATIENCE * (cycles + 1) * self.layout.ticks
        self.resets = range(0)
        if item.reset is not None:
            row, clock = item.reset
            at = row * self.layout.ticks + clock + 1
            self.resets = range(at, at + item.held)
        self.driver.bus.once.value = int(not item.queue)
        self.driver.bus.restart.value = int(item.restart)

    async def cycle(self) -> None:
        """Offer, and let clocks pass, to the last one of the delivery cycle or to a reset."""
        driver, bus, observed = self.driver, self.driver.bus, self.playing is not None
        driver.put()
        for _ in range(2 * PATIENCE * self.layout.ticks):
            reset = observed and self.clocks + 1 in self.resets
            bus.rst.value = int(reset)
            await ReadOnly()
            taken, last = self.bits(bus.take.value), self.bits(bus.last.value)
            await FallingEdge(self.clock)
            bus.rst.value = bus.restart.value = 0
            driver.clear(taken)  # the load clock is over
            over = reset and self.clocks + 1 not in self.resets
            if over or (last and not reset) or (observed and self.playing is None):
                break


class ClassicDriver(SteppedDriver[MessageSet, int, SerialPins]):
    """Takes message sets, sends them as single messages."""

    async def play(self, item: MessageSet, cycles: int) -> None:
        if cycles:
            self.port.begin(item, cycles)
            await Offers(item, self.port).start(self.parts)


class ClassicMonitor(SteppedMonitor[SerialCaptured, SerialPins, Shown | None, Shown]):
    """Sees delivery cycle by delivery cycle what the network tells, and hands on whole items."""

    def seen(self, told: Shown | None) -> None:
        """Collect a delivery cycle; with the last one, or when none ends, the item is complete."""
        assert self.port.playing is not None
        item, cycles = self.port.playing
        if told is not None:
            self.rows.append(told)
        if told is None or len(self.rows) == cycles:
            self.port.playing = None
            self.ap.write(self._captured(item, cut=told is None))
            self.rows.clear()

    def _captured(self, item: MessageSet, cut: bool) -> SerialCaptured:
        layout = self.port.layout

        def fields(name: str, stride: int) -> list[list[int]]:
            mask = (1 << stride) - 1
            return [
                [row[name] >> (wire * stride) & mask for wire in range(layout.wires)]
                for row in self.rows
            ]

        def packed(name: str) -> UInt8Array:
            bits = np.array(fields(name, 1), np.uint8).reshape(-1, layout.wires)
            return np.packbits(bits, axis=1, bitorder="little")

        state = self.rows[-1]["state"] if self.rows else 0
        seen: dict[str, Any] = {name: packed(name) for name in BITS}
        for name, stride, dtype in (
            *((name, TICK_STRIDE, np.dtype(np.uint16)) for name in TICKS),
            ("data", layout.payload.width, layout.payload.dtype),
        ):
            seen[name] = np.array(fields(name, stride), dtype).reshape(-1, layout.wires)
        return SerialCaptured(
            item,
            0,
            **seen,
            lost=np.frombuffer(state.to_bytes(4 * layout.counters, "little"), np.uint32),
            clocks=self.port.clocks,
            cut=cut,
        )
