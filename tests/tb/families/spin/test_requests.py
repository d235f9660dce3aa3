"""Reads and writes that go wrong: what they have in common, without a simulator."""

import numpy as np
import pytest

from fattree_bench.bench import faults as kind
from fattree_bench.bench.failing import failure
from fattree_bench.bench.failure import Failure
from fattree_bench.bench.ledger import DELIVERED, INSIDE
from fattree_bench.families.spin.exchange import LAST, WRITE
from fattree_bench.families.spin.network import MEMORY_W, SpinNetwork
from fattree_bench.families.spin.requests import (
    VALID,
    Commands,
    RequestPlan,
    RequestsCaptured,
    RequestSet,
    RequestsOver,
)
from fattree_bench.families.spin.scoreboard import SpinScoreboard
from fattree_models import spin, xgft
from tests.tb.bench.alone import alone

NETWORK = SpinNetwork.from_variables({})
LEAVES = NETWORK.terminals
SOURCE, GOAL = np.nonzero(~np.eye(LEAVES, dtype=np.bool_))
STRIDE = 24  # clocks from one command of an initiator to its next
WORDS = 2
WORDS_SHOWN = NETWORK.layout.inputs + LEAVES + 2 * NETWORK.planes


class Played:
    """Each initiator writes to each target, one command after the other; faults are marks."""

    def __init__(self) -> None:
        self.board = alone(SpinScoreboard, NETWORK)
        self.mute = np.zeros(len(SOURCE), np.bool_)  # targets that do not answer
        self.astray = self.mute.copy()  # requests that another target gets

    def seen(self) -> RequestPlan:
        """Has it been seen by the scoreboard."""
        commands = Commands.of(SOURCE, GOAL, 0, WORDS, 0, True)
        item = RequestSet(commands, "all pairs")
        plan = item.plan = RequestPlan(
            NETWORK, item, {i: spin.Memory(MEMORY_W) for i in range(LEAVES)}
        )
        shape = STRIDE * LEAVES, LEAVES
        issued, served = np.zeros(shape, np.uint8), np.zeros(shape, np.uint16)
        response = np.zeros(shape, np.uint64)
        dropped = np.zeros(shape, np.uint8)
        unanswered: dict[int, set[int]] = {}  # tags by initiator
        for i, (source, goal) in enumerate(zip(SOURCE, GOAL, strict=True)):
            number = i - int(plan.starts[source])
            clock = STRIDE * number
            tag = min(set(range(16)) - unanswered.setdefault(source, set()))
            unanswered[source] |= {tag} if self.mute[i] or self.astray[i] else set()
            issued[clock, source] = 0x80 | tag
            if self.mute[i]:
                continue
            at = goal ^ 1 if self.astray[i] else goal
            row = np.flatnonzero(served[clock + 1 : clock + STRIDE, at] == 0)[0] + clock + 1
            served[row, at] = 0x8000 | tag << 8 | source
            if not self.astray[i]:
                output = VALID | LAST | WRITE | WORDS << 55 | tag << 51 | int(goal) << 43
                response[clock + STRIDE - 1, source] = output
        self.board.write(RequestsCaptured(item, 0, issued, served, dropped, response))
        return plan

    def finish(self) -> Failure:
        plan = self.seen()
        state, home = np.zeros(WORDS_SHOWN, np.uint16), np.ones(1, np.bool_)
        self.board.finish(RequestsOver(plan, state, home, bool(plan.waiting)))
        return failure(self.board.faults, self.board.suspects, "all_pairs")


@pytest.fixture
def played() -> Played:
    return Played()


def said(found: Failure) -> list[str]:
    return [trait.says.format(trait.value) for trait in found.traits]


def test_sound_ones_have_no_fault(played: Played) -> None:
    played.finish()
    assert not played.board.faults
    assert played.board.accounts() == {DELIVERED: len(SOURCE)}


def test_a_target_that_does_not_answer(played: Played) -> None:
    played.mute = GOAL == 5
    found = played.finish()
    assert played.board.faults.counts[kind.LOST] == LEAVES - 1
    assert said(found)[0] == "are for target 5"
    first = found.first
    assert first is not None and first.expected is not None
    assert (first.expected.source, first.expected.destination) == (0, 5)
    assert first.since == 4 * STRIDE  # its fifth command, the first to this target
    assert played.board.accounts()[INSIDE] == LEAVES - 1


def test_a_level_of_turn_that_loses_all(played: Played) -> None:
    turn = (xgft.hop_count(NETWORK.tree, SOURCE, GOAL) + 1) // 2
    played.mute = turn == 1
    assert "turned at level 1" in said(played.finish())


def test_requests_that_go_to_the_neighbour(played: Played) -> None:
    played.astray = SOURCE == 3
    played.astray &= GOAL ^ 1 != 3
    found = played.finish()
    names = played.board.faults.counts
    assert names[kind.MISDELIVERED] == np.count_nonzero(played.astray)
    assert "came from initiator 3" in said(found)
    first = found.first
    assert first is not None and first.got is not None
    assert first.place is not None and first.place.kind == "target"


def test_what_is_open_when_the_simulation_ends(played: Played) -> None:
    played.mute = GOAL == 5
    played.seen()
    played.board.cut_off()
    assert played.board.accounts() == {DELIVERED: len(SOURCE) - LEAVES + 1, INSIDE: LEAVES - 1}
    assert not played.board.faults
