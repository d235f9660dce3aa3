"""The ideal output-queued switch, against which the others are measured."""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from numba import njit

from fattree_models.common.checks import (
    BoolArray,
    Int32Array,
    Int64Array,
    check_levels,
    check_slots,
)
from fattree_models.lbbvn_switch.departures import Departures, drops_of


class OutputQueued:
    """A switch whose cells get to their outputs at once and wait there, in FIFOs without limit.

    Cells of one slot queue by ascending source; one cell per slot leaves each output, also one that
    has arrived in this slot.  No switch has a smaller backlog at any output in any slot.

    Examples
    --------
    >>> ideal = OutputQueued(1)
    >>> ideal.run([[0, 0]]).source.tolist(), ideal.inside
    ([[0, -1]], 1)
    >>> ideal.run([[-1, 0]]).source.tolist(), ideal.inside
    ([[1, -1]], 1)
    """

    def __init__(self, n: int) -> None:
        self.n = check_levels(n)
        self.reset()

    def reset(self) -> None:
        """Empty all queues, start at slot 0."""
        self.slot = 0
        self._free = np.zeros(1 << self.n, dtype=np.int64)
        self._waiting = _Waiting(*np.zeros((4, 0), dtype=np.int64))

    @property
    def inside(self) -> int:
        """Cells in the switch now."""
        return self._waiting.leaves.size

    def run(self, dst: npt.ArrayLike) -> Departures:
        """Run some slots; a run continues where the last one ended.

        Parameters
        ----------
        dst : int array [slots, N]
            Destination of the cell that arrives at each input, -1 = none.
        """
        arrivals, n = check_slots(dst)
        if n != self.n:
            raise ValueError(f"dst: has {arrivals.shape[1]} columns; allowed are {1 << self.n}")
        before = self.inside
        leaves = _leaving_slots(arrivals, self.slot, self._free)
        row, x = np.nonzero(arrivals >= 0)
        new = _Waiting(leaves[row, x], arrivals[row, x].astype(np.int64), x, self.slot + row)
        cells = self._waiting.followed_by(new)
        now = cells.leaves < self.slot + len(arrivals)
        source, arrival = cells.of(now).written(self.slot, arrivals.shape)
        self._waiting = cells.of(~now)
        change = np.count_nonzero(arrivals >= 0, axis=1) - np.count_nonzero(source >= 0, axis=1)
        backlog = before + np.cumsum(change)
        none = drops_of(np.zeros((0, 6), dtype=np.int64))
        result = Departures(self.slot, source, arrival, backlog, none)
        self.slot += len(arrivals)
        return result


def output_queued(dst: npt.ArrayLike) -> Departures:
    """Run a whole stimulus through an ideal switch that was empty before.

    Parameters
    ----------
    dst : int array [slots, N]
        Destinations, -1 = none.

    Examples
    --------
    >>> output_queued([[0, 0], [1, -1], [-1, -1]]).delay
    array([0, 1, 0])
    """
    arrivals, n = check_slots(dst)
    return OutputQueued(n).run(arrivals)


class _Waiting(NamedTuple):
    """Cells and the slots in which they leave; int64 arrays [cells]."""

    leaves: Int64Array
    output: Int64Array
    source: Int64Array
    arrival: Int64Array

    def followed_by(self, others: "_Waiting") -> "_Waiting":
        """Both together."""
        return _Waiting(*(np.concatenate(pair) for pair in zip(self, others, strict=True)))

    def of(self, which: BoolArray) -> "_Waiting":
        """Some of them."""
        return _Waiting(*(column[which] for column in self))

    def written(self, first: int, shape: tuple[int, ...]) -> tuple[Int32Array, Int64Array]:
        """Source and arrival slot [slots, N] of the cell that leaves, -1 = none."""
        source = np.full(shape, -1, dtype=np.int32)
        arrival = np.full(shape, -1, dtype=np.int64)
        source[self.leaves - first, self.output] = self.source
        arrival[self.leaves - first, self.output] = self.arrival
        return source, arrival


@njit(cache=True, nogil=True)
def _leaving_slots(dst: Int32Array, first: int, free: Int64Array) -> Int64Array:
    """Return by source when each cell leaves; `free` [N] is the next free slot of each output."""
    leaves = np.full(dst.shape, -1, dtype=np.int64)
    for s in range(dst.shape[0]):
        for x in range(dst.shape[1]):
            o = dst[s, x]
            if o >= 0:
                leaves[s, x] = max(first + s, free[o])
                free[o] = leaves[s, x] + 1
    return leaves
