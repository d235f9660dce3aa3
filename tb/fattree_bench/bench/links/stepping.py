"""Classic agents, which step a link clock by clock: what those of all links share.

Python drives the clock, and every pin through thin subclasses of cocotb-bus: for single-stepping
and waves, on the same environment as the agents that play whole items.
"""

from typing import Any, Protocol

import cocotb
from cocotb.clock import Clock
from cocotb_bus.monitors import BusMonitor
from pyuvm import uvm_driver, uvm_sequencer

from fattree_bench.bench.created import Created
from fattree_bench.bench.links.agent import FrameDriver, FrameMonitor, Port
from fattree_bench.bench.links.transport import OwnMemories
from fattree_bench.bench.tlm import Item, Planned, Seen


class Pins(Protocol):
    """Python's side of a bench built with AGENT = CLASSIC."""

    async def step(self, part: Any) -> None:
        """Put a part of an item on the pins; the last one of a step lets clocks pass."""
        ...

    def watched(self) -> BusMonitor:
        """The monitor of the bus."""
        ...


class SteppedPort:
    """Clock, and the scope with the signals of the agent; `transport` notes X and Z."""

    def __init__(self) -> None:
        top: Any = cocotb.top
        self.clock, self.scope = top.clk, top.u_classic
        self.transport = OwnMemories(self.scope)
        Clock(self.clock, 2, "step").start(start_high=False)

    def bits(self, value: Any) -> int:
        """The number on some wires."""
        return self.transport.known(str(value))


class SteppedDriver(FrameDriver[Item, Planned, Port]):
    """Takes items, sends their parts one by one through a sequencer of its own."""

    def build_phase(self) -> None:
        self.parts = uvm_sequencer("parts", self)
        self.part_driver = PartDriver.create("part_driver", self, self.port)

    def connect_phase(self) -> None:
        self.part_driver.seq_item_port.connect(self.parts.seq_item_export)


class PartDriver(Created, uvm_driver):
    """One part at a time."""

    def __init__(self, name: str, parent: Any, port: Pins) -> None:
        super().__init__(name, parent)
        self.port = port

    async def run_phase(self) -> None:
        while True:
            await self.port.step(await self.seq_item_port.get_next_item())
            self.seq_item_port.item_done()


class SteppedMonitor(FrameMonitor[Seen]):
    """Collects what the bus shows in each step, and hands on whole items."""

    port: Any  # Pins, and what its link has

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        self.rows: list[Any] = []

    async def run_phase(self) -> None:
        """The bus calls back."""

    def cut_off(self) -> None:
        """A step was looked at when it was over."""

    def build_phase(self) -> None:
        super().build_phase()
        self.bus = self.port.watched()
        self.bus.add_callback(self.seen)

    def seen(self, told: Any) -> None:
        """What the bus shows of a step."""
        raise NotImplementedError
