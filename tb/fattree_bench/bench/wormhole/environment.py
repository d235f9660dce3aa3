"""The environment of a packet-switched fat-tree."""

import numpy as np

from fattree_bench.bench.links.flit.environment import FlitEnv
from fattree_bench.bench.links.flit.packets import PacketSet
from fattree_bench.bench.links.flit.playing import Playing
from fattree_bench.bench.links.flit.scoreboard import RESET
from fattree_bench.bench.links.flit.watched import FlitWatch
from fattree_bench.bench.path.heads import Heads as PassedBy
from fattree_bench.bench.path.trace import HopTrace
from fattree_bench.bench.result import Head, Heads, Number, Quantity, ScenarioResult, Table, table
from fattree_bench.bench.scenario import Scenario, Stimulus
from fattree_bench.bench.wormhole.coverage import FlitCoverage
from fattree_bench.bench.wormhole.plan import WormholePlan, seeds
from fattree_bench.bench.wormhole.scoreboard import WormholeScoreboard
from fattree_bench.bench.wormhole.traffic import SENDERS
from fattree_models.common.checks import IntegerArray

LEVELS: Heads = {
    "level": Head("level", "level"),
    "switches": Head("switches", "switches", detail=True),
} | {
    name: head
    for way in ("up", "down")
    for name, head in {
        f"links_{way}": Head("links", f"links {way}", detail=True),
        f"flits_{way}": Head("flits", f"flits {way}"),
        f"packets_{way}_least": Head("packets per link", f"packets a link {way}"),
        f"packets_{way}_most": Head("packets per link", f"packets a link {way}"),
        f"destinations_{way}_least": Head(
            "leaves per link", f"destinations a link {way}", detail=True
        ),
        f"destinations_{way}_most": Head(
            "leaves per link", f"destinations a link {way}", detail=True
        ),
        f"links_{way}_to_one": Head("links", ""),  # that carry packets for one leaf
    }.items()
}


class WormholeEnv(FlitEnv):
    """Expects ways, latencies and loads of links besides what every flit link must do."""

    senders = SENDERS
    scoreboard: WormholeScoreboard
    scoring = WormholeScoreboard
    covering = FlitCoverage

    def predict(self, item: PacketSet) -> Playing:
        if not self.bench.network.clocks.one:
            item.shape = 1  # the player stands still in a reset of several clocks
        item.plan = WormholePlan(self.bench.network, self.scoreboard.link, item)
        return Playing(item.plan, self.rng)

    def build_phase(self) -> None:
        network = self.bench.network
        if isinstance(self.bench.port, FlitWatch):  # numba: who does not compare need not load it
            from fattree_bench.bench.wormhole.watched import WatchedLinks

            self.scoring = WatchedLinks
        super().build_phase()
        if network.trace:
            assert self.bench.folder is not None
            ways, path = network.ways, self.bench.folder / "trace.csv"
            seen = PassedBy(network.structure, ways.inputs, network.words.read)
            self.scoreboard.trace = HopTrace(seen, path, ways.levels.start)

    async def prepare(self, scenario: Scenario, stimulus: Stimulus) -> None:
        """Reset, load the forwarding tables, choose the seed of the switches' random numbers."""
        seed, self.rng = seeds(stimulus.rng)
        await self.bench.port.reset(scenario.seed(stimulus) if scenario.seed else seed)

    def result(self, scenario: Scenario, seconds: float) -> ScenarioResult:
        tally, links = self.scoreboard.tally, self.scoreboard.links
        return self.outcome(
            scenario,
            seconds,
            {
                **self.scoreboard.figures(),
                "flit_hops": Quantity(links.flit_hops, "flits times switches"),
                "replies": Quantity(tally.replies, "packets"),
            },
            losses={RESET: tally.discarded},
            tables={"levels": self._levels()} if links.flits else {},
            permutations=links.permutations,
        )

    def _levels(self) -> Table:
        """Flits, packets and destinations of the links of each level, up and down."""
        network, links = self.bench.network, self.scoreboard.links
        rows = []
        for level in network.ways.levels:
            exits = network.ways.exits[level]
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


def _ends(values: IntegerArray) -> tuple[Number, Number]:
    """Least and greatest; None of nothing."""
    return (int(values.min()), int(values.max())) if values.size else (None, None)
