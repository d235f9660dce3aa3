"""Traffic on the slot link: sequences of frames."""

from collections.abc import Callable, Iterator
from functools import partial

import numpy as np

from fattree_bench.bench.links.payload import Words
from fattree_bench.bench.links.slot.frame import SlotFrame
from fattree_bench.bench.links.slot.network import SlotNetwork
from fattree_bench.bench.sequence import Sequence
from fattree_bench.bench.tlm import Item
from fattree_models.common.checks import BoolArray, Int32Array


def pieces(
    network: SlotNetwork,
    dst: Int32Array,
    family: str,
    reset: BoolArray | None = None,
    words: Words | None = None,
    *,
    frame: Callable[..., Item],
    **options: bool,
) -> Iterator[Item]:
    """Cut any number of slots into frames that the player can hold; `options`: of each frame."""
    size = network.layout.slots
    for first in range(0, len(dst), size):
        part = slice(first, first + size)
        own = [None if rows is None else rows[part] for rows in (reset, words)]
        yield frame(dst[part], family, own[0], first, own[1], **options)


cut = partial(pieces, frame=SlotFrame)


def drain(network: SlotNetwork) -> SlotFrame:
    """Idle slots until every packet and every count is out."""
    return SlotFrame(np.full((network.latency + 2, network.leaves), -1, np.int32), "drain")


class Slots(Sequence[SlotNetwork, SlotFrame]):
    """Slots of traffic, cut into frames that the player can hold.

    Attributes
    ----------
    dst : int32 [slots, N], destination of the packet of each leaf, -1 = idle.
    family, reset, words : as of SlotFrame, for all slots.
    times : the same slots are sent so often.
    """

    dst: Int32Array | None = None
    family: str = "messages"
    reset: BoolArray | None = None
    words: Words | None = None
    times: int = 1

    def slots(self) -> Int32Array:
        """Destinations, as of `dst`."""
        if self.dst is None:
            raise ValueError(f"{self.get_name()}: no slots are given")
        return self.dst

    def items(self) -> Iterator[SlotFrame]:
        dst = np.tile(self.slots(), (self.times, 1))
        yield from cut(self.network, dst, self.family, self.reset, self.words)
