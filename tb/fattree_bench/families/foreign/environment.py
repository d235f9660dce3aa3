"""The environment of a foreign design."""

from __future__ import annotations

from typing import Any

import cocotb
import numpy as np

from fattree_bench.bench.limits import Limits
from fattree_bench.bench.links.flit.environment import FlitEnv
from fattree_bench.bench.links.flit.network import FlitNetwork
from fattree_bench.bench.links.flit.packets import PacketSet
from fattree_bench.bench.links.flit.playing import Playing
from fattree_bench.bench.links.flit.port import FlitDriver, FlitPort
from fattree_bench.bench.links.player import Player
from fattree_bench.bench.result import Quantity, ScenarioResult
from fattree_bench.bench.scenario import Scenario, Stimulus
from fattree_bench.families.foreign.coverage import ForeignCoverage
from fattree_bench.families.foreign.network import ForeignNetwork
from fattree_bench.families.foreign.path import Ways
from fattree_bench.families.foreign.plan import ForeignPlan, ForeignPlaying
from fattree_bench.families.foreign.scoreboard import ForeignScoreboard
from fattree_bench.families.foreign.traffic import ForeignSet


class ForeignPort(FlitPort):
    """Python's side of a flit_player and of the adapters round a design."""

    network: Any  # a ForeignNetwork

    def __init__(self, network: FlitNetwork, transport: str) -> None:
        super().__init__(network, transport)
        top: Any = cocotb.top
        self.control = Player(top.u_control)
        self._read = 0

    async def reset(self, seed: int | None = None) -> None:
        """Reset, for as long as the design needs, and wait."""
        await super().reset(seed)
        said = self.network.design.said.reset
        left = said.clocks + said.wait
        while left > 0:
            await self.burst(min(left, self.rows))
            left -= self.rows

    def state(self) -> Any:
        """As of the link; what was noted so far is read, and forgotten."""
        found = super().state()
        self._read ^= 1
        self.control.set("read", self._read)
        return found

    def choose(self, item: PacketSet) -> None:
        """How the adapters send and receive an item."""
        chosen = item if isinstance(item, ForeignSet) else ForeignSet(item.packets, item.family)
        self.control.set("gap", round(256 * chosen.gap))
        self.control.set("hold", round(256 * chosen.hold))
        self.control.set("shy", int(chosen.shy))


class ForeignDriver(FlitDriver):
    """Plays packet sets; between their words leaves pause as an item says."""

    def _settings(self, item: PacketSet) -> None:
        super()._settings(item)
        self.port.choose(item)


class ForeignEnv(FlitEnv):
    """Expects delivery, and what is promised."""

    driver = ForeignDriver
    scoreboard: ForeignScoreboard

    @staticmethod
    def port(network: FlitNetwork, agent: str, transport: str) -> ForeignPort:
        return ForeignPort(network, transport)

    def predict(self, item: PacketSet) -> Playing:
        """Stalls are drawn anew for each item."""
        if not self.bench.network.design.can_wait:
            item.stall = None
        item.plan = ForeignPlan(self.bench.network, self.scoreboard.link, item)
        return ForeignPlaying(item.plan, self.rng)

    def build_phase(self) -> None:
        network: ForeignNetwork = self.bench.network
        self.rng = np.random.default_rng(0)
        self.limits = Limits(log=network.design.said.limits.log)
        self.scoreboard = ForeignScoreboard("scoreboard", self, network)
        self.coverage = ForeignCoverage("coverage", self, network)
        super().build_phase()

    async def prepare(self, scenario: Scenario, stimulus: Stimulus) -> None:
        """Reset."""
        self.rng = np.random.default_rng(stimulus.rng.integers(1 << 32))
        await self.bench.port.reset()

    def result(self, scenario: Scenario, seconds: float) -> ScenarioResult:
        board = self.scoreboard
        return self.outcome(
            scenario,
            seconds,
            {
                "broken_rules": Quantity(board.broken, "rules"),
                **(_ways(board.ways) if board.ways is not None else {}),
                "predicted": Quantity(int(board.supplied.exact), "models"),
                **({"dropped": Quantity(board.dropped, "packets")} if board.may_drop else {}),
            },
            losses={"dropped": board.dropped} if board.may_drop else {},
            tables={
                "leaves": board.by_leaf.table(),
                **({"links": board.ways.table()} if board.ways is not None else {}),
            },
        )


def _ways(ways: Ways) -> dict[str, Quantity]:
    """How many ways were judged, and how the links were used."""
    return {
        "followed": Quantity(ways.followed, "packets"),
        "taps": Quantity(len(ways.loads), "links"),
        "taps_used": Quantity(int(np.count_nonzero(ways.loads)), "links"),
        "least_load": Quantity(int(ways.loads.min()), "words"),
        "greatest_load": Quantity(int(ways.loads.max()), "words"),
    }


ENVIRONMENT = ForeignEnv
