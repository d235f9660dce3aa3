"""Frames for a switch with queues, and what is measured of a run of many of them.

The switch speaks the slot link; a cell leaves when its turn comes, perhaps many frames later.
"""

import numpy as np

from fattree_bench.bench.links.payload import Words
from fattree_bench.bench.links.slot.frame import SlotFrame
from fattree_models import lbbvn_switch as switch
from fattree_models.common.checks import BoolArray, Int32Array, Int64Array
from fattree_models.lbbvn_switch.departures import drops_of
from fattree_models.traffic import Measurement, Packets, Window


class Run:
    """Traffic that is measured: cells created in a window, of those offered before and behind it.

    Attributes
    ----------
    name, load : what it is called, cells a line card and slot.
    pattern, injection : as a user writes them.
    dst : int32 [slots, N], destinations of the cells that arrive, -1 none.
    packets : the same cells, of one flit each, `release` in slots from the run's first on.
    first : sequence number of its first slot.
    played : slots so far.
    """

    def __init__(
        self, name: str, load: float, pattern: str, injection: str, dst: Int32Array, window: Window
    ) -> None:
        slot, source = np.nonzero(dst >= 0)
        self.name = name
        self.load = load
        self.pattern = pattern
        self.injection = injection
        self.packets = Packets.of(source, dst[slot, source], slot)
        self.dst = dst
        self.window = window
        self.first = -1
        self.played = 0
        self._source = np.full(dst.shape, -1, np.int32)
        self._arrival = np.full(dst.shape, -1, np.int64)
        self._missing = int(np.count_nonzero(window.holds(slot)))

    def observe(
        self, number: Int64Array, source: Int64Array, output: Int64Array, left: Int64Array
    ) -> None:
        """Cells that came in the slots `number` have left in the slots `left`."""
        came, left = number - self.first, left - self.first
        own = (came >= 0) & (came <= left) & (left < len(self.dst))
        came, left, source, output = came[own], left[own], source[own], output[own]
        own = self.dst[came, source] == output  # others are faults, and named as such
        came, left, source, output = came[own], left[own], source[own], output[own]
        self._source[left, output] = source
        self._arrival[left, output] = came
        self._missing -= int(np.count_nonzero(self.window.holds(came)))

    @property
    def complete(self) -> bool:
        """Everything that was created in the window has left."""
        return self._missing <= 0

    def measurement(self) -> Measurement:
        """What was measured so far: delays in slots, rates in cells a line card and slot."""
        return switch.as_measurement(self.packets, self.departures(), self.window)

    def departures(self) -> switch.Departures:
        """What was seen to leave."""
        kept = slice(0, self.played)
        return switch.Departures(
            0,
            self._source[kept],
            self._arrival[kept],
            np.zeros(self.played, np.int64),
            drops_of(np.zeros((0, 6), np.int64)),
        )


class CellFrame(SlotFrame):
    """Some slots of traffic.

    Attributes
    ----------
    run : what it is part of, if that is measured.
    offset : number of its first slot in the run.
    lossless : the queues should do: a drop is a fault.
    """

    def __init__(
        self,
        dst: Int32Array,
        family: str,
        reset: BoolArray | None = None,
        first_slot: int | None = None,
        words: Words | None = None,
        run: Run | None = None,
        offset: int = 0,
        lossless: bool = False,
    ) -> None:
        super().__init__(dst, family, reset, first_slot, words)
        self.run = run
        self.offset = offset
        self.lossless = lossless
