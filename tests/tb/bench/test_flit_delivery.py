"""Delivery on the flit link, of a network known only by its leaves."""

from collections.abc import Callable

import numpy as np
import pytest

from fattree_bench.bench import faults as kind
from fattree_bench.bench.ledger import DELIVERED, INSIDE
from fattree_bench.bench.levels import ORDER, Level, Supplied
from fattree_bench.bench.links.flit.packets import FlitCaptured, PacketSet
from fattree_bench.bench.links.flit.playing import Playing
from fattree_bench.bench.links.flit.scoreboard import FlitScoreboard
from fattree_bench.bench.links.flit.sent import FlitLink, FlitPlan
from fattree_bench.bench.links.flit.words import FlitWords
from fattree_models.traffic import Packets
from tests.tb.bench.alone import alone

LEAVES, ROWS, QUIET = 6, 100, 1500
LINK = FlitLink(LEAVES, FlitWords(32, 3, 3, 20, 1), room=2, class_vcs=(1, 1))
# Of leaf 0 two packets to leaf 4; one of leaf 5, to itself.
PACKETS = Packets.of([0, 0, 5], [4, 4, 5], [0, 1, 2], [3, 1, 2])
FIRST, SECOND, OWN = range(3)


class Foreign:
    """A network that is not ours: what it shows, in arrays that may be written."""

    def __init__(self) -> None:
        item = PacketSet(PACKETS, "by hand")
        self.plan = item.plan = FlitPlan(LINK, item)
        self.playing = Playing(self.plan, np.random.default_rng(1))
        self.side = np.zeros((ROWS, LEAVES), np.uint32)
        self.data = np.zeros((ROWS, LEAVES), np.uint32)
        self.begun = np.zeros((ROWS, LEAVES), np.bool_)
        for i, (clock, source) in enumerate(((0, 0), (1, 0), (2, 5))):
            self.begun[clock, source] = True
            self.arrive(i, 10 + 10 * i)

    def arrive(self, i: int, clock: int, leaf: int | None = None) -> None:
        """A packet arrives from this clock on."""
        sent = self.plan.sent
        flits = int(sent.flits[i])
        where = int(sent.destination[i]) if leaf is None else leaf
        index = np.arange(flits)
        marks = (index == flits - 1) | (index == 0) << 1 | 1 << 2
        self.side[clock : clock + flits, where] = marks
        self.data[clock : clock + flits, where] = sent.words(sent.first_flit[i] + index)

    def lose(self, i: int, clock: int, flits: int) -> None:
        """Nothing arrives in these clocks."""
        self.side[clock : clock + flits, int(self.plan.sent.destination[i])] = 0

    def captured(self) -> FlitCaptured:
        taken = np.packbits(self.begun, axis=1, bitorder="little")
        return FlitCaptured(self.plan.item, 0, self.side, self.data, taken)


def nothing(seen: Foreign) -> None:
    pass


def flip(seen: Foreign) -> None:
    seen.data[11, 4] ^= 1 << 30


def lose(seen: Foreign) -> None:
    seen.lose(FIRST, 12, 1)


def astray(seen: Foreign) -> None:
    seen.lose(SECOND, 20, 1)
    seen.arrive(SECOND, 20, leaf=1)


def twice(seen: Foreign) -> None:
    seen.arrive(SECOND, 50)


def mixed(seen: Foreign) -> None:
    """The second packet comes between the flits of the first."""
    seen.lose(SECOND, 20, 1)
    seen.arrive(SECOND, 13)
    seen.side[[12, 13], 4], seen.data[[12, 13], 4] = (
        seen.side[[13, 12], 4],
        seen.data[[13, 12], 4],
    )


def overtake(seen: Foreign) -> None:
    seen.lose(SECOND, 20, 1)
    seen.arrive(SECOND, 5)


Judge = Callable[..., tuple[dict[str, int], FlitScoreboard]]


@pytest.fixture
def judge() -> Judge:
    """What a scoreboard says of a network that does this."""

    def judged(
        fault: Callable[[Foreign], None],
        supplied: Supplied = Supplied(),  # noqa: B008  frozen
    ) -> tuple[dict[str, int], FlitScoreboard]:
        board = alone(FlitScoreboard, LINK, supplied)
        seen = Foreign()
        fault(seen)
        board.write(seen.captured())
        playing = seen.playing
        if not playing.complete:
            assert playing.over(playing.seen.progress + QUIET + 1)
        board.finish(playing.end(np.zeros(0, np.uint16), np.zeros(0, np.bool_)))
        board.check_phase()
        return dict(board.faults.counts), board

    return judged


def test_what_is_on_its_way_when_the_simulation_ends() -> None:
    """It is not a fault, and counts as sent."""
    board = alone(FlitScoreboard, LINK, Supplied())
    seen = Foreign()
    lose(seen)
    board.write(seen.captured())
    assert sum(board.accounts().values()) == 0  # counted at the end of an item
    board.cut_off()
    assert board.accounts() == {DELIVERED: 2, INSIDE: 1} and board.tally.sent == 3
    assert not board.faults
    board.cut_off()
    assert board.tally.sent == 3


@pytest.mark.parametrize(
    ("fault", "names"),
    [
        (nothing, {}),
        (flip, {kind.CORRUPTED: 1}),
        (lose, {kind.LOST: 1, kind.STUCK: 1}),
        (astray, {kind.MISDELIVERED: 1}),
        (twice, {kind.DUPLICATED: 1}),
        (mixed, {kind.INTERLEAVED: 1}),
        (overtake, {}),
    ],
)
def test_name_of_a_fault(
    fault: Callable[[Foreign], None], names: dict[str, int], judge: Judge
) -> None:
    found, board = judge(fault)
    assert found == names
    assert board.supplied.level == Level.DELIVERY
    assert board.tally.overtaken == (fault in (overtake, mixed))


def test_a_promise_makes_it_a_fault(judge: Judge) -> None:
    found, board = judge(overtake, Supplied((ORDER,)))
    assert found == {kind.REORDERED: 1}
    assert str(board.supplied.level) == "L1 promises"


@pytest.mark.parametrize(
    ("supplied", "level"),
    [
        (Supplied(), "L0 delivery"),
        (Supplied((ORDER,), path=True), "L2 path"),
        (Supplied(exact=True), "L3 exact"),
    ],
)
def test_the_level_is_the_highest_that_is_supplied(supplied: Supplied, level: str) -> None:
    assert str(supplied.level) == level
