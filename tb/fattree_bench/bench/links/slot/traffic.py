"""Traffic on the slot link: sequences of frames."""

from collections.abc import Iterator

import numpy as np

from fattree_bench.bench.links.payload import Words
from fattree_bench.bench.links.slot.frame import SlotFrame
from fattree_bench.bench.links.slot.network import SlotNetwork
from fattree_models.common.checks import BoolArray, Int32Array


def cut(
    network: SlotNetwork,
    dst: Int32Array,
    family: str,
    reset: BoolArray | None = None,
    words: Words | None = None,
) -> Iterator[SlotFrame]:
    """Cut any number of slots into frames that the player can hold."""
    size = network.frame_slots
    for first in range(0, len(dst), size):
        part = slice(first, first + size)
        own = None if words is None else words[part]
        yield SlotFrame(dst[part], family, None if reset is None else reset[part], first, own)


def drain(network: SlotNetwork) -> SlotFrame:
    """Idle slots until every packet and every count is out."""
    return SlotFrame(np.full((network.latency + 2, network.leaves), -1, np.int32), "drain")
