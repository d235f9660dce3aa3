"""Schedules: which message goes in which delivery cycle, and the proof that it can."""

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

import numpy as np
import numpy.typing as npt
from numba import njit

from fattree_models.common.checks import Int32Array, Int64Array, IntegerArray, check_integer
from fattree_models.leiserson.capacity import (
    check_capacity,
    check_processors,
    height,
    processors_of,
)
from fattree_models.leiserson.load import channel_loads, check_messages, load_factor


@dataclass(frozen=True, eq=False)
class Schedule:
    """A partition of a message set into one-cycle message sets M_1 ... M_d.

    Attributes
    ----------
    cycle : int32 array [messages]
        Delivery cycle of each message, 0 ... cycles-1.
    cycles : int
        d.
    scheduler : str
        Who made it.
    bound : int or None
        The most cycles that its theorem promises; None if it promises nothing.
    load_factor : Fraction
        lambda(M) for the true capacities.
    """

    cycle: Int32Array
    cycles: int
    scheduler: str
    bound: int | None
    load_factor: Fraction

    @cached_property
    def order(self) -> tuple[Int64Array, Int64Array]:
        """Messages by delivery cycle.

        Returns
        -------
        (order, starts) : int64 arrays [messages], [cycles + 1]
            Cycle c holds the messages order[starts[c] : starts[c + 1]], in rising order.
        """
        # Numbers below 2^16 sort in linear time.
        small = self.cycle.astype(np.uint16) if self.cycles < 1 << 16 else self.cycle
        order = np.argsort(small, kind="stable")
        starts = np.zeros(self.cycles + 1, dtype=np.int64)
        np.cumsum(np.bincount(self.cycle, minlength=self.cycles), out=starts[1:])
        return order, starts

    def verify(self, src: npt.ArrayLike, dst: npt.ArrayLike, cap: npt.ArrayLike) -> None:
        """Prove that this is a schedule of a message set, within its bound.

        Raises
        ------
        ValueError
            In this order: a message has no cycle, the load factor is another one, d is below it or
            beyond the bound, a cycle is empty or not a one-cycle message set; one line that
            names the first offender.  Or if the messages or the capacities are malformed.

        Notes
        -----
        O(messages lg n + n) time: every message's path is walked once, in the order of the cycles.
        """
        n = processors_of(cap)
        wires = check_capacity(n, cap)
        x, y = check_messages(src, dst, n)
        self._verify_counts(x, load_factor(x, y, wires))
        order, starts = self.order
        empty = np.flatnonzero(np.diff(starts) == 0)
        if empty.size:
            raise ValueError(f"schedule: cycle {empty[0]} is empty")
        loads = np.zeros((2, 2 * n), dtype=np.int32)
        full = _first_overload(x, y, order, starts, wires, loads)
        if full >= 0:
            self._name_overload(x, y, wires, full)

    def _verify_counts(self, src: Int32Array, factor: Fraction) -> None:
        """Check what can be said without walking a path."""
        cycle = self.cycle
        if cycle.dtype != np.int32 or cycle.shape != src.shape:
            raise ValueError(
                f"schedule: has cycles of shape {cycle.shape}, {cycle.dtype}; "
                f"allowed is {src.shape}, int32"
            )
        wrong = np.flatnonzero((cycle < 0) | (cycle >= self.cycles))
        if wrong.size:
            raise ValueError(
                f"schedule: message {wrong[0]} has cycle {cycle[wrong[0]]}; "
                f"allowed are 0 … {self.cycles - 1}"
            )
        if self.load_factor != factor:
            raise ValueError(
                f"schedule: says the load factor is {self.load_factor}; it is {factor}"
            )
        if self.cycles < factor:
            raise ValueError(
                f"schedule: has {self.cycles} cycles, fewer than the load factor {factor}"
            )
        if self.bound is not None and self.cycles > self.bound:
            raise ValueError(
                f"schedule: has {self.cycles} cycles; {self.scheduler} promises {self.bound}"
            )

    def _name_overload(self, src: Int32Array, dst: Int32Array, cap: Int64Array, full: int) -> None:
        """Raise for the first overloaded channel of a cycle, up before down."""
        n = processors_of(cap)
        mine = self.cycle == full
        wires = np.repeat(cap, 1 << np.arange(height(n) + 1))
        loads = channel_loads(src[mine], dst[mine], n)
        over = np.flatnonzero(np.stack(loads)[:, 1:] > wires)
        way, channel = divmod(int(over[0]), wires.size)
        channel += 1
        raise ValueError(
            f"schedule: cycle {full} is not a one-cycle message set: channel {channel} "
            f"{('up', 'down')[way]} (level {channel.bit_length() - 1}) carries "
            f"{loads[way][channel]} messages on {wires[channel - 1]} wires"
        )

    def rows(
        self,
        src: npt.ArrayLike,
        dst: npt.ArrayLike,
        ports: int,
        processors: int,
        cap: npt.ArrayLike,
    ) -> tuple[Int32Array, Int32Array]:
        """Return what every source sends in every delivery cycle.

        Parameters
        ----------
        src, dst : int arrays [messages]
            The message set; processors 0 ... n-1, or n: from or to the outside.
        ports : int
            P, wires of a processor.
        processors : int
            n.
        cap : int array [h + 1]
            Wires of the tree; cap[0] is the number of external sources.

        Returns
        -------
        (destinations, messages) : int32 arrays [cycles, n P + cap[0]]
            Column q < n P is wire q % P of processor q // P, column n P + e wire e of the external
            channel.  Several messages of a processor in a cycle take its wires 0, 1, ... in their
            order in the message set.  Destination (n = the outside) and index of the message, -1 =
            no message.

        Raises
        ------
        ValueError
            If an argument is malformed, or a source has more messages in a cycle than wires.
        """
        n = check_processors(processors)
        ports = check_integer("ports", ports, 1)
        wires = check_capacity(n, cap)
        x, y = check_messages(src, dst, n)
        if x.shape != self.cycle.shape:
            raise ValueError(
                f"src: has {x.size} messages; allowed are {self.cycle.size}, as the schedule has"
            )
        shape = (self.cycles, n * ports + int(wires[0]))
        destinations = np.full(shape, -1, dtype=np.int32)
        messages = np.full(shape, -1, dtype=np.int32)
        # Place in the row of (cycle, source): the rank among the messages of that pair.
        key = self.cycle.astype(np.int64) * (n + 1) + x
        order = np.argsort(key, kind="stable")
        rank = _rank_in_run(key[order])
        room = np.where(x[order] == n, wires[0], ports)
        over = np.flatnonzero(rank >= room)
        if over.size:
            first = order[over[0]]
            place = "the outside" if x[first] == n else f"processor {x[first]}"
            raise ValueError(
                f"schedule: {place} sends more than {room[over[0]]} messages "
                f"in cycle {self.cycle[first]}"
            )
        at = self.cycle[order], x[order] * np.int64(ports) + rank
        destinations[at], messages[at] = y[order], order
        return destinations, messages


def compact(cycle: IntegerArray) -> tuple[Int32Array, int]:
    """Renumber cycles without the empty ones, order kept.

    Returns
    -------
    (int32 array [messages], int)
        Cycles 0 ... d-1, none of them empty, and d.

    Examples
    --------
    >>> compact(np.array([5, 1, 5]))
    (array([1, 0, 1], dtype=int32), 2)
    """
    if cycle.size == 0:
        return np.zeros(0, dtype=np.int32), 0
    used = np.zeros(int(cycle.max()) + 1, dtype=np.int32)
    used[cycle] = 1
    number = np.cumsum(used, dtype=np.int32) - np.int32(1)
    return number[cycle], int(number[-1]) + 1


def _rank_in_run(keys: Int64Array) -> Int64Array:
    """Return the place of each entry of a sorted array in its run of equal ones."""
    index = np.arange(keys.size)
    starts = np.ones(keys.size, dtype=bool)
    starts[1:] = keys[1:] != keys[:-1]
    return index - np.maximum.accumulate(np.where(starts, index, 0))


@njit(cache=True)
def _first_overload(
    src: Int32Array,
    dst: Int32Array,
    order: Int64Array,
    starts: Int64Array,
    cap: Int64Array,
    loads: Int32Array,
) -> int:
    """Return the first cycle that overloads a channel, or -1.

    `loads` int32 [2, 2n] is all 0 before; the paths are walked a second time to clear it.
    """
    n = loads.shape[1] // 2
    levels = cap.size - 1
    for cycle in range(starts.size - 1):
        full = False
        for step in (1, -1):
            for i in range(starts[cycle], starts[cycle + 1]):
                source, target = src[order[i]], dst[order[i]]
                level, v, w = levels, n + source, n + target
                if source == n:
                    v = 0
                if target == n:
                    w = 0
                while v != w:
                    if v > 0:
                        loads[0, v] += step
                        full |= loads[0, v] > cap[level]
                        v >>= 1
                    if w > 0:
                        loads[1, w] += step
                        full |= loads[1, w] > cap[level]
                        w >>= 1
                    level -= 1
        if full:
            return cycle
    return -1
