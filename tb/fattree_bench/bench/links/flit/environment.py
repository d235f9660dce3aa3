"""The environment of a network on the flit link; a family says what it expects."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from fattree_bench.bench.environment import BenchEnv, Counting, outcome
from fattree_bench.bench.interface.recorders import PASSIVE
from fattree_bench.bench.links.agent import Agent, FrameMonitor
from fattree_bench.bench.links.flit.classic import FlitPins
from fattree_bench.bench.links.flit.measuring import Measurements
from fattree_bench.bench.links.flit.packets import PacketSet
from fattree_bench.bench.links.flit.playing import Playing
from fattree_bench.bench.links.flit.port import FlitDriver, FlitPort
from fattree_bench.bench.links.flit.replay import FlitMonitor
from fattree_bench.bench.links.flit.scoreboard import FlitScoreboard
from fattree_bench.bench.links.flit.watched import FlitWatch, WatchedNetwork
from fattree_bench.bench.result import Quantity, ScenarioResult, Table
from fattree_bench.bench.scenario import Scenario, Stimulus


class FlitEnv(BenchEnv):
    """Agent, measurements, and what a family checks and counts with."""

    driver: type[FlitDriver] = FlitDriver
    monitor: type[FrameMonitor] = FlitMonitor
    scoring: type[FlitScoreboard]
    covering: type[Counting]
    scoreboard: FlitScoreboard

    @staticmethod
    def port(network: WatchedNetwork, agent: str, transport: str) -> FlitPort | FlitWatch:
        if agent == PASSIVE:
            return FlitWatch(network, transport)
        return (FlitPins if agent == "CLASSIC" else FlitPort)(network, transport)

    def predict(self, item: PacketSet) -> Playing:
        """Attach to an item the plan of what it must lead to."""
        raise NotImplementedError

    async def prepare(self, scenario: Scenario, stimulus: Stimulus) -> None:
        """Reset."""
        await self.bench.port.reset()

    def build_phase(self) -> None:
        network, port = self.bench.network, self.bench.port
        self.scoreboard = self.scoring.create("scoreboard", self, network)
        self.coverage = self.covering.create("coverage", self, network)
        faults = self.scoreboard.faults
        self.measurements = Measurements.create("measurements", self, faults, self.bench.points)
        self.agent = Agent.create("agent", self, port, self.predict, self.driver, self.monitor)

    def connect_phase(self) -> None:
        """Of an item that is over first the scoreboard hears, then who notes its figures."""
        super().connect_phase()
        if self.agent.active():
            self.agent.driver.over.tell("over", self, self.scoreboard.finish)
            self.agent.driver.over.connect(self.measurements.analysis_export)

    def outcome(
        self,
        scenario: Scenario,
        seconds: float,
        figures: Mapping[str, Quantity],
        losses: Mapping[str, int] = MappingProxyType({}),
        tables: Mapping[str, Table] = MappingProxyType({}),
        permutations: Sequence[tuple[str, int]] = (),
    ) -> ScenarioResult:
        """A result with what is the same in every network of the link."""
        board, leaves = self.scoreboard, self.bench.network.leaves
        tally = board.tally
        rate = tally.flits / leaves / max(1, board.cycles)
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
            figures={
                "leaves": Quantity(leaves, "leaves"),
                "flits": Quantity(tally.flits, "flits"),
                "flit_rate": Quantity(rate, "flits per leaf and clock"),
                "on_their_way": Quantity(tally.on_their_way, "packets"),
                **figures,
            },
            measurements=self.measurements.found,
            losses=dict(losses),
            tables=dict(tables),
            permutations=list(permutations),
        )
