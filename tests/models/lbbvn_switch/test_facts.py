"""What is known about the schemes: order, throughput, delay, and where that ends."""

from dataclasses import replace

import numpy as np
import pytest

from fattree_models.lbbvn_switch import (
    SCHEMES,
    OutputQueued,
    Switch,
    SwitchShape,
    admissible,
    arrivals,
    as_measurement,
    connections,
    defaults,
    ideal_mean_delay,
    leaving_slots,
    mean_delay,
    output_queued,
    overload,
    phase_locked,
    reordering,
)
from fattree_models.traffic import Packets, Window, estimate, injection, lengths, pattern
from tests.models.lbbvn_switch import brute_switch as brute

LEGAL = {
    "BASIC": ("BITREV", "ROTATOR", "TDM", "XOR", "SAME"),
    "UFS": ("BITREV", "ROTATOR", "TDM"),
    "FOFF": ("BITREV", "ROTATOR", "TDM"),
    "PADDED": ("BITREV", "ROTATOR", "TDM"),
    "MAILBOX": ("BITREV", "ROTATOR", "TDM", "XOR"),
}
ORDERED = ("UFS", "FOFF", "PADDED", "MAILBOX")
STABLE = ("BASIC", "UFS", "FOFF", "PADDED")
PATTERNS = ("uniform:self", "diagonal", "logdiagonal", "unbalanced:0.5", "shift:3", "bitrev")


def packets_of(load, slots, nodes=8, to="uniform:self", kind="bernoulli", seed=1):
    """Packets of one cell."""
    rng = np.random.default_rng(seed)
    return injection(kind)(rng, pattern(to, nodes), lengths("1"), load, slots)


def traffic(load, slots, nodes=8, to="uniform:self", kind="bernoulli", seed=1):
    """The same as arrivals."""
    return arrivals(packets_of(load, slots, nodes, to, kind, seed), nodes, slots)


def changing(rng, nodes, slots):
    """Arrivals whose kind and load change all the time, overload included."""
    parts, left = [], slots
    while left > 0:
        length = min(left, int(rng.integers(1, 20 * nodes)))
        dst = rng.integers(0, nodes, size=(length, nodes), dtype=np.int32)
        kind = rng.integers(4)
        if kind == 0:
            dst[:] = dst[0]
        elif kind == 1:
            dst[:] = dst[0, 0]
        elif kind == 2:
            dst[rng.random(dst.shape) < 0.7] = 0
        load = rng.choice([0.05, 0.2, 0.5, 0.9, 1.0], size=nodes)
        dst[rng.random(dst.shape) >= load] = -1
        parts.append(dst)
        left -= length
    return np.concatenate(parts)


def roomy(n, scheme, schedule="BITREV", unchecked=False):
    """A switch that drops nothing in a few thousand slots."""
    return replace(
        defaults(n, scheme), schedule=schedule, ingress=4000, middle=4000, unchecked=unchecked
    )


def growth(departures):
    """Cells a slot by which the backlog grows, from the second quarter to the last one."""
    quarter = departures.backlog.size // 4
    early, late = departures.backlog[quarter : 2 * quarter], departures.backlog[3 * quarter :]
    return float(late.mean() - early.mean()) / (2 * quarter)


@pytest.mark.parametrize(
    ("scheme", "schedule"), [(scheme, name) for scheme in ORDERED for name in LEGAL[scheme]]
)
def test_schemes_keep_the_order(scheme, schedule):
    switch = Switch(roomy(3, scheme, schedule))
    for load in (0.1, 0.6, 0.95, 1.0):
        switch.reset()
        result = switch.run(traffic(load, 3000))
        assert len(result.drops) == 0
        assert reordering(result).late == 0
        assert reordering(result).cells > 800
    rng = np.random.default_rng(4)
    for n in (1, 2, 4):
        result = Switch(roomy(n, scheme, schedule)).run(changing(rng, 2**n, 3000))
        assert len(result.drops) == 0
        assert reordering(result).late == 0


@pytest.mark.parametrize("schedule", LEGAL["BASIC"])
def test_basic_reorders(schedule):
    late = reordering(Switch(defaults(3, "BASIC", schedule)).run(traffic(0.9, 5000)))
    assert late.share > 0.1
    assert late.most_cells > 8


def test_the_same_permutation_in_both_phases_loses_the_order():
    """Outputs must read the middles in the order in which inputs visit them."""
    late = {
        scheme: reordering(
            Switch(roomy(3, scheme, "SAME", unchecked=True)).run(traffic(0.9, 5000))
        ).late
        for scheme in ORDERED
    }
    assert late["UFS"] > 1000
    assert late["PADDED"] > 1000
    assert late["FOFF"] == 0  # the resequencer does not mind
    assert late["MAILBOX"] == 0  # nor does an exact departure slot, where the middle can say it


@pytest.mark.parametrize("scheme", SCHEMES)
def test_every_cell_leaves_once_at_its_output_or_is_dropped_or_is_inside(scheme):
    nodes, slots = 8, 4000
    dst = changing(np.random.default_rng(9), nodes, slots)
    shape = replace(
        defaults(3, scheme), ingress=9 if scheme in ("UFS", "FOFF", "PADDED") else 4, middle=3
    )
    switch = Switch(replace(shape, resequencer=2))
    result = switch.run(dst)
    slot, source = np.nonzero(dst >= 0)
    leaves = leaving_slots(Packets.of(source, dst[slot, source], slot), result)
    left = np.count_nonzero(leaves >= 0)
    assert left == np.count_nonzero(result.source >= 0)  # else two of the same
    assert leaves.size == left + np.count_nonzero(result.drops.arrival >= 0) + switch.inside
    real = result.drops.arrival >= 0
    arrived, by = result.drops.arrival[real], result.drops.source[real]
    assert np.array_equal(dst[arrived, by], result.drops.destination[real])
    assert np.unique(arrived * nodes + by).size == real.sum() > 0
    counters = switch.counters
    total = counters.dropped_ingress + counters.dropped_middle + counters.dropped_resequencer
    assert total.sum() == len(result.drops)
    backlog = np.cumsum(np.count_nonzero(dst >= 0, axis=1))
    backlog -= np.cumsum(np.count_nonzero(result.source >= 0, axis=1))
    backlog -= np.cumsum(np.bincount(result.drops.slot[real], minlength=slots))
    assert np.array_equal(result.backlog, backlog)


@pytest.mark.parametrize("scheme", SCHEMES)
def test_no_switch_has_less_inside_than_the_ideal_one(scheme):
    dst = changing(np.random.default_rng(2), 8, 4000)
    assert (Switch(roomy(3, scheme)).run(dst).backlog >= output_queued(dst).backlog).all()


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


@pytest.mark.parametrize(("kind", "form"), [("bernoulli", "bernoulli"), ("frame", "frame:8")])
@pytest.mark.parametrize("load", [0.3, 0.8])
def test_delay_law(kind, form, load):
    """(N-1) / (2 (1-rho)), of every schedule, and the ideal switch, over 8 seeds.

    Of the 24 intervals of 95 % in all the cases one would miss; twice as wide ones are of 99.8 %.
    """
    slots, window = 32_000, Window(warm_up=2, periods=28)
    means = {schedule: [] for schedule in (*LEGAL["BASIC"], "ideal")}
    for seed in range(8):
        packets = packets_of(load, slots, kind=form, seed=seed)
        dst = arrivals(packets, 8, slots)
        runs = {s: Switch(defaults(3, "BASIC", s)).run(dst) for s in LEGAL["BASIC"]}
        runs["ideal"] = output_queued(dst)
        for name, run in runs.items():
            means[name].append(as_measurement(packets, run, window).latency.mean)
    for name, values in means.items():
        mean, half_width, _ = estimate(values)
        law = ideal_mean_delay if name == "ideal" else mean_delay
        assert 2 * half_width < 0.12 * mean
        assert abs(mean - law(3, load, kind)) < 2 * half_width, (name, mean, half_width)


@pytest.mark.parametrize("n", [1, 2])
@pytest.mark.parametrize("schedule", LEGAL["BASIC"])
def test_delay_law_to_first_order(n, schedule):
    """The mean delay as a power series in the load, with whole numbers of slots, not samples.

    Its first terms are the delay of a lonely cell, and what any other cell around adds to it.
    """
    nodes = 2**n
    basic, ideal = Switch(defaults(n, "BASIC", schedule)), OutputQueued(n)
    for switch, terms in (
        (basic, ((nodes - 1) / 2, (nodes - 1) / 2)),
        (ideal, (0.0, (nodes - 1) / (2 * nodes))),
    ):
        alone = added = cases = 0
        for slot in range(nodes, 2 * nodes):  # any phase of the schedule
            for source, destination in np.ndindex(nodes, nodes):
                dst = np.full((slot + nodes, nodes), -1)
                dst[slot, source] = destination
                lonely = delay_of(switch, dst, slot, source)
                for other_slot, other in np.argwhere(dst < 0):
                    dst[other_slot, other] = destination
                    added += delay_of(switch, dst, slot, source) - lonely
                    dst[other_slot, other] = -1
                alone += lonely
                cases += 1
        assert alone / cases == terms[0]
        assert added / nodes / cases == terms[1]  # the other goes there once in N times


def delay_of(switch, dst, arrival, source):
    """The delay of one cell, in a switch that was empty."""
    switch.reset()
    result = switch.run(np.pad(dst, ((0, 2 * len(dst)), (0, 0)), constant_values=-1))
    slot, _ = np.nonzero((result.source == source) & (result.arrival == arrival))
    return int(slot[0]) - arrival


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


def test_padded_frames_have_shorter_delays_than_full_ones():
    dst = traffic(0.3, 20_000)
    padded, full = (
        Switch(defaults(3, scheme)).run(dst).delay.mean() for scheme in ("PADDED", "UFS")
    )
    assert padded < 0.5 * full


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


@pytest.mark.parametrize("n", [1, 2, 3, 4])
def test_resequencers_are_bounded(n):
    """At most N^2 + 1 cells at an output, and 2 N in a FIFO, whatever comes."""
    nodes = 2**n
    switch = Switch(replace(roomy(n, "FOFF"), resequencer=10 * nodes))
    most = most_in_fifo = 0
    for seed in range(40):
        switch.reset()
        switch.run(changing(np.random.default_rng(seed), nodes, 3000))
        most = max(most, switch.counters.largest_resequencer.max())
        most_in_fifo = max(most_in_fifo, switch.counters.largest_fifo.max())
    assert nodes < most <= nodes**2 + 1 or n == 1
    assert nodes <= most_in_fifo <= 2 * nodes


@pytest.mark.parametrize("schedule", LEGAL["FOFF"])
@pytest.mark.parametrize("n", [1, 2, 3])
def test_fifos_of_a_resequencer_hold_little_when_nothing_may_leave(n, schedule):
    """The bound that `defaults` proves, and by which a resequencer knows that a cell was lost."""
    nodes = 2**n
    slow = brute.BruteSwitch(replace(roomy(n, "FOFF", schedule), resequencer=1000))
    waiting = 0
    for row in changing(np.random.default_rng(1), nodes, 2000).tolist():
        slow.slot(row)
        for fifos, expected in zip(slow.resequencer, slow.expected, strict=True):
            heads = [(k, fifo[0].source) for k, fifo in enumerate(fifos) if fifo]
            if heads and not any(expected[x] == k for k, x in heads):
                assert max(map(len, fifos)) <= nodes + 1
                waiting += 1
    assert waiting > 0
    assert sum(slow.skipped) == 0


@pytest.mark.parametrize("schedule", LEGAL["FOFF"])
@pytest.mark.parametrize("n", [1, 2, 3, 4])
def test_resequencers_skip_no_gap_without_a_loss(n, schedule):
    switch = Switch(roomy(n, "FOFF", schedule))
    for seed in range(20):
        switch.reset()
        result = switch.run(changing(np.random.default_rng(seed), 2**n, 2500))
        assert len(result.drops) == 0
        assert switch.counters.skipped.sum() == 0
        assert reordering(result).late == 0


def test_resequencers_skip_the_gaps_that_losses_leave():
    """Nothing waits for ever for a cell that was dropped in a middle."""
    switch = Switch(replace(roomy(3, "FOFF"), middle=3))
    switch.run(changing(np.random.default_rng(6), 8, 3000))
    switch.run(np.full((20_000, 8), -1))
    assert switch.counters.dropped_middle.sum() > 0
    assert switch.counters.skipped.sum() > 0
    assert switch.inside == 0


@pytest.mark.parametrize("scheme", SCHEMES)
def test_defaults_drop_nothing_under_bursts(scheme):
    load = 0.5 if scheme == "MAILBOX" else 0.95
    for kind in ("bernoulli", "frame:16", "train:-,0.05,1"):
        switch = Switch(defaults(4, scheme))
        assert len(switch.run(traffic(load, 20_000, nodes=16, kind=kind)).drops) == 0


@pytest.mark.parametrize("scheme", SCHEMES)
def test_reset_starts_anew(scheme):
    dst = traffic(0.9, 1000)
    switch = Switch(defaults(3, scheme))
    first = switch.run(dst)
    switch.reset()
    assert (switch.slot, switch.inside) == (0, 0)
    assert switch.counters.largest_middle.sum() == 0
    again = switch.run(dst)
    assert np.array_equal(first.source, again.source)
    assert np.array_equal(first.arrival, again.arrival)


def test_connections_are_permutations_and_meet_once():
    for schedule in LEGAL["BASIC"]:
        for n in (1, 3, 8):
            for phase in connections(schedule, n):
                # Each pair meets once in N slots, and each slot is a permutation.
                assert (np.sort(phase, axis=0) == np.arange(2**n)[:, None]).all()
                assert (np.sort(phase, axis=1) == np.arange(2**n)).all()
            p, q = brute.connected(schedule, n, 2**n - 1)
            phases = connections(schedule, n)
            assert phases.to_middle[-1].tolist() == p
            assert phases.to_output[-1].tolist() == q


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"n": 0}, "n: is 0; allowed are integers 1 … 8"),
        ({"n": True}, "n: is True; allowed are integers 1 … 8"),
        ({"scheme": "FOOF"}, "scheme: is FOOF; allowed are BASIC, UFS, FOFF, PADDED, MAILBOX"),
        ({"schedule": "X"}, "schedule: is X; allowed are BITREV, ROTATOR, TDM, XOR, SAME"),
        ({"schedule": "XOR"}, "schedule: is XOR; allowed are BITREV, ROTATOR, TDM"),
        ({"schedule": "SAME"}, "schedule: is SAME; allowed are BITREV, ROTATOR, TDM"),
        ({"schedule": "XOR", "unchecked": True}, "allowed are BITREV, ROTATOR, TDM, SAME"),
        ({"scheme": "MAILBOX", "schedule": "SAME"}, "allowed are BITREV, ROTATOR, TDM, XOR"),
        ({"ingress": 7}, "ingress: is 7; allowed are integers 8 … 1048576"),
        ({"scheme": "BASIC", "ingress": 0}, "ingress: is 0; allowed are integers 1 … 1048576"),
        ({"middle": 0}, "middle: is 0; allowed are integers 1 … 1048576"),
        (
            {"n": 8, "ingress": 256, "middle": 4097},
            "middle: is 4097; allowed are integers 1 … 4096",
        ),
        ({"resequencer": 0}, "resequencer: is 0; allowed are integers 1 … 1048576"),
        ({"threshold": 9}, "threshold: is 9; allowed are integers 1 … 8"),
        ({"gate": 0}, "gate: is 0; allowed are integers 1 … 1048576"),
        ({"feedback": 0}, "feedback: is 0; allowed are integers 1 … 1048576"),
        ({"tries": 1.5}, "tries: is 1.5; allowed are integers 1 … 1048576"),
    ],
)
def test_bad_shapes_are_refused(change, message):
    fields = {"n": 3, "scheme": "FOFF", "ingress": 64, "middle": 64, **change}
    with pytest.raises(ValueError) as error:
        SwitchShape(**fields)
    assert message in str(error.value)


@pytest.mark.parametrize(
    ("dst", "message"),
    [
        ([[0, 1]], "dst: has 2 columns; allowed are 4"),
        ([[0, 1, 4, 0]], "dst: holds 4; allowed are -1 … 3"),
        ([0, 1, 2, 3], "dst: has 1 axes"),
    ],
)
def test_bad_arrivals_are_refused(dst, message):
    for switch in (Switch(defaults(2, "BASIC")), OutputQueued(2)):
        with pytest.raises(ValueError) as error:
            switch.run(dst)
        assert message in str(error.value)
        assert switch.slot == 0
