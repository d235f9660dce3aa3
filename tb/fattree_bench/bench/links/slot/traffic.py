"""Traffic on the slot link: sequences of frames."""

from collections.abc import Callable, Iterator
from typing import Any

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
    frame: Callable[..., Any] = SlotFrame,
    **options: Any,
) -> Iterator[Any]:
    """Cut any number of slots into frames that the player can hold; `options`: of each frame."""
    size = network.layout.slots
    for first in range(0, len(dst), size):
        part = slice(first, first + size)
        own = [None if rows is None else rows[part] for rows in (reset, words)]
        yield frame(dst[part], family, own[0], first, own[1], **options)


def drain(network: SlotNetwork) -> SlotFrame:
    """Idle slots until every packet and every count is out."""
    return SlotFrame(np.full((network.latency + 2, network.leaves), -1, np.int32), "drain")
