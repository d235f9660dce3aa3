"""What a run of a switch tells: which cells left, which were dropped, and the counters."""

from collections.abc import Sequence
from dataclasses import dataclass, fields

import numpy as np

from fattree_models.common.checks import Int8Array, Int32Array, Int64Array

PLACES = ("ingress", "middle", "resequencer")
"""Where a cell may be dropped; `Drops.place` is an index into these."""


@dataclass(frozen=True, eq=False)
class Drops:
    """The cells dropped, sorted by slot, place and line card.

    Attributes
    ----------
    slot : int64 array [cells]
    place : int8 array [cells]
        Index into `PLACES`.
    card : int32 array [cells]
        Line card that dropped it: an input, a middle or an output.
    source, destination : int32 arrays [cells]
    arrival : int64 array [cells]
        Slot of arrival; -1 for a fake cell.
    """

    slot: Int64Array
    place: Int8Array
    card: Int32Array
    source: Int32Array
    destination: Int32Array
    arrival: Int64Array

    def __len__(self) -> int:
        return self.slot.size


@dataclass(frozen=True, eq=False)
class Departures:
    """What happened in the slots of one run.

    Attributes
    ----------
    first : int
        Slot of row 0, counted from the start of the switch.
    source : int32 array [slots, N]
        By output: the source of the cell that leaves, -1 = none.
    arrival : int64 array [slots, N]
        By output: the slot in which that cell arrived, counted from the start of the switch; -1 =
        none.
    backlog : int64 array [slots]
        Real cells in the switch after each slot.
    drops : Drops
    """

    first: int
    source: Int32Array
    arrival: Int64Array
    backlog: Int64Array
    drops: Drops

    @property
    def delay(self) -> Int64Array:
        """Slots from arrival to departure of all cells that left, int64 [cells], in that order."""
        row, output = np.nonzero(self.source >= 0)
        return np.asarray(self.first + row - self.arrival[row, output])


@dataclass(frozen=True, eq=False)
class Counters:
    """What a switch has counted since it was reset; int64 arrays [N], by line card.

    Attributes
    ----------
    dropped_ingress, dropped_middle, dropped_resequencer
        Cells dropped; `dropped_middle` counts fake ones as well.
    refused
        MAILBOX: how often a middle refused a cell.
    fakes
        PADDED: fake cells that an input sent.
    skipped
        FOFF: gaps that a resequencer skipped: cells before them must have been lost.
    largest_ingress
        Cells in the fullest ingress queue of an input, after an arrival.
    largest_middle
        Cells in the fullest VOQ of a middle, after phase 1; MAILBOX: places up to the last one in
        use.  A memory of that size drops nothing.
    largest_fifo
        FOFF: cells in the fullest FIFO of a resequencer, after the arrival of a cell.
    largest_resequencer
        FOFF: cells in all FIFOs of an output together, after a slot.
    """

    dropped_ingress: Int64Array
    dropped_middle: Int64Array
    dropped_resequencer: Int64Array
    refused: Int64Array
    fakes: Int64Array
    skipped: Int64Array
    largest_ingress: Int64Array
    largest_middle: Int64Array
    largest_fifo: Int64Array
    largest_resequencer: Int64Array


def joined(parts: Sequence[Departures]) -> Departures:
    """Return successive runs of a switch as one.

    Raises
    ------
    ValueError
        If there are none, or one does not begin where the one before ends.

    Examples
    --------
    >>> from fattree_models.lbbvn_switch import Switch, defaults
    >>> switch = Switch(defaults(1, "BASIC"))
    >>> joined([switch.run([[0, 0]]), switch.run([[-1, -1]])]).delay
    array([0, 1])
    """
    if not parts:
        raise ValueError("parts: are 0; allowed are 1 and more")
    begin = parts[0].first
    for part in parts:
        if part.first != begin:
            raise ValueError(f"parts: one begins in slot {part.first}; allowed is slot {begin}")
        begin += part.backlog.size
    names = [field.name for field in fields(Drops)]
    drops = [np.concatenate([getattr(part.drops, name) for part in parts]) for name in names]
    source, arrival, backlog = (
        np.concatenate([getattr(part, name) for part in parts])
        for name in ("source", "arrival", "backlog")
    )
    return Departures(parts[0].first, source, arrival, backlog, Drops(*drops))


def drops_of(log: Int64Array) -> Drops:
    """Return the log sorted; within a slot the compiled code goes by input."""
    slot, place, card, source, destination, arrival = log[
        np.lexsort((log[:, 2], log[:, 1], log[:, 0]))
    ].T
    return Drops(
        slot.copy(),
        place.astype(np.int8),
        card.astype(np.int32),
        source.astype(np.int32),
        destination.astype(np.int32),
        arrival.copy(),
    )
