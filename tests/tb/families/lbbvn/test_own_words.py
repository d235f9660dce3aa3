"""Packets that bring words of their own, and items that come again: every fault has its name."""

from collections.abc import Callable

import numpy as np
import numpy.typing as npt
import pytest

from fattree_bench.bench import faults as kind
from fattree_bench.bench.links.slot.frame import Captured, SlotFrame
from fattree_bench.bench.links.slot.traffic import drain
from fattree_bench.families.lbbvn.network import Lbbvn
from fattree_bench.families.lbbvn.plan import make_plan
from fattree_bench.families.lbbvn.scoreboard import SlotScoreboard
from fattree_models.lbbvn import bit_reverse_shifts
from tests.tb.bench.alone import alone

NETWORK = Lbbvn.from_variables({"N": "4"})
LATE, PAYLOAD = NETWORK.latency, NETWORK.layout.payload
FRAME = bit_reverse_shifts(NETWORK.n)
# All zero, but for a word that one packet alone brings.
WORDS = np.zeros(FRAME.shape, PAYLOAD.dtype)
WORDS[1, 0] = 1
Bits = npt.NDArray[np.bool_]
Words = npt.NDArray[np.uint32]


@pytest.fixture
def board() -> SlotScoreboard:
    return alone(SlotScoreboard, NETWORK)


def judge(
    board: SlotScoreboard, items: list[SlotFrame], fault: Callable[[Bits, Words], None]
) -> dict[str, int]:
    """What a scoreboard says of frames, back to back and drained, that this was done to."""
    items = [*items, drain(NETWORK)]
    total = sum(item.slots for item in items)
    valid, data = np.zeros((total, 4), np.bool_), np.zeros((total, 4), np.uint32)
    first = sent = 0
    for item in items[:-1]:
        plan = make_plan(NETWORK, item.dst)
        row, leaf = np.nonzero(plan.arrived >= 0)
        words = PAYLOAD.frame(item.slots, first) if item.words is None else item.words
        valid[first + row + LATE, leaf] = True
        data[first + row + LATE, leaf] = words[row, plan.arrived[row, leaf]]
        first, sent = first + item.slots, sent + plan.sent
    fault(valid, data)
    bits, first = np.packbits(valid, axis=1, bitorder="little"), 0
    counters = np.zeros(2 * (NETWORK.n + 2) + 2, np.uint32)
    counters[-2:] = sent
    for item in items:
        item.sequence, rows = first, slice(first, first + item.slots)
        item.plan = make_plan(NETWORK, item.dst)
        board.write(Captured(item, bits[rows], data[rows], counters))
        first = rows.stop
    board.check_phase()
    return dict(board.faults.counts)


def leaf_of(slot: int, source: int) -> tuple[int, int]:
    """Where a packet of the first frame arrives, and when."""
    return slot + LATE, int(FRAME[slot, source])


def nothing(valid: Bits, data: Words) -> None:
    pass


def flip(valid: Bits, data: Words) -> None:
    data[leaf_of(2, 3)] ^= 1 << 7


def lose(valid: Bits, data: Words) -> None:
    valid[leaf_of(2, 3)] = False


def swap(valid: Bits, data: Words) -> None:
    """The one word that names its packet comes where another is due."""
    one, two = leaf_of(1, 0), leaf_of(1, 1)
    data[one], data[two] = data[two], data[one]


def invent(valid: Bits, data: Words) -> None:
    valid[0, 0] = True


@pytest.mark.parametrize(
    ("fault", "names", "message"),
    [
        (nothing, {}, ""),
        (
            flip,
            {kind.CORRUPTED: 1},
            "slot 2 source 3 destination {}, in clock 5: 0x80 instead of 0x0",
        ),
        (lose, {kind.LOST: 1}, "slot 2 source 3 destination {}, due in clock"),
        (swap, {kind.CORRUPTED: 1, kind.MISDELIVERED: 1, kind.LOST: 1}, ""),
        (invent, {kind.SPURIOUS: 1}, "leaf 0 in clock 0: 0x0"),
    ],
)
def test_words_that_name_nobody(
    fault: Callable[[Bits, Words], None], names: dict[str, int], message: str, board: SlotScoreboard
) -> None:
    assert judge(board, [SlotFrame(FRAME, words=WORDS)], fault) == names
    if message:
        (example,) = board.faults.examples[next(iter(names))]
        assert example.startswith(message.format(leaf_of(2, 3)[1]))


@pytest.mark.parametrize(("fault", "name"), [(lose, kind.LOST), (flip, kind.CORRUPTED)])
def test_the_end_of_an_item_that_comes_again(
    fault: Callable[[Bits, Words], None], name: str, board: SlotScoreboard
) -> None:
    """When its last packets arrive it has been sent once more, with another number."""
    item = SlotFrame(FRAME)
    assert len(FRAME) <= 2 + LATE
    assert judge(board, [item, item], fault) == {name: 1}
