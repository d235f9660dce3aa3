"""The environment of a network on the flit link."""

import json
import os
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from fattree_bench.bench.environment import BenchEnv, outcome
from fattree_bench.bench.links.agent import Agent, FrameMonitor
from fattree_bench.bench.links.flit.measuring import Measurements
from fattree_bench.bench.links.flit.packets import PacketSet
from fattree_bench.bench.links.flit.playing import Playing
from fattree_bench.bench.links.flit.port import FlitDriver, FlitPort
from fattree_bench.bench.result import Heads, Number, Quantity, ScenarioResult, Table, table
from fattree_bench.bench.scenario import Scenario, Stimulus
from fattree_bench.families.xgft.coverage import FlitCoverage
from fattree_bench.families.xgft.plan import XgftPlan, link_of
from fattree_bench.families.xgft.scoreboard import XgftScoreboard
from fattree_bench.families.xgft.trace import HopTrace
from fattree_bench.families.xgft.tree import XgftNetwork

LEVELS: Heads = {
    "level": ("level", "level"),
    "switches": ("switches", "switches"),
} | {
    name: head
    for way in ("up", "down")
    for name, head in {
        f"links_{way}": ("links", f"links {way}"),
        f"flits_{way}": ("flits", f"flits {way}"),
        f"packets_{way}_least": ("packets per link", f"packets a link {way}"),
        f"packets_{way}_most": ("packets per link", f"packets a link {way}"),
        f"destinations_{way}_least": ("leaves per link", f"destinations a link {way}"),
        f"destinations_{way}_most": ("leaves per link", f"destinations a link {way}"),
        f"links_{way}_to_one": ("links", ""),  # that carry packets for one leaf
    }.items()
}


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
        tally, links = self.scoreboard.tally, self.scoreboard.links
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
            figures=self._figures(),
            tables={"levels": self._levels()} if links.flits else {},
            permutations=links.permutations,
            measurements=self.measurements.found,
        )

    def _figures(self) -> dict[str, Quantity]:
        tally, leaves = self.scoreboard.tally, self.bench.network.leaves
        rate = tally.flits / leaves / max(1, self.scoreboard.cycles)
        longer = {"longer_ways": Quantity(self.scoreboard.links.longer, "packets")}
        return {
            **(longer if self.bench.network.turnback is not None else {}),
            "leaves": Quantity(leaves, "leaves"),
            "flits": Quantity(tally.flits, "flits"),
            "flit_rate": Quantity(rate, "flits per leaf and clock"),
            "flit_hops": Quantity(self.scoreboard.links.flit_hops, "flits times switches"),
            "replies": Quantity(tally.replies, "packets"),
            "on_their_way": Quantity(tally.on_their_way, "packets"),
        }

    def _levels(self) -> Table:
        """Flits, packets and destinations of the links of each level, up and down."""
        network, links = self.bench.network, self.scoreboard.links
        rows = []
        for level in network.levels:
            exits = network.exits[level]
            reached = self.scoreboard.reached[level].sum(axis=2)
            row: list[Number] = [level, network.tree.level_size(level)]
            for way, ports in (
                ("up", reached[:, exits["UP"]]),
                ("down", reached[:, exits["DOWN"]]),
            ):
                flits = sum(getattr(load, way)[level] for load in links.flits)
                packets = sum(getattr(load, way)[level] for load in links.packets)
                row += [flits.size, int(flits.sum()), *_ends(packets), *_ends(ports)]
                row.append(int(np.count_nonzero(ports == 1)))
            rows.append(row)
        return table(LEVELS, rows)


def _ends(values: npt.NDArray[Any]) -> tuple[Number, Number]:
    """Least and greatest; None of nothing."""
    return (int(values.min()), int(values.max())) if values.size else (None, None)


ENVIRONMENT = FlitEnv
