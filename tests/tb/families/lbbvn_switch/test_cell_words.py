"""Cells that bring words of their own: the table of sent words, and the names of faults."""

from collections.abc import Callable

import numpy as np
import pytest

from fattree_bench.bench import faults as kind
from tests.tb.families.lbbvn_switch.cell_streams import BASIC, FOFF
from tests.tb.families.lbbvn_switch.software import Make, Stream, frames, random_cells

SLOTS = 100


def zeros(tagged: bool = False) -> Stream:
    """Cells that are all zero but one, which is a word that no other cell brings."""
    dst = random_cells(np.random.default_rng(7), BASIC, SLOTS, 0.4)
    items = frames(dst)
    for item in items[: 1 if tagged else None]:
        item.words = np.zeros(item.dst.shape, BASIC.layout.payload.dtype)
    slot, source = np.argwhere(dst >= 0)[20]
    assert items[0].words is not None
    items[0].words[slot, source] = 1
    return Stream(BASIC, items)


def nothing(seen: Stream) -> None:
    pass


def flip(seen: Stream) -> None:
    seen.data[seen.at(9)] ^= 1 << 7


def lose(seen: Stream) -> None:
    seen.take(seen.at(9))


def invent(seen: Stream) -> None:
    seen.put(tuple(np.argwhere(~seen.valid)[0].tolist()), 0)


def repeat(seen: Stream) -> None:
    """The one word that names its cell comes again."""
    goal = int(np.argwhere(seen.data == 1)[0][1])
    slot = int(np.flatnonzero(~seen.valid[:, goal])[-1])
    seen.put((slot, goal), 1)


@pytest.mark.parametrize(
    ("fault", "names"),
    [
        (nothing, {}),
        (flip, {kind.CORRUPTED: 1}),
        (lose, {kind.LOST: 1}),
        (invent, {kind.SPURIOUS: 1}),
        (repeat, {kind.DUPLICATED: 1}),
    ],
)
def test_name_of_a_fault(
    fault: Callable[[Stream], None], names: dict[str, int], bench: Make
) -> None:
    seen = zeros()
    assert (seen.data == 1).sum() == 1 and seen.valid.sum() > 100
    fault(seen)
    made = bench(BASIC)
    assert made.names(seen) == names
    if fault is flip:
        (output,) = made.board.faults.examples[kind.CORRUPTED]
        assert output.endswith(": 0x80 instead of 0x0 (bits 0x80 differ)")


def test_tags_behind_them(bench: Make) -> None:
    """Frames with words of their own, and frames without, in one stream."""
    assert bench(BASIC).names(zeros(tagged=True)) == {}


def test_order_is_still_seen(bench: Make) -> None:
    """By name: two cells of a flow leave as the model says, who are alike but for their names."""
    dst = random_cells(np.random.default_rng(7), FOFF, SLOTS, 0.4)
    items = frames(dst)
    for item in items:
        item.words = np.zeros(item.dst.shape, FOFF.layout.payload.dtype)
    made = bench(FOFF)
    assert made.names(Stream(FOFF, items)) == {}
    assert not made.board.promises.delivery.overtaken
