"""Packet sets for foreign designs: what they take, and how their leaves pause."""

from __future__ import annotations

from typing import Any

import numpy as np

from fattree_bench.bench.links.flit.packets import PacketSet
from fattree_bench.bench.links.flit.scenarios import Senders
from fattree_bench.families.foreign.network import ForeignNetwork
from fattree_models.common.checks import Int64Array
from fattree_models.traffic import Packets


class ForeignSet(PacketSet):
    """Packets to be sent, and pauses.

    Attributes
    ----------
    gap : probability that a sender pauses between two words, in each clock.
    hold : probability that a receiver takes no word in a clock.
    shy : receivers wait for a word before they say that they take it.
    """

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
    """All lengths that a packet may have, each as likely."""
    return ",".join(map(str, network.design.flits))


def taken(network: ForeignNetwork, packets: Packets) -> Packets:
    """Those of drawn packets that there is a way for; outputs are dealt out where they are few."""
    design = network.design
    packets = Packets.of(
        packets.source,
        packets.destination % design.outputs,
        packets.release,
        packets.flits,
        packets.kind,
    )
    keep = packets.source < design.inputs
    if not design.said.traffic.self:
        keep &= packets.source != packets.destination
    return packets.select(keep)


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
    # All outputs alike, however many there are; also to oneself, where a path exists.
    own = 0 if network.design.said.traffic.self else 1
    goal = rng.integers(network.design.outputs - own, size=len(drawn))
    goal += own * (goal >= drawn.source)
    return taken(network, Packets.of(drawn.source, goal, drawn.release, drawn.flits))


SENDERS = Senders(spread, lengths, item=ForeignSet)


def pairs(network: ForeignNetwork) -> tuple[Int64Array, Int64Array]:
    """Source and destination of every pair that may be sent."""
    design = network.design
    source, destination = np.divmod(np.arange(design.inputs * design.outputs), design.outputs)
    keep = np.ones(len(source), np.bool_)
    if not design.said.traffic.self:
        keep = source != destination
    return source[keep], destination[keep]
