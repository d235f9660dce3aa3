"""Every run ends: limits of a scenario, whatever the design does."""

import asyncio
import os
from itertools import repeat
from pathlib import Path
from types import SimpleNamespace

import pytest
from pyuvm import uvm_sequencer

from fattree_bench.bench import faults as kind
from fattree_bench.bench.faults import Faults
from fattree_bench.bench.limits import Limits, Watch, log_size
from fattree_bench.bench.sequence import Ended, Listed, Sequencer

LIMITS = Limits(faults=10, log=1000)


class Player(uvm_sequencer):
    """Plays items with three faults each."""

    def __init__(self, faults: Faults) -> None:
        self.watch, self.played = Watch(LIMITS, faults), 0

    async def start_item(self, item: object) -> None:
        self.played += 1

    async def finish_item(self, item: object) -> None:
        self.watch.faults.add(kind.DUPLICATED, "in an item", 3)


class Ending(Sequencer, Player):
    """The bench's sequencer, on top of it."""

    __init__ = Player.__init__


def play(faults: Faults) -> int:
    """Items that a scenario without end has played when it is ended."""
    sequencer = Ending(faults)
    with pytest.raises(Ended):
        asyncio.run(Listed("endless", repeat(SimpleNamespace())).start(sequencer))
    return sequencer.played


def test_a_scenario_is_ended_at_so_many_faults() -> None:
    faults = Faults()
    assert play(faults) == 4
    assert faults.counts == {kind.DUPLICATED: 12, kind.LIMIT: 1}
    assert faults.examples[kind.LIMIT] == ["stopped after 10 faults (12 seen)"]


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
