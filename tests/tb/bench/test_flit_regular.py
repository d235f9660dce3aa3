"""The compiled check of a burst: yes to what is as it should be, no to everything else."""

from collections.abc import Iterator

import numpy as np
import pytest

from fattree_bench.bench.links.flit.packets import Answers, FlitCaptured, PacketSet
from fattree_bench.bench.links.flit.sent import FlitLink, FlitPlan, Seen
from fattree_bench.bench.links.flit.words import FlitWords
from fattree_models.traffic import Packets

LEAVES, ROWS, FIRST = 6, 64, 1000
NOTED = ("injected", "created", "arrival", "vc", "route", "begun")
COUNTS = ("arrived", "delivered", "asked", "progress")
Flits = list[tuple[int, int, int, int]]  # packet, index, row, leaf


class Burst:
    """Packets whose flits all come in one burst, then replies to them."""

    def __init__(self, width: int, paths: int, answered: bool) -> None:
        words = FlitWords(width, 5, 3, width - 10, paths)
        link = FlitLink(
            *(LEAVES, words, 2, (1, 1)),
            address=lambda _, to: to * paths + paths - 1,
            reply_address=lambda to: to * paths,
        )
        item = PacketSet(
            Packets.of([0, 0, 5, 2], [4, 4, 5, 0], 0, [3, 1, 2, 9]),
            "by hand",
            answers=Answers(2, 4) if answered else None,
        )
        self.plan = item.plan = FlitPlan(link, item)
        self.side = np.zeros((ROWS, LEAVES), np.uint32)
        self.data = np.zeros((ROWS, LEAVES), np.uint32 if width <= 32 else np.uint64)
        self.flits: Flits = []
        sent, seen = self.plan.sent, self.plan.seen
        seen.injected[: sent.packets] = FIRST - 1
        seen.begun[:] = sent.lengths
        free = np.ones(LEAVES, np.int64)  # in row 0 nothing comes
        for packet in range(len(sent)):
            leaf, flits = int(sent.destination[packet]), int(sent.flits[packet])
            row = int(free[leaf]) + 20 * (packet >= sent.packets)
            free[leaf] += flits
            for index in range(flits):
                marks = int(index == flits - 1) | int(index == 0) << 1 | 1 << 2
                self.side[row + index, leaf] = marks | (7 + packet) << 6
                flit = np.array([sent.first_flit[packet] + index])
                self.data[row + index, leaf] = sent.words(flit)[0]
                self.flits.append((packet, index, row + index, leaf))

    def note(self) -> bool:
        """What the compiled check says."""
        from fattree_bench.bench.links.flit.regular import note

        taken = np.zeros((ROWS, 1), np.uint8)
        captured = FlitCaptured(self.plan.item, FIRST, self.side, self.data, taken)
        return note(self.plan.seen, captured)

    def damages(self) -> Iterator[str]:
        """Does one damage after the other, and mends it."""
        sent, words, width = self.plan.sent, self.plan.link.words, self.plan.link.words.width
        for packet, index, row, leaf in self.flits:
            for array in (self.side, self.data):  # to where nothing else is
                array[0, 1], array[row, leaf] = array[row, leaf], 0
            yield f"row {row}, leaf {leaf} at another leaf"
            for array in (self.side, self.data):
                array[0, 1], array[row, leaf] = 0, array[0, 1]
            if index == 0:
                flits, owner = sent.flits[packet, None], sent.source[[packet % sent.packets]]
                number = packet % sent.packets - sent.starts[owner]
                kind = sent.kinds[packet, None] == 1
                self.side[0, leaf] = 1 << 2
                self.data[0, leaf] = words.write(number, flits, kind, owner, owner, owner)[0]
                yield f"packet {packet} has a flit more"
                self.side[0, leaf] = self.data[0, leaf] = 0
        for _, _, row, leaf in self.flits:
            for array, bits in ((self.data, range(width)), (self.side, range(2))):
                for bit in bits:
                    array[row, leaf] ^= array.dtype.type(1 << bit)
                    yield f"bit {bit} at row {row}, leaf {leaf}"
                    array[row, leaf] ^= array.dtype.type(1 << bit)
            for where in ((ROWS - 1, leaf), (ROWS - 1, (leaf + 1) % LEAVES)):
                for array in (self.data, self.side):
                    array[where] = array[row, leaf]
                yield f"row {row}, leaf {leaf} again at {where}"
                self.side[where] = self.data[where] = 0


def state(seen: Seen) -> dict[str, list[int]]:
    arrays = {name: getattr(seen, name).tolist() for name in NOTED}
    return arrays | {name: [getattr(seen, name)] for name in COUNTS}


@pytest.fixture(params=[(32, 1, False), (32, 2, True), (64, 1, True)], ids=str)
def burst(request: pytest.FixtureRequest) -> Burst:
    return Burst(*request.param)


def test_what_is_right_is_noted(burst: Burst) -> None:
    sent, seen = burst.plan.sent, burst.plan.seen
    assert burst.note()
    for packet, index, row, _ in burst.flits:
        flit = sent.first_flit[packet] + index
        assert (seen.arrival[flit], seen.vc[flit]) == (FIRST + row, 1)
        assert seen.route[packet] == 7 + packet
    assert seen.all_arrived
    assert seen.delivered == len(sent)
    assert seen.asked == sent.packets * sent.answered
    assert seen.progress == FIRST + max(row for _, _, row, _ in burst.flits)
    assert (seen.created[sent.packets :] == seen.tails()[: len(sent) - sent.packets] + 1).all()


def test_what_is_wrong_is_not(burst: Burst) -> None:
    before = state(burst.plan.seen)
    for damage in burst.damages():
        assert not burst.note(), damage
        assert state(burst.plan.seen) == before, damage
    assert burst.note()


def test_what_was_there_is_not_noted_again(burst: Burst) -> None:
    assert burst.note()
    before = state(burst.plan.seen)
    assert not burst.note()
    assert state(burst.plan.seen) == before


def test_what_has_not_begun_is_not(burst: Burst) -> None:
    burst.plan.seen.injected[1] = FIRST + ROWS
    assert not burst.note()
    burst.plan.seen.injected[1] = 0
    burst.plan.seen.begun[2] = 0
    assert not burst.note()
