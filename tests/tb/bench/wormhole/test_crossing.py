"""What is said of crossings agrees with the model of a FIFO between clocks, edge by edge."""

import numpy as np
import pytest

from fattree_bench.bench import faults as kind
from fattree_bench.bench.faults import Finding
from fattree_bench.bench.wormhole.crossings import Crossing
from fattree_models.common.checks import Int64Array
from fattree_models.gals import READ, WRITE, AsyncFifo, edges, run

SYNC, STEP = 3, 7


def crossed(stages: int, seed: int, late: bool = False) -> tuple[Int64Array, Int64Array, int]:
    """What went and what came through a FIFO of so many flip-flops, in edges of the reader."""
    rng = np.random.default_rng(seed)
    period = rng.integers(5, 40, size=2)
    order = edges(int(period[0]), int(period[1]), int(rng.integers(period[1])), 4000)
    offered = (rng.random(order.size) < 0.3).astype(int)
    done = run(AsyncFifo(64, stages), order, offered)
    behind = np.cumsum(order & READ != 0)  # a reader's edge at the same instant is not behind
    taken = done.taken & (order & WRITE != 0)
    return behind[taken], behind[done.word >= 0] - 1 + late, int(behind[-1])


def found(went: Int64Array, came: Int64Array, edges: int, changed: int = 0) -> Finding | None:
    sent, got = (np.arange(each.size).astype(np.uint64) for each in (went, came))
    got[5:6] += np.uint64(changed)
    return Crossing("a link", SYNC).check(went, came, sent, got, edges)


@pytest.mark.parametrize("seed", range(20))
def test_a_sound_fifo_and_one_whose_synchroniser_is_short_or_long(seed: int) -> None:
    assert found(*crossed(SYNC, seed)) is None
    assert found(*crossed(SYNC, seed, late=True)) is None
    for stages, name in ((SYNC - 1, kind.EARLY), (SYNC + 2, kind.LATE)):
        told = found(*crossed(stages, seed))
        assert told is not None and told.kind == name, told


def test_parts_of_what_went_are_as_good_as_the_whole() -> None:
    went, came, count = crossed(SYNC, 1)
    crossing = Crossing("a link", SYNC)
    for low in range(0, count, STEP):  # what went before edge 0 is in the first part
        part = went[np.maximum(went - 1, 0) // STEP == low // STEP]
        there = came[came // STEP == low // STEP]
        alike = (np.zeros(each.size, np.uint64) for each in (part, there))
        assert crossing.check(part, there, *alike, min(low + STEP, count)) is None


def test_what_is_lost_changed_or_made_up_is_told() -> None:
    went, came, count = crossed(SYNC, 2)
    for told, name in (
        (found(went, came, count, changed=1), kind.CORRUPTED),
        (found(went[:3], came, count), kind.SPURIOUS),
        (found(went, came[:-9], count), kind.LATE),
    ):
        assert told is not None and told.kind == name and "a link" in told.example
