"""The environment of SPIN."""

from typing import Any

import numpy as np

from fattree_bench.bench.links.flit.environment import FlitEnv
from fattree_bench.bench.links.flit.network import FlitNetwork
from fattree_bench.bench.links.flit.playing import Playing
from fattree_bench.bench.links.flit.scoreboard import RESET
from fattree_bench.bench.result import Head, Heads, Number, Quantity, ScenarioResult, Table, table
from fattree_bench.bench.scenario import Scenario, Stimulus
from fattree_bench.families.spin.coverage import SpinCoverage
from fattree_bench.families.spin.network import SpinNetwork
from fattree_bench.families.spin.plan import SpinPlan
from fattree_bench.families.spin.port import SpinDriver, SpinPins, SpinPort
from fattree_bench.families.spin.requests import RequestPlan, RequestPlaying, RequestSet
from fattree_bench.families.spin.scoreboard import DAMAGED, SpinScoreboard
from fattree_bench.families.spin.traffic import SENDERS

LEVELS: Heads = {
    "level": Head("level", "level"),
    "routers": Head("routers", "routers"),
    "parents": Head("parents", "parents taken to a terminal"),
    "children": Head("children", "children taken to a terminal"),
}


class SpinEnv(FlitEnv):
    """Expects packets whole, by legal ways; reads and writes as memories say."""

    senders = SENDERS
    driver = SpinDriver
    scoring = SpinScoreboard
    covering = SpinCoverage
    scoreboard: SpinScoreboard

    @staticmethod
    def port(network: FlitNetwork, agent: str, transport: str) -> SpinPort:
        assert isinstance(network, SpinNetwork)
        return (SpinPins if agent == "CLASSIC" else SpinPort)(network, transport)

    def predict(self, item: Any) -> Any:
        """Attach to an item the plan of what it must lead to."""
        network = self.bench.network
        if isinstance(item, RequestSet):
            item.plan = RequestPlan(network, item, self.bench.port.memories)
            return RequestPlaying(item.plan, self.limits)
        item.plan = SpinPlan(network, self.scoreboard.link, item)
        return Playing(item.plan, self.rng)

    def build_phase(self) -> None:
        self.rng = np.random.default_rng()
        super().build_phase()

    async def prepare(self, scenario: Scenario, stimulus: Stimulus) -> None:
        self.rng = np.random.default_rng(stimulus.rng.integers(1 << 32))
        await super().prepare(scenario, stimulus)

    def result(self, scenario: Scenario, seconds: float) -> ScenarioResult:
        board = self.scoreboard
        requests, tally = board.requests, board.tally
        latency = np.concatenate([np.zeros(0, np.int64), *requests.latency])
        mean = float(latency.mean()) if latency.size else None
        return self.outcome(
            scenario,
            seconds,
            {
                "routers": Quantity(self.bench.network.tree.switches, "routers"),
                "shared": Quantity(int(self.bench.network.shared), "flag"),
                "stored": Quantity(int(board.stored.sum()), "packets"),
                "damaged": Quantity(board.damaged, "packets"),
                "flagged": Quantity(board.flagged, "packets"),
                "requests": Quantity(requests.issued, "requests"),
                "answered": Quantity(requests.answered, "requests"),
                "refused": Quantity(requests.failed, "requests"),
                "dropped": Quantity(requests.dropped, "requests"),
                "flagged_answers": Quantity(requests.flagged, "responses"),
                "answers_overtaken": Quantity(requests.overtaken, "responses"),
                "request_latency": Quantity(mean, "clocks"),
            },
            losses={RESET: tally.discarded - board.damaged, DAMAGED: board.lost_to_damage},
            tables={"levels": self._levels()} if board.reached_any else {},
        )

    def _levels(self) -> Table:
        """How many ways packets for a terminal took at a router, at most."""
        rows: list[list[Number]] = []
        tree = self.bench.network.tree
        for level, reached in self.scoreboard.reached.items():
            downs = tree.down_ports(level)
            up, down = reached[:, downs:].sum(axis=1), reached[:, :downs].sum(axis=1)
            rows.append([level, len(reached), int(up.max(initial=0)), int(down.max(initial=0))])
        return table(LEVELS, rows)


ENVIRONMENT = SpinEnv
