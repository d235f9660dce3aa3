"""Attributes of the packets of a frame in the bufferless tree: their ways, node by node."""

import numpy as np

from fattree_bench.bench.links.slot.rows import Played
from fattree_bench.bench.suspects import Attribute, bits, flag
from fattree_bench.families.lbbvn.network import Lbbvn
from fattree_bench.families.lbbvn.plan import Plan
from fattree_models.common.checks import BoolArray, Int64Array

SIDES = ("left", "right")


def attributes(network: Lbbvn, played: Played[Plan]) -> list[Attribute]:
    """Of each place [slots, N] of a frame, flat; -1 of idle leaves."""
    first, item, plan = played
    n = network.n
    sends = item.dst >= 0
    source = np.broadcast_to(np.arange(network.leaves), item.dst.shape).astype(np.int64)
    goal = np.where(sends, item.dst, 0).astype(np.int64)
    turn = n - np.frexp((source ^ goal).astype(np.float64))[1].astype(np.int64)
    climbs = {j: sends & (turn < j) for j in range(network.top_level + 1, n + 1)}
    made = [
        Attribute("came from source {}", np.where(sends, source, -1)),
        Attribute("are for destination {}", np.where(sends, goal, -1)),
        Attribute("turned at level {}", np.where(sends, turn, -1)),
        Attribute(
            "turned at node {} of the tree (root 1, children of v: 2v and 2v + 1)",
            np.where(sends, network.leaves + source >> n - turn, -1),
        ),
        Attribute(
            "turned towards the {} child",
            np.where(sends & (turn < n), goal >> np.maximum(n - turn - 1, 0) & 1, -1),
            SIDES,
        ),
    ]
    for j, on in climbs.items():
        for way, leaf in (("up from", source), ("down to", goal)):
            node = leaf >> n - j
            made += [
                Attribute(f"went {way} node {{}} of level {j}", np.where(on, node, -1)),
                Attribute(
                    f"went {way} the {{}} child at level {j}", np.where(on, node & 1, -1), SIDES
                ),
            ]
        if j < n:
            made.append(Attribute(f"came into a node of level {j} from above", flag(on)))
    if network.layout.headers and not network.static_upper:
        made += _lanes(network, goal, turn, climbs, plan)
    if item.words is None:
        words = network.layout.payload.words(np.arange(len(item.dst))[:, None] + first, source)
    else:
        words = item.words
    made += bits("bit {bit} of their payload is {}", words.astype(np.uint64), network.width)
    return [Attribute(a.says, np.where(sends, a.values, -1).ravel(), a.words) for a in made]


def _lanes(
    network: Lbbvn, goal: Int64Array, turn: Int64Array, climbs: dict[int, BoolArray], plan: Plan
) -> list[Attribute]:
    """Lanes of channels by which the model leads packets, by the order that `predict` explains."""
    n, (slots, leaves) = network.n, goal.shape
    lost = np.zeros(goal.shape, np.int64) if plan.lost_level is None else plan.lost_level
    down = np.zeros(goal.shape, np.bool_) if plan.lost_down is None else plan.lost_down
    made = []
    for j, on in climbs.items():
        if network.lanes[j] == 1:
            continue
        up = on & ~((lost >= j) & ~down)
        blocks = up.reshape(slots, 1 << j, -1)
        rank = np.where(blocks, blocks.cumsum(axis=2) - 1, -1).reshape(slots, leaves)
        made.append(Attribute(f"had lane {{}} up from level {j}", rank))
        led = on & ((lost == 0) | (down & (lost > j)))
        made.append(Attribute(f"had lane {{}} down to level {j}", _ranks(led, goal >> n - j, turn)))
    return made


def _ranks(on: BoolArray, channel: Int64Array, turn: Int64Array) -> Int64Array:
    """Place of each packet among those of its slot and channel, by turning level, then source."""
    slot, source = np.nonzero(on)
    key = slot * on.shape[1] + channel[slot, source]
    order = np.lexsort((source, turn[slot, source], key))
    sorted_: Int64Array = key[order]
    start = np.searchsorted(sorted_, sorted_)
    rank = np.full(on.shape, -1, np.int64)
    rank[slot[order], source[order]] = np.arange(len(order)) - start
    return rank
