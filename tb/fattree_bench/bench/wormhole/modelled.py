"""The clock-exact model in the place of the RTL: the same items, bursts and measurements."""

from __future__ import annotations

import time

import numpy as np

from fattree_bench.bench.links.flit.measuring import figures, keep
from fattree_bench.bench.links.flit.modelled import Told, play, troubles
from fattree_bench.bench.links.flit.packets import PacketSet
from fattree_bench.bench.links.flit.playing import Playing
from fattree_bench.bench.result import ScenarioResult
from fattree_bench.bench.scenario import Scenario, Stimulus, generator
from fattree_bench.bench.sequence import Pulled, Sequence, sequence_of
from fattree_bench.bench.wormhole.exact import model_of
from fattree_bench.bench.wormhole.network import Wormhole
from fattree_bench.bench.wormhole.plan import WormholePlan, link_of, seeds
from fattree_bench.bench.wormhole.traffic import SENDERS
from fattree_bench.errors import UserError
from fattree_models import wormhole
from fattree_models.common.checks import Int64Array


class ModelledPlan(WormholePlan):
    """An item on its way through the model of a fat-tree."""

    noted = Told

    @property
    def hops(self) -> Int64Array:
        """Switches that each packet has passed, as far as a head can tell."""
        told: Told = self.seen
        return np.minimum(told.hops, self.network.ways.max_hops)


class Running:
    """A network after a reset, with the packets of an item."""

    def __init__(self, network: Wormhole, model: wormhole.Network, seed: int, item: PacketSet):
        entries = network.layout.entries
        tables = 0 if entries is None else len(entries)
        self.simulation = wormhole.begun(model, item.packets, seed, tables=tables)

    def run(self, clocks: int) -> None:
        self.simulation.run(clocks, record=False)

    def drop(self) -> None:
        self.simulation.drop()

    def tell(self, told: Told, now: int) -> None:
        fates = self.simulation.fates
        told.hops = self.simulation.hops
        told.take(now, fates.began, fates.tail, self.simulation.came)


def check(network: Wormhole) -> None:
    """UserError for a network that the model does not know."""
    if not network.clocks.one:
        raise UserError(
            f"ASYNC={network.clocks.apart}: the clock-exact model knows one clock alone"
        )
    if network.routing.breaks:
        raise UserError("FAULTS: not with ENGINE=model, which knows whole networks alone")


def modelled(network: Wormhole, scenario: Scenario, seed: int, points: str) -> ScenarioResult:
    """Play a scenario as the bench does; all of its items must be measured."""
    begin, result = time.perf_counter(), ScenarioResult(scenario.name, unit="clocks", level="model")
    rng, link, model = generator(seed, scenario.name), link_of(network), model_of(network)
    switches, stalls = seeds(rng)
    stimulus = Stimulus(network, rng, network.traffic_rows("verilator"), senders=SENDERS)
    sequence: Sequence[Wormhole, PacketSet] = sequence_of(scenario.body)()
    for item in Pulled(stimulus).items(sequence):
        item.plan = ModelledPlan(network, link, item)
        over = play(Running(network, model, switches, item), Playing(item.plan, stalls))
        told: Told = item.plan.seen
        result.sent += int(told.begun.sum())
        result.delivered += told.delivered
        result.steps += told.now
        for name, why in troubles(over).items():
            result.faults[name] = result.faults.get(name, 0) + 1
            result.examples.setdefault(name, []).append(why)
        if found := figures(item.plan):
            result.measurements.append(found)
            if not result.faults:
                keep(found, points)
    result.seconds = time.perf_counter() - begin
    return result
