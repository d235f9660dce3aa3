"""What a run says about a network: rates, latencies, and whether it was in a steady state.

As BookSim does (trafficmanager.cpp; Dally and Towles 2004, chapter 24): a warm-up, then a window in
which packets are tagged as they are created, then a drain in which untagged ones go on until all
tagged ones have arrived.  Source queues are unbounded and outside the network; the time in them
counts.
"""

from collections.abc import Sequence
from dataclasses import dataclass, fields

import numpy as np
import numpy.typing as npt

from fattree_models.common.checks import (
    BoolArray,
    Int64Array,
    check_integer,
    check_integers,
    check_range,
    check_real,
)
from fattree_models.traffic.choice import FloatArray
from fattree_models.traffic.packets import Packets
from fattree_models.traffic.words import check_nodes

CHANGE = 0.05
"""Relative change from period to period below which a figure counts as steady."""
PERIODS = 3
"""So many successive changes have to be below it."""
SHORTFALL = 0.95
"""A network that accepts a smaller part of what is offered is saturated."""
LATENCY_LIMIT = 500.0
"""Mean latency in cycles beyond which a network is saturated, if nothing else is said."""


@dataclass(frozen=True)
class Window:
    """When is measured, in periods of equal length.

    Attributes
    ----------
    warm_up, periods : int
        Periods before the window and in it; fewer than 4 of these cannot show a steady state.
    period : int
        Cycles of a period.
    """

    warm_up: int = 3
    periods: int = 7
    period: int = 1000

    def __post_init__(self) -> None:
        for name, least in (("warm_up", 0), ("periods", 1), ("period", 1)):
            object.__setattr__(self, name, check_integer(name, getattr(self, name), least))

    @property
    def begin(self) -> int:
        """First cycle."""
        return self.warm_up * self.period

    @property
    def end(self) -> int:
        """First cycle after it."""
        return self.begin + self.cycles

    @property
    def cycles(self) -> int:
        """Cycles in the window."""
        return self.periods * self.period

    @property
    def edges(self) -> Int64Array:
        """Ends of the periods, int64 [periods]."""
        return self.begin + self.period * np.arange(1, self.periods + 1)

    def holds(self, cycle: Int64Array) -> BoolArray:
        """Tell for each cycle whether it is in the window."""
        return (cycle >= self.begin) & (cycle < self.end)


@dataclass(frozen=True)
class Spread:
    """How numbers are spread; all NaN if there are none.

    Percentiles are the least of the numbers that so many per cent do not exceed.
    """

    mean: float
    minimum: float
    maximum: float
    p50: float
    p99: float

    @classmethod
    def of(cls, values: Int64Array) -> "Spread":
        """Measure numbers.

        Examples
        --------
        >>> Spread.of(np.array([4, 1, 1, 6]))
        Spread(mean=3.0, minimum=1.0, maximum=6.0, p50=1.0, p99=6.0)
        """
        if values.size == 0:
            return cls(*[np.nan] * 5)
        p50, p99 = np.quantile(values, (0.5, 0.99), method="inverted_cdf").tolist()
        least, most = float(values.min()), float(values.max())
        return cls(float(values.mean()), least, most, float(p50), float(p99))


@dataclass(frozen=True)
class Measurement:
    """What a run says.

    Attributes
    ----------
    offered, accepted, accepted_minimum : float
        Flits per cycle: created in the window, and arrived in it, per node that may send; and
        arrived in it at the node that got the least of those that any packet goes to.
    latency : Spread
        Cycles from creation to the tail's arrival, of the tagged packets that arrived.
    network_latency : Spread
        Of the same, cycles from the injection of the head to the tail's arrival.
    hops : float
        Mean of the same packets.
    tagged, missing : int
        Packets created in the window, and how many of them never arrived.
    stable : bool
        Whether the figures were steady at the end of the window, see `converged`.
    saturation : str
        Why the network counts as saturated: "accepted", "latency", or "" if it does not.
    overtaken : float
        Part of the tagged packets that arrived after a later one of their source, destination and
        kind.
    """

    offered: float
    accepted: float
    accepted_minimum: float
    latency: Spread
    network_latency: Spread
    hops: float
    tagged: int
    missing: int
    stable: bool
    saturation: str
    overtaken: float

    @property
    def saturated(self) -> bool:
        """Whether the network counts as saturated."""
        return bool(self.saturation)

    def figures(self) -> dict[str, float]:
        """Return all numbers by name: `latency_p99` is `latency.p99`."""
        result: dict[str, float] = {}
        for field in fields(self):
            value = getattr(self, field.name)
            if isinstance(value, Spread):
                parts = {f"{field.name}_{f.name}": getattr(value, f.name) for f in fields(value)}
                result.update(parts)
            elif not isinstance(value, (bool, str)):
                result[field.name] = float(value)
        return result


def measure(
    packets: Packets,
    nodes: int,
    arrived: npt.ArrayLike,
    window: Window,
    *,
    injected: npt.ArrayLike | None = None,
    hops: npt.ArrayLike | None = None,
    latency_limit: float = LATENCY_LIMIT,
    senders: int | None = None,
) -> Measurement:
    """Measure a run.

    Parameters
    ----------
    packets : Packets
        All that were created, also those outside the window.
    nodes : int
        Nodes of the network, also those without traffic.
    arrived : int array [packets]
        Cycle in which the tail reached its destination; -1: never.
    window : Window
        When is measured.
    injected : int array [packets] or None
        Cycle in which the head entered the network, -1: never; None: not known.
    hops : int array [packets] or None
        Switches passed, whatever it is for packets that never arrived; None: not known.
    latency_limit : float
        Cycles; a greater mean latency counts as saturation.  Ours: 3 times the latency without
        load; BookSim's: 500.
    senders : int or None
        Nodes that have traffic, 1 ... `nodes`; rates are their mean; None: all.

    Raises
    ------
    ValueError
        If the arrays do not fit together, or a packet arrived before it was injected, or was
        injected before it was created.

    Notes
    -----
    All flits of a packet count as accepted when its tail arrives.  A network is saturated if its
    mean latency is above the limit, as in BookSim, where a packet that never arrived counts with
    its age at the end; or if it accepts less than 0.95 of what is offered, and less by more than
    the longest packet per node: a smaller difference may be on its way (ours).
    """
    nodes, latency_limit = check_nodes(nodes), check_real("latency_limit", latency_limit, 0)
    arrival = _times("arrived", arrived, packets)
    entry = packets.release if injected is None else _times("injected", injected, packets)
    _check_order(packets.release, entry, arrival)
    tagged = window.holds(packets.release)
    done = tagged & (arrival >= 0)
    received = _received(packets, nodes, window.holds(arrival))
    goals = np.bincount(packets.destination, minlength=nodes) > 0
    flits = packets.select(tagged).total_flits, int(received.sum())
    unknown = np.zeros(0, dtype=np.int64)
    senders = nodes if senders is None else check_integer("senders", senders, 1, nodes)
    places = window.cycles * senders
    return Measurement(
        offered=flits[0] / places,
        accepted=flits[1] / places,
        accepted_minimum=float(received[goals].min()) / window.cycles if goals.any() else np.nan,
        latency=Spread.of((arrival - packets.release)[done]),
        network_latency=Spread.of(unknown if injected is None else (arrival - entry)[done]),
        hops=np.nan if hops is None else _mean_hops(hops, packets, done),
        tagged=int(np.count_nonzero(tagged)),
        missing=int(np.count_nonzero(tagged & (arrival < 0))),
        stable=converged(*history(packets, arrival, window)),
        saturation=_saturation(packets, nodes, arrival, window, flits, latency_limit),
        overtaken=_overtaken(packets.select(done), nodes, arrival[done]),
    )


def history(packets: Packets, arrived: Int64Array, window: Window) -> tuple[FloatArray, FloatArray]:
    """Return the figures that have to converge as they stand at the end of each period.

    Returns
    -------
    (latency, accepted) : float64 arrays [periods]
        Mean latency of the tagged packets that have arrived by then (NaN: none), and flits that
        have arrived in the window by then, a cycle.
    """
    arrived = _times("arrived", arrived, packets)
    inside = window.holds(arrived)
    period = (arrived[inside] - window.begin) // window.period
    flits = _totals(period, packets.flits[inside], window.periods)
    done = inside & window.holds(packets.release)
    period = (arrived[done] - window.begin) // window.period
    cycles = _totals(period, (arrived - packets.release)[done], window.periods)
    count = _totals(period, np.ones(period.size), window.periods)
    # 0 / 0 where nothing has arrived yet: not a number, and never steady.
    with np.errstate(invalid="ignore"):
        return cycles / count, flits / (window.edges - window.begin)


def converged(
    latency: Sequence[float] | FloatArray, accepted: Sequence[float] | FloatArray
) -> bool:
    """Tell whether a run has become steady.

    Parameters
    ----------
    latency, accepted : float array [periods]
        Mean latency and accepted rate as they stand after each period of the window, as of
        `history`.

    Returns
    -------
    bool
        Whether each of the last 3 periods has changed both by less than 5 %.

    Examples
    --------
    >>> converged([20, 21, 20.5, 20.6], [0.5, 0.5, 0.49, 0.5])
    True
    >>> converged([20, 30, 40, 50], [0.5, 0.5, 0.5, 0.5])
    False
    """
    figures = np.array([latency, accepted], dtype=np.float64)
    if figures.shape[1] <= PERIODS:
        return False
    now, before = figures[:, -PERIODS:], figures[:, -PERIODS - 1 : -1]
    return bool((np.abs(now - before) < CHANGE * np.abs(now)).all())


def _totals(place: Int64Array, values: npt.ArrayLike, places: int) -> FloatArray:
    """Return the sum of the values up to each place, float64 [places]."""
    return np.cumsum(np.bincount(place, weights=values, minlength=places))


def _times(name: str, cycles: npt.ArrayLike, packets: Packets, low: int | None = -1) -> Int64Array:
    """Return the cycles, or hops, of all packets as int64."""
    array = check_integers(name, cycles, low, 2**62).astype(np.int64)
    if array.shape != (len(packets),):
        raise ValueError(f"{name}: has shape {array.shape}; allowed is ({len(packets)},)")
    return array


def _check_order(release: Int64Array, injected: Int64Array, arrived: Int64Array) -> None:
    """Raise `ValueError` if something happened to a packet too early."""
    for what, later, earlier in (
        ("injected before it was created", injected, release),
        ("arrived before it was injected", arrived, injected),
    ):
        wrong = np.flatnonzero((later >= 0) & ((later < earlier) | (earlier < 0)))
        if wrong.size:
            i = wrong[0]
            raise ValueError(
                f"packets: packet {i} {what}, in cycles {later[i]} and {earlier[i]}; "
                "allowed is the other order"
            )


def _received(packets: Packets, nodes: int, which: BoolArray) -> FloatArray:
    """Return the flits that each node receives with these packets, float64 [nodes]."""
    check_range("destination", packets.destination, 0, nodes - 1)
    flits = packets.flits[which]
    received = np.bincount(packets.destination[which], weights=flits, minlength=nodes)
    return received.astype(np.float64)


def _mean_hops(hops: npt.ArrayLike, packets: Packets, done: BoolArray) -> float:
    """Return the mean of the hops of the packets that are done."""
    array = _times("hops", hops, packets, None)
    check_range("hops", array[done], 0, 2**62)
    return float(array[done].mean()) if done.any() else np.nan


def _overtaken(packets: Packets, nodes: int, arrived: Int64Array) -> float:
    """Return the part of the packets behind which a later one of their flow came earlier."""
    if not len(packets):
        return np.nan
    flow = (packets.source.astype(np.int64) * nodes + packets.destination) * 256 + packets.kind
    order = np.argsort(flow, kind="stable")  # packets of a source are sorted by release
    # From the last to the first, the earliest of the later ones; flows are kept apart.
    apart = flow[order] * (int(arrived.max()) + 1) + arrived[order]
    earliest = np.minimum.accumulate(apart[::-1])[::-1]
    later = (np.diff(flow[order]) == 0) & (earliest[1:] < apart[:-1])
    return float(np.count_nonzero(later) / len(packets))


def _saturation(
    packets: Packets,
    nodes: int,
    arrived: Int64Array,
    window: Window,
    flits: tuple[int, int],
    latency_limit: float,
) -> str:
    """Return why the network counts as saturated, "" if it does not; `flits` offered, accepted."""
    offered, accepted = flits
    tagged = window.holds(packets.release)
    if not tagged.any():
        return ""
    longest = int(packets.flits[tagged].max())
    if accepted < SHORTFALL * offered and offered - accepted > nodes * longest:
        return "accepted"
    last = max(window.end, int(arrived.max()))
    age = np.where(arrived >= 0, arrived, last) - packets.release
    return "latency" if age[tagged].mean() > latency_limit else ""
