"""Round the switch: arrivals, the ideal switch, reordering, measurement, closed forms."""

from collections import deque
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fattree_models.lbbvn_switch import (
    Departures,
    OutputQueued,
    Switch,
    admissible,
    arrivals,
    as_measurement,
    defaults,
    ideal_mean_delay,
    joined,
    leaving_slots,
    mean_delay,
    output_queued,
    overload,
    phase_locked,
    reordering,
)
from fattree_models.lbbvn_switch.departures import drops_of
from fattree_models.traffic import Packets, Window, bernoulli, lengths, pattern
from tests.models.lbbvn_switch import brute_switch as brute


def message_of(call, *arguments, **named):
    """The one line with which a call refuses its arguments."""
    with pytest.raises(ValueError) as error:
        call(*arguments, **named)
    assert "\n" not in str(error.value)
    return str(error.value)


def random_arrivals(seed, slots, nodes, load):
    """Uniform arrivals."""
    rng = np.random.default_rng(seed)
    dst = rng.integers(0, nodes, size=(slots, nodes), dtype=np.int32)
    dst[rng.random(dst.shape) >= load] = -1
    return dst


def departures_of(source, arrival, first=0):
    """Departures with these cells, int [slots, N]."""
    none = drops_of(np.zeros((0, 6), dtype=np.int64))
    source, arrival = np.array(source, dtype=np.int32), np.array(arrival, dtype=np.int64)
    return Departures(first, source, arrival, np.zeros(len(source), dtype=np.int64), none)


@settings(max_examples=60)
@given(st.integers(0, 2**32 - 1), st.integers(1, 3), st.sampled_from([0.4, 0.9, 1.0]), st.data())
def test_the_ideal_switch_is_a_fifo_an_output(seed, n, load, data):
    dst = random_arrivals(seed, 60, 2**n, load)
    dst[:, 0] = np.where(dst[:, 0] > 0, 0, dst[:, 0])  # more for output 0
    cuts = sorted(data.draw(st.lists(st.integers(0, 60), max_size=3)))
    switch = OutputQueued(n)
    result = joined([switch.run(part) for part in np.split(dst, cuts)])
    fifos = [deque() for _ in range(2**n)]
    for t, row in enumerate(dst.tolist()):
        for x, o in enumerate(row):
            if o >= 0:
                fifos[o].append((x, t))
        leaving = [fifo.popleft() if fifo else (-1, -1) for fifo in fifos]
        assert list(zip(result.source[t], result.arrival[t], strict=True)) == leaving
        assert result.backlog[t] == sum(map(len, fifos))
    assert (switch.slot, switch.inside) == (60, sum(map(len, fifos)))
    whole = output_queued(dst)
    assert np.array_equal(whole.source, result.source)
    assert np.array_equal(whole.arrival, result.arrival)
    switch.reset()
    assert (switch.slot, switch.inside) == (0, 0)


@settings(max_examples=100)
@given(st.integers(0, 2**32 - 1), st.integers(1, 60))
def test_reordering_of_any_departures(seed, slots):
    """Each cell against all of its flow that left before it."""
    rng = np.random.default_rng(seed)
    first = int(rng.integers(0, 100))
    source = rng.integers(-1, 2, size=(slots, 2))
    arrival = np.array([rng.permutation(slots) for _ in range(2)]).T
    result = reordering(departures_of(source, np.where(source >= 0, arrival, -1), first))
    places, times, cells = [], [], 0
    for x, y in np.ndindex(2, 2):
        flow = [(t, arrival[t, y]) for t in range(slots) if source[t, y] == x]
        cells += len(flow)
        for i, (slot, mine) in enumerate(flow):
            ahead = [j for j in range(i) if flow[j][1] > mine]
            if ahead:
                places.append(i - ahead[0])
                times.append(slot - flow[ahead[0]][0])
    assert (result.cells, result.late) == (cells, len(places))
    assert (result.most_cells, result.most_slots) == (max(places, default=0), max(times, default=0))
    assert result.mean_cells == pytest.approx(np.mean(places) if places else 0.0)
    assert result.mean_slots == pytest.approx(np.mean(times) if times else 0.0)
    assert result.share == (len(places) / cells if cells else 0.0)


def test_arrivals_are_the_packets():
    packets = bernoulli(np.random.default_rng(1), pattern("diagonal", 8), lengths("1"), 0.7, 300)
    dst = arrivals(packets, 8, 400)
    assert dst.shape == (400, 8)
    slot, source = np.nonzero(dst >= 0)
    same = Packets.of(source, dst[slot, source], slot)
    assert np.array_equal(same.release, packets.release)
    assert np.array_equal(same.destination, packets.destination)


@pytest.mark.parametrize(
    ("packets", "message"),
    [
        (Packets.of(0, 0, [0], flits=2), "flits: has 2; allowed is 1"),
        (Packets.of(2, 0, [0]), "source: holds 2; allowed are 0 … 1"),
        (Packets.of(0, 2, [0]), "destination: holds 2; allowed are 0 … 1"),
        (Packets.of(0, 0, [5]), "release: holds 5; allowed are 0 … 4"),
        (Packets.of([0, 0, 1, 1], 0, [2, 3, 3, 3]), "node 1 has several in slot 3"),
    ],
)
def test_packets_that_are_no_arrivals(packets, message):
    assert message in message_of(arrivals, packets, 2, 5)


@pytest.mark.parametrize("schedule", ["BITREV", "ROTATOR", "TDM", "XOR", "SAME"])
def test_phase_locked_arrivals(schedule):
    dst = phase_locked(schedule, 3, 21)
    for t in range(21):
        to_middle, _ = brute.connected(schedule, 3, t)
        assert dst[t].tolist() == [0 if m == 0 else -1 for m in to_middle]
    assert "slots: is -1" in message_of(phase_locked, schedule, 3, -1)


def test_overload_offers_what_it_says():
    slots = 20_000
    dst = overload(np.random.default_rng(1), 3, slots, 0.75, 1.5, output=5)
    offered = np.array([(dst == o).sum() / slots for o in range(8)])
    assert offered[5] == pytest.approx(1.5, rel=0.03)
    assert np.delete(offered, 5) == pytest.approx(np.full(7, 4.5 / 7), rel=0.05)
    assert (dst >= 0).mean(axis=0) == pytest.approx(np.full(8, 0.75), rel=0.03)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((3, 10, 1.1, 2.0), "load: is 1.1; allowed are 0 … 1"),
        ((3, 10, 0.5, 1.0), "offered: is 1.0; allowed are numbers above 1, to 4.0"),
        ((3, 10, 0.5, 4.1), "offered: is 4.1; allowed are numbers above 1, to 4.0"),
        ((3, 10, 0.5, 2.0, 8), "output: is 8; allowed are integers 0 … 7"),
        ((3, -1, 0.5, 2.0), "slots: is -1; allowed are integers from 0"),
    ],
)
def test_overloads_that_are_none(arguments, message):
    assert message in message_of(overload, np.random.default_rng(1), *arguments)


def test_admissible_rates():
    assert admissible(pattern("diagonal", 8).matrix())
    assert admissible(np.full((3, 3), 1 / 3))
    assert not admissible(pattern("hotspot:0:0.5", 8).matrix())
    assert not admissible([[0.6, 0.6], [0.0, 0.0]])  # a row
    assert not admissible([[0.6, 0.0], [0.6, 0.0]])  # a column
    assert "rates: has shape (2,)" in message_of(admissible, [1.0, 0.0])
    for wrong in (-0.1, np.nan):
        assert "negative or NaN" in message_of(admissible, [[wrong]])


@pytest.mark.parametrize("scheme", ["BASIC", "UFS"])
def test_a_run_as_a_measurement(scheme):
    """Against the departures themselves, in pieces."""
    slots, window = 8000, Window(warm_up=2, periods=4)
    packets = bernoulli(np.random.default_rng(1), pattern("uniform", 8), lengths("1"), 0.6, slots)
    switch = Switch(defaults(3, scheme))
    run = joined([switch.run(part) for part in np.split(arrivals(packets, 8, slots), [11, 5000])])
    result = as_measurement(packets, run, window)
    row, output = np.nonzero(run.source >= 0)
    arrival = run.arrival[row, output]
    tagged = (arrival >= window.begin) & (arrival < window.end)
    assert result.latency.mean == pytest.approx((row - arrival)[tagged].mean())
    assert result.latency.maximum == (row - arrival)[tagged].max()
    inside = (row >= window.begin) & (row < window.end)
    assert result.accepted == pytest.approx(inside.sum() / 8 / window.cycles)
    assert result.tagged - result.missing == tagged.sum()
    assert np.array_equal(run.delay, row - arrival)
    assert as_measurement(packets, run, window, latency_limit=1.0).saturation == "latency"
    assert not result.saturated


def test_cells_that_are_no_packets():
    packets = Packets.of([0, 1], [1, 0], [3, 4])
    assert leaving_slots(packets, departures_of([[-1, 0]], [[-1, 3]], first=9)).tolist() == [9, -1]
    for source, arrival in (([0, -1], [3, -1]), ([-1, 0], [-1, 4]), ([-1, 1], [-1, 3])):
        run = departures_of([source], [arrival], first=9)
        assert "hold cells of no packet" in message_of(leaving_slots, packets, run)
    nothing = Packets.of([], [], [])
    assert leaving_slots(nothing, departures_of([[-1, -1]], [[-1, -1]])).size == 0
    assert "no packet" in message_of(leaving_slots, nothing, departures_of([[0, -1]], [[0, -1]]))


def test_runs_that_do_not_join():
    switch = Switch(defaults(1, "BASIC"))
    parts = [switch.run([[0, 1]]) for _ in range(3)]
    assert joined(parts).first == 0
    assert joined(parts[1:]).first == 1
    assert "begins in slot 2; allowed is slot 1" in message_of(joined, [parts[0], parts[2]])
    assert "parts: are 0" in message_of(joined, [])


def test_closed_forms():
    for n, load in ((1, 0.0), (3, 0.5), (6, 0.95)):
        nodes = 2**n
        assert mean_delay(n, load) == mean_delay(n, load, "frame")
        assert ideal_mean_delay(n, load, "frame") == pytest.approx(
            nodes * ideal_mean_delay(n, load)
        )
        if load:
            for kind, ratio in (("bernoulli", nodes / load), ("frame", 1 / load)):
                delays = mean_delay(n, load, kind), ideal_mean_delay(n, load, kind)
                assert delays[0] / delays[1] == pytest.approx(ratio)
    loads = np.linspace(0, 0.99, 20)
    for law in (mean_delay, ideal_mean_delay):
        assert all(a < b for a, b in pairwise(law(4, float(load)) for load in loads))
    assert "load: is 1.0; allowed" in message_of(mean_delay, 3, 1.0)
    assert "load: is nan; allowed" in message_of(mean_delay, 3, float("nan"))
    assert "traffic: is 'poisson'; allowed are bernoulli, frame" in message_of(
        ideal_mean_delay, 3, 0.5, "poisson"
    )
