"""Measurement: cases by hand, and queues whose mean delay is known in closed form."""

from dataclasses import replace

import numpy as np
import pytest

from fattree_models.traffic import (
    Packets,
    Spread,
    Window,
    across_seeds,
    bernoulli,
    converged,
    frame_bursts,
    history,
    lengths,
    measure,
    pattern,
)

WINDOW = Window(warm_up=1, periods=2, period=10)  # cycles 10 … 29


def case(*rows):
    """(packets, arrived, injected, hops) of rows source, destination, release, flits, …"""
    columns = np.array(rows, dtype=np.int64).T
    packets = Packets.of(*columns[:4])
    order = np.lexsort((columns[2], columns[0]))
    return packets, *(column[order] for column in columns[4:])


# By hand -----------------------------------------------------------------------------------------


HAND = (
    # source, destination, release, flits, arrived, injected, hops
    (0, 1, 5, 3, 12, 6, 1),  # before the window, accepted in it
    (0, 1, 10, 2, 15, 11, 3),
    (0, 2, 29, 4, 40, 33, 5),  # tagged, accepted too late
    (1, 0, 20, 1, 23, 20, 1),
    (1, 0, 30, 9, 39, 30, 1),  # after the window
    (2, 1, 12, 5, 29, 14, 3),  # in the last cycle
    (2, 1, 13, 5, 30, 19, 3),  # one later
    (2, 1, 14, 2, -1, 20, 7),  # lost
    (2, 1, 15, 2, -1, -1, 0),  # never sent
)


def test_by_hand():
    packets, arrived, injected, hops = case(*HAND)
    m = measure(packets, 4, arrived, WINDOW, injected=injected, hops=hops)
    assert m.tagged == 7 and m.missing == 2
    assert m.offered == (2 + 4 + 1 + 5 + 5 + 2 + 2) / 80
    assert m.accepted == (3 + 2 + 1 + 5) / 80
    assert (
        m.accepted_minimum == 0.0
    )  # node 2: its packet comes too late; node 3 is not a destination
    assert m.latency == Spread(
        mean=(5 + 11 + 3 + 17 + 17) / 5, minimum=3, maximum=17, p50=11, p99=17
    )
    assert m.network_latency == Spread((4 + 7 + 3 + 15 + 11) / 5, 3, 15, p50=7, p99=15)
    assert m.hops == 3.0
    assert not m.stable
    assert not m.saturated  # 10 flits are missing: less than a packet of 5 a node


def test_least_node():
    packets, arrived, *_ = case((0, 1, 10, 4, 15), (1, 2, 10, 2, 16), (2, 0, 10, 1, 17))
    m = measure(packets, 5, arrived, WINDOW)
    assert m.accepted == 7 / 100 and m.accepted_minimum == 1 / 20


def test_rates_are_of_the_nodes_that_send():
    """So a network that carries all accepts what LOAD says, although some nodes are silent."""
    packets, arrived, *_ = case((0, 1, 10, 4, 15), (1, 0, 10, 4, 16))
    every, sending = (measure(packets, 8, arrived, WINDOW, senders=n) for n in (None, 2))
    assert (every.offered, every.accepted) == (8 / 160, 8 / 160)
    assert (sending.offered, sending.accepted) == (8 / 40, 8 / 40)
    assert sending.accepted_minimum == every.accepted_minimum == sending.accepted
    with pytest.raises(ValueError, match="senders: is 0"):
        measure(packets, 8, arrived, WINDOW, senders=0)


def test_overtaken_by_a_later_packet_of_its_flow():
    """Two of five: behind each a later one of its source, destination and kind came first."""
    packets, arrived, *_ = case(
        *((0, 1, 10, 1, 19), (0, 1, 11, 1, 17), (0, 1, 12, 1, 13)),
        *((0, 2, 13, 1, 14), (2, 1, 13, 1, 14)),  # other flows
    )
    assert measure(packets, 4, arrived, WINDOW).overtaken == 2 / 5
    kinds = Packets.of([0, 0], [1, 1], [10, 11], kind=[0, 1])
    assert measure(kinds, 4, np.array([19, 13]), WINDOW).overtaken == 0.0
    assert np.isnan(measure(packets, 4, np.full(5, -1), WINDOW).overtaken)


def test_what_is_not_known():
    packets, arrived, injected, hops = case(*HAND)
    m = measure(packets, 4, arrived, WINDOW)
    assert np.isnan(m.network_latency.mean) and np.isnan(m.hops)
    full = measure(packets, 4, arrived, WINDOW, injected=injected, hops=hops)
    assert m.latency == full.latency and m.accepted == full.accepted


@pytest.mark.parametrize("packets", [Packets.of([], [], []), Packets.of([0, 1], [1, 0], [3, 30])])
def test_no_tagged_packet(packets):
    m = measure(packets, 2, packets.release + 1, WINDOW, hops=np.ones(len(packets), dtype=int))
    assert (m.offered, m.accepted, m.tagged, m.missing) == (0.0, 0.0, 0, 0)
    assert np.isnan(m.latency.mean) and np.isnan(m.hops)
    assert not m.stable and not m.saturated


def test_figures_are_all_numbers():
    packets, arrived, injected, hops = case(*HAND)
    m = measure(packets, 4, arrived, WINDOW, injected=injected, hops=hops)
    figures = m.figures()
    parts = ("mean", "minimum", "maximum", "p50", "p99")
    assert list(figures) == [
        *("offered", "accepted", "accepted_minimum"),
        *(f"latency_{part}" for part in parts),
        *(f"network_latency_{part}" for part in parts),
        *("hops", "tagged", "missing", "overtaken"),
    ]
    assert figures["network_latency_p50"] == m.network_latency.p50
    assert all(type(value) is float for value in figures.values())


def test_percentiles():
    values = np.arange(1, 1001)
    spread = Spread.of(np.random.default_rng(0).permutation(values))
    assert (spread.p50, spread.p99, spread.mean) == (500, 990, 500.5)
    assert Spread.of(np.array([7])) == Spread(7, 7, 7, 7, 7)


def test_window():
    window = Window()
    assert (window.begin, window.end, window.cycles) == (3000, 10_000, 7000)
    assert window.edges.tolist() == list(range(4000, 10_001, 1000))
    assert window.holds(np.array([2999, 3000, 9999, 10_000])).tolist() == [False, True, True, False]


# Steady or not -----------------------------------------------------------------------------------


def test_history():
    packets, arrived, *_ = case(
        (0, 1, 9, 6, 11),  # accepted, but not tagged
        (0, 1, 10, 1, 14),
        (0, 1, 19, 2, 20),
        (0, 1, 20, 3, 29),
        (0, 1, 29, 4, 30),
        (0, 1, 29, 4, -1),
    )
    latency, accepted = history(packets, arrived, WINDOW)
    assert latency.tolist() == [4.0, (4 + 1 + 9) / 3]
    assert accepted.tolist() == [7 / 10, (7 + 2 + 3) / 20]
    latency, accepted = history(packets, np.full(6, -1), WINDOW)
    assert np.isnan(latency).all() and accepted.tolist() == [0.0, 0.0]


@pytest.mark.parametrize(
    ("latency", "accepted", "expected"),
    [
        ([9, 10, 10, 10, 10], [1] * 5, True),
        ([50, 10, 10, 10, 10], [1] * 5, True),
        ([10, 10, 10, 10, 10.6], [1] * 5, False),
        ([10, 10, 10, 10, 10.5], [1] * 5, True),
        ([10, 10, 10, 9.5, 9.5], [1] * 5, False),  # 0.5 of 9.5
        ([10, 9, 10, 10, 10], [1] * 5, False),
        ([10] * 5, [1, 1, 1.1, 1.1, 1.1], False),
        ([10] * 5, [9, 1, 1, 1.01, 1.0], True),
        ([10] * 3, [1] * 3, False),
        ([10] * 4, [1] * 4, True),
        ([np.nan, 10, 10, 10], [1] * 4, False),
        ([10] * 4, [0] * 4, False),
        ([], [], False),
    ],
)
def test_converged(latency, accepted, expected):
    assert converged(latency, accepted) is expected


# Saturated or not --------------------------------------------------------------------------------


def regular(every, delay, flits=1, nodes=4, cycles=5000):
    """A packet every few cycles from each node, each so late as `delay(release)` says."""
    release = np.tile(np.arange(0, cycles, every), nodes)
    source = np.repeat(np.arange(nodes), release.size // nodes)
    packets = Packets.of(source, (source + 1) % nodes, release, flits)
    return packets, packets.release + delay(packets.release)


LONG = Window(warm_up=1, periods=4, period=1000)


@pytest.mark.parametrize(
    ("delay", "limit", "stable", "saturation"),
    [
        (lambda t: 0 * t + 20, 500, True, ""),
        (lambda t: 0 * t + 499, 500, True, ""),
        (lambda t: 0 * t + 501, 500, True, "latency"),
        (lambda t: 0 * t + 20, 19, True, "latency"),
        (lambda t: t // 25, 500, False, ""),  # accepts 0.962 of what is offered
        (lambda t: t // 15, 500, False, "accepted"),  # 0.9375
        (lambda t: t // 25, 100, False, "latency"),
    ],
)
def test_saturation(delay, limit, stable, saturation):
    packets, arrived = regular(2, delay)
    m = measure(packets, 4, arrived, LONG, latency_limit=limit)
    assert m.offered == 0.5
    assert (m.stable, m.saturation, m.saturated) == (stable, saturation, bool(saturation))


def test_what_is_on_its_way_is_no_saturation():
    """A packet of 16 flits every 200 cycles: the last of 20 in the window arrives after it."""
    packets, arrived = regular(200, lambda t: 0 * t + 30 * (t > 4700), flits=16)
    late = np.where(packets.release == 4800, 5100, arrived)
    m = measure(packets, 4, late, LONG)
    assert m.accepted == pytest.approx(0.95 * m.offered)
    # One flit less is below the limit, but only by that one packet.
    shorter = (packets.flits - (packets.release == 1000)).astype(np.int16)
    m = measure(replace(packets, flits=shorter), 4, late, LONG)
    assert m.accepted < 0.95 * m.offered and not m.saturated
    late = np.where(packets.release >= 4600, 5100, arrived)
    assert measure(packets, 4, late, LONG).saturation == "accepted"


def test_packets_that_never_arrive_count_with_their_age():
    packets, arrived = regular(2, lambda t: 0 * t + 20)
    lost = np.where(packets.release == 1000, -1, arrived)  # one of 2000 a node
    m = measure(packets, 4, lost, LONG, latency_limit=25)
    assert m.missing == 4 and m.latency.mean == 20.0 and not m.saturated
    assert measure(packets, 4, lost, LONG, latency_limit=21).saturation == "latency"


def test_a_single_packet_that_never_arrives():
    m = measure(Packets.of(0, 1, [1000]), 4, [-1], LONG, latency_limit=3999)
    assert m.saturation == "latency" and m.missing == 1  # 4000 cycles old at the end
    assert not measure(Packets.of(0, 1, [1000]), 4, [-1], LONG, latency_limit=4000).saturated


def test_a_network_that_stops():
    packets, arrived = regular(2, lambda t: 0 * t + 20)
    m = measure(packets, 4, np.where(arrived > 3000, -1, arrived), LONG)
    assert m.saturation == "accepted" and not m.stable and m.missing == 4 * 1009


# What cannot be ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arrived", "injected", "message"),
    [
        ([3, 9], [5, 6], "packets: packet 0 arrived before it was injected, in cycles 3 and 5; "),
        ([9, 9], [5, 3], "packets: packet 1 injected before it was created, in cycles 3 and 4; "),
        ([9, 9], [-1, 6], "packets: packet 0 arrived before it was injected, in cycles 9 and -1; "),
        ([9, 9], [5], r"injected: has shape (1,); allowed is (2,)"),
        ([9], [5, 6], r"arrived: has shape (1,); allowed is (2,)"),
        ([9, -2], [5, 6], "arrived: holds -2; allowed are -1 … "),
        ([9, 9.5], [5, 6], "arrived: has dtype float64; allowed are integers"),
    ],
)
def test_refused(arrived, injected, message):
    packets = Packets.of([0, 1], [1, 0], [4, 4])
    with pytest.raises(ValueError) as caught:
        measure(packets, 2, arrived, WINDOW, injected=injected)
    assert str(caught.value).startswith(message)


def test_refused_otherwise():
    packets = Packets.of([0], [5], [4])
    with pytest.raises(ValueError, match="destination: holds 5; allowed are 0 … 3"):
        measure(packets, 4, [9], WINDOW)
    with pytest.raises(ValueError, match=r"hops: has shape \(2,\); allowed is \(1,\)"):
        measure(packets, 8, [9], WINDOW, hops=[1, 1])
    with pytest.raises(ValueError, match="packets: packet 0 arrived before it was injected"):
        measure(packets, 8, [3], WINDOW)


@pytest.mark.parametrize("wrong", [{"warm_up": -1}, {"periods": 0}, {"period": 0}])
def test_refused_window(wrong):
    (name,) = wrong
    with pytest.raises(ValueError, match=f"{name}: is .*; allowed are"):
        Window(**wrong)


# Queues with a closed form -----------------------------------------------------------------------


def served(packets, key):
    """(injected, arrived) at first-come-first-served queues, one for each value of `key`.

    A packet starts at once if its queue is idle, and its tail arrives `flits` cycles later.
    """
    injected = np.empty(len(packets), dtype=np.int64)
    for value in np.unique(key):
        own = np.flatnonzero(key == value)
        own = own[np.argsort(packets.release[own], kind="stable")]
        work = np.cumsum(packets.flits[own], dtype=np.int64) - packets.flits[own]
        injected[own] = work + np.maximum.accumulate(packets.release[own] - work)
    return injected, injected + packets.flits


QUEUES = Window(warm_up=1, periods=8, period=10_000)


def runs(make, at, nodes, length, text, load, seeds=6):
    """A measurement a seed of queues at the "source" or at the "destination"."""
    result = []
    for seed in range(seeds):
        where, long = pattern(text, nodes), lengths(length)
        packets = make(np.random.default_rng(seed), where, long, load, QUEUES.end)
        injected, arrived = served(packets, getattr(packets, at))
        result.append(measure(packets, nodes, arrived, QUEUES, injected=injected))
    return result


def check_delay(measurements, expected):
    """The mean delay is the expected one, within twice the half width of its 95 % interval."""
    mean, half_width, _ = across_seeds(measurements)["latency_mean"]
    assert abs(mean - expected) < 2 * half_width < expected / 12


@pytest.mark.parametrize("load", [0.3, 0.8])
def test_geo_d_1(load):
    """One source, packets of L flits, a flit a cycle: W = rho (L - 1) / (2 (1 - rho)), then L."""
    length = 5
    measurements = runs(bernoulli, "source", 16, str(length), "uniform", load)
    check_delay(measurements, load * (length - 1) / (2 * (1 - load)) + length)
    assert all(m.stable and not m.saturated for m in measurements)
    for m in measurements:
        assert m.network_latency == Spread(5, 5, 5, 5, 5)
        assert m.latency.minimum == 5 and m.missing == 0
        assert m.accepted == pytest.approx(m.offered, rel=0.01)
        assert m.offered == pytest.approx(load, rel=0.05)


@pytest.mark.parametrize("load", [0.5, 0.8])
def test_m_d_1(load):
    """Many to one: W = (N - 1) / N of M/D/1's rho / (2 (1 - rho)), then 1."""
    nodes = 64
    measurements = runs(bernoulli, "destination", nodes, "1", "hotspot:0,1,2,3", 4 * load / nodes)
    check_delay(measurements, (nodes - 1) / nodes * load / (2 * (1 - load)) + 1)


@pytest.mark.parametrize("load", [0.5, 0.8])
def test_output_queued_switch_with_frames(load):
    """Bursts of N to one of N outputs: W = (N - 1) rho / (2 (1 - rho)) (lbbvn.md), then 1."""
    nodes = 8

    def frames(*arguments):
        return frame_bursts(*arguments, frame=nodes)

    measurements = runs(frames, "destination", nodes, "1", "uniform:self", load)
    check_delay(measurements, (nodes - 1) * load / (2 * (1 - load)) + 1)


def test_a_wrong_delay_is_seen():
    measurements = runs(bernoulli, "source", 16, "5", "uniform", 0.8)
    with pytest.raises(AssertionError):
        check_delay(measurements, 1.1 * 0.8 * 4 / 0.4 + 5)


def test_an_overloaded_queue_is_saturated():
    for m in runs(bernoulli, "destination", 8, "1", "hotspot:0,1", 0.4, seeds=3):
        assert m.saturation == "accepted" and not m.stable
        assert m.accepted == pytest.approx(0.25, rel=0.01)  # 2 of 8 nodes receive
        assert m.accepted_minimum == pytest.approx(1.0, rel=0.01)
        assert m.offered == pytest.approx(0.4, rel=0.05)
