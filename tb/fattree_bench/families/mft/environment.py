"""The environment of a modified fat-tree."""

import json
import os
from pathlib import Path

import numpy as np

from fattree_bench.bench.environment import BenchEnv, outcome
from fattree_bench.bench.links.agent import Agent, FrameMonitor
from fattree_bench.bench.links.flit.measuring import Measurements
from fattree_bench.bench.links.flit.packets import PacketSet
from fattree_bench.bench.links.flit.playing import Playing
from fattree_bench.bench.links.flit.port import FlitDriver, FlitPort
from fattree_bench.bench.result import Heads, Number, Quantity, ScenarioResult, Table, table
from fattree_bench.bench.scenario import Scenario, Stimulus
from fattree_bench.families.mft.coverage import MftCoverage
from fattree_bench.families.mft.network import MftNetwork
from fattree_bench.families.mft.plan import MftPlan, MftPlaying, link_of
from fattree_bench.families.mft.scoreboard import MftScoreboard

ROWS: Heads = {
    "row": ("row", "row"),
    "routers": ("routers", "routers"),
    "lanes": ("lanes", "lanes a side"),
    "flits_climbing": ("flits", "flits sent beyond it"),
    "flits_up": ("flits", "flits up"),
    "use_up": ("%", ""),  # of what clients sent on their links; told in words
    "flits_down": ("flits", "flits down"),
    "use_down": ("%", ""),
    "lost": ("packets", "packets lost"),
}


class Predictor:
    """Attaches to each item the plan of what it must lead to."""

    def __init__(self, network: MftNetwork) -> None:
        self.network = network
        self.link = link_of(network)

    def __call__(self, item: PacketSet) -> Playing:
        item.plan = MftPlan(self.network, self.link, item)
        return MftPlaying(item.plan, np.random.default_rng())


class MftDriver(FlitDriver):
    """Plays packet sets; each begins as from power-up, where the round robins begin, too."""

    async def play(self, item: PacketSet, playing: Playing) -> None:
        self.left = True
        await super().play(item, playing)


class MftEnv(BenchEnv):
    """Agent, predictor, scoreboard and coverage."""

    scoreboard: MftScoreboard

    @staticmethod
    def port(network: MftNetwork, agent: str, transport: str) -> FlitPort:
        return FlitPort(network, transport)

    def build_phase(self) -> None:
        network, port = self.bench.network, self.bench.port
        self.scoreboard = MftScoreboard("scoreboard", self, network)
        predictor = Predictor(network)
        points = json.loads(Path(os.environ["TB_PLAN"]).read_text())["points"]
        self.measurements = Measurements("measurements", self, self.scoreboard.faults, points)
        self.agent = Agent(
            "agent",
            self,
            lambda agent: MftDriver("driver", agent, port, predictor),
            lambda agent: FrameMonitor("monitor", agent, port),
        )
        self.coverage = MftCoverage("coverage", self, network)

    async def prepare(self, scenario: Scenario, stimulus: Stimulus) -> None:
        """Reset."""
        await self.bench.port.reset()

    def connect_phase(self) -> None:
        """Of an item that is over first the scoreboard hears, then who notes its figures."""
        super().connect_phase()
        self.agent.driver.over.connect(self.scoreboard.over_export)
        self.agent.driver.over.connect(self.measurements.analysis_export)

    def result(self, scenario: Scenario, seconds: float) -> ScenarioResult:
        board = self.scoreboard
        tally, network = board.tally, self.bench.network
        return outcome(
            scenario,
            self,
            seconds,
            unit="clocks",
            noun="packets",
            steps=board.cycles,
            sent=tally.sent,
            delivered=tally.delivered,
            overtaken=tally.overtaken,
            losses=dict(board.passed.lost),
            figures={
                "leaves": Quantity(network.leaves, "leaves"),
                "flits": Quantity(tally.flits, "flits"),
                "flit_rate": Quantity(
                    tally.flits / network.leaves / max(1, board.cycles), "flits per leaf and clock"
                ),
                "fifo": Quantity(network.fifo, "flits"),
                "least_fifo": Quantity(board.passed.peak, "flits"),
                "most_sources": Quantity(int(board.passed.sources.sum(axis=2).max()), "sources"),
                "lanes_used": Quantity(int(board.passed.sources.any(axis=2).sum()), "lanes"),
                "on_their_way": Quantity(tally.on_their_way, "packets"),
            },
            tables={"rows": self._rows()} if board.passed.sent else {},
            measurements=self.measurements.found,
        )

    def _rows(self) -> Table:
        """What went over the links of each row, as a part of what clients sent on theirs."""
        network, passed = self.bench.network, self.scoreboard.passed
        rows: list[list[Number]] = []
        for row, lanes in enumerate(network.row_lanes):
            up, down, lost = (int(passed.counted[name][row]) for name in ("up", "down", "lost"))
            use_up = 100 * up / passed.sent if row < network.n - 1 else None
            use_down = 100 * down / (lanes * passed.sent)
            climbing = int(passed.climbing[row])
            rows.append(
                [row, network.leaves // 2, lanes, climbing, up, use_up, down, use_down, lost]
            )
        return table(ROWS, rows)


ENVIRONMENT = MftEnv
