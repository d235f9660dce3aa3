"""The environment of a network on the flit link."""

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from fattree_bench.bench.environment import BenchEnv, outcome
from fattree_bench.bench.links.agent import Agent, FrameMonitor
from fattree_bench.bench.links.flit.packets import FlitDriver, FlitPort, PacketSet
from fattree_bench.bench.result import ScenarioResult
from fattree_bench.bench.scenario import Scenario, Stimulus
from fattree_bench.families.xgft.coverage import FlitCoverage
from fattree_bench.families.xgft.plan import FlitPlan
from fattree_bench.families.xgft.scoreboard import FlitScoreboard
from fattree_bench.families.xgft.trace import HopTrace
from fattree_bench.families.xgft.tree import XgftNetwork


class Predictor:
    """Attaches to each item the plan of what it must lead to."""

    def __init__(self, network: XgftNetwork, finish: Callable[[FlitPlan], None]) -> None:
        self.network = network
        self.finish = finish
        self.rng = np.random.default_rng()

    def __call__(self, item: PacketSet) -> FlitPlan:
        item.plan = FlitPlan(self.network, item, self.rng, self.finish)
        return item.plan


class FlitEnv(BenchEnv):
    """Agent, predictor, scoreboard and coverage of the flit link."""

    scoreboard: FlitScoreboard

    @staticmethod
    def port(network: XgftNetwork, agent: str, transport: str) -> FlitPort:
        return FlitPort(network, transport)

    def build_phase(self) -> None:
        network, port = self.bench.network, self.bench.port
        self.scoreboard = FlitScoreboard("scoreboard", self, network)
        self.predictor = Predictor(network, self.finish)
        self.measurements: list[dict[str, Any]] = []
        plan = Path(os.environ["TB_PLAN"])
        self.points = json.loads(plan.read_text())["points"]  # a file for what is measured, or ""
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

    def finish(self, plan: FlitPlan) -> None:
        """An item is over: check it, and note what was measured, at once where `points` says."""
        self.scoreboard.finish(plan)
        figures = measurement(plan)
        if figures is None:
            return
        self.measurements.append(figures)
        if self.points and not self.scoreboard.faults:
            with Path(self.points).open("a") as file:
                file.write(json.dumps(figures) + "\n")

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
            losses={"in a reset": tally.discarded},
            notes=self._notes(),
            levels=self._levels(),
            permutations=tally.permutations,
            measurements=self.measurements,
        )

    def _notes(self) -> list[str]:
        tally, cycles = self.scoreboard.tally, max(1, self.scoreboard.cycles)
        leaves = self.bench.network.leaves
        lines = [
            f"{tally.flits} flits arrived, {tally.flits / leaves / cycles:.3f} a leaf and clock; "
            f"{tally.flit_hops} flit-hops"
        ]
        if tally.replies:
            lines.append(f"{tally.replies} requests answered")
        if tally.on_their_way:
            lines.append(f"{tally.on_their_way} packets were on their way when their item ended")
        return lines + [told(figures) for figures in self.measurements]

    def _levels(self) -> list[dict[str, Any]]:
        """Flits, packets and destinations of the links of each level, up and down."""
        network, tally = self.bench.network, self.scoreboard.tally
        if not tally.loads:
            return []
        rows = []
        for level in network.levels:
            children = network.tree.down_ports(level)
            reached = self.scoreboard.reached[level].sum(axis=2)
            row: dict[str, Any] = {"level": level, "switches": network.tree.level_size(level)}
            for way, ports in (("up", reached[:, children:]), ("down", reached[:, :children])):
                flits = sum(getattr(load, way)[level] for load in tally.loads)
                packets = sum(getattr(load, way)[level] for load in tally.packets)
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


def measurement(plan: FlitPlan) -> dict[str, Any] | None:
    """Figures of an item with a window; None of others.  Times in clocks, rates in flits a leaf."""
    found = plan.measurement
    if found is None:
        return None
    return {
        "family": plan.item.family,
        "load": plan.item.load,
        "zero_load": plan.zero_load,
        **found.figures(),
        "stable": found.stable,
        "saturation": found.saturation,
    }


def told(figures: dict[str, Any]) -> str:
    """A measurement in a line."""
    state = (
        f"saturated ({figures['saturation']})"
        if figures["saturation"]
        else ("steady" if figures["stable"] else "not yet steady")
    )
    return (
        f"{figures['family']}: offered {figures['offered']:.3f}, "
        f"accepted {figures['accepted']:.3f} "
        f"flits a leaf and clock (least at a leaf {figures['accepted_minimum']:.3f}); latency "
        f"{figures['latency_mean']:.1f} (99 % within {figures['latency_p99']:.0f}, without load "
        f"{figures['zero_load']:.1f}), "
        f"in the network {figures['network_latency_mean']:.1f} clocks; "
        f"{figures['hops']:.2f} switches; {state}"
    )


ENVIRONMENT = FlitEnv
