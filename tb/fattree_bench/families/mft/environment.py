"""The environment of a modified fat-tree."""

import numpy as np

from fattree_bench.bench.links.flit.environment import FlitEnv
from fattree_bench.bench.links.flit.packets import PacketSet
from fattree_bench.bench.links.flit.playing import Playing
from fattree_bench.bench.links.flit.port import FlitDriver
from fattree_bench.bench.result import Head, Heads, Number, Quantity, ScenarioResult, Table, table
from fattree_bench.bench.scenario import Scenario
from fattree_bench.families.mft.coverage import MftCoverage
from fattree_bench.families.mft.plan import MftPlan, MftPlaying
from fattree_bench.families.mft.scoreboard import MftScoreboard
from fattree_bench.families.mft.traffic import SENDERS

ROWS: Heads = {
    "row": Head("row", "row"),
    "routers": Head("routers", "routers"),
    "lanes": Head("lanes", "lanes a side"),
    "flits_climbing": Head("flits", "flits sent beyond it"),
    "flits_up": Head("flits", "flits up"),
    "use_up": Head("%", ""),  # of what clients sent on their links; given in words
    "flits_down": Head("flits", "flits down"),
    "use_down": Head("%", ""),
    "lost": Head("packets", "packets lost"),
}


class MftDriver(FlitDriver):
    """Plays packet sets; each begins as from power-up, the round robins included."""

    async def play(self, item: PacketSet, playing: Playing) -> None:
        self.left = True
        await super().play(item, playing)


class MftEnv(FlitEnv):
    """Expects what the model says, packet by packet."""

    senders = SENDERS
    driver = MftDriver
    scoring = MftScoreboard
    covering = MftCoverage
    scoreboard: MftScoreboard

    def predict(self, item: PacketSet) -> Playing:
        """Clients never stall: no random numbers are needed."""
        item.plan = MftPlan(self.bench.network, self.scoreboard.link, item)
        return MftPlaying(item.plan, np.random.default_rng())

    def result(self, scenario: Scenario, seconds: float) -> ScenarioResult:
        passed = self.scoreboard.passed
        return self.outcome(
            scenario,
            seconds,
            {
                "fifo": Quantity(self.bench.network.fifo, "flits"),
                "least_fifo": Quantity(passed.peak, "flits"),
                "most_sources": Quantity(int(passed.sources.sum(axis=2).max()), "sources"),
                "client_lanes": Quantity(self.bench.network.row_lanes[0], "lanes"),
                "lost_in_routers": Quantity(int(passed.counted["lost"].sum()), "packets"),
                "lanes_used": Quantity(int(passed.sources.any(axis=2).sum()), "lanes"),
            },
            losses=dict(passed.lost),
            tables={"rows": self._rows()} if passed.sent else {},
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
