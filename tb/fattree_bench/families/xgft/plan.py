"""What packet-switched fat-trees supply for checking: levels, ways, latencies."""

from __future__ import annotations

from functools import cached_property

import numpy as np
import numpy.typing as npt

from fattree_bench.bench.levels import CHANNEL, LATENCY, ORDER, Supplied
from fattree_bench.bench.links.flit.packets import PacketSet
from fattree_bench.bench.links.flit.sent import FlitLink, FlitPlan, passing
from fattree_bench.bench.suspects import Attribute
from fattree_bench.families.xgft.deadlock import place_name
from fattree_bench.families.xgft.routes import Routes, count_hops, expected_routes
from fattree_bench.families.xgft.tree import XgftNetwork
from fattree_models.common.checks import Int64Array
from fattree_models.common.fat_tree import vectors


def seeds(rng: np.random.Generator) -> tuple[int, np.random.Generator]:
    """Of a scenario: the seed of the switches' random numbers, and who says which leaves stall."""
    switches = int(rng.integers(1 << 32))
    return switches, np.random.default_rng(rng.integers(1 << 32))


def supplied(network: XgftNetwork) -> Supplied:
    """Every latency has a bound, every packet a way; order and virtual channel as configured."""
    promises = [LATENCY]
    if network.in_order:
        promises.append(ORDER)
    if network.vc_mode == "KEEP":
        promises.append(CHANNEL)
    return Supplied(tuple(promises), path=True, exact=network.compares)


def link_of(network: XgftNetwork) -> FlitLink:
    """What the link's own checks must know."""
    tables = network.tables

    def address(source: Int64Array, destination: Int64Array) -> Int64Array:
        if tables is not None:
            return tables.address(source, destination)
        vector = network.addresses_as == "VECTOR"
        return vectors.encode(network.tree, destination) if vector else destination

    def start_vcs(destination: Int64Array, kinds: npt.NDArray[np.uint8]) -> npt.NDArray[np.uint8]:
        """With KEEP one, by the destination."""
        each = network.vcs // network.classes
        return (1 << destination % each + kinds * (network.vcs - each)).astype(np.uint8)

    return FlitLink(
        leaves=network.leaves,
        words=network.words,
        room=network.depth,
        far=network.far,
        limits=network.clocks.limits,
        class_vcs=(network.class_vcs(0), network.class_vcs(1)),
        address=address,
        reply_address=lambda destination: destination * network.paths,
        start_vcs=start_vcs if network.vc_mode == "KEEP" else None,
        place=lambda i, output: place_name(network, i, output),
    )


class XgftPlan(FlitPlan):
    """An item on its way through a fat-tree."""

    def __init__(self, network: XgftNetwork, link: FlitLink, item: PacketSet) -> None:
        super().__init__(link, item)
        self.network = network

    @property
    def hops(self) -> Int64Array:
        """Switches that each listed packet has passed."""
        return count_hops(self.seen.route[: self.sent.packets], self.network.hop_bits)

    @cached_property
    def zero_load(self) -> float | None:
        """Mean latency of the listed packets without load, clocks; None if there are none."""
        network, packets = self.network, self.item.packets
        if not len(packets):
            return None
        hops = network.hop_count(packets.source, packets.destination)
        return float(network.alone(hops, packets.flits.astype(np.int64)).mean())

    @cached_property
    def routes(self) -> Routes:
        """Of packets and replies, when the item is over: what has not arrived has none."""
        sent = self.sent
        return Routes.read(self.network, sent.source, sent.destination, self.seen.route)

    def attributes(self) -> list[Attribute]:
        """Its ends, and its way: as it was seen, or as it is to be where there is only one."""
        sent, routes = self.sent, self.routes
        expected = expected_routes(self.network)
        if expected is not None:
            pair = sent.source * self.network.leaves + sent.destination
            code = np.where(self.seen.route > 0, self.seen.route, expected[pair])
            routes = Routes.read(self.network, sent.source, sent.destination, code)
        level, node, port = (
            each.astype(np.int64) for each in (routes.level, routes.node, routes.hops)
        )
        return [*super().attributes(), *passing(level, node, port)]

    def least_clocks(self) -> Int64Array:
        """From the creation of each packet to its arrival, if it meets no other, int64 [sent]."""
        return self.network.least(np.maximum(self.routes.count, 1), self.sent.flits)

    def most_alone(self) -> Int64Array:
        """What it may take at most if it meets no other; with clocks that stand still no bound."""
        if self.network.clocks.halts:
            return np.full(len(self.sent.flits), np.iinfo(np.int64).max)
        return self.network.alone(np.maximum(self.routes.count, 1), self.sent.flits)
