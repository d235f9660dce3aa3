"""How much gets through each scheme: all that is admissible, and where that ends."""

from dataclasses import replace

import numpy as np
import pytest

from fattree_models.lbbvn_switch import (
    SCHEMES,
    Switch,
    admissible,
    arrivals,
    as_measurement,
    defaults,
    output_queued,
    overload,
    phase_locked,
)
from fattree_models.traffic import Window, pattern
from tests.models.lbbvn_switch.cases import LEGAL, changing, growth, packets_of, roomy, traffic

STABLE = ("BASIC", "UFS", "FOFF", "PADDED")
PATTERNS = ("uniform:self", "diagonal", "logdiagonal", "unbalanced:0.5", "shift:3", "bitrev")


@pytest.mark.parametrize("scheme", STABLE)
@pytest.mark.parametrize("to", PATTERNS)
def test_all_of_admissible_traffic_gets_through(scheme, to):
    """Delivered over offered after warm-up, and the backlog does not grow."""
    load, slots = 0.95, 40_000
    assert admissible(load * pattern(to, 8).matrix())
    packets = packets_of(load, slots, to=to)
    switch = Switch(defaults(3, scheme))
    result = switch.run(arrivals(packets, 8, slots))
    assert len(result.drops) == 0
    window = Window(warm_up=5, periods=30)
    measurement = as_measurement(packets, result, window)
    # What is inside at the ends of the window differs by some hundred cells.
    assert abs(measurement.accepted / measurement.offered - 1) < 0.005
    assert not measurement.saturated
    assert growth(result) < 0.02


@pytest.mark.parametrize("scheme", SCHEMES)
def test_no_switch_has_less_inside_than_the_ideal_one(scheme):
    dst = changing(np.random.default_rng(2), 8, 4000)
    assert (Switch(roomy(3, scheme)).run(dst).backlog >= output_queued(dst).backlog).all()


def test_overload_of_one_output_grows_there_and_spares_the_others():
    dst = overload(np.random.default_rng(1), 3, 20_000, 0.9, 2.0)
    shape = replace(defaults(3, "BASIC"), middle=6000)
    result = Switch(shape).run(dst)
    assert growth(result) == pytest.approx(1.0, abs=0.05)
    offered = np.array([(dst[10_000:] == o).sum() for o in range(8)])
    leaving = (result.source[10_000:] >= 0).sum(axis=0)
    assert leaving[0] == 10_000
    assert np.allclose(leaving[1:], offered[1:], rtol=0.02)


@pytest.mark.parametrize("schedule", LEGAL["BASIC"])
@pytest.mark.parametrize("n", [1, 2, 3, 4])
def test_phase_locked_traffic_gets_exactly_one_nth(schedule, n):
    """The limit of the theorem: admissible, but not mixing."""
    nodes = 2**n
    slots = 50 * nodes
    dst = phase_locked(schedule, n, slots)
    shares = np.array([(dst[:, x] == 0).mean() for x in range(nodes)])
    assert admissible(np.outer(shares, np.eye(nodes)[0]))
    assert (np.count_nonzero(dst == 0, axis=1) == 1).all()
    result = Switch(roomy(n, "BASIC", schedule)).run(dst)
    assert np.count_nonzero(result.source >= 0) == slots // nodes
    assert np.count_nonzero(output_queued(dst).source >= 0) == slots


def test_padded_frames_are_stable_with_a_gate_and_not_without():
    """N = 8, padded from N/2 cells on, a load of 0.8: fake cells overload the middles."""
    dst = traffic(0.8, 30_000)
    shape = replace(defaults(3, "PADDED"), threshold=4, middle=6000)
    gated = {gate: Switch(replace(shape, gate=gate)).run(dst) for gate in (1, 2, 4, 8, 6000)}
    assert growth(gated.pop(6000)) > 0.05
    assert all(growth(run) < 0.01 for run in gated.values())
    delays = {gate: run.delay.mean() for gate, run in gated.items()}
    assert min(delays, key=delays.get) == 2
    assert all(run.drops.slot.size == 0 for run in gated.values())


@pytest.mark.parametrize(("tries", "throughput"), [(1, 0.59), (2, 0.748), (4, 0.822), (8, 0.80)])
def test_mailboxes_saturate(tries, throughput):
    """The most under uniform traffic, N = 64; 75 %, as known, is what two tries give."""
    slots = 8000
    dst = traffic(1.0, slots, nodes=64)
    result = Switch(replace(defaults(6, "MAILBOX"), tries=tries)).run(dst)
    delivered = np.count_nonzero(result.source[slots // 2 :] >= 0) / (64 * slots / 2)
    assert delivered == pytest.approx(throughput, abs=0.01)


@pytest.mark.parametrize("schedule", LEGAL["MAILBOX"])
def test_mailboxes_want_flows_to_keep_their_departure_slots_apart(schedule):
    """With XOR the time from phase 1 to phase 2 of a flow changes, and one flow fills its row."""
    slots = 4000
    dst = np.tile((np.arange(8) + 1) % 8, (slots, 1))
    result = Switch(defaults(3, "MAILBOX", schedule)).run(dst)
    delivered = np.count_nonzero(result.source[slots // 2 :] >= 0) / (8 * slots / 2)
    assert delivered < 0.75 if schedule == "XOR" else delivered == 1.0
