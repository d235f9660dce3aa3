"""The environment of a network on the flit link."""

import json
import os
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from fattree_bench.bench.environment import BenchEnv, outcome
from fattree_bench.bench.links.agent import Agent, FrameMonitor
from fattree_bench.bench.links.flit.measuring import Measurements, told
from fattree_bench.bench.links.flit.packets import PacketSet
from fattree_bench.bench.links.flit.playing import Playing
from fattree_bench.bench.links.flit.port import FlitDriver, FlitPort
from fattree_bench.bench.result import ScenarioResult
from fattree_bench.bench.scenario import Scenario, Stimulus
from fattree_bench.families.xgft.coverage import FlitCoverage
from fattree_bench.families.xgft.plan import XgftPlan, link_of
from fattree_bench.families.xgft.scoreboard import XgftScoreboard
from fattree_bench.families.xgft.trace import HopTrace
from fattree_bench.families.xgft.tree import XgftNetwork


class Predictor:
    """Attaches to each item the plan of what it must lead to."""

    def __init__(self, network: XgftNetwork) -> None:
        self.network = network
        self.link = link_of(network)
        self.rng = np.random.default_rng()

    def __call__(self, item: PacketSet) -> Playing:
        item.plan = XgftPlan(self.network, self.link, item)
        return Playing(item.plan, self.rng)


class FlitEnv(BenchEnv):
    """Agent, predictor, scoreboard and coverage of the flit link."""

    scoreboard: XgftScoreboard

    @staticmethod
    def port(network: XgftNetwork, agent: str, transport: str) -> FlitPort:
        return FlitPort(network, transport)

    def build_phase(self) -> None:
        network, port = self.bench.network, self.bench.port
        self.scoreboard = XgftScoreboard("scoreboard", self, network)
        self.predictor = Predictor(network)
        plan = Path(os.environ["TB_PLAN"])
        points = json.loads(plan.read_text())["points"]  # a file for what is measured, or ""
        self.measurements = Measurements("measurements", self, self.scoreboard.faults, points)
        if network.trace:
            self.scoreboard.trace = HopTrace(network, plan.parent / "trace.csv")
        self.agent = Agent(
            "agent",
            self,
            lambda agent: FlitDriver("driver", agent, port, self.predictor),
            lambda agent: FrameMonitor("monitor", agent, port),
        )
        self.coverage = FlitCoverage("coverage", self, network)

    async def prepare(self, scenario: Scenario, stimulus: Stimulus) -> None:
        """Reset, load the forwarding tables, choose the seed of the switches' random numbers."""
        seed = int(stimulus.rng.integers(1 << 32))
        self.predictor.rng = np.random.default_rng(stimulus.rng.integers(1 << 32))
        await self.bench.port.reset(scenario.seed(stimulus) if scenario.seed else seed)

    def connect_phase(self) -> None:
        """Of an item that is over first the scoreboard hears, then who notes its figures."""
        super().connect_phase()
        self.agent.driver.over.connect(self.scoreboard.over_export)
        self.agent.driver.over.connect(self.measurements.analysis_export)

    def result(self, scenario: Scenario, seconds: float) -> ScenarioResult:
        tally = self.scoreboard.tally
        return outcome(
            scenario,
            self,
            seconds,
            unit="clocks",
            noun="packets",
            steps=self.scoreboard.cycles,
            sent=tally.sent,
            delivered=tally.delivered,
            overtaken=tally.overtaken,
            losses={"in a reset": tally.discarded},
            notes=self._notes(),
            levels=self._levels(),
            permutations=self.scoreboard.links.permutations,
            measurements=self.measurements.found,
        )

    def _notes(self) -> list[str]:
        tally, cycles = self.scoreboard.tally, max(1, self.scoreboard.cycles)
        leaves = self.bench.network.leaves
        lines = [
            f"{tally.flits} flits arrived, {tally.flits / leaves / cycles:.3f} a leaf and clock; "
            f"{self.scoreboard.links.flit_hops} flit-hops"
        ]
        if tally.replies:
            lines.append(f"{tally.replies} requests answered")
        if tally.on_their_way:
            lines.append(f"{tally.on_their_way} packets were on their way when their item ended")
        return lines + [told(figures) for figures in self.measurements.found]

    def _levels(self) -> list[dict[str, Any]]:
        """Flits, packets and destinations of the links of each level, up and down."""
        network, links = self.bench.network, self.scoreboard.links
        if not links.flits:
            return []
        rows = []
        for level in network.levels:
            children = network.tree.down_ports(level)
            reached = self.scoreboard.reached[level].sum(axis=2)
            row: dict[str, Any] = {"level": level, "switches": network.tree.level_size(level)}
            for way, ports in (("up", reached[:, children:]), ("down", reached[:, :children])):
                flits = sum(getattr(load, way)[level] for load in links.flits)
                packets = sum(getattr(load, way)[level] for load in links.packets)
                row[f"links {way}"] = flits.size
                row[f"flits {way}"] = int(flits.sum())
                row[f"packets a link {way}"] = _range(packets)
                row[f"destinations a link {way}"] = _range(ports)
            rows.append(row)
        return rows


def _range(values: npt.NDArray[Any]) -> str:
    """Least and greatest, as in "3 … 5"; one number if they are the same; nothing of nothing."""
    if not values.size:
        return ""
    low, high = int(values.min()), int(values.max())
    return str(low) if low == high else f"{low} … {high}"


ENVIRONMENT = FlitEnv
