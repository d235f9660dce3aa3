"""Packet sets for foreign designs: what they take, and how their leaves pause."""

from __future__ import annotations

from typing import Any

import numpy as np

from fattree_bench.bench.interface.mapped import MappedDesign
from fattree_bench.bench.links.flit.packets import PacketSet
from fattree_bench.bench.links.flit.scenarios import Senders
from fattree_bench.families.foreign.network import ForeignNetwork
from fattree_models.traffic import Packets


class ForeignSet(PacketSet):
    """Packets to be sent, and pauses; `values` counts what fields of accesses were.

    Attributes
    ----------
    gap : probability that a sender pauses between two words, in each clock.
    hold : probability that a receiver takes no word in a clock.
    shy : receivers wait for a word before they say that they take it.
    """

    values: Any = None

    def __init__(
        self,
        packets: Packets,
        family: str,
        gap: float = 0.0,
        hold: float = 0.0,
        shy: bool = False,
        **more: Any,
    ) -> None:
        super().__init__(packets, family, **more)
        self.gap, self.hold, self.shy = gap, hold, shy


def lengths(network: ForeignNetwork) -> str:
    """All lengths that a packet may have, each as likely; of accesses the shortest mostly."""
    flits = network.design.flits
    every, share = ",".join(map(str, flits)), max(0.9, 1 - 1 / float(np.mean(flits)))
    mapped = isinstance(network.design, MappedDesign)
    return f"{min(flits)}:{share:.4f},{every}" if mapped else every


def taken(network: ForeignNetwork, packets: Packets) -> Packets:
    """Those of drawn packets of legal pairs; outputs are dealt out where they are few."""
    design = network.design
    goal = packets.destination % design.outputs
    packets = Packets.of(packets.source, goal, packets.release, packets.flits, packets.kind)
    packets = packets.select(packets.source < design.inputs)
    return packets.select(design.legal[packets.source, packets.destination])


def spread(
    rng: np.random.Generator,
    network: ForeignNetwork,
    pattern: str,
    sizes: str,
    load: float,
    cycles: int,
    injection: str = "bernoulli",
) -> Packets:
    """Random packets as of Workload.drawn; `load`: words a leaf and clock."""
    load /= network.design.words_a_flit
    drawn = network.workload.drawn(rng, pattern, sizes, load, cycles, injection)
    if pattern != "uniform":
        return taken(network, drawn)
    # All outputs alike that a leaf may send to, however many they are.
    legal = network.design.legal
    drawn = drawn.select(drawn.source < len(legal))
    goals = np.count_nonzero(legal, axis=1)
    drawn = drawn.select(goals[drawn.source] > 0)
    choice = rng.integers(goals[drawn.source])
    goal = np.argsort(~legal, axis=1, kind="stable")[drawn.source, choice]
    return Packets.of(drawn.source, goal, drawn.release, drawn.flits)


OWN = ("traffic", "sweep", "file")  # tests that a user's variables make
SENDERS = Senders(spread, lengths, item=ForeignSet)


def skipped(network: ForeignNetwork) -> float:
    """Share of the packets of TRAFFIC that are not sent: their pairs are not legal."""
    if network.workload.pattern_text == "uniform":
        return 0.0
    legal = network.design.legal
    asked = network.workload.pattern.matrix()[: len(legal)]
    sent = asked * legal[:, np.arange(network.leaves) % network.design.outputs]
    return float(1 - sent.sum() / max(asked.sum(), 1e-9))
