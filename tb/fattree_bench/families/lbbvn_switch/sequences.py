"""Sequences of cells for the load-balanced switch, plain and measured."""

from collections.abc import Iterator

import numpy as np

from fattree_bench.bench.links.payload import Words
from fattree_bench.bench.sequence import Sequence
from fattree_bench.families.lbbvn_switch.cells import CellFrame
from fattree_bench.families.lbbvn_switch.network import LbbvnSwitch
from fattree_bench.families.lbbvn_switch.traffic import cells, cut, enough, measured, random_run
from fattree_models.common.checks import BoolArray, Int32Array


class Cells(Sequence[LbbvnSwitch, CellFrame]):
    """Cells that are given, slot by slot.

    Attributes
    ----------
    dst : int32 [slots, N], output of the cell of each input, -1 = none.
    family, reset, words, lossless : as of CellFrame, for all slots; family: else the sequence's.
    """

    dst: Int32Array | None = None
    family: str = ""
    reset: BoolArray | None = None
    words: Words | None = None
    lossless: bool = False

    def slots(self) -> Int32Array:
        """Destinations, as of `dst`."""
        if self.dst is None:
            raise ValueError(f"{self.get_name()}: no slots are given")
        return self.dst

    def items(self) -> Iterator[CellFrame]:
        options = self.family or self.get_name(), self.reset, self.words
        yield from cut(self.network, self.slots(), *options, lossless=self.lossless)


class Arrivals(Cells):
    """Random cells.

    Attributes
    ----------
    pattern, injection : as a user writes them.
    load : cells an input and slot.
    length : slots; None: as many as a test of random traffic has.
    """

    pattern: str = "uniform:self"
    load: float = 0.3
    length: int | None = None
    injection: str = "bernoulli"

    def slots(self) -> Int32Array:
        length = self.rows if self.length is None else self.length
        network = self.network
        return cells(self.rng, network, self.pattern, self.load, length, self.injection)


class OneOutput(Cells):
    """A cell at every input in every slot, all for one output."""

    goal: int = 0

    def slots(self) -> Int32Array:
        return np.full((self.rows, self.network.leaves), self.goal, np.int32)


class CellFile(Cells):
    """The cells of MESSAGES."""

    def slots(self) -> Int32Array:
        if self.network.workload.cells is None:
            raise ValueError(f"{self.get_name()}: no file is given")
        dst, words = self.network.workload.cells
        if words is not None:
            self.words = words.astype(self.network.layout.payload.dtype)
        return dst


class Measured(Sequence[LbbvnSwitch, CellFrame]):
    """Random cells, measured in the window of the workload until all that came in it has left.

    `promised`: none may be dropped where the queues are deep enough for the load.
    """

    pattern: str = "uniform:self"
    load: float = 0.3
    injection: str = "bernoulli"
    promised: bool = False

    def items(self) -> Iterator[CellFrame]:
        network = self.network
        run = random_run(self.rng, network, self.pattern, self.load, self.injection)
        yield from measured(network, run, self.promised and enough(network, self.load))
