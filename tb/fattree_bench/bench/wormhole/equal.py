"""Clocks of equal periods carry what one clock carries: packets alone, and streams."""

from collections.abc import Iterator

import numpy as np

from fattree_bench.bench import faults as kind
from fattree_bench.bench.links.flit.packets import PacketSet
from fattree_bench.bench.links.flit.promises import Findings
from fattree_bench.bench.scenario import Stimulus
from fattree_bench.bench.wormhole.network import Wormhole
from fattree_bench.bench.wormhole.plan import WormholePlan
from fattree_bench.bench.wormhole.traffic import (
    all_pairs,
    backlog,
    busiest_link,
    in_classes,
    one_by_one,
)
from fattree_models.common.checks import Int64Array

LATE_BITS = 2  # clocks of a crossing: a bit of the tail may be late, but not the head's; a credit's
FLITS, EACH = 8, 32  # of a packet, packets of a leaf
SLICE = 256  # clocks that the model runs at once


def no_equal_clocks(network: Wormhole) -> str | None:
    """Why `equal_clocks` cannot run, or None."""
    if network.clocks.one or not network.clocks.equal:
        return "it needs ASYNC=LEAVES or LINKS, and equal periods: CLOCKS=10"
    deep = network.latency.full_rate_depth
    return None if network.switch.depth >= deep else f"it needs DEPTH={deep}, or more"


def lonely(s: Stimulus, flits: int) -> PacketSet:
    """Packets of so many flits, one after the other."""
    source, destination = all_pairs(s.network, s.rng, s.rows // 8)
    packets = one_by_one(s.network, source, destination, np.full(len(source), flits))
    item = in_classes(s.rng, s.network, packets)
    return PacketSet(item, "full rate", alone=True, check=full_rate)


def streams(s: Stimulus) -> Iterator[PacketSet]:
    """Everybody sends all the time, by a shift in which no link has two senders, if one exists."""
    network = s.network
    leaves = np.arange(network.leaves)
    for step in s.rng.permutation(leaves[1:]) if network.ways.one_path else ():
        goal = (leaves + step) % network.leaves
        if busiest_link(network, leaves, goal) == 1:
            packets = backlog(network, goal, EACH, FLITS)
            yield PacketSet(packets, "streams", check=as_with_one_clock)
            return


def as_with_one_clock(plan: WormholePlan) -> Findings:
    """No packet is later than with one clock by more than the crossings on its way take."""
    from fattree_bench.bench.wormhole.exact import model_of  # numba: only who compares loads it
    from fattree_models import wormhole

    network, sent, tails = plan.network, plan.sent, plan.seen.tails()
    one = wormhole.begun(model_of(network), plan.item.packets)
    while (one.fates.tail < 0).any():
        one.run(SLICE, record=False)
    crossings = _crossings(plan)
    most = one.fates.tail + crossings * network.clocks.crossing + network.clocks.pacing
    for i in np.flatnonzero((tails >= 0) & (tails > most)):
        told = f"{sent.name(i)} arrived in clock {tails[i]}; at most {most[i]} expected, for with "
        yield kind.LATE, f"{told}one clock it arrives in {one.fates.tail[i]}", int(i)


def full_rate(plan: WormholePlan) -> Findings:
    """Flits of a packet that is alone come one a clock; bits may be late at each crossing."""
    sent, seen = plan.sent, plan.seen
    took = seen.tails() - seen.arrival[sent.first_flit[:-1]]
    most = sent.flits - 1 + LATE_BITS * _crossings(plan)
    for i in np.flatnonzero((seen.tails() >= 0) & (took > most)):
        told = f"{sent.name(i)} took {took[i]} clocks from head to tail; at most {most[i]}"
        yield kind.LATE, told, int(i)


def _crossings(plan: WormholePlan) -> Int64Array:
    """How often each packet comes to another clock."""
    network, sent = plan.network, plan.sent
    return network.latency.crossings(network.ways.hop_count(sent.source, sent.destination))
