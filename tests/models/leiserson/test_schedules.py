"""Schedules of any origin: what `verify` finds wrong, and their rows."""

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from fattree_models.leiserson.load import load_factor
from fattree_models.leiserson.message_sets import all_to_all
from fattree_models.leiserson.offline import schedule
from fattree_models.leiserson.schedules import Schedule

# What verify finds ------------------------------------------------------------------------------


@pytest.fixture
def good():
    src, dst = all_to_all(4)
    cap = np.array([1, 2, 1])
    return schedule(src, dst, cap), src, dst, cap


@pytest.mark.parametrize(
    ("fault", "message"),
    [
        (lambda s: {"cycle": s.cycle[:-1]}, r"schedule: has cycles of shape \(11,\), int32; allow"),
        (
            lambda s: {"cycle": s.cycle.astype(np.int64)},
            r"schedule: has cycles of shape \(12,\), i",
        ),
        (
            lambda s: {"cycle": np.where(np.arange(12) == 5, np.int32(-1), s.cycle)},
            r"schedule: message 5 has cycle -1; allowed are 0 … 2",
        ),
        (
            lambda s: {"cycle": np.where(np.arange(12) == 7, np.int32(3), s.cycle)},
            r"schedule: message 7 has cycle 3; allowed are 0 … 2",
        ),
        (
            lambda s: {"load_factor": Fraction(7, 2)},
            "schedule: says the load factor is 7/2; it is 3",
        ),
        (
            lambda s: {"cycle": np.minimum(s.cycle, np.int32(1)), "cycles": 2},
            "schedule: has 2 cycles, fewer than the load factor 3",
        ),
        (lambda s: {"bound": 2}, "schedule: has 3 cycles; BALANCED promises 2"),
        (
            lambda s: {"cycle": s.cycle + (s.cycle >= 1).astype(np.int32), "cycles": 4},
            "schedule: cycle 1 is empty",
        ),
    ],
)
def test_verify_finds(good, fault, message):
    result, src, dst, cap = good
    result.verify(src, dst, cap)
    with pytest.raises(ValueError, match=f"^{message}"):
        replace(result, **fault(result)).verify(src, dst, cap)


@pytest.mark.parametrize(
    ("src", "dst", "cap", "message"),
    [
        ([0, 1, 4], [2, 3, 0], [9, 1, 9], "channel 2 up (level 1) carries 2 messages on 1 wires"),
        ([0, 1], [2, 3], [9, 9, 1], None),
        ([0, 1], [3, 3], [9, 9, 1], "channel 7 down (level 2) carries 2 messages on 1 wires"),
        ([0, 3, 1], [4, 4, 4], [2, 9, 9], "channel 1 up (level 0) carries 3 messages on 2 wires"),
        ([4, 4], [1, 2], [1, 9, 9], "channel 1 down (level 0) carries 2 messages on 1 wires"),
        ([0, 0], [1, 2], [9, 9, 1], "channel 4 up (level 2) carries 2 messages on 1 wires"),
    ],
)
def test_verify_finds_overloads(src, dst, cap, message):
    """Everything in cycle 1, and something harmless elsewhere."""
    src, dst = np.array([3, *src, 3]), np.array([2, *dst, 2])
    cycle = np.ones(src.size, dtype=np.int32)
    cycle[0], cycle[-1] = 0, 2
    result = Schedule(cycle, 3, "TEST", None, load_factor(src, dst, cap))
    if message is None:
        result.verify(src, dst, cap)
        return
    with pytest.raises(ValueError) as caught:
        result.verify(src, dst, cap)
    assert str(caught.value) == f"schedule: cycle 1 is not a one-cycle message set: {message}"


# Rows -------------------------------------------------------------------------------------------


def test_rows():
    n, ports, cap = 4, 2, np.array([3, 4, 2])
    src, dst = np.array([0, 0, 1, 4, 4, 3, 0]), np.array([1, 2, 4, 0, 3, 2, 3])
    cycle = np.array([0, 0, 0, 0, 1, 1, 1], dtype=np.int32)
    result = Schedule(cycle, 2, "TEST", None, Fraction(1))
    destinations, messages = result.rows(src, dst, ports, n, cap)
    no = -1
    assert destinations.tolist() == [
        [1, 2, 4, no, no, no, no, no, 0, no, no],
        [3, no, no, no, no, no, 2, no, 3, no, no],
    ]
    assert messages.tolist() == [
        [0, 1, 2, no, no, no, no, no, 3, no, no],
        [6, no, no, no, no, no, 5, no, 4, no, no],
    ]
    assert destinations.dtype == messages.dtype == np.int32


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (
            lambda s: s.rows([0, 0], [1, 1], 1, 2, [1, 1]),
            "schedule: processor 0 sends more than 1 m",
        ),
        (
            lambda s: s.rows([2, 2], [1, 1], 1, 2, [1, 1]),
            "schedule: the outside sends more than 1 m",
        ),
        (
            lambda s: s.rows([0, 0], [1, 1], 0, 2, [1, 1]),
            "ports: is 0; allowed are integers from 1",
        ),
        (
            lambda s: s.rows([0, 0, 1], [1, 1, 0], 1, 2, [1, 1]),
            "src: has 3 messages; allowed are 2",
        ),
        (lambda s: s.rows([0, 0], [1, 1], 1, 4, [1, 1]), r"CAPACITY: has shape \(2,\)"),
    ],
)
def test_rows_errors(call, message):
    result = Schedule(np.zeros(2, dtype=np.int32), 1, "TEST", None, Fraction(1))
    with pytest.raises(ValueError, match=f"^{message}"):
        call(result)
