"""The base test: reset, program, play a scenario, drain, report."""

import time

import numpy as np
from pyuvm import ConfigDB, uvm_test

from tb.env.environment import Bench, SlotEnv
from tb.links.classic import ClassicPort
from tb.report.result import ScenarioResult
from tb.scenarios.base import Scenario, Stimulus
from tb.sequences.slot import Traffic, drain


class SlotTest(uvm_test):
    """Runs one scenario; `result` holds what came of it."""

    def build_phase(self) -> None:
        self.bench: Bench = ConfigDB().get(self, "", "BENCH")
        self.scenario: Scenario = ConfigDB().get(self, "", "SCENARIO")
        self.rng: np.random.Generator = ConfigDB().get(self, "", "RNG")
        self.env = SlotEnv("env", self, self.bench)
        self.result: ScenarioResult | None = None
        self.seconds = 0.0

    async def run_phase(self) -> None:
        self.raise_objection()
        network, port = self.bench.network, self.bench.port
        stimulus = Stimulus(network, self.rng, self.bench.slots)
        await port.reset()
        if network.control == "SCHEDULED" and not isinstance(port, ClassicPort):
            assert self.scenario.schedule is not None
            stimulus.schedule = self.scenario.schedule(stimulus)
            await port.program(self.env.predictor.load(stimulus.schedule))
            await port.reset()
        start = time.perf_counter()
        sequencer = self.env.agent.sequencer
        await Traffic(self.scenario.frames(stimulus)).start(sequencer)
        await Traffic([drain(network)]).start(sequencer)
        self.seconds = time.perf_counter() - start
        self.drop_objection()

    def extract_phase(self) -> None:
        """Hand the scoreboard, whose check phase comes before ours, what the port noticed."""
        transport = self.bench.port.transport
        self.env.scoreboard.unknown = transport.unknown
        transport.unknown = False

    def report_phase(self) -> None:
        board, coverage = self.env.scoreboard, self.env.coverage
        coverage.fold()
        network = self.bench.network
        self.result = ScenarioResult(
            scenario=self.scenario.name,
            faults=dict(board.faults.counts),
            examples=board.faults.examples,
            slots=board.slots,
            sent=board.tally.sent,
            delivered=board.tally.delivered,
            lost=board.tally.lost,
            unscheduled=board.tally.unscheduled,
            discarded=board.tally.discarded,
            levels=[
                {
                    "level": j,
                    "lanes": lanes,
                    "bound": bound,
                    "nonblocking": full,
                    "busiest": int(board.used[j]),
                    "conflicts_up": int(board.conflicts[j]),
                    "conflicts_down": int(board.conflicts[network.n + 2 + j]),
                }
                for j, lanes, bound, full in network.table()
            ],
            port_conflicts=int(board.conflicts[-1]),
            coverage={g.name: (g.covered, g.bins) for g in coverage.groups.values()},
            seconds=self.seconds,
        )
