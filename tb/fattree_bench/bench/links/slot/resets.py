"""Resets amid the traffic of the slot link."""

from collections.abc import Iterator

import numpy as np

from fattree_bench.bench.links.resets import BITS, clocks
from fattree_bench.bench.links.slot.frame import SlotFrame
from fattree_bench.bench.links.slot.traffic import Slots, drain


class ResetInside(Slots):
    """Slots with a reset of this shape from slot `first` on; idle slots and a second one behind."""

    first: int = 0
    shape: int = 1

    def items(self) -> Iterator[SlotFrame]:
        self.reset = np.isin(np.arange(len(self.slots())), clocks(self.first, self.shape))
        yield from super().items()
        yield drain(self.network)
        silence = np.full((BITS + 1, self.network.leaves), -1, np.int32)
        yield SlotFrame(silence, "silence", np.isin(np.arange(BITS + 1), clocks(0, self.shape)))
