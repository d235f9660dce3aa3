"""The switch against the ideal one: figures against loops, and what each must distinguish."""

import numpy as np
import pytest

from fattree_models.lbbvn_switch import (
    Switch,
    arrivals,
    compare,
    connections,
    defaults,
    meeting_slots,
    output_queued,
    phase_locked,
)
from fattree_models.lbbvn_switch.comparison import unevenness
from fattree_models.traffic import Window
from tests.models.lbbvn_switch.cases import packets_of, traffic


def test_figures_are_those_of_loops() -> None:
    n, slots, window = 3, 900, Window(1, 5, 100)
    packets = packets_of(0.8, slots, 1 << n)
    dst = arrivals(packets, 1 << n, slots)
    run = Switch(defaults(n, "BASIC")).run(dst)
    found = compare(packets, dst, run, window)
    tagged = [
        (int(run.arrival[t, y]), t)
        for t in range(slots)
        for y in range(1 << n)
        if run.source[t, y] >= 0 and window.begin <= run.arrival[t, y] < window.end
    ]
    assert found.latency.mean == pytest.approx(np.mean([left - came for came, left in tagged]))
    assert found.throughput == found.accepted / found.offered
    ideal = output_queued(dst)
    delays = [
        t - int(ideal.arrival[t, y])
        for t in range(slots)
        for y in range(1 << n)
        if ideal.source[t, y] >= 0 and window.begin <= ideal.arrival[t, y] < window.end
    ]
    assert found.ideal.mean == pytest.approx(np.mean(delays))
    latest: dict[tuple[int, int], int] = {}
    late = 0
    for t in range(slots):
        for y in range(1 << n):
            if run.source[t, y] >= 0:
                flow = (int(run.source[t, y]), y)
                late += run.arrival[t, y] < latest.get(flow, -1)
                latest[flow] = max(latest.get(flow, -1), int(run.arrival[t, y]))
    assert found.overtaken == pytest.approx(late / np.count_nonzero(run.source >= 0))
    assert 0 < found.overtaken < 1


def test_unevenness_tells_balanced_from_locked() -> None:
    n, slots = 4, 8000
    even = Switch(defaults(n, "BASIC")).run(traffic(0.9, slots, 1 << n))
    assert unevenness(even) < 1.3
    locked = Switch(defaults(n, "BASIC")).run(phase_locked("BITREV", n, slots))
    counts = np.count_nonzero(locked.source >= 0)
    assert unevenness(locked) == pytest.approx(counts)  # all in one of N places: chi² = N-1 times
    nothing = Switch(defaults(n, "BASIC")).run(np.full((5, 1 << n), -1))
    assert np.isnan(unevenness(nothing))


@pytest.mark.parametrize("schedule", ["BITREV", "ROTATOR", "TDM", "XOR", "SAME"])
def test_a_cell_alone_takes_as_long_as_its_middle_does(schedule: str) -> None:
    n = 2
    phases, nodes = connections(schedule, n), 1 << n
    waits = meeting_slots(schedule, n)
    for source in range(nodes):
        for goal in range(nodes):
            taken = []
            for slot in range(nodes):
                middle = phases.to_middle[slot, source]
                left = next(
                    t
                    for t in range(slot, slot + nodes)
                    if phases.to_output[t % nodes, middle] == goal
                )
                taken.append(left - slot)
            assert waits[source, goal] == np.mean(taken)
    assert waits.mean() == (nodes - 1) / 2
