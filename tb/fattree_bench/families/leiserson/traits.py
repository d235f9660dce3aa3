"""Attributes of the messages of a set on the serial tree: their ends, and their way between."""

import numpy as np

from fattree_bench.bench.links.serial.messages import MessageSet
from fattree_bench.bench.suspects import Attribute, bits, flag
from fattree_bench.families.leiserson.network import Leiserson
from fattree_models import leiserson as lei

SIDES = ("left", "right")


def attributes(network: Leiserson, item: MessageSet) -> list[Attribute]:
    """Of each place [rows, wires] of a set, flat; -1 without a message."""
    n, leaves = network.n, network.leaves
    sends = item.dst >= 0
    of = lei.source_processor(network.tree).astype(np.int64)
    wires = np.arange(len(of))
    source, wire = (np.broadcast_to(a, item.dst.shape) for a in (of, wires))
    goal = item.dst.astype(np.int64)
    inside = sends & (source < leaves) & (goal < leaves)
    apart = np.where(inside, source ^ goal, 0)
    turn = n - np.frexp(apart.astype(np.float64))[1].astype(np.int64)
    outward = sends & (source < leaves) & (goal == leaves)
    made = [
        Attribute("came from processor {}", np.where(source < leaves, source, -1)),
        Attribute("came by wire {} of all wires in", wire),
        Attribute("came from outside", flag(source >= leaves)),
        Attribute("are for processor {}", np.where(goal < leaves, goal, -1)),
        Attribute("are for outside", flag(outward)),
        Attribute("turned inside the tree", flag(inside)),
        Attribute("turned at level {}", np.where(inside, turn, -1)),
        Attribute("turned at node {}", np.where(inside, leaves + source >> n - turn, -1)),
    ]
    for bit in range(n):
        made.append(
            Attribute(
                f"have bit {bit} of their destination {{}}",
                np.where(goal < leaves, goal >> bit & 1, -1),
            )
        )
    for j in range(1, n + 1):
        up, down = outward | inside & (turn < j), sends & (goal < leaves)
        down = down & (~inside | (turn < j))
        for way, on, leaf in (("up from", up, source), ("down to", down, goal)):
            node = np.where(on, leaf, 0) >> n - j
            made += [
                Attribute(f"went {way} node {{}} of level {j}", np.where(on, node, -1)),
                Attribute(
                    f"went {way} the {{}} child at level {j}", np.where(on, node & 1, -1), SIDES
                ),
            ]
        if j < n:
            made.append(Attribute(f"came into a node of level {j} from above", flag(down)))
    words = network.layout.words(item).astype(np.uint64)
    made += bits("bit {bit} of their data is {}", words, network.width)
    return [Attribute(a.says, np.where(sends, a.values, -1).ravel(), a.words) for a in made]
