"""A run of the switch as a `traffic.Measurement`: a slot is a cycle, a cell a flit."""

import math

import numpy as np

from fattree_models.common.checks import Int64Array
from fattree_models.lbbvn_switch.departures import Departures
from fattree_models.traffic import Measurement, Packets, Window, measure


def leaving_slots(packets: Packets, departures: Departures) -> Int64Array:
    """Return when each packet left the switch.

    Parameters
    ----------
    packets : Packets
        What `arrivals` was made of; the release is the slot, counted from the switch's start.
    departures : Departures
        `joined`, if the run was in pieces.

    Returns
    -------
    int64 array [packets]
        -1: it did not leave in these slots.

    Raises
    ------
    ValueError
        If a cell left that is none of the packets, or at another output.

    Examples
    --------
    >>> from fattree_models.lbbvn_switch import Switch, defaults, arrivals
    >>> packets = Packets.of([0, 1], [0, 0], [0, 0])
    >>> leaving_slots(packets, Switch(defaults(1, "BASIC")).run(arrivals(packets, 2, 2)))
    array([0, 1])
    """
    row, output = np.nonzero(departures.source >= 0)
    source, arrival = departures.source[row, output], departures.arrival[row, output]
    span = 1 + int(max(packets.release.max(initial=0), arrival.max(initial=0)))
    known = packets.source * np.int64(span) + packets.release  # increases: packets are sorted
    found = source * np.int64(span) + arrival
    place = np.searchsorted(known, found)
    at = np.minimum(place, max(known.size - 1, 0))
    if found.size and (
        not known.size or (known[at] != found).any() or (packets.destination[at] != output).any()
    ):
        raise ValueError("departures: hold cells of no packet; allowed are cells of packets")
    leaves = np.full(len(packets), -1, dtype=np.int64)
    leaves[at] = departures.first + row
    return leaves


def as_measurement(
    packets: Packets, departures: Departures, window: Window, latency_limit: float = math.inf
) -> Measurement:
    """Measure a run: loads in cells per line card and slot, latencies in slots.

    Parameters
    ----------
    packets : Packets
        What `arrivals` was made of.
    departures : Departures
        `joined`, if the run was in pieces; it should go on after the window until what came in the
        window has left.
    window : Window
        When is measured, a cycle being a slot.
    latency_limit : float
        Slots; a greater mean delay counts as saturation.

    Raises
    ------
    ValueError
        If the departures are not of these packets.

    Examples
    --------
    The delay law (N-1) / (2 (1-rho)), 7 for N = 8 and half the load:

    >>> from fattree_models.lbbvn_switch import Switch, defaults, arrivals
    >>> from fattree_models.traffic import bernoulli, lengths, pattern
    >>> rng, pieces = np.random.default_rng(1), lengths("1")
    >>> packets = bernoulli(rng, pattern("uniform:self", 8), pieces, 0.5, 11_000)
    >>> switch = Switch(defaults(3, "BASIC"))
    >>> run = switch.run(arrivals(packets, 8, 11_000))
    >>> result = as_measurement(packets, run, Window())
    >>> round(result.accepted, 2), round(result.latency.mean, 1), result.missing, result.stable
    (0.5, 7.1, 0, True)
    """
    nodes = departures.source.shape[1]
    leaves = leaving_slots(packets, departures)
    return measure(packets, nodes, leaves, window, latency_limit=latency_limit)
