"""What a network showed in a burst: flits and credits by link and clock, draws, states."""

from dataclasses import dataclass, fields

import numpy as np
import numpy.typing as npt

from fattree_models.common.checks import (
    BoolArray,
    Int8Array,
    Int32Array,
    Int64Array,
    UInt8Array,
    UInt64Array,
)

Int16Array = npt.NDArray[np.int16]
UInt32Array = npt.NDArray[np.uint32]


@dataclass(frozen=True, eq=False)
class Shown:
    """What a network shows of its switches in the last clock of a burst.

    Parameters
    ----------
    waiting, active : bool arrays [input VCs]
        Whether the queue holds a flit; whether the packet at the front has an output VC.  Input VCs
        go through the input ports in the order of the trace, a port's VCs in turn.
    port, vc : int16 array, int8 array [input VCs]
        That VC, its port numbered in the node; -1: no VC since the reset.
    free, home : bool arrays [output VCs]
        Whether no packet holds it; whether all credits are there.
    """

    waiting: BoolArray
    active: BoolArray
    port: Int16Array
    vc: Int8Array
    free: BoolArray
    home: BoolArray


@dataclass(frozen=True, eq=False)
class Trace:
    """What was on every link in every clock of a burst.

    Parameters
    ----------
    first : int
        Clock of the item in row 0.
    packet, index, vc : int32, int16, int8 arrays [clocks, links]
        The flit on the link: its packet, its place in it, its VC; -1 if there is none.  Packets of
        the list have their numbers there; the reply to p has the number p + len(list).
    credits : uint8 array [clocks, links]
        Bit v: a credit of VC v is on the link, against its direction.
    draws : uint32 array [clocks, generators]
        The random word of every switch that chooses, in the order of its number in the network.
    shown : Shown
        States in the last clock.
    states : uint64 array [clocks, words]
        States in every clock, as bits: see `Showing`.  Empty if they were not recorded.

    Notes
    -----
    Links are: output ports of switches, in the order of the RTL; links from leaves; and
    the far ends of the links to leaves, which differ from the near ends where `long` is not 0.
    """

    first: int
    packet: Int32Array
    index: Int16Array
    vc: Int8Array
    credits: UInt8Array
    draws: UInt32Array
    shown: Shown
    states: UInt64Array

    @classmethod
    def empty(
        cls, first: int, clocks: int, links: int, generators: int, shown: Shown, words: int = 0
    ) -> "Trace":
        """Return a trace of quiet links."""
        shape = clocks, links
        return cls(
            first,
            np.full(shape, -1, np.int32),
            np.full(shape, -1, np.int16),
            np.full(shape, -1, np.int8),
            np.zeros(shape, np.uint8),
            np.zeros((clocks, generators), np.uint32),
            shown,
            np.zeros((clocks, words), np.uint64),
        )


@dataclass(frozen=True, eq=False)
class Fates:
    """What became of the packets of an item; int64 arrays [packets and their replies].

    Parameters
    ----------
    began : clock in which the head left the leaf (it is on the link one clock later)
    head, tail : clocks in which they were on the link at the destination

    Notes
    -----
    -1: it did not happen.  Clocks are those of the item.
    """

    began: Int64Array
    head: Int64Array
    tail: Int64Array

    @classmethod
    def none(cls, packets: int) -> "Fates":
        """Return the fates of packets that wait."""
        return cls(*(np.full(packets, -1) for _ in range(3)))


@dataclass(frozen=True)
class Difference:
    """The first difference of two traces: where it is, and what each of them has there."""

    what: str
    row: int
    place: int
    expected: int
    seen: int


def difference(expected: Trace, seen: Trace) -> Difference | None:
    """Return the first difference, by row, then by what, then by place; None if there is none."""
    found = []
    for name in ("packet", "index", "vc", "credits", "draws"):
        a, b = getattr(expected, name), getattr(seen, name)
        if a.shape != b.shape:
            raise ValueError(f"{name}: has shapes {a.shape} and {b.shape}; allowed is the same")
        wrong = np.argwhere(a != b)
        if wrong.size:
            row, place = (int(each) for each in wrong[0])
            found.append(Difference(name, row, place, int(a[row, place]), int(b[row, place])))
    last = expected.packet.shape[0] - 1
    for part in fields(Shown):
        a, b = getattr(expected.shown, part.name), getattr(seen.shown, part.name)
        at = np.flatnonzero(a != b)
        if at.size:
            place = int(at[0])
            found.append(Difference(part.name, last, place, int(a[place]), int(b[place])))
    return min(found, key=lambda one: one.row, default=None)
