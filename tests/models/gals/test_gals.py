"""The asynchronous FIFO: codes, all interleavings, edges played in real time, full rate."""

from fractions import Fraction
from math import comb

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fattree_models import gals
from fattree_models.gals import BOTH, READ, WRITE, AsyncFifo, interleavings
from tests.models.gals.brute_fifo import play
from tests.models.refused import refused

# ---- codes ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("depth", range(1, 65))
def test_one_bit_a_step(depth):
    """Gray at the wrap only for powers of two, centred for all depths; no word twice."""
    power = depth & (depth - 1) == 0
    for code, one in (("GRAY", power), ("CENTRED", True), ("BINARY", depth == 1)):
        words = gals.codes(depth, code).tolist()
        assert len(set(words)) == 2 * depth and min(words) >= 0
        width = max(words).bit_length()
        texts = [format(word, f"0{width}b") for word in words]
        changes = [
            sum(a != b for a, b in zip(one_word, other, strict=True))
            for one_word, other in zip(texts, texts[1:] + texts[:1], strict=True)
        ]
        assert gals.bits_changed(depth, code).tolist() == changes
        assert (max(changes) == 1) == one == AsyncFifo(depth, 2, code).safe
        if code == "GRAY":
            assert max(changes[:-1], default=1) == 1
            if power:
                assert np.array_equal(words, gals.codes(depth, "CENTRED"))


# ---- all interleavings ---------------------------------------------------------------------------


def bound(depth, stages):
    m = 2 * stages + 1
    return 2 * depth * (comb(depth + m, m) + 2 * comb(depth + m - 1, m) + comb(depth + m - 2, m))


@pytest.mark.parametrize(
    ("depth", "stages", "code"),
    [(depth, 2, "CENTRED") for depth in (1, 3, 5, 6, 7)]
    + [(depth, 2, "GRAY") for depth in (1, 2, 4, 8)]
    + [(2, 3, "GRAY"), (4, 3, "GRAY"), (3, 4, "CENTRED")],
)
def test_a_safe_fifo_takes_and_gives_no_word_too_many(depth, stages, code):
    found = gals.search(AsyncFifo(depth, stages, code))
    assert (found.fault, found.trace) == (None, ())
    assert depth < found.states <= bound(depth, stages)


@pytest.mark.parametrize("depth", [2, 3, 4, 5, 6, 7, 8])
def test_binary_pointers_break(depth):
    assert gals.search(AsyncFifo(depth, 2, "BINARY")).fault == "underflow"


@pytest.mark.parametrize("depth", [3, 5, 6, 7])
def test_gray_code_breaks_where_the_depth_is_no_power_of_two(depth):
    """At the wrap: 2 D - 1 words must have gone in before."""
    found = gals.search(AsyncFifo(depth))
    assert found.fault == "underflow"
    assert sum("W" in step for step in found.trace) >= depth


@pytest.mark.parametrize("depth", [2, 4, 8])
def test_one_flip_flop_is_not_enough(depth):
    found = gals.search(AsyncFifo(depth, stages=1))
    assert found.fault == "disagreement"
    assert found.trace in (("Wr", "R"), ("W", "r", "R"))


@pytest.mark.parametrize(
    ("writer", "fault"), [(True, "overflow"), (False, "underflow")], ids=["full", "empty"]
)
def test_a_flag_one_word_late_is_found(monkeypatch, writer, fault):
    """As with a Gray code that is off by one."""
    true = interleavings._moves

    def late(fifo, word, state, write):
        if write != writer:
            return true(fifo, word, state, write)
        name = "written" if write else "read"
        before = state._replace(**{name: (getattr(state, name) - 1) % len(word)})
        bad = (state.written - state.read) % len(word) == (fifo.depth if write else 0)
        moves = true(fifo, word, before, write)
        return [(label, fault if moved and bad else bool(moved)) for label, moved in moves]

    monkeypatch.setattr(interleavings, "_moves", late)
    found = gals.search(AsyncFifo(4))
    assert found.fault == fault and found.trace


def test_bits_that_come_and_go_break_gray_code_too(monkeypatch):
    """A skew of a period or more: what was seen is not kept."""
    true = interleavings._sampled
    monkeypatch.setattr(
        interleavings,
        "_sampled",
        lambda chain, old, new: [(old, after) for _, after in true(chain, old, new)],
    )
    assert gals.search(AsyncFifo(4)).fault == "underflow"


# ---- in real time --------------------------------------------------------------------------------


def clocks_of(rng, count):
    """Edges of two clocks: of any periods, jittered, stopped for a while, or on one grid."""
    times = []
    for _ in range(2):
        period = int(rng.integers(20, 100))
        gaps = rng.integers(period, period + rng.integers(1, 30), count)
        gaps[rng.random(count) < 0.02] += 1000
        times.append((np.cumsum(gaps) + rng.integers(50)).tolist())
    return times


@pytest.mark.parametrize(
    ("depth", "code", "good"),
    [
        *((4, "GRAY", True), (8, "GRAY", True), (5, "CENTRED", True)),
        *((4, "BINARY", False), (5, "GRAY", False)),
    ],
)
def test_bits_that_fly(depth, code, good):
    """Flight times below a period of the own clock: safe FIFOs never fail, others soon do."""
    faults = set()
    words = gals.codes(depth, code).tolist()
    for seed in range(60):
        rng = np.random.default_rng(seed)
        clocks = clocks_of(rng, 300)
        asks = [set(np.flatnonzero(rng.random(300) < p).tolist()) for p in (0.9, 0.9)]
        shortest = [int(np.diff(times).min()) for times in clocks]
        delays = [lambda r=rng, s=s: int(r.integers(0, s)) for s in shortest]
        faults.add(play(depth, 2, words, clocks, delays, asks)[1])
    assert (faults == {None}) == good


@settings(max_examples=60)
@given(
    st.integers(0, 2**32 - 1), st.sampled_from([1, 2, 3, 4, 5, 8]), st.integers(2, 4), st.booleans()
)
def test_edges_as_in_real_time(seed, depth, stages, grid):
    """Bits that fly in no time, as in a simulator; on a grid edges coincide."""
    rng = np.random.default_rng(seed)
    clocks = clocks_of(rng, 120)
    if grid:
        clocks = [sorted({t // 50 for t in times}) for times in clocks]
    asks = [set(np.flatnonzero(rng.random(120) < rng.random()).tolist()) for _ in clocks]
    code = gals.codes(depth, "CENTRED").tolist()
    done, fault = play(depth, stages, code, clocks, (lambda: 0, lambda: 0), asks)
    assert fault is None
    when = sorted({*clocks[0], *clocks[1]})
    order = [(t in clocks[0]) * WRITE + (t in clocks[1]) * READ for t in when]
    number = [{t: n for n, t in enumerate(times)} for times in clocks]
    asked = [[int(number[side].get(t, -1) in asks[side]) for t in when] for side in (0, 1)]
    got = gals.run(AsyncFifo(depth, stages, "CENTRED"), order, *asked)
    for at, acts in enumerate(done):
        assert (bool(got.taken[at]), bool(got.full[at])) == acts.get("write", (False, False))
        assert (int(got.word[at]), bool(got.empty[at])) == acts.get("read", (-1, False))
    words = got.word[got.word >= 0]
    assert np.array_equal(words, np.arange(words.size))  # nothing lost, doubled or overtaken
    assert 0 <= got.taken.sum() - words.size <= depth


# ---- rate ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("stages", [2, 3, 4])
@pytest.mark.parametrize("phase", [0, 1, 50, 99])
def test_full_rate_at_equal_periods(stages, phase):
    least = gals.full_rate_depth(stages, Fraction(phase, 100))
    for depth in range(1, least + 3):
        order = gals.edges(100, 100, phase, 100 * 2000)
        words = gals.run(AsyncFifo(depth, stages, "CENTRED"), order).word
        assert np.count_nonzero(words >= 0) / 2000 == pytest.approx(
            float(gals.rate(depth, stages, Fraction(phase, 100))), abs=0.01
        )
        assert (gals.rate(depth, stages, Fraction(phase, 100)) == 1) == (depth >= least)


def test_the_depth_that_two_flip_flops_need():
    """The next power of two is 8; four words pass two thirds or four fifths of the rate."""
    assert gals.full_rate_depth(2, Fraction(1, 2)) == 5 and gals.full_rate_depth(2, 0) == 6
    assert gals.rate(8, 2, 0) == 1
    assert {gals.rate(4, 2, phase) for phase in (0, Fraction(1, 7))} == {
        Fraction(2, 3),
        Fraction(4, 5),
    }


@pytest.mark.parametrize(("write", "read"), [(100, 73), (73, 100), (100, 31), (1000, 999)])
def test_unequal_periods_pass_what_the_slower_clock_can(write, read):
    time = 1000 * max(write, read)
    words = gals.run(AsyncFifo(8), gals.edges(write, read, 7, time)).word
    assert np.count_nonzero(words >= 0) == pytest.approx(1000, abs=10)


def test_a_stopped_clock():
    """The FIFO fills, keeps what it has, and continues."""
    order = [WRITE] * 20 + [READ] * 20 + [WRITE, READ] * 20
    crossing = gals.run(AsyncFifo(4), order)
    assert crossing.taken[:20].sum() == 4 and crossing.full[4:20].all()
    assert crossing.word[20:40].tolist() == [-1, -1, 0, 1, 2, 3, *[-1] * 14]
    later = crossing.word[40:][crossing.word[40:] >= 0]
    assert np.array_equal(later, 4 + np.arange(later.size)) and later.size > 10
    assert gals.edges(3, 3, 0, 9).tolist() == [BOTH] * 3


test_bad_arguments = refused(
    (lambda: AsyncFifo(0), "depth: is 0; allowed are integers 1 … 65536"),
    (lambda: AsyncFifo(4, 0), "stages: is 0; allowed are integers 1 … 8"),
    (lambda: AsyncFifo(4, 2, "JOHNSON"), "code: is 'JOHNSON'; allowed are BINARY, GRAY, CEN"),
    (lambda: gals.search(AsyncFifo(17)), "fifo: has 17 words; allowed are 1 … 16"),
    (lambda: gals.run(AsyncFifo(3), [1]), "fifo: is AsyncFifo"),
    (lambda: gals.run(AsyncFifo(4), [4]), "order: holds 4; allowed are 1 … 3"),
    (lambda: gals.run(AsyncFifo(4), [1], [1, 1]), r"offered: has shape \(2,\); allowed is"),
    (lambda: gals.full_rate_depth(2, 1), "phase: is 1; allowed are fractions from 0"),
    (lambda: gals.rate(4, 1, 0), "stages: is 1; allowed are integers 2 … 8"),
)
