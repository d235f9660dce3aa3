"""Cells that are overtaken within their flow."""

from dataclasses import dataclass

import numpy as np

from fattree_models.common.checks import Int64Array
from fattree_models.lbbvn_switch.departures import Departures


@dataclass(frozen=True)
class Reordering:
    """How far the cells that left are out of order; a flow is a source and an output.

    A cell is late if a cell of its flow that arrived after it has left before it.

    Attributes
    ----------
    cells, late : int
        Cells that left, and how many of them are late.
    most_cells : int
        The greatest extent of a late cell: so many places after the first one of its flow that
        should have come after it; 0 if none is late.
    most_slots : int
        The greatest time between those two.
    mean_cells, mean_slots : float
        Means over the late cells; 0 if there are none.
    """

    cells: int
    late: int
    most_cells: int
    most_slots: int
    mean_cells: float
    mean_slots: float

    @property
    def share(self) -> float:
        """Part of the cells that are late; 0 if no cell left."""
        return self.late / self.cells if self.cells else 0.0


def reordering(departures: Departures) -> Reordering:
    """Find the cells that are out of order.

    Parameters
    ----------
    departures : Departures
        `joined`, if the run was in pieces: cells of different ones are not compared.

    Notes
    -----
    Extent and lateness as in RFC 4737, Sections 4.2 and 4.3.  The running maximum of the
    arrival slots of a flow grows, so that the first cell that overtakes another one is found by
    bisection: O(cells log cells) time.

    Examples
    --------
    >>> from fattree_models.lbbvn_switch import Switch, defaults
    >>> switch = Switch(defaults(1, "BASIC"))
    >>> result = switch.run([[-1, 0], [0, -1], [-1, 0], [-1, 0], [-1, -1], [-1, -1]])
    >>> result.source[:, 0].tolist(), result.arrival[:, 0].tolist()
    ([-1, 1, -1, 0, 1, 1], [-1, 0, -1, 1, 3, 2])
    >>> reordering(result)
    Reordering(cells=4, late=1, most_cells=1, most_slots=1, mean_cells=1.0, mean_slots=1.0)
    """
    slot, output = np.nonzero(departures.source >= 0)
    if slot.size == 0:
        return Reordering(0, 0, 0, 0, 0.0, 0.0)
    flow = departures.source[slot, output] * np.int64(departures.source.shape[1]) + output
    arrival = departures.arrival[slot, output]
    order = np.argsort(flow, kind="stable")  # a flow has one cell per slot at most
    slot, key = slot[order], _keys(flow[order], arrival[order])
    latest = np.maximum.accumulate(key)
    late = np.flatnonzero(key < latest)
    first = np.searchsorted(latest, key[late], side="right")
    places, slots = late - first, slot[late] - slot[first]
    if late.size == 0:
        return Reordering(slot.size, 0, 0, 0, 0.0, 0.0)
    return Reordering(
        cells=slot.size,
        late=late.size,
        most_cells=int(places.max()),
        most_slots=int(slots.max()),
        mean_cells=float(places.mean()),
        mean_slots=float(slots.mean()),
    )


def _keys(flow: Int64Array, arrival: Int64Array) -> Int64Array:
    """Return numbers that order cells by flow, then by arrival; `flow` increases."""
    earliest = arrival.min()
    return np.asarray(flow * (arrival.max() - earliest + 1) + (arrival - earliest))
