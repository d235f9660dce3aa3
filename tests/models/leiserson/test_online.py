"""Disciplines against a literal run of their rules on the machine simulated tick by tick."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fattree_models.leiserson.cycle import CycleOutcome, deliver
from fattree_models.leiserson.draws import guess_exponents, lfsr
from fattree_models.leiserson.online import run_online
from fattree_models.leiserson.serial_tree import SerialTree, source_processor
from tests.models.leiserson import brute_serial


def literal_word(x):
    """One step of the 32-bit xorshift, on Python's integers."""
    x ^= x << 13 & 0xFFFFFFFF
    x ^= x >> 17
    x ^= x << 5 & 0xFFFFFFFF
    return x


def literal_exponents(h, cycles):
    """The phases, cycle by cycle."""
    loglog = 1
    while 2**loglog < h:
        loglog += 1
    limit = h * loglog
    exponents, e, left = [0], 1, 8
    while len(exponents) < cycles:
        exponents.append(e)
        left -= 1
        if left == 0:
            e = min(2 * e, math.ceil(math.log2(limit))) if 2**e < limit else e + 1
            e = min(e, 15)
            left = 4 * 2**e
    return exponents[:cycles]


def literal_run(tree, queue, discipline, seed, most, first=0, reset=None, behind=0):
    """Work off the queues by the rules; return (row, dst) by cycle, and when each got through.

    Cycle `first` is the first one, counted from the restart; cycle `reset` of the run is broken off
    by a reset.  `behind` messages wait behind every queue.
    """
    rules = brute_serial.Rules(
        tree.cap, tree.concentrator, tree.priority, tree.pipeline, tree.data_bits
    )
    queues = {q: [j for j in column if j >= 0] for q, column in enumerate(queue.T.tolist())}
    start = {q: (seed ^ (q + 1) * 0x9E3779B9) & 0xFFFFFFFF or 1 for q in queues}
    words = dict(start)
    for q in queues:
        for _ in range(first):
            words[q] = literal_word(words[q])
    exponents = literal_exponents(tree.h, first + most)
    current = dict.fromkeys(queues)  # (row, destination) that a source holds
    taken = dict.fromkeys(queues, 0)
    when, log = {}, []
    number = first
    for cycle in range(most):
        sends = {}
        for q, column in queues.items():
            if current[q] is None and taken[q] < len(column):
                current[q] = (taken[q], column[taken[q]])
                taken[q] += 1
        if cycle == reset:
            current = {
                q: (taken[q], column[taken[q]]) if taken[q] < len(column) else None
                for q, column in queues.items()
            }
            taken = {q: taken[q] + (message is not None) for q, message in current.items()}
            words, number = dict(start), 0
        for q, column in queues.items():
            undelivered = len(column) - taken[q] + 1  # with the one that it holds
            lucky = words[q] % 2 ** exponents[number] < undelivered + behind
            if current[q] is not None and (discipline == "RETRY" or lucky):
                sends[q] = current[q]
            words[q] = literal_word(words[q])
        if all(message is None for message in current.values()):
            break
        frames = {
            q: brute_serial.frame(rules, q, j, 0, [7] * tree.stages_most)
            for q, (_, j) in sends.items()
        }
        result = brute_serial.Cycle(rules, number).run(frames, tree.cycle_ticks)
        log.append(sends)
        number += 1
        for q in result.ack:
            when[current[q][0], q] = cycle
            current[q] = None
    return log, when


def random_queue(rng, tree, rows):
    """Return queues of different lengths."""
    own = source_processor(tree)
    queue = (own + 1 + rng.integers(0, tree.n, (rows, tree.sources))) % (tree.n + 1)
    length = rng.integers(0, rows + 1, tree.sources)
    return np.where(np.arange(rows)[:, None] < length, queue, -1)


@settings(max_examples=30)
@given(
    st.lists(st.integers(1, 3), min_size=2, max_size=4),
    st.sampled_from(["IDEAL", "PARTIAL"]),
    st.sampled_from(["FIXED", "ROTATING"]),
    st.sampled_from(["RETRY", "RANDOMISED"]),
    st.integers(0, 2**32 - 1),
    st.integers(0, 300),
    st.sampled_from([None, 0, 1, 4]),
    st.integers(0, 3),
)
def test_disciplines_follow_their_rules(
    cap, concentrator, priority, discipline, seed, first, reset, behind
):
    tree = SerialTree(cap, concentrator, priority, 0, 1)
    queue = random_queue(np.random.default_rng(seed), tree, 3)
    log, when = literal_run(tree, queue, discipline, seed, 40, first, reset, behind)
    result = run_online(tree, queue, discipline, seed, 40, first, reset, behind)
    cycles = len(log)
    assert result.row.shape == result.dst.shape == (cycles, tree.sources)
    for c, sends in enumerate(log):
        attempts = np.flatnonzero(result.row[c] >= 0).tolist()
        assert {q: (result.row[c, q], result.dst[c, q]) for q in attempts} == sends
        assert (result.dst[c][result.row[c] < 0] == -1).all()
    entries = np.argwhere(result.cycle >= 0).tolist()
    assert {(r, q): int(result.cycle[r, q]) for r, q in entries} == when
    gone = np.zeros(tree.sources, dtype=np.int64)
    if reset is not None and reset <= cycles:  # what a source would have sent next
        early = result.cycle < reset
        done = np.count_nonzero(early & (result.cycle >= 0), axis=0)
        gone = done < np.count_nonzero(queue >= 0, axis=0)
    if cycles < 40:
        assert result.finished == (len(when) + gone.sum() == np.count_nonzero(queue >= 0))
    numbers = [first + c for c in range(cycles)]
    if reset is not None:
        numbers[reset:] = range(len(numbers[reset:]))
    assert result.number.tolist() == numbers
    got = np.cumsum(result.outcome.delivered, axis=0) - result.outcome.delivered
    after = np.arange(cycles)[:, None] >= (cycles if reset is None else reset)
    left = np.count_nonzero(queue >= 0, axis=0) - got - gone * after
    assert (result.waiting == left).all()
    again = deliver(tree, result.dst, first_cycle=result.number)
    for name in CycleOutcome.__dataclass_fields__:
        ours = getattr(result.outcome, name)
        assert ours.shape == getattr(again, name).shape
        assert ours.dtype == getattr(again, name).dtype
        assert (ours == getattr(again, name)).all()


@pytest.mark.parametrize("concentrator", ["IDEAL", "PARTIAL"])
@pytest.mark.parametrize("h", range(1, 8))
def test_all_to_one_takes_n_less_1_cycles(h, concentrator):
    """One wire into the processor, and in every cycle at least one message gets through."""
    tree = SerialTree([2 ** ((h - k) // 2) for k in range(h + 1)], concentrator)
    assert tree.ports == 1
    queue = np.full((1, tree.sources), -1)
    target = tree.n // 3
    queue[0, : tree.n] = target
    queue[0, target] = -1
    result = run_online(tree, queue)
    assert result.finished
    assert result.dst.shape[0] == tree.n - 1
    assert sorted(result.cycle[result.cycle >= 0].tolist()) == list(range(tree.n - 1))


@pytest.mark.parametrize("discipline", ["RETRY", "RANDOMISED"])
def test_everything_gets_through_once_and_in_order(discipline):
    rng = np.random.default_rng(6)
    tree = SerialTree((11, 7, 4, 2, 1), priority="ROTATING")
    queue = random_queue(rng, tree, 8)
    result = run_online(tree, queue, discipline, seed=9)
    assert result.finished
    assert ((result.cycle >= 0) == (queue >= 0)).all()
    assert result.cycle.max() == result.dst.shape[0] - 1
    later = (queue[1:] >= 0) & (result.cycle[1:] <= result.cycle[:-1])
    assert not later.any()
    delivered = result.outcome.delivered
    assert np.count_nonzero(delivered) == np.count_nonzero(queue >= 0)
    for r, q in np.argwhere(queue >= 0):
        c = result.cycle[r, q]
        assert result.row[c, q] == r and result.dst[c, q] == queue[r, q] and delivered[c, q]
        tries = np.flatnonzero(result.row[:, q] == r)
        assert tries[-1] == c
        assert tries[0] > (result.cycle[r - 1, q] if r else -1)
        if discipline == "RETRY":
            assert tries.tolist() == list(range(tries[0], c + 1))


def test_long_runs_keep_to_words_and_exponents():
    """More cycles than the guesses are made for at first."""
    rng = np.random.default_rng(8)
    tree = SerialTree((1, 1, 1, 1))
    queue = random_queue(rng, tree, 400)
    result = run_online(tree, queue, "RANDOMISED", seed=77)
    cycles = result.dst.shape[0]
    assert result.finished
    assert cycles > 600
    masks = (1 << guess_exponents(3, cycles)) - 1
    before = np.cumsum(result.outcome.delivered, axis=0) - result.outcome.delivered
    undelivered = np.count_nonzero(queue >= 0, axis=0) - before
    sends = (lfsr(77, tree.sources, cycles) & masks[:, None]) < undelivered
    assert (result.row == np.where(sends, before, -1)).all()
    # Both ways it differs from sending always, and from one toss whatever the backlog.
    assert np.count_nonzero(sends) < np.count_nonzero(undelivered > 0)
    assert (undelivered[sends] > 1).any() and (undelivered[~sends] > 1).any()


def test_seeds_differ_and_repeat():
    rng = np.random.default_rng(7)
    tree = SerialTree((2, 2, 1, 1))
    queue = random_queue(rng, tree, 4)
    runs = [run_online(tree, queue, "RANDOMISED", seed).cycle for seed in (1, 1, 2)]
    assert (runs[0] == runs[1]).all()
    assert (runs[0] != runs[2]).any()
    # RETRY makes no use of the seed.
    first, second = (run_online(tree, queue, "RETRY", seed).cycle for seed in (1, 2))
    assert (first == second).all()


def test_giving_up_and_nothing_to_do():
    tree = SerialTree((1, 1, 1))
    queue = np.array([[-1, 0, 0, 0, 0]])
    result = run_online(tree, queue, max_cycles=2)
    assert not result.finished
    # The sibling is there first; traffic from outside has a shorter way than the far side.
    assert result.cycle.tolist() == [[-1, 0, -1, -1, 1]]
    for empty in (np.full((2, 5), -1), np.zeros((0, 5), dtype=int)):
        result = run_online(tree, empty)
        assert result.finished
        assert result.dst.shape == result.row.shape == result.outcome.arrived.shape == (0, 5)
        assert result.cycle.shape == empty.shape
    assert run_online(tree, queue, max_cycles=4).finished


def test_exponents_by_hand():
    """lg n lg lg n: 2 for h = 2, 8 for h = 4, 18 for h = 6; 2^(e + 2) cycles each."""
    for h, phases in (
        (1, [1, 2, 3, 4]),
        (2, [1, 2, 3, 4, 5]),
        (4, [1, 2, 3, 4, 5]),
        (6, [1, 2, 4, 5, 6, 7]),
        (20, [1, 2, 4, 7, 8]),
    ):
        expected = [0] + [e for e in phases for _ in range(2 ** (e + 2))]
        assert guess_exponents(h, len(expected)).tolist() == expected
    many = guess_exponents(6, 200_000)
    assert many.max() == 15
    # Phases 1, 2, 4, 5 … 14 end here, 15 never does.
    start = 1 + sum(2 ** (e + 2) for e in (1, 2, *range(4, 15)))
    assert many[start - 1] == 14
    assert (many[start:] == 15).all()
    assert guess_exponents(3, 0).size == 0


@pytest.mark.parametrize("h", range(1, 21))
def test_exponents_follow_the_phases(h):
    assert guess_exponents(h, 3000).tolist() == literal_exponents(h, 3000)


def test_words_are_marsaglias_and_never_0():
    """The published sequence from 1 on; a start value of 0 becomes 1."""
    published = [1, 270369, 67634689, 2647435461, 307599695]
    assert lfsr(0x9E3779B9, 1, 5)[:, 0].tolist() == published
    assert lfsr(0x9E3779B9 ^ 1, 1, 5)[:, 0].tolist() == published
    third = 3 * 0x9E3779B9 % 2**32
    assert lfsr(third, 4, 5)[:, 2].tolist() == published
    words = lfsr(0xDEADBEEF, 300, 400)
    assert words.dtype == np.uint32
    assert words.all()
    for q in (0, 1, 299):
        x = 0xDEADBEEF ^ (q + 1) * 0x9E3779B9 % 2**32
        for c in range(400):
            assert words[c, q] == x
            x = literal_word(x)
    assert lfsr(1, 3, 0).shape == (0, 3)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (([-1, 0, 0],), r"^queue: has shape \(3,\); allowed is \[rows, 3\]"),
        (([[1, -1, 3]],), "^queue: holds 3; allowed are -1 … 2$"),
        (([[0, -1, -1]],), "^dst: is 0 for source 0 of processor 0; allowed"),
        (([[-1, 0, -1], [1, 0, -1]],), "^queue: is -1 in row 0 of source 0 and not below"),
        (([[1, 0, -1]], "ALWAYS"), "^discipline: is 'ALWAYS'; allowed"),
        (([[1, 0, -1]], "RANDOMISED", -1), "^seed: is -1; allowed"),
        (([[1, 0, -1]], "RANDOMISED", 1 << 32), "^seed: is 4294967296; allowed"),
        (([[1, 0, -1]], "RETRY", 0, -1), "^max_cycles: is -1; allowed"),
    ],
)
def test_bad_arguments_are_refused(arguments, message):
    with pytest.raises(ValueError, match=message) as caught:
        run_online(SerialTree((1, 1)), *arguments)
    assert "\n" not in str(caught.value)
