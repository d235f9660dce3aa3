"""The environment of a network on the slot link: one agent, predictor, scoreboard, coverage."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from pyuvm import uvm_agent, uvm_env, uvm_sequencer

import models
from models import Settings
from models.checks import Int32Array
from tb.env.coverage import SlotCoverage
from tb.env.plan import led_by_schedule, make_plan
from tb.env.scoreboard import SlotScoreboard
from tb.links.classic import ClassicDriver, ClassicMonitor, ClassicPort
from tb.links.slot import SlotDriver, SlotFrame, SlotMonitor, SlotPort
from tb.networks.base import SlotNetwork


@dataclass
class Bench:
    """What a test needs from outside: the network, its port in the simulator, how to check."""

    network: SlotNetwork
    port: SlotPort | ClassicPort
    slots: int  # length of random traffic
    coverage: bool = True


class Predictor:
    """Knows what the network will do with a frame, because it knows the state it is in."""

    def __init__(self, network: SlotNetwork) -> None:
        self.network = network
        self.settings: Settings | None = None
        self._slot = 0  # row of the settings that the next slot uses
        self._clear = True

    def load(self, schedule: Int32Array) -> Settings:
        """Compile a schedule; the network starts at its first row after the next reset."""
        network = self.network
        self.settings = models.compile_settings(schedule, network.lanes, network.static_upper)
        self._slot = 0
        return self.settings

    def __call__(self, item: SlotFrame) -> bool:
        """Attach the plan; true if no conflict is predicted from the start up to here."""
        if self.network.control == "SELF":
            if item.plan is None:
                item.plan = make_plan(self.network, item.dst)
        else:
            item.plan = self._scheduled(item)
        self._clear = self._clear and item.plan.clear
        return self._clear

    def _scheduled(self, item: SlotFrame) -> Any:
        if self.settings is None:
            raise RuntimeError("a frame was sent before a schedule was loaded")
        period, start = len(self.settings.loop), self._slot
        since = np.arange(item.slots) + start
        if item.reset is not None:
            for row in np.flatnonzero(item.reset):
                since[row + 1 :] = np.arange(item.slots - row - 1)
        rows = since % period
        self._slot = int(since[-1] + 1) % period if len(since) else start
        if item.reset is not None and item.reset[-1]:
            self._slot = 0
        if item.plan is not None and item.phase == start and item.reset is None:
            return item.plan
        item.phase = start
        return make_plan(self.network, item.dst, led_by_schedule(self.settings, item.dst, rows))


class SlotAgent(uvm_agent):
    """Sequencer, driver and monitor for the whole network: frames, or packet by packet."""

    def __init__(self, name: str, parent: Any, bench: Bench, predictor: Predictor) -> None:
        super().__init__(name, parent)
        self.bench = bench
        self.predictor = predictor

    def build_phase(self) -> None:
        self.sequencer = uvm_sequencer("sequencer", self)
        port = self.bench.port
        if isinstance(port, ClassicPort):
            self.driver = ClassicDriver("driver", self, port, self.predictor)
            self.monitor = ClassicMonitor("monitor", self, port)
        else:
            self.driver = SlotDriver("driver", self, port, self.predictor)
            self.monitor = SlotMonitor("monitor", self, port)

    def connect_phase(self) -> None:
        self.driver.seq_item_port.connect(self.sequencer.seq_item_export)
        self.driver.ap.connect(self.monitor.sent)


class SlotEnv(uvm_env):
    """Everything between a sequence and a verdict."""

    def __init__(self, name: str, parent: Any, bench: Bench) -> None:
        super().__init__(name, parent)
        self.bench = bench

    def build_phase(self) -> None:
        network = self.bench.network
        self.predictor = Predictor(network)
        self.agent = SlotAgent("agent", self, self.bench, self.predictor)
        self.scoreboard = SlotScoreboard("scoreboard", self, network)
        self.coverage = SlotCoverage("coverage", self, network)

    def connect_phase(self) -> None:
        self.agent.monitor.ap.connect(self.scoreboard.analysis_export)
        if self.bench.coverage:
            self.scoreboard.checked.connect(self.coverage.analysis_export)
