"""Classic agents, which step a link clock by clock: what those of all links share.

Python drives the clock, and every pin through thin subclasses of cocotb-bus: for single-stepping
and waves, on the same environment as the agents that play whole items.
"""

from collections.abc import Awaitable, Callable
from typing import Generic, Protocol, TypeVar

from cocotb.clock import Clock
from cocotb.types import Logic, LogicArray
from cocotb_bus.monitors import BusMonitor
from pyuvm import uvm_component, uvm_driver, uvm_sequencer

from fattree_bench.bench.created import Created
from fattree_bench.bench.handles import root
from fattree_bench.bench.links.agent import FrameDriver, Monitor, Port
from fattree_bench.bench.links.transport import OwnMemories
from fattree_bench.bench.tlm import Item, Planned, Seen

Look = TypeVar("Look")  # what a bus shows of a step
Row = TypeVar("Row")  # what is kept of it
Watched = TypeVar("Watched", bound="Pins")


class Pins(Protocol):
    """Python's side of a bench built with AGENT = CLASSIC."""

    @property
    def step(self) -> Callable[..., Awaitable[None]]:
        """Put a part of an item on the pins; the last one of a step lets clocks pass."""

    def watched(self) -> BusMonitor:
        """The monitor of the bus."""


class SteppedPort:
    """Clock, and the scope with the signals of the agent; `transport` notes X and Z."""

    def __init__(self) -> None:
        top = root()
        self.clock, self.scope = top.clk, top.u_classic
        self.transport = OwnMemories(self.scope)
        Clock(self.clock, 2, "step").start(start_high=False)

    def bits(self, value: Logic | LogicArray) -> int:
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

    def __init__(self, name: str, parent: uvm_component, port: Pins) -> None:
        super().__init__(name, parent)
        self.port = port

    async def run_phase(self) -> None:
        while True:
            await self.port.step(await self.seq_item_port.get_next_item())
            self.seq_item_port.item_done()


class SteppedMonitor(Monitor[Seen, Watched], Generic[Seen, Watched, Look, Row]):
    """Collects what the bus shows in each step, by its callback, and hands on whole items."""

    def build_phase(self) -> None:
        super().build_phase()
        self.rows: list[Row] = []
        self.bus = self.port.watched()
        self.bus.add_callback(self.seen)

    def seen(self, told: Look) -> None:
        """What the bus shows of a step."""
        raise NotImplementedError
