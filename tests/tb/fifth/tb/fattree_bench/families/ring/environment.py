"""What checks the ring: the rules of its link, and its structure."""

import numpy as np
from fattree_bench.families.ring import cover
from fattree_bench.families.ring.network import Ring
from fattree_bench.families.ring.scenarios import SENDERS
from pyuvm import uvm_component

from fattree_bench.bench.coverage import Coverage
from fattree_bench.bench.levels import Supplied
from fattree_bench.bench.links.flit.environment import FlitEnv
from fattree_bench.bench.links.flit.packets import PacketSet
from fattree_bench.bench.links.flit.playing import Playing
from fattree_bench.bench.links.flit.sent import FlitLink, FlitPlan
from fattree_bench.bench.path.scoreboard import PathScoreboard
from fattree_bench.bench.path.ways import Ways
from fattree_bench.bench.result import ScenarioResult
from fattree_bench.bench.scenario import Scenario, Stimulus


class RingCoverage(Coverage):
    """Counts pairs whose packets arrived."""

    grouping = staticmethod(cover.groups)

    def sample(self, item: PacketSet, plan: FlitPlan, times: int) -> None:
        at = np.flatnonzero(plan.seen.whole())
        self.add(cover.PAIRS, times, plan.sent.source[at], plan.sent.destination[at])


class RingScoreboard(PathScoreboard):
    """Expects what its link and its structure say."""

    def __init__(self, name: str, parent: uvm_component, network: Ring) -> None:
        link = FlitLink(network.leaves, network.words, room=2, class_vcs=(1, 1))
        super().__init__(name, parent, link, Supplied(path=True), Ways(network.structure))


class RingEnv(FlitEnv):
    """Agent, scoreboard and coverage of the ring."""

    senders = SENDERS
    scoring, covering = RingScoreboard, RingCoverage
    scoreboard: RingScoreboard

    def predict(self, item: PacketSet) -> Playing:
        item.plan = FlitPlan(self.scoreboard.link, item)
        return Playing(item.plan, self.rng)

    async def prepare(self, scenario: Scenario, stimulus: Stimulus) -> None:
        self.rng = stimulus.rng
        await self.bench.port.reset()

    def result(self, scenario: Scenario, seconds: float) -> ScenarioResult:
        ways = self.scoreboard.ways
        return self.outcome(scenario, seconds, {}, tables={"links": ways.table()} if ways else {})


ENVIRONMENT = RingEnv
