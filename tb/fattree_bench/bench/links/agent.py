"""What the agents of all links share: a driver that plays items, a monitor that hands on bursts."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Generic, Protocol, TypeVar

from cocotb.triggers import ValueChange
from pyuvm import uvm_agent, uvm_component, uvm_do_callbacks, uvm_driver, uvm_monitor
from pyuvm.uvm_reporting import UVM_HIGH

from fattree_bench.bench.created import Created
from fattree_bench.bench.handles import Handle
from fattree_bench.bench.sequence import Sequencer
from fattree_bench.bench.tlm import Analysis, Burst, Item, Planned, Played, Seen

Port = TypeVar("Port")  # Python's side of what a driver plays by


@dataclass(frozen=True)
class Misplayed:
    """What a player did that it was not asked for: in words, when, and at which leaf."""

    item: Played
    example: str
    time: int
    leaf: int | None = None


class PlayerPort(Protocol):
    """Python's side of a player: `done` changes when a burst has ended."""

    player: Handle

    def ends(self) -> bool:
        """The simulation ends inside a burst: has a clock of it come?"""

    def captured(self) -> Burst | Misplayed | None:
        """What the burst that just ended brought, or `Misplayed`; None if not needed."""


class FrameDriver(Created, uvm_driver, Generic[Item, Planned, Port]):
    """Takes items from the sequencer, has them predicted and plays them back to back."""

    def __init__(
        self, name: str, parent: uvm_component, port: Port, predict: Callable[[Item], Planned]
    ) -> None:
        super().__init__(name, parent)
        self.port = port
        self.predict = predict
        self.sequence = 0

    async def run_phase(self) -> None:
        while True:
            item = await self.seq_item_port.get_next_item()
            item.sequence = self.sequence
            self.sequence += item.slots
            self.uvm_report.info("ITEM", f"{item.get_name()}, from {item.sequence}", UVM_HIGH)
            await self.play(item, self.predict(item))
            self.seq_item_port.item_done()

    def loaded(self, item: Item) -> None:
        """The player's memories hold what comes next: callbacks may change it there."""
        uvm_do_callbacks(self, "loaded", self.port, item)

    async def play(self, item: Item, predicted: Planned) -> None:
        """Send one item; what the predictor returned for it is passed along."""
        raise NotImplementedError


class Monitor(Created, uvm_monitor, Generic[Seen, Port]):
    """Watches the pins of a network by a port: hands on what it sees, with what was predicted."""

    def __init__(
        self, name: str, parent: uvm_component, port: Port, predict: Callable[..., object]
    ) -> None:
        super().__init__(name, parent)
        self.port, self.predict = port, predict

    def build_phase(self) -> None:
        self.ap: Analysis[Seen] = Analysis("ap", self)
        self.misplayed: Analysis[Misplayed] = Analysis("misplayed", self)

    def cut_off(self) -> None:
        """The simulation ends inside a burst."""


class FrameMonitor(Monitor[Burst, PlayerPort]):
    """Hands on what was captured in each burst.

    The model must know what went in.  Where that is what a driver asked for, word by word, the
    driver has had it predicted; what somebody else sent is predicted here.  If a player played
    anything else, `misplayed` tells it, and nothing is handed on any more: what the network makes
    of that was not asked.
    """

    ended = False

    async def run_phase(self) -> None:
        while not self.ended:
            await ValueChange(self.port.player.done)
            self.look()

    def cut_off(self) -> None:
        """Tell if that was because of the player."""
        if self.port.ends() and not self.ended:
            self.look()

    def look(self) -> None:
        """Hand on what there is."""
        captured = self.port.captured()
        if isinstance(captured, Misplayed):
            self.ended = True
            self.misplayed.write(captured)
        elif captured is not None:
            if captured.item.plan is None:
                self.predict(captured.item)
            self.ap.write(captured)


class Agent(Created, uvm_agent):
    """Sequencer, driver and monitor of a whole network, on one port; passive, the monitor alone."""

    def __init__(
        self,
        name: str,
        parent: uvm_component,
        port: Port,
        predict: Callable[..., object],
        driver: type[Created],
        monitor: type[Created] = FrameMonitor,
    ) -> None:
        super().__init__(name, parent)
        self._driver = partial(driver.create, "driver", self, port, predict)
        self._monitor = partial(monitor.create, "monitor", self, port, predict)

    def build_phase(self) -> None:
        super().build_phase()  # ConfigDB says whether it is active
        if self.active():
            self.sequencer = Sequencer.create("sequencer", self)
            self.driver = self._driver()
        self.monitor = self._monitor()

    def connect_phase(self) -> None:
        if self.active():
            self.driver.seq_item_port.connect(self.sequencer.seq_item_export)
