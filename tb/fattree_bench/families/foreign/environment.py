"""The environment of a foreign design."""

from __future__ import annotations

from typing import Any

import numpy as np

from fattree_bench.bench.limits import Limits
from fattree_bench.bench.links.flit.environment import FlitEnv
from fattree_bench.bench.links.flit.packets import PacketSet
from fattree_bench.bench.links.flit.playing import Playing
from fattree_bench.bench.links.flit.port import FlitDriver
from fattree_bench.bench.path.ways import Ways
from fattree_bench.bench.result import Quantity, ScenarioResult
from fattree_bench.bench.scenario import Scenario, Stimulus
from fattree_bench.families.foreign.coverage import ForeignCoverage
from fattree_bench.families.foreign.handshakes import figures
from fattree_bench.families.foreign.network import ForeignNetwork
from fattree_bench.families.foreign.plan import ForeignPlan, ForeignPlaying
from fattree_bench.families.foreign.port import ForeignPort
from fattree_bench.families.foreign.scoreboard import ForeignScoreboard
from fattree_bench.families.foreign.traffic import OWN, SENDERS, skipped


class ForeignDriver(FlitDriver):
    """Plays packet sets; between their words leaves pause as an item says."""

    port: ForeignPort

    def _settings(self, item: PacketSet) -> None:
        super()._settings(item)
        self.port.choose(item)

    def loaded(self, item: PacketSet) -> None:
        super().loaded(item)
        if item.plan.gave_in is not None:
            self.port.choose(item)


class ForeignEnv(FlitEnv):
    """Expects delivery, and what is promised."""

    senders = SENDERS
    driver = ForeignDriver
    scoring = ForeignScoreboard
    covering = ForeignCoverage
    scoreboard: ForeignScoreboard

    @staticmethod
    def port(network: Any, agent: str, transport: str) -> ForeignPort:
        if network.single:
            from fattree_bench.families.foreign.mapped_port import port

            return port(network, transport)
        return ForeignPort(network, transport)

    def predict(self, item: PacketSet) -> Playing:
        """Stalls are drawn again for each item."""
        if not self.bench.network.design.can_wait:
            item.stall = None
        item.plan = ForeignPlan(self.bench.network, self.scoreboard.link, item)
        return ForeignPlaying(item.plan, self.rng)

    def build_phase(self) -> None:
        network: ForeignNetwork = self.bench.network
        self.rng = np.random.default_rng(0)
        self.limits = Limits(log=network.design.said.limits.log)
        super().build_phase()

    async def prepare(self, scenario: Scenario, stimulus: Stimulus) -> None:
        self.rng = np.random.default_rng(stimulus.rng.integers(1 << 32))
        self.bench.port.begin(self.rng.spawn(1)[0], self.bench.debug)
        await super().prepare(scenario, stimulus)

    def result(self, scenario: Scenario, seconds: float) -> ScenarioResult:
        board = self.scoreboard
        share = skipped(self.bench.network) if scenario.name in OWN else 0.0
        return self.outcome(
            scenario,
            seconds,
            {
                "broken_rules": Quantity(board.broken, "rules"),
                **(_alone(board.alone) if board.alone else {}),
                **figures(board.network, board.unasked),
                **(_ways(board.ways) if board.ways is not None else {}),
                **({"skipped": Quantity(share, "of the packets")} if share else {}),
                "predicted": Quantity(int(board.supplied.exact), "models"),
                **({"dropped": Quantity(board.dropped, "packets")} if board.may_drop else {}),
            },
            losses={"dropped": board.dropped} if board.may_drop else {},
            tables={
                "leaves": board.by_leaf.table(),
                **({"links": board.ways.table()} if board.ways is not None else {}),
            },
        )


def _alone(clocks: list[int]) -> dict[str, Quantity]:
    """How long first words take through the design when nothing is in their way."""
    least, most = (Quantity(of(clocks), "clocks") for of in (min, max))
    return {"least_alone": least, "most_alone": most}


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
