"""What the agents of all links share: a driver that plays items, a monitor that hands on bursts."""

from collections.abc import Callable
from typing import Any, Protocol

from cocotb.triggers import ValueChange
from pyuvm import uvm_agent, uvm_analysis_port, uvm_driver, uvm_monitor, uvm_sequencer


class PlayerPort(Protocol):
    """Python's side of a player: `done` changes when a burst has ended."""

    player: Any

    def captured(self) -> Any:
        """What the burst that just ended brought; None if not needed."""
        ...


class FrameDriver(uvm_driver):
    """Takes items from the sequencer, has them predicted and plays them back to back."""

    def __init__(self, name: str, parent: Any, port: Any, predict: Callable[..., Any]) -> None:
        super().__init__(name, parent)
        self.port = port
        self.predict = predict
        self.sequence = 0

    async def run_phase(self) -> None:
        while True:
            item = await self.seq_item_port.get_next_item()
            item.sequence = self.sequence
            self.sequence += item.slots
            await self.play(item, self.predict(item))
            self.seq_item_port.item_done()

    async def play(self, item: Any, predicted: Any) -> None:
        """Send one item; what the predictor returned for it is passed along."""
        raise NotImplementedError


class FrameMonitor(uvm_monitor):
    """Sees every burst end and hands on what was captured."""

    def __init__(self, name: str, parent: Any, port: PlayerPort) -> None:
        super().__init__(name, parent)
        self.port = port

    def build_phase(self) -> None:
        self.ap = uvm_analysis_port("ap", self)

    async def run_phase(self) -> None:
        while True:
            await ValueChange(self.port.player.done)
            captured = self.port.captured()
            if captured is not None:
                self.ap.write(captured)


class Agent(uvm_agent):
    """Sequencer, driver and monitor of a whole network, on one port."""

    def __init__(
        self,
        name: str,
        parent: Any,
        port: Any,
        predict: Callable[..., Any],
        driver: type[FrameDriver],
        monitor: Callable[..., uvm_monitor] = FrameMonitor,
    ) -> None:
        super().__init__(name, parent)
        self._port, self._predict, self._made = port, predict, (driver, monitor)

    def build_phase(self) -> None:
        driver, monitor = self._made
        self.sequencer = uvm_sequencer("sequencer", self)
        self.driver = driver("driver", self, self._port, self._predict)
        self.monitor = monitor("monitor", self, self._port)

    def connect_phase(self) -> None:
        self.driver.seq_item_port.connect(self.sequencer.seq_item_export)
