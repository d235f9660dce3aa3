"""Attributes of the cells of a frame in the switch: their ends, their turn, their words."""

import numpy as np

from fattree_bench.bench.links.slot.rows import Played
from fattree_bench.bench.suspects import Attribute, bits
from fattree_bench.families.lbbvn_switch.network import LbbvnSwitch
from fattree_bench.families.lbbvn_switch.plan import CellPlan
from fattree_models import lbbvn_switch as switch


def attributes(network: LbbvnSwitch, played: Played[CellPlan]) -> list[Attribute]:
    """Of each place [slots, N] of a frame, flat; -1 where no cell comes."""
    item, leaves = played.item, network.leaves
    sends = item.dst >= 0
    source = np.broadcast_to(np.arange(leaves), item.dst.shape).astype(np.int64)
    slot = played.first + np.arange(item.slots)[:, None]
    meets = switch.connections(network.schedule, network.n).to_middle
    phase = np.broadcast_to(slot % leaves, item.dst.shape).astype(np.int64)
    made = [
        Attribute("came from input {}", source),
        Attribute("are for output {}", item.dst.astype(np.int64)),
        Attribute(f"came in slot {{}} of every {leaves}", phase),
        Attribute(
            "came when their input was connected to middle {}",
            meets[phase, source].astype(np.int64),
        ),
        Attribute("are of the flow {} (input times N plus output)", source * leaves + item.dst),
    ]
    if item.words is None:
        words = network.layout.payload.words(np.broadcast_to(slot, item.dst.shape), source)
    else:
        words = item.words
    made += bits("bit {bit} of their payload is {}", words.astype(np.uint64), network.width)
    return [Attribute(a.says, np.where(sends, a.values, -1).ravel(), a.words) for a in made]
