"""A run of the switch compared with the ideal switch with the same arrivals."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from fattree_models.lbbvn_switch.departures import Departures
from fattree_models.lbbvn_switch.measuring import as_measurement
from fattree_models.lbbvn_switch.output_queued import output_queued
from fattree_models.lbbvn_switch.reordering import reordering
from fattree_models.traffic import Measurement, Packets, Spread, Window


@dataclass(frozen=True)
class Comparison(Measurement):
    """A measurement of a switch, and what matters of it besides.

    Attributes
    ----------
    throughput : float
        accepted / offered.
    ideal : Spread
        Delays of the ideal output-queued switch, slots.
    overtaken_cells, overtaken_slots : int
        By how many cells of its flow, and for how many slots, the worst of them.
    unevenness : float
        How unevenly the cells of an output came by way of the middles: the mean of chi-square by
        its degrees of freedom over all outputs; about 1, or less, where load balancing works.
    """

    throughput: float
    ideal: Spread
    overtaken_cells: int
    overtaken_slots: int
    unevenness: float


def compare(
    packets: Packets, dst: npt.ArrayLike, departures: Departures, window: Window
) -> Comparison:
    """Measure a run against the ideal switch.

    Parameters
    ----------
    packets, departures, window
        As for `as_measurement`.
    dst : int array [slots, N]
        The same packets as arrivals.

    Raises
    ------
    ValueError
        If the departures are not of these packets.

    Examples
    --------
    >>> from fattree_models.lbbvn_switch import Switch, SwitchShape, arrivals
    >>> packets = Packets.of([0, 1], [0, 0], [0, 0])
    >>> dst = arrivals(packets, 2, 2)
    >>> run = Switch(SwitchShape(1, "BASIC", ingress=2, middle=4)).run(dst)
    >>> found = compare(packets, dst, run, Window(0, 1, 10))
    >>> found.latency.mean, found.ideal.mean, found.overtaken
    (0.5, 0.5, 0.0)
    """
    found = as_measurement(packets, departures, window)
    ideal = as_measurement(packets, output_queued(dst), window)
    order = reordering(departures)
    return Comparison(
        **{**vars(found), "overtaken": order.share},
        throughput=found.accepted / found.offered if found.offered else np.nan,
        ideal=ideal.latency,
        overtaken_cells=order.most_cells,
        overtaken_slots=order.most_slots,
        unevenness=unevenness(departures),
    )


def unevenness(departures: Departures) -> float:
    """Return how unevenly the departures of each output are spread over the slots modulo N.

    In slot t each output is connected to one middle, and to the same in slot t + N: what leaves
    there has come by way of that middle, unless a resequencer held it back.  NaN if nothing left.

    Examples
    --------
    >>> from fattree_models.lbbvn_switch import Switch, SwitchShape, phase_locked
    >>> switch = Switch(SwitchShape(2, "BASIC", ingress=2, middle=64))
    >>> round(unevenness(switch.run(phase_locked("BITREV", 2, 64))), 1)
    16.0
    """
    nodes = departures.source.shape[1]
    row, output = np.nonzero(departures.source >= 0)
    counts = np.bincount(row % nodes * nodes + output, minlength=nodes**2).reshape(nodes, nodes)
    mean = counts.mean(axis=0)
    used = mean > 0
    if not used.any():
        return np.nan
    chi_square = ((counts - mean) ** 2)[:, used].sum(axis=0) / mean[used]
    return float(chi_square.mean() / (nodes - 1))
