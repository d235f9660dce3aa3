"""Who is connected to whom in each slot: the two phases of the folded switch."""

from typing import NamedTuple

import numpy as np

from fattree_models.common.checks import Int32Array
from fattree_models.lbbvn.permutation import (
    bit_reverse_shifts,
    bit_reverse_xors,
    inverse,
    rotators,
    symmetric_tdm,
)
from fattree_models.traffic.choice import FloatArray

SCHEDULES = ("BITREV", "ROTATOR", "TDM", "XOR", "SAME")
ASCENDING = ("BITREV", "ROTATOR", "TDM")
"""Inputs visit, and outputs read, the middles in ascending order."""
PAIRED = ("BITREV", "ROTATOR", "TDM", "XOR")
"""Phase 2 is the inverse of phase 1: the line card that sends to a middle also hears from it."""


class Connections(NamedTuple):
    """The two phases of N slots; slot t is as slot t mod N.

    Attributes
    ----------
    to_middle : int32 array [N, N]
        Row t is p_t: entry x is the middle to which phase 1 connects input x.
    to_output : int32 array [N, N]
        Row t is q_t: entry m is the output to which phase 2 connects middle m.
    """

    to_middle: Int32Array
    to_output: Int32Array


def connections(schedule: str, n: int) -> Connections:
    """Return the connections of a schedule.

    Parameters
    ----------
    schedule : str
        BITREV
            p_t(x) = rev(x) + t, q_t its inverse: the paper's frame, Eq. (10).
        ROTATOR
            p_t(x) = x + t, q_t its inverse.
        TDM
            p_t(x) = t - x, q_t its inverse (which is itself).
        XOR
            p_t(x) = rev(x) XOR (t mod N), q_t its inverse.
        SAME
            p_t(x) = rev(x) + t, and q_t = p_t.

        All modulo N = 2^n; rev reverses n bits.

    Examples
    --------
    >>> phase = connections("BITREV", 2)
    >>> phase.to_middle[1], phase.to_output[1]
    (array([1, 3, 2, 0], dtype=int32), array([3, 0, 2, 1], dtype=int32))
    """
    check_schedule(schedule)
    frames = {"ROTATOR": rotators, "TDM": symmetric_tdm, "XOR": bit_reverse_xors}
    if schedule in frames:
        to_middle = frames[schedule](n)
    else:
        to_middle = np.roll(bit_reverse_shifts(n), 1, axis=0)  # its last row belongs to slot 0
    return Connections(to_middle, to_middle if schedule == "SAME" else inverse(to_middle))


def meeting_slots(schedule: str, n: int) -> FloatArray:
    """Return how long a cell alone takes under BASIC, in the mean of its slots of arrival.

    Parameters
    ----------
    schedule, n
        As of `connections`.

    Returns
    -------
    float64 array [N, N]
        Slots, by source and destination: from the slot in which phase 1 leads it to a middle to
        the one in which phase 2 connects that middle to its destination.

    Examples
    --------
    Where phase 2 is the inverse of phase 1, a flow meets the same delay in all slots:

    >>> meeting_slots("ROTATOR", 2)
    array([[0., 3., 2., 1.],
           [1., 0., 3., 2.],
           [2., 1., 0., 3.],
           [3., 2., 1., 0.]])
    """
    phases = connections(schedule, n)
    nodes = len(phases.to_middle)
    slots = np.arange(nodes)
    meets = np.empty((nodes, nodes), np.int64)  # [m, o]: slot in which they are connected
    meets[slots, phases.to_output] = slots[:, None]
    waits = (meets[phases.to_middle] - slots[:, None, None]) % nodes
    return np.asarray(waits.mean(axis=0))


def check_schedule(schedule: str, allowed: tuple[str, ...] = SCHEDULES) -> None:
    """Raise `ValueError` unless the schedule is one of those allowed.

    Examples
    --------
    >>> check_schedule("TMD")
    Traceback (most recent call last):
    ...
    ValueError: schedule: is TMD; allowed are BITREV, ROTATOR, TDM, XOR, SAME
    """
    if schedule not in allowed:
        raise ValueError(f"schedule: is {schedule}; allowed are {', '.join(allowed)}")
