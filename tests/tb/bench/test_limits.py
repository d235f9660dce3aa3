"""Every run ends: limits of a scenario, whatever the design does."""

import asyncio
import os
from collections.abc import Iterator
from itertools import count
from pathlib import Path

import pytest

from fattree_bench.bench import faults as kind
from fattree_bench.bench.faults import Faults
from fattree_bench.bench.limits import Limits, Watch, log_size
from fattree_bench.bench.traffic import Traffic

LIMITS = Limits(faults=10, log=1000)


def play(faults: Faults, items: Iterator[int]) -> int:
    """Items that a scenario without end has played when it is ended; each has three faults."""
    traffic, played = Traffic(items, Watch(LIMITS, faults)), []

    async def start(item: int) -> None:
        played.append(item)

    async def finish(item: int) -> None:
        faults.add(kind.DUPLICATED, f"in item {item}", 3)

    traffic.start_item, traffic.finish_item = start, finish
    asyncio.run(traffic.body())
    return len(played)


def test_a_scenario_is_ended_at_so_many_faults() -> None:
    faults = Faults()
    assert play(faults, count()) == 4
    assert faults.counts == {kind.DUPLICATED: 12, kind.LIMIT: 1}
    assert faults.examples[kind.LIMIT] == ["12 faults; ended at 10"]


def test_a_limit_is_told_once() -> None:
    faults = Faults()
    watch = Watch(LIMITS, faults)
    watch.end("too many clocks")
    assert watch.over() and watch.over()
    assert faults.counts == {kind.LIMIT: 1}


def test_nothing_wrong_ends_nothing() -> None:
    faults = Faults()
    faults.add(kind.LOST, "one")
    assert not Watch(LIMITS, faults).over()
    assert faults.counts == {kind.LOST: 1}


@pytest.mark.parametrize(("size", "over"), [(999, False), (1000, True)])
def test_a_scenario_is_ended_at_so_much_log(tmp_path: Path, size: int, over: bool) -> None:
    """A design that writes without end: output goes to the log of the run."""
    (tmp_path / "sim.log").write_bytes(b"x" * size)
    faults, kept = Faults(), os.dup(1)
    log = os.open(tmp_path / "sim.log", os.O_WRONLY | os.O_APPEND)
    try:
        os.dup2(log, 1)
        assert log_size() == size
        ended = Watch(LIMITS, faults).over()
    finally:
        os.dup2(kept, 1)
        os.close(kept)
        os.close(log)
    assert ended == over
    assert faults.counts == ({kind.LIMIT: 1} if over else {})
