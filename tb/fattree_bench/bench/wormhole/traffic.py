"""Packet sets for the flit link: traffic, single packets, permutations, measured runs."""

from __future__ import annotations

import numpy as np

from fattree_bench.bench.links.flit.scenarios import Senders
from fattree_bench.bench.workload import What
from fattree_bench.bench.wormhole.network import Wormhole
from fattree_models.common.checks import Int64Array
from fattree_models.common.fat_tree import walked_loads
from fattree_models.traffic import Packets


def spread(rng: np.random.Generator, network: Wormhole, *what: *What) -> Packets:
    """Random packets as of Workload.drawn, of random classes if there are two."""
    return in_classes(rng, network, network.workload.drawn(rng, *what))


def in_classes(rng: np.random.Generator, network: Wormhole, packets: Packets) -> Packets:
    """The same packets, of a random class each if the network has two."""
    if network.switch.classes == 1:
        return packets
    kind = rng.integers(0, 2, len(packets)).astype(np.uint8)
    return Packets(packets.source, packets.destination, packets.release, packets.flits, kind)


def one_by_one(
    network: Wormhole, source: Int64Array, destination: Int64Array, flits: Int64Array
) -> Packets:
    """Packets that never meet: each is created when the one before has long arrived."""
    latency = network.latency
    longest = int(latency.alone(network.ways.max_hops, flits.max()) + flits.max())
    longest += network.switch.depth + latency.far  # also credits
    return Packets.of(source, destination, longest * np.arange(len(source)), flits)


def all_pairs(network: Wormhole, rng: np.random.Generator, limit: int) -> tuple[Int64Array, ...]:
    """Source and destination of every pair, oneself included, or of `limit` random ones."""
    pairs = np.arange(network.leaves**2)
    if len(pairs) > limit:
        pairs = rng.permutation(pairs)[:limit]
    source, destination = np.divmod(pairs, network.leaves)
    return source, destination


def backlog(network: Wormhole, destination: Int64Array, packets: int, flits: int) -> Packets:
    """Every leaf has packets for one other, all waiting from the start; -1: it has none."""
    source = np.repeat(np.flatnonzero(destination >= 0), packets)
    return Packets.of(source, destination[source], 0, flits)


def busiest_link(network: Wormhole, source: Int64Array, destination: Int64Array) -> int | None:
    """Packets on the busiest link if each source sends one; None where the routing may choose."""
    if not network.ways.one_path:
        return None
    hops = network.ways.expected_hops(source, destination)
    way = network.ways.follow(source, destination, hops)
    return int(walked_loads(network.tree, source, hops, way.level, way.node).busiest)


SENDERS = Senders(
    spread,
    lambda network: "1-16",
    patterns=("uniform", "bitrev", "transpose", "bitcomp", "round_robin", "hotspot:0"),
    count=lambda network, pattern, _: len(network.workload.pattern_of(pattern).senders),
)
