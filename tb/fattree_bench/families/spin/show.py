"""A run of SPIN as a page plays it: flits on the links of plane 0, as its recorder saw them."""

from collections.abc import Callable
from typing import Any

import numpy as np

from fattree_bench.bench.links.flit.packets import FlitCaptured
from fattree_bench.bench.onlooker import Frame
from fattree_bench.families.flit_show import FlitKeeper, OnLinks, flit_scene, hops, seen_on_links
from fattree_bench.families.showing import NOBODY, Array, Ints, Kept, Scene, Show
from fattree_bench.families.spin.network import SpinNetwork
from fattree_bench.families.spin.receiving import head_of

INSIDE = (
    "The picture is what the recorder saw on the links of plane 0; a packet that has passed by "
    "plane 1 is not in it. Arrivals are shown as they came."
)


def keeper(env: Any) -> Callable[[Any], Frame]:
    """Of a burst: words on the links; a word between head and tail is of the packet before it."""
    network: SpinNetwork = env.bench.network
    last = np.full(network.layout.recorded.links, NOBODY)  # packet on each link
    coming = np.full(network.terminals, NOBODY)  # to each terminal

    def named(captured: FlitCaptured, data: Ints, side: Ints, before: Ints) -> OnLinks:
        plan = captured.item.plan
        if captured.first == 0:
            before[:] = NOBODY
        words, heads = head_of(data).astype(np.uint64), np.where(side & 2, side, 0)
        found = seen_on_links(plan, network.words.read, words, heads, plan.sent.answered)
        return OnLinks(*_followed(found, side, before))

    def received(captured: FlitCaptured) -> OnLinks:
        return named(
            captured, captured.data.astype(np.int64), captured.side.astype(np.int64), coming
        )

    def looked(captured: FlitCaptured) -> tuple[OnLinks | None, OnLinks | None]:
        if captured.recorded is None:
            return None, None
        seen = captured.recorded()
        data, side = (a.astype(np.int64) for a in (seen.data, seen.side))
        return None, named(captured, data, side, last)

    return FlitKeeper(env, looked, received=received)


def _followed(found: OnLinks, side: Ints, last: Ints) -> tuple[Array, ...]:
    """Give the words behind heads to their packets; `last` is kept up to the next burst."""
    packet, part = found.packet, found.part
    for clock in range(len(side)):
        here = side[clock] >> 2 & 15 > 0
        body = here & (side[clock] & 2 == 0)
        packet[clock, body] = last[body]
        part[clock, body] = 1
        last[here] = packet[clock, here]
        last[here & (side[clock] & 1 > 0)] = NOBODY
    return packet, part, np.zeros_like(part), side & 1


def scene(network: SpinNetwork, kept: Kept, first: int, last: int) -> Scene:
    """Times are clocks."""
    return flit_scene(kept, (first, last), network.structure, inside=INSIDE)


SHOW = Show(keeper=keeper, scene=scene, hops=hops)
