"""Injection processes: how many packets, when, how they hang together, and where they go."""

import time

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fattree_models.traffic import Packets, bernoulli, on_off, pattern
from fattree_models.traffic.injections import _successes
from tests.models.traffic.injected import CYCLES, NODES, PROCESSES, check_rate, run, sent

# Rates -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("process", PROCESSES)
@pytest.mark.parametrize(("load", "length"), [(0.03, "1"), (0.3, "1"), (0.9, "1-16"), (0.2, "5")])
def test_rate(process, load, length):
    check_rate(process, load, length)


def test_a_wrong_rate_is_seen():
    def too_much(rng, where, long, load, cycles):
        return bernoulli(rng, where, long, 1.03 * load, cycles)

    with pytest.raises(AssertionError, match="too_much"):
        check_rate(too_much, 0.3)


@pytest.mark.parametrize("process", PROCESSES)
def test_shape(process):
    packets = run(process, 0.3, "1-4")
    assert isinstance(packets, Packets)
    assert not packets.kind.any()
    assert set(packets.flits.tolist()) == {1, 2, 3, 4}
    assert packets.release.min() == 0 and packets.release.max() == CYCLES - 1
    assert sent(packets).max() == 1  # at most one a node and cycle


@pytest.mark.parametrize("process", PROCESSES)
def test_seed_decides(process):
    first, again, other = run(process), run(process), run(process, seed=2)
    assert np.array_equal(first.release, again.release)
    assert np.array_equal(first.destination, again.destination)
    assert len(first) != len(other) or not np.array_equal(first.release, other.release)


@pytest.mark.parametrize("process", PROCESSES)
@pytest.mark.parametrize("cycles", [0, 1, 7])
def test_few_cycles(process, cycles):
    found = [run(process, 0.3, cycles=cycles, seed=seed) for seed in range(5)]
    assert all((p.release < cycles).all() for p in found)
    assert any(len(p) for p in found) == (cycles > 0)


@pytest.mark.parametrize("process", PROCESSES)
def test_nothing(process):
    assert len(run(process, 0.0)) == 0


@pytest.mark.parametrize("process", ["bernoulli", "burst:0.5,0.5", "burst:-,0.1,1", "frame:4"])
@pytest.mark.parametrize("load", [1e-300, 5e-324])
def test_tiny_loads(process, load):
    assert len(run(process, load)) == 0


def test_trials_drawn_in_several_parts():
    class Stingy:
        """Gives fewer gaps than it is asked for, as chance does once in a million times."""

        def geometric(self, rate, size):
            return np.full(min(size, 3), 2)

    assert _successes(Stingy(), 0.5, 21).tolist() == list(range(1, 21, 2))


@pytest.mark.parametrize("process", ["bernoulli", "frame:8"])
@pytest.mark.parametrize("length", ["1", "4"])
def test_full(process, length):
    packets = run(process, float(length), length, cycles=50)
    assert sent(packets, cycles=50).min() == 1


@given(st.integers(2, 9), st.integers(0, 40), st.floats(0, 1), st.integers(0, 2**32 - 1))
@settings(max_examples=50)
def test_any(nodes, cycles, load, seed):
    for process in ("bernoulli", "frame:3", "burst:1,1e-9", "train:-,1e-9,1"):
        packets = run(process, load * 0.999, "1", "round_robin", nodes, cycles, seed)
        assert sent(packets, nodes, cycles).max(initial=0) <= 1
        assert (packets.source != packets.destination).all()


# Who, and where to -------------------------------------------------------------------------------


@pytest.mark.parametrize("process", PROCESSES)
def test_only_nodes_with_traffic_send(process):
    packets = run(process, 0.3, text="bitrev", nodes=6)
    to = pattern("bitrev", 6).fixed
    assert set(packets.source.tolist()) == set(np.flatnonzero(to >= 0).tolist()) == {0, 1, 2, 4, 5}
    assert np.array_equal(to[packets.source], packets.destination)


def test_turns():
    packets = run("bernoulli", 0.3, text="round_robin", nodes=5, cycles=100)
    for s in range(5):
        to = packets.destination[packets.source == s]
        assert to.tolist() == [(s + 1 + k % 4) % 5 for k in range(to.size)]


def test_turns_of_frames():
    packets = run("frame:4", 0.5, text="round_robin", nodes=5, cycles=400)
    for s in range(5):
        to = packets.destination[packets.source == s][::4]
        assert to.tolist() == [(s + 1 + k % 4) % 5 for k in range(to.size)]


def destinations_of_bursts(packets):
    """How many destinations each row of packets in successive cycles has."""
    same = (np.diff(packets.source) == 0) & (np.diff(packets.release) == 1)
    bursts = np.split(packets.destination, np.flatnonzero(~same) + 1)
    return [len(set(burst.tolist())) for burst in bursts if burst.size > 1]


def test_packets_of_a_burst():
    assert set(destinations_of_bursts(run("train:-,0.2,1"))) == {1}
    assert np.mean(destinations_of_bursts(run("burst:-,0.2,1"))) > 2


# How packets hang together -----------------------------------------------------------------------


def check_memory(process, load, follow):
    """A packet, given one `lag` cycles before, comes with probability follow[lag]; 5 sigma."""
    packets = sent(run(process, load))
    for lag, expected in follow.items():
        # Rows of trials overlap in time: their deviation comes from that between nodes.
        before, now = packets[:, :-lag], packets[:, lag:]
        share = (before & now).sum(axis=1) - expected * before.sum(axis=1)
        sigma = np.std(share, ddof=1) * NODES**0.5
        assert abs(share.sum()) < 5 * sigma, f"lag {lag}"


def chain(load, alpha, beta, peak):
    """The same probability from the matrix of the Markov chain."""
    step = np.array([[1 - alpha, alpha], [beta, 1 - beta]])
    assert load == pytest.approx(peak * alpha / (alpha + beta))
    return {k: peak * np.linalg.matrix_power(step, k)[1, 1] for k in (1, 2, 3, 10)}


def test_bernoulli_has_no_memory():
    check_memory("bernoulli", 0.2, {1: 0.2, 2: 0.2, 10: 0.2})


def test_bursts_have_the_memory_of_the_chain():
    check_memory("burst:0.05,0.1", 0.2, chain(0.2, 0.05, 0.1, 0.6))
    check_memory("burst:-,0.2,1", 0.2, chain(0.2, 0.05, 0.2, 1.0))
    check_memory("train:-,0.2,0.8", 0.2, chain(0.2, 0.2 / 3, 0.2, 0.8))


@pytest.mark.parametrize("false", ["bernoulli", "burst:0.05,0.12", "burst:-,0.1,0.6"])
def test_a_wrong_memory_is_seen(false):
    with pytest.raises(AssertionError, match="lag"):
        check_memory(false, 0.17, chain(0.17, 0.05, 0.1, 0.51))


def check_steady(process):
    """The first, the last and other cycles are alike, over many runs; 5 sigma of a binomial."""
    nodes, cycles, runs, load = 64, 40, 100, 0.25
    total = sum(
        sent(run(process, load, nodes=nodes, cycles=cycles, seed=s), nodes, cycles).sum(axis=0)
        for s in range(runs)
    )
    trials = nodes * runs
    assert np.abs(total - trials * load).max() < 5 * (trials * load * (1 - load)) ** 0.5, process


@pytest.mark.parametrize("process", PROCESSES)
def test_steady_from_the_first_cycle(process):
    check_steady(process)


def test_a_start_that_is_not_steady_is_seen():
    def begins_idle(*arguments):
        packets = on_off(*arguments, alpha=0.05, beta=0.1)
        return packets.select(packets.release > 0)

    with pytest.raises(AssertionError, match="begins_idle"):
        check_steady(begins_idle)


def check_independent(process):
    """No two nodes next to each other are correlated, over many runs; 5 sigma."""
    nodes, cycles, runs = 16, 30, 200
    busy = np.array(
        [
            sent(run(process, 0.25, nodes=nodes, cycles=cycles, seed=s), nodes, cycles).mean(axis=1)
            for s in range(runs)
        ]
    )
    busy -= busy.mean(axis=0)
    products = (busy[:, 1:] * busy[:, :-1]).ravel()
    assert abs(products.mean()) < 5 * products.std() / products.size**0.5, process


@pytest.mark.parametrize("process", PROCESSES)
def test_nodes_are_independent(process):
    check_independent(process)


def test_nodes_that_burst_together_are_seen():
    def in_step(rng, where, long, load, cycles):
        two = bernoulli(rng, pattern("shift:1", 2), long, load, cycles)
        one = two.select(two.source == 0)
        copies = [np.full(len(one), s) for s in range(where.nodes)]
        return Packets.of(np.concatenate(copies), 0, np.tile(one.release, where.nodes))

    with pytest.raises(AssertionError, match="in_step"):
        check_independent(in_step)


def test_frames_are_full_or_empty():
    packets = sent(run("frame:8", 0.4))
    frames = packets.reshape(NODES, -1, 8).sum(axis=2)
    assert set(frames.ravel().tolist()) == {0, 8}
    cut = sent(run("frame:7", 0.4, cycles=10), cycles=10)
    assert set(cut[:, 7:].sum(axis=1).tolist()) == {0, 3}


# Speed -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("process", ["bernoulli", "burst:-,0.1,1", "frame:16"])
def test_speed(process):
    """256 nodes, 10,000 cycles, 2.3 million packets: 0.3 to 0.7 s; a loop would take a minute."""
    begin = time.process_time()
    assert len(run(process, 0.9, nodes=256, cycles=10_000)) > 2_200_000
    assert time.process_time() - begin < 5.0
