"""What packet-switched fat-trees supply for checking: levels, ways, latencies."""

from __future__ import annotations

from functools import cached_property, partial

import numpy as np

from fattree_bench.bench.levels import CHANNEL, LATENCY, ORDER, Supplied
from fattree_bench.bench.links.flit.packets import PacketSet
from fattree_bench.bench.links.flit.sent import FlitLink, FlitPlan, passing
from fattree_bench.bench.suspects import Attribute
from fattree_bench.bench.wormhole.network import Wormhole
from fattree_bench.bench.wormhole.routes import Routes, count_hops
from fattree_bench.bench.wormhole.states import place
from fattree_models.common.checks import Int64Array, UInt8Array


def seeds(rng: np.random.Generator) -> tuple[int, np.random.Generator]:
    """Of a scenario: the seed of the switches' random numbers, and who says which leaves stall."""
    switches = int(rng.integers(1 << 32))
    return switches, np.random.default_rng(rng.integers(1 << 32))


def supplied(network: Wormhole) -> Supplied:
    """Every latency has a bound, every packet a way; order and virtual channel as configured."""
    promises = [LATENCY]
    switch = network.switch
    # One path and one queue: packets of a pair and class arrive as they were sent.
    if network.ways.one_path and (switch.vcs == switch.classes or switch.vc_mode == "KEEP"):
        promises.append(ORDER)
    if switch.vc_mode == "KEEP":
        promises.append(CHANNEL)
    return Supplied(tuple(promises), path=True, exact=bool(network.exact))


def link_of(network: Wormhole) -> FlitLink:
    """What the link's own checks must know."""

    def start_vcs(destination: Int64Array, kinds: UInt8Array) -> UInt8Array:
        """With KEEP one, by the destination."""
        each = network.switch.vcs // network.switch.classes
        return (1 << destination % each + kinds * (network.switch.vcs - each)).astype(np.uint8)

    return FlitLink(
        leaves=network.leaves,
        words=network.words,
        room=network.switch.depth,
        far=network.latency.far,
        limits=network.clocks.limits.slowed(network.ways.slowest),
        class_vcs=(network.switch.class_vcs(0), network.switch.class_vcs(1)),
        address=network.ways.address,
        reply_address=lambda destination: destination * network.ways.paths,
        start_vcs=start_vcs if network.switch.vc_mode == "KEEP" else None,
        place=partial(place, network),
    )


class WormholePlan(FlitPlan):
    """An item on its way through a fat-tree."""

    def __init__(self, network: Wormhole, link: FlitLink, item: PacketSet) -> None:
        super().__init__(link, item)
        self.network = network

    @property
    def hops(self) -> Int64Array:
        """Switches that each listed packet has passed."""
        return count_hops(self.seen.route[: self.sent.packets], self.network.ways.hop_bits)

    @cached_property
    def zero_load(self) -> float | None:
        """Mean latency of the listed packets without load, clocks; None if there are none."""
        network, packets = self.network, self.item.packets
        if not len(packets):
            return None
        hops = network.ways.hop_count(packets.source, packets.destination)
        return float(network.latency.alone(hops, packets.flits.astype(np.int64)).mean())

    @cached_property
    def routes(self) -> Routes:
        """Of packets and replies, when the item is over: what has not arrived has none."""
        sent = self.sent
        return self.network.ways.read(sent.source, sent.destination, self.seen.route)

    def attributes(self) -> list[Attribute]:
        """Its ends, and its way: as it was seen, or as it is to be where there is only one."""
        sent, routes = self.sent, self.routes
        expected = self.network.ways.expected_routes
        if expected is not None:
            pair = sent.source * self.network.leaves + sent.destination
            code = np.where(self.seen.route > 0, self.seen.route, expected[pair])
            routes = self.network.ways.read(sent.source, sent.destination, code)
        level, node, port = (
            each.astype(np.int64) for each in (routes.level, routes.node, routes.hops)
        )
        return [*super().attributes(), *passing(level, node, port)]

    def least_clocks(self) -> Int64Array:
        """From the creation of each packet to its arrival, if it meets no other, int64 [sent]."""
        return self.network.latency.least(np.maximum(self.routes.count, 1), self.sent.flits)

    def most_alone(self) -> Int64Array:
        """What it may take at most if it meets no other; with clocks that stand still no bound."""
        if self.network.clocks.halts:
            return np.full(len(self.sent.flits), np.iinfo(np.int64).max)
        return self.network.latency.alone(np.maximum(self.routes.count, 1), self.sent.flits)
