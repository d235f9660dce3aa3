"""Arrivals for a switch: from packets, and patterns that are about this switch."""

import numpy as np
import numpy.typing as npt

from fattree_models.common.checks import Int32Array, check_integer, check_levels, check_real
from fattree_models.lbbvn_switch.connections import connections
from fattree_models.traffic.packets import Packets
from fattree_models.traffic.words import check_nodes

ROUNDING = 1e-9


def arrivals(packets: Packets, nodes: int, slots: int) -> Int32Array:
    """Return packets as arrivals.

    Parameters
    ----------
    packets : Packets
        Each of one flit, at most one a node and slot; the release is the slot.
    nodes, slots : int
        Shape of the result.

    Returns
    -------
    int32 array [slots, N]
        Destinations, -1 = none.

    Raises
    ------
    ValueError
        If packets are longer, or two at a node come in one slot, or one is out of the shape.

    Examples
    --------
    >>> arrivals(Packets.of([0, 1, 1], [1, 0, 1], [0, 0, 2]), 2, 3).tolist()
    [[1, 0], [-1, -1], [-1, 1]]
    """
    nodes, slots = check_nodes(nodes), check_integer("slots", slots, 0)
    if (packets.flits != 1).any():
        raise ValueError(f"flits: has {packets.flits.max()}; allowed is 1, a packet is a cell")
    for name, most in (("source", nodes), ("destination", nodes), ("release", slots)):
        values = getattr(packets, name)
        if values.size and values.max() >= most:
            raise ValueError(f"{name}: holds {values.max()}; allowed are 0 … {most - 1}")
    dst = np.full((slots, nodes), -1, dtype=np.int32)
    dst[packets.release, packets.source] = packets.destination
    if np.count_nonzero(dst >= 0) != len(packets):
        twice = (np.diff(packets.release) == 0) & (np.diff(packets.source) == 0)
        i = int(np.flatnonzero(twice)[0])
        raise ValueError(
            f"packets: node {packets.source[i]} has several in slot {packets.release[i]}; "
            "allowed is one"
        )
    return dst


def phase_locked(schedule: str, n: int, slots: int) -> Int32Array:
    """Return the admissible traffic that loads one middle only.

    Parameters
    ----------
    schedule : str
        As of `connections`.
    slots : int
        Counted from slot 0 of the switch.

    Returns
    -------
    int32 array [slots, N]
        Input x sends to output 0 in exactly the slots in which phase 1 connects it to middle 0.

    Notes
    -----
    Each input sends in one slot of N, output 0 is offered one cell per slot: admissible.  Under
    BASIC all of them wait in one VOQ, which is served once in N slots: the throughput is 1/N.  The
    theorem of 100 % throughput needs arrivals that are stationary and mixing, and these are not
    (ours).

    Examples
    --------
    >>> phase_locked("ROTATOR", 1, 3).tolist()
    [[0, -1], [-1, 0], [0, -1]]
    """
    slots = check_integer("slots", slots, 0)
    to_middle = connections(schedule, n).to_middle
    phases = np.arange(slots) % len(to_middle)
    return np.where(to_middle == 0, np.int32(0), np.int32(-1))[phases]


def overload(
    rng: np.random.Generator, n: int, slots: int, load: float, offered: float, output: int = 0
) -> Int32Array:
    """Return traffic that overloads one output and leaves room at the others.

    Parameters
    ----------
    slots : int
    load : float
        Cells per input and slot, Bernoulli.
    offered : float
        Cells per slot for that output, from all inputs alike; the others share the rest.
    output : int

    Returns
    -------
    int32 array [slots, N]

    Raises
    ------
    ValueError
        If `offered` is not more than 1, or more than N load; if the rest would overload the other
        outputs; or if the output does not exist.

    Examples
    --------
    >>> dst = overload(np.random.default_rng(1), 2, 1000, 0.9, 2.0)
    >>> [float(round((dst == o).sum() / 1000, 1)) for o in range(4)]
    [2.0, 0.5, 0.6, 0.5]
    """
    nodes = 1 << check_levels(n)
    slots = check_integer("slots", slots, 0)
    output = check_integer("output", output, 0, nodes - 1)
    load = check_real("load", load, 0, 1)
    if not 1.0 < offered <= nodes * load:
        raise ValueError(f"offered: is {offered}; allowed are numbers above 1, to {nodes * load}")
    if (nodes * load - offered) / (nodes - 1) > 1.0:
        raise ValueError(f"offered: is {offered}; allowed is what leaves less than 1 for others")
    other = rng.integers(1, nodes, size=(slots, nodes), dtype=np.int32)
    dst = (output + other) % np.int32(nodes)
    dst[rng.random(dst.shape) < offered / (nodes * load)] = output
    dst[rng.random(dst.shape) >= load] = -1
    return dst


def admissible(rates: npt.ArrayLike) -> bool:
    """Tell whether no port is offered more than a cell a slot.

    Parameters
    ----------
    rates : float array [N, N]
        Cells per slot from each input to each output, 0 or more.

    Returns
    -------
    bool
        All rows and columns sum to 1 at most, up to rounding.

    Examples
    --------
    >>> admissible([[0.5, 0.5], [0.5, 0.5]]), admissible([[0.8, 0.0], [0.8, 0.0]])
    (True, False)
    """
    matrix = np.asarray(rates, dtype=np.float64)
    if matrix.ndim != 2 or matrix.shape[0] != matrix.shape[1]:
        raise ValueError(f"rates: has shape {matrix.shape}; allowed is [N, N]")
    if not (matrix >= 0.0).all():
        raise ValueError("rates: has an entry that is negative or NaN; allowed are 0 and more")
    most = max(matrix.sum(axis=0).max(initial=0.0), matrix.sum(axis=1).max(initial=0.0))
    return bool(most <= 1.0 + ROUNDING)
