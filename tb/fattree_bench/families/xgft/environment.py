"""What checks it: the environment of all wormhole networks; with FAULTS, of one that breaks."""

from typing import Any

from fattree_bench.bench.links.flit.packets import PacketSet
from fattree_bench.bench.links.flit.playing import Playing
from fattree_bench.bench.result import ScenarioResult
from fattree_bench.bench.scenario import Scenario, Stimulus
from fattree_bench.bench.wormhole.environment import WormholeEnv


class TreeEnv(WormholeEnv):
    """The environment of trees.  What is needed of faults is loaded only where there are some."""

    @staticmethod
    def port(network: Any, agent: str, transport: str) -> Any:
        if not network.routing.breaks:
            return WormholeEnv.port(network, agent, transport)
        from fattree_bench.bench.wormhole.faulty_check import FaultyPort

        return FaultyPort(network, transport)

    @property
    def breaks(self) -> bool:
        return bool(self.bench.network.routing.breaks)

    def build_phase(self) -> None:
        if self.breaks:
            from fattree_bench.bench.wormhole.faulty_check import FaultyDriver, FaultyScoreboard

            self.scoring, self.driver = FaultyScoreboard, FaultyDriver
        super().build_phase()

    def predict(self, item: PacketSet) -> Playing:
        if not self.breaks:
            return super().predict(item)
        from fattree_bench.bench.wormhole.faulty_check import foreseen

        return foreseen(self.scoreboard, item, self.rng)

    async def prepare(self, scenario: Scenario, stimulus: Stimulus) -> None:
        """Also choose what breaks: by the seed of the switches."""
        await super().prepare(scenario, stimulus)
        if self.breaks:
            from fattree_bench.bench.wormhole.faulty_check import FaultyCheck

            network, port, check = self.bench.network, self.bench.port, self.scoreboard.exact
            assert isinstance(check, FaultyCheck)
            check.outages = network.routing.faults.outages(network.tree, port.seed)
            port.outages(check.outages)

    def result(self, scenario: Scenario, seconds: float) -> ScenarioResult:
        found = super().result(scenario, seconds)
        found.losses |= getattr(self.scoreboard, "losses", {})
        return found


ENVIRONMENT = TreeEnv
