"""The network whose cables break in the place of the compiled one: burst by burst, with hashes."""

from collections.abc import Collection
from dataclasses import replace

import numpy as np

from fattree_models.common.checks import BoolArray, Int32Array, Int64Array, UInt64Array
from fattree_models.traffic import Packets
from fattree_models.wormhole import kernel
from fattree_models.wormhole.faulty import POISON, FaultyReference
from fattree_models.wormhole.item import Answer, Item
from fattree_models.wormhole.network import Network
from fattree_models.wormhole.outages import Outages
from fattree_models.wormhole.showing import Showing
from fattree_models.wormhole.trace import Trace
from fattree_models.wormhole.wiring import Wiring
from fattree_models.wormhole.words import Words, Written, hashes

LOW, HALF = np.uint64(kernel.MASK32), np.uint64(32)


class FaultyWords(Words):
    """Tells the words of an item: the data of poison is 0, and it has no mark of a head.

    Parameters
    ----------
    network, wiring, item : as of Words
    data : uint64 array [flits], optional
        What is written in the flits, if it is not as in `Words`.
    """

    def __init__(
        self, network: Network, wiring: Wiring, item: Item, data: UInt64Array | None
    ) -> None:
        super().__init__(network, wiring, item)
        self._own = data
        self._first = np.cumsum(item.flits) - item.flits

    def _data(self, packet: Int64Array | Int32Array, index: UInt64Array) -> UInt64Array:
        ends = index == POISON
        index = np.where(ends, np.uint64(0), index)
        data = super()._data(packet, index)
        if self._own is not None:
            data = self._own[self._first[packet] + index.astype(np.int64)]
        return np.where(ends, np.uint64(0), data)

    def of(self, trace: Trace) -> Written:
        """Return the words of the next burst of the item."""
        written = super().of(trace)
        return replace(written, tail=written.tail | (trace.index == POISON))


class FaultySimulation(FaultyReference):
    """A wormhole network whose cables break, with the calls of `Simulation` that a bench needs.

    Parameters
    ----------
    network, seed, answer : as of Simulation
    outages : Outages

    Attributes
    ----------
    total : uint64 array [words]
        What was shown in the last burst that `hashed` ran, as of Simulation.
    """

    def __init__(
        self, network: Network, outages: Outages, seed: int = 1, answer: Answer | None = None
    ) -> None:
        self._seed, self._again = seed, False
        super().__init__(network, outages, seed, answer)
        self.view = Showing(network, self.wiring)
        self.words = self.view.words
        self.total = np.zeros(self.words, np.uint64)
        self._last: Trace | None = None

    @property
    def seed(self) -> int:
        """Of the random numbers; a new one counts from the next reset."""
        return self._seed

    @seed.setter
    def seed(self, seed: int) -> None:
        self._seed = seed
        for switch in self.switches:
            switch.seed = seed

    def load(self, packets: Packets, data: UInt64Array | None = None) -> None:
        """Begin an item: the next clock is its clock 0; `data` as of Simulation."""
        super().load(packets)
        self._words: FaultyWords | None = None
        self._data: UInt64Array | None = data

    def hashed(
        self,
        clocks: int,
        resets: Collection[int] = (),
        stall: BoolArray | None = None,
        may_send: bool = True,
    ) -> UInt64Array:
        """Run a burst; return its `hashes`."""
        if self._words is None:
            self._words = FaultyWords(self.network, self.wiring, self.item, self._data)
        self._last = trace = super().run(clocks, resets, stall, may_send=may_send)
        self.total = np.zeros(self.words, np.uint64)
        for row in range(0, clocks, kernel.SHOWN_EVERY):
            low = kernel.weight(row)
            low = np.uint64(low)
            high = np.uint64(kernel.next_weight(low))
            self.total += low * (trace.states[row] & LOW) + high * (trace.states[row] >> HALF)
        return hashes(trace, self._words)

    def run(
        self,
        clocks: int,
        resets: Collection[int] = (),
        stall: BoolArray | None = None,
        may_send: bool = True,
        record: bool = True,
    ) -> Trace:
        """Run a burst, or after `put_back` tell of the last one."""
        if self._again and self._last is not None:
            self._again = False
            return self._last
        return super().run(clocks, resets, stall, may_send=may_send)

    def registers(self) -> int:
        """Return what `put_back` needs: the last burst is remembered."""
        return self.now

    def put_back(self, registers: int) -> None:
        """Let the next call of `run` tell of the burst that `hashed` ran last."""
        self._again = True

    def _write(self, trace: Trace, row: int) -> None:
        super()._write(trace, row)
        if row % kernel.SHOWN_EVERY == 0:
            trace.states[row] = self.view.row(self._shown())
