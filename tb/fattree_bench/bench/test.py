"""The base test: prepare, play a scenario, close, report."""

import time

import numpy as np
from pyuvm import ConfigDB, uvm_active_passive_enum, uvm_test

from fattree_bench.bench.environment import Bench
from fattree_bench.bench.interface.recorders import PASSIVE
from fattree_bench.bench.result import ScenarioResult
from fattree_bench.bench.scenario import Scenario, Stimulus
from fattree_bench.bench.traffic import Traffic


class BenchTest(uvm_test):
    """Runs one scenario; `result` holds what came of it."""

    def build_phase(self) -> None:
        self.bench: Bench = ConfigDB().get(self, "", "BENCH")
        self.scenario: Scenario = ConfigDB().get(self, "", "SCENARIO")
        self.rng: np.random.Generator = ConfigDB().get(self, "", "RNG")
        active = self.scenario.agent != PASSIVE
        ConfigDB().set(self, "*", "is_active", uvm_active_passive_enum(int(active)))
        self.env = self.bench.env("env", self, self.bench)
        self.result: ScenarioResult | None = None
        self.seconds = 0.0

    async def run_phase(self) -> None:
        self.raise_objection()
        start = time.perf_counter()
        if self.env.agent.active():
            start = await self.play()
        else:
            await self.env.onlook()
        self.seconds = time.perf_counter() - start
        self.drop_objection()

    async def play(self) -> float:
        """Prepare, and play the scenario; when it began."""
        stimulus = Stimulus(self.bench.network, self.rng, self.bench.rows)
        await self.env.prepare(self.scenario, stimulus)
        start = time.perf_counter()
        sequencer = self.env.agent.sequencer
        await Traffic(self.scenario.frames(stimulus), self.env.watch).start(sequencer)
        await Traffic(self.env.closing(), self.env.watch).start(sequencer)
        return start

    def extract_phase(self) -> None:
        """Hand the scoreboard, whose check phase comes before ours, what the port noticed."""
        transport = self.bench.port.transport
        self.env.scoreboard.unknown = transport.unknown
        transport.unknown = False

    def report_phase(self) -> None:
        self.env.coverage.fold()
        self.result = self.env.result(self.scenario, self.seconds)
