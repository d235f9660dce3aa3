"""What the queues hold: every cell is accounted for, resequencers are bounded, a reset empties."""

from dataclasses import replace

import numpy as np
import pytest

from fattree_models.lbbvn_switch import SCHEMES, Switch, defaults, leaving_slots, reordering
from fattree_models.traffic import Packets
from tests.models.lbbvn_switch import brute_switch as brute
from tests.models.lbbvn_switch.cases import LEGAL, changing, roomy, traffic


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
